package com.verificatum.vmgj;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.moduli.EvenModulus;
import org.moduli.Moduli;
import org.moduli.Modulus;

/**
 * The functions of VMGJ, Verificatum's interface to GMP and GMPMEE, implemented by libmoduli: programs that call them
 * run unchanged.
 *
 * <p>Like VMGJ's, these functions are for public values, and variable-time. {@link BigInteger} handles moduli that are
 * even, 1, or longer than 65536 bits, and numbers of more than 524288 bits.
 *
 * <p>If the system property {@code moduli.vmgj.secret} is {@code true}, all powers are constant-time except for lengths
 * and signs, and slower. Nothing is left to BigInteger then: powers and tables throw {@link IllegalArgumentException} for
 * a modulus of more than 65536 bits and for a basis or exponent of more than 524288 bits, and {@link #spowm} for an even
 * modulus.
 *
 * <p>Where GMP ends the process, these functions throw {@link ArithmeticException}: for a modulus of 0, and for a
 * negative exponent of a base without an inverse. The sign of a modulus is ignored.
 */
public final class VMG {
    /** Whether all exponents are secret. */
    static final boolean SECRET = Boolean.getBoolean("moduli.vmgj.secret");

    /** Why the native library could not be loaded; null if it was. */
    public static final UnsatisfiedLinkError LOAD_ERROR = loadError();

    private static final int MAX_BITS = 8 * 65536;
    private static final int MAX_MODULUS_BITS = 65536;

    private VMG() {}

    private static UnsatisfiedLinkError loadError() {
        try {
            Moduli.version();
            return null;
        } catch (UnsatisfiedLinkError e) {
            return e;
        } catch (Throwable e) {
            UnsatisfiedLinkError error = new UnsatisfiedLinkError("moduli cannot load its native library");
            error.initCause(e);
            return error;
        }
    }

    /** Whether the native library could be loaded. */
    public static boolean checkLoaded() {
        return LOAD_ERROR == null;
    }

    /** basis^exponent modulo modulus. */
    public static BigInteger powm(BigInteger basis, BigInteger exponent, BigInteger modulus) {
        BigInteger positive = positive(modulus);
        if (SECRET) {
            return secretPower(basis, exponent, positive);
        }
        if (!isServed(positive) || exponent.abs().bitLength() > MAX_BITS) {
            return basis.modPow(exponent, positive);
        }
        return Prepared.of(positive).powVartime(reduced(basis, positive), exponent);
    }

    /** Computes a power in constant time, whatever the modulus. */
    private static BigInteger secretPower(BigInteger basis, BigInteger exponent, BigInteger modulus) {
        limited("basis", basis, MAX_BITS);
        limited("exponent", exponent, MAX_BITS);
        if (modulus.equals(BigInteger.ONE)) {
            return BigInteger.ZERO;
        }
        if (modulus.testBit(0)) {
            return Prepared.of(modulus).pow(basis, exponent);
        }
        try (EvenModulus even = EvenModulus.of(modulus)) {
            return even.pow(basis, exponent);
        }
    }

    /** Rejects numbers that only BigInteger could handle, because BigInteger is not constant-time. */
    private static void limited(String name, BigInteger x, int most) {
        int bits = x.abs().bitLength();
        if (bits > most) {
            throw new IllegalArgumentException(
                    name + " has " + bits + " bits; at most " + most + " with the system property moduli.vmgj.secret");
        }
    }

    /** The product of bases[i]^exponents[i] modulo modulus; 1 for none. */
    public static BigInteger spowm(BigInteger[] bases, BigInteger[] exponents, BigInteger modulus) {
        if (bases.length != exponents.length) {
            throw new IllegalArgumentException(exponents.length + " exponents for " + bases.length + " bases");
        }
        BigInteger positive = positive(modulus);
        if (SECRET) {
            return secretProduct(bases, exponents, positive);
        }
        if (!isServed(positive) || Arrays.stream(exponents).anyMatch(e -> e.abs().bitLength() > MAX_BITS)) {
            BigInteger product = BigInteger.ONE;
            for (int i = 0; i < bases.length; i++) {
                product = product.multiply(bases[i].modPow(exponents[i], positive)).mod(positive);
            }
            return product.mod(positive);
        }
        List<BigInteger> reduced = Arrays.stream(bases).map(basis -> reduced(basis, positive)).toList();
        return Prepared.of(positive).multiPowVartime(reduced, Arrays.asList(exponents));
    }

    /** Computes a product of powers in constant time. */
    private static BigInteger secretProduct(BigInteger[] bases, BigInteger[] exponents, BigInteger modulus) {
        if (!modulus.testBit(0)) {
            throw new IllegalArgumentException(
                    "the modulus is even; spowm needs an odd one with the system property moduli.vmgj.secret");
        }
        for (int i = 0; i < bases.length; i++) {
            limited("bases[" + i + "]", bases[i], MAX_BITS);
            limited("exponents[" + i + "]", exponents[i], MAX_BITS);
        }
        if (modulus.equals(BigInteger.ONE)) {
            return BigInteger.ZERO;
        }
        Modulus prepared = Prepared.of(modulus);
        List<BigInteger> reduced = new ArrayList<>(Arrays.asList(bases));
        List<BigInteger> all = new ArrayList<>(Arrays.asList(exponents));
        // Signs are public. Only the bases of negative exponents need an inverse.
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).signum() < 0) {
                reduced.set(i, prepared.invert(reduced.get(i)));
                all.set(i, all.get(i).negate());
            }
        }
        return prepared.multiPow(reduced, all);
    }

    /**
     * The Legendre symbol of value modulo an odd prime, 1, -1 or 0.
     *
     * @throws ArithmeticException if odd_prime is even, below 3 or longer than 65536 bits
     */
    public static int legendre(BigInteger value, BigInteger odd_prime) {
        return Prepared.of(odd_prime).jacobiVartime(reduced(value, odd_prime));
    }

    /** Reduces a number if it is longer than the library accepts. */
    private static BigInteger reduced(BigInteger x, BigInteger modulus) {
        return x.abs().bitLength() > MAX_BITS ? x.mod(modulus) : x;
    }

    /** Returns the modulus without its sign. Throws if it is 0, or if exponents are secret and it is too long. */
    static BigInteger positive(BigInteger modulus) {
        if (modulus.signum() == 0) {
            throw new ArithmeticException("the modulus is 0");
        }
        if (SECRET) {
            limited("modulus", modulus, MAX_MODULUS_BITS);
        }
        return modulus.abs();
    }

    /** Whether libmoduli supports a modulus. */
    static boolean isServed(BigInteger modulus) {
        return modulus.testBit(0) && modulus.bitLength() > 1 && modulus.bitLength() <= MAX_MODULUS_BITS;
    }
}

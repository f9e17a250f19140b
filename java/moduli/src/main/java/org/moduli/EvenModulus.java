package org.moduli;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.math.BigInteger;
import java.util.Objects;

/**
 * An even modulus 2^k·n, with n odd, of at most 65536 bits, for powers and inverses. Immutable: threads may share
 * it.
 */
public final class EvenModulus extends Handle {
    private final BigInteger value;
    private final int size;

    private EvenModulus(BigInteger value, MemorySegment address) {
        super(address, Native.EVEN_MODULUS_FREE);
        this.value = value;
        this.size = Numbers.length(value);
    }

    /**
     * Prepares a modulus, public. Cost: about a hundred products modulo n and some of k bits.
     *
     * @throws ArithmeticException if it is below 2 or longer than 65536 bits
     * @throws IllegalArgumentException if it is odd
     */
    public static EvenModulus of(BigInteger value) {
        return new EvenModulus(value, Modulus.prepared(value, (out, bytes) ->
                (int) Native.EVEN_MODULUS_NEW.invokeExact(out, bytes, bytes.byteSize())));
    }

    /** Returns the modulus. */
    public BigInteger value() {
        return value;
    }

    /**
     * Computes x^e mod m for a secret base and a secret exponent; x^0 is 1. Reveals the lengths of both in 64-bit
     * words, and their signs. Cost: that of {@link Modulus#pow(BigInteger, BigInteger)} modulo n, and 1.25
     * schoolbook products of k bits for each bit of e, of which at most k + 1 count.
     *
     * @throws ArithmeticException if e is negative and x has no inverse
     */
    public BigInteger pow(BigInteger x, BigInteger e) {
        return power(Native.EVEN_POW, Objects.requireNonNull(e, "e").signum() < 0 ? invert(x) : base(x), e);
    }

    /** As {@link #pow}, for a public base and a public exponent, and faster. */
    public BigInteger powVartime(BigInteger x, BigInteger e) {
        return power(Native.EVEN_POW_VARTIME, Objects.requireNonNull(e, "e").signum() < 0 ? invertVartime(x) : base(x), e);
    }

    /**
     * Computes the inverse of x modulo m for a secret x, and reveals whether there is one. Cost: that of {@link
     * Modulus#invert} modulo n, and two schoolbook products of k bits for each doubling of the length from 3 bits to
     * k.
     *
     * @throws ArithmeticException if there is none
     */
    public BigInteger invert(BigInteger x) {
        return unary(size, Native.EVEN_INVERT, base(x));
    }

    /** As {@link #invert}, for a public x, and faster. The exception gives the common factor. */
    public BigInteger invertVartime(BigInteger x) {
        return unary(size, Native.EVEN_INVERT_VARTIME, base(x));
    }

    /** Returns the base, reduced if it is negative. */
    private BigInteger base(BigInteger x) {
        return Objects.requireNonNull(x, "x").signum() < 0 ? x.mod(value) : x;
    }

    private BigInteger power(MethodHandle function, BigInteger x, BigInteger e) {
        return power(size, x, e, Numbers.words(e), (m, out, xs, es) ->
                (int) function.invokeExact(m, out, out.byteSize(), xs, xs.byteSize(), es, es.byteSize()));
    }
}

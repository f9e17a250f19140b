package com.verificatum.vmgj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Calls the functions as programs on VMGJ do, and compares them with BigInteger. */
class VMGTest {
    private static final BigInteger ONE = BigInteger.ONE;

    /** Returns odd, even and negative moduli, 1, and one that libmoduli does not support. */
    private static List<BigInteger> moduli() {
        Random random = new Random(3);
        List<BigInteger> all = new ArrayList<>(List.of(ONE, BigInteger.TWO, BigInteger.valueOf(3), BigInteger.valueOf(-15)));
        for (int bits : new int[] {64, 512, 1025, 2048}) {
            BigInteger odd = new BigInteger(bits, random).setBit(bits - 1).setBit(0);
            all.addAll(List.of(odd, odd.add(ONE), odd.negate()));
        }
        return all;
    }

    /** Checks that too long numbers are left to BigInteger if they are public, and rejected if exponents are secret. */
    private static void onlyIfPublic(String secretly, BigInteger expected, java.util.function.Supplier<BigInteger> call) {
        if (VMG.SECRET) {
            String message = assertThrows(IllegalArgumentException.class, call::get).getMessage();
            assertEquals(secretly + " with the system property moduli.vmgj.secret", message);
        } else {
            assertEquals(expected, call.get());
        }
    }

    private static boolean hasInverse(BigInteger x, BigInteger modulus) {
        return x.gcd(modulus).equals(ONE);
    }

    @Test
    void isLoaded() {
        assertTrue(VMG.checkLoaded());
        assertNull(VMG.LOAD_ERROR);
        assertEquals(Boolean.getBoolean("moduli.vmgj.secret"), VMG.SECRET);
    }

    @Test
    void powmAgreesWithModPow() {
        Random random = new Random(4);
        for (BigInteger modulus : moduli()) {
            BigInteger positive = modulus.abs();
            for (BigInteger x : List.of(BigInteger.ZERO, ONE, positive, ONE.negate(), new BigInteger(700, random),
                    new BigInteger(VMG.SECRET ? 1700 : 600000, random))) {
                for (BigInteger e : List.of(BigInteger.ZERO, ONE, new BigInteger(300, random), new BigInteger(90, random).negate(), ONE.negate())) {
                    if (e.signum() < 0 && !hasInverse(x, positive)) {
                        assertThrows(ArithmeticException.class, () -> VMG.powm(x, e, modulus));
                    } else {
                        assertEquals(x.modPow(e, positive), VMG.powm(x, e, modulus), () -> x + "^" + e + " modulo " + modulus);
                    }
                }
            }
        }
        BigInteger long_ = BigInteger.TWO.pow(65540).add(ONE);
        BigInteger two = BigInteger.TWO;
        BigInteger ten = BigInteger.TEN;
        onlyIfPublic("modulus has 65541 bits; at most 65536", two.modPow(ten, long_), () -> VMG.powm(two, ten, long_));
        BigInteger huge = two.pow(530000);
        for (BigInteger m : List.of(BigInteger.valueOf(1000003), BigInteger.valueOf(1000004))) {
            BigInteger expected = ten.modPow(huge, m);
            onlyIfPublic("exponent has 530001 bits; at most 524288", expected, () -> VMG.powm(ten, huge, m));
            onlyIfPublic("basis has 530001 bits; at most 524288", huge.modPow(ten, m), () -> VMG.powm(huge, ten, m));
        }
        assertThrows(ArithmeticException.class, () -> VMG.powm(ONE, ONE, BigInteger.ZERO));
        assertThrows(NullPointerException.class, () -> VMG.powm(null, ONE, BigInteger.TEN));
        assertThrows(NullPointerException.class, () -> VMG.powm(ONE, null, BigInteger.valueOf(7)));
        assertThrows(NullPointerException.class, () -> VMG.powm(ONE, ONE, null));
    }

    /** With secret exponents everything is constant-time: BigInteger computes none of it. */
    @Test
    void secretPowersAreNotThoseOfBigInteger() {
        BigInteger three = new BigInteger("3") {
            private static final long serialVersionUID = 1;

            @Override
            public BigInteger modPow(BigInteger exponent, BigInteger modulus) {
                throw new UnsupportedOperationException();
            }
        };
        BigInteger e = BigInteger.valueOf(1234567);
        for (BigInteger modulus : moduli()) {
            BigInteger positive = modulus.abs();
            BigInteger expected = BigInteger.valueOf(3).modPow(e, positive);
            BigInteger[] bases = {three};
            BigInteger[] exponents = {e};
            if (VMG.SECRET) {
                assertEquals(expected, VMG.powm(three, e, modulus));
                if (positive.testBit(0)) {
                    assertEquals(expected, VMG.spowm(bases, exponents, modulus));
                }
            } else if (!VMG.isServed(positive)) {
                assertThrows(UnsupportedOperationException.class, () -> VMG.powm(three, e, modulus));
                assertThrows(UnsupportedOperationException.class, () -> VMG.spowm(bases, exponents, modulus));
            }
        }
    }

    @Test
    void spowmAgreesWithModPow() {
        Random random = new Random(5);
        for (BigInteger modulus : moduli()) {
            BigInteger positive = modulus.abs();
            for (int count : new int[] {0, 1, 2, 21}) {
                BigInteger[] bases = IntStream.range(0, count).mapToObj(i -> new BigInteger(positive.bitLength() + 5, random)).toArray(BigInteger[]::new);
                BigInteger[] exponents = IntStream.range(0, count).mapToObj(i -> new BigInteger(8 * i, random)).toArray(BigInteger[]::new);
                if (count > 1 && hasInverse(bases[1], positive)) {
                    exponents[1] = exponents[1].negate();
                }
                BigInteger product = ONE.mod(positive);
                for (int i = 0; i < count; i++) {
                    product = product.multiply(bases[i].modPow(exponents[i], positive)).mod(positive);
                }
                if (VMG.SECRET && !modulus.testBit(0)) {
                    assertThrows(IllegalArgumentException.class, () -> VMG.spowm(bases, exponents, modulus));
                } else {
                    assertEquals(product, VMG.spowm(bases, exponents, modulus));
                }
            }
        }
        BigInteger[] one = {ONE};
        BigInteger million = BigInteger.valueOf(1000003);
        BigInteger huge = BigInteger.TWO.pow(530000);
        BigInteger[] long_ = {huge};
        BigInteger expected = BigInteger.TEN.modPow(huge, million);
        onlyIfPublic("exponents[0] has 530001 bits; at most 524288", expected,
                () -> VMG.spowm(new BigInteger[] {BigInteger.TEN}, long_, million));
        onlyIfPublic("bases[0] has 530001 bits; at most 524288", huge.mod(million), () -> VMG.spowm(long_, one, million));
        assertThrows(IllegalArgumentException.class, () -> VMG.spowm(one, new BigInteger[0], BigInteger.TEN));
        assertThrows(ArithmeticException.class, () -> VMG.spowm(one, one, BigInteger.ZERO));
        assertThrows(NullPointerException.class, () -> VMG.spowm(new BigInteger[1], one, BigInteger.valueOf(7)));
    }

    @Test
    void legendreAgreesWithEulersCriterion() {
        BigInteger p = BigInteger.probablePrime(200, new Random(6));
        for (int i = -30; i < 300; i++) {
            BigInteger x = BigInteger.valueOf(i);
            BigInteger euler = x.modPow(p.shiftRight(1), p);
            assertEquals(euler.equals(p.subtract(ONE)) ? -1 : euler.intValue(), VMG.legendre(x, p));
        }
        assertEquals(0, VMG.legendre(p, p));
        for (BigInteger bad : List.of(BigInteger.ZERO, ONE, BigInteger.TEN, BigInteger.valueOf(-7))) {
            assertThrows(ArithmeticException.class, () -> VMG.legendre(ONE, bad));
        }
    }

    @Test
    void tablesAgreeWithModPow() {
        Random random = new Random(7);
        for (BigInteger modulus : moduli()) {
            BigInteger positive = modulus.abs();
            for (BigInteger basis : List.of(new BigInteger(positive.bitLength() + 4, random), positive, BigInteger.valueOf(-3))) {
                // The default width takes megabytes for long moduli.
                FpowmTab table =
                        positive.bitLength() < 600 ? new FpowmTab(basis, modulus, 100) : new FpowmTab(basis, modulus, 8, 100);
                for (BigInteger e : List.of(BigInteger.ZERO, ONE, new BigInteger(100, random), new BigInteger(400, random))) {
                    assertEquals(basis.modPow(e, positive), table.fpowm(e));
                }
                if (hasInverse(basis, positive)) {
                    assertEquals(basis.modPow(BigInteger.TEN.negate(), positive), table.fpowm(BigInteger.TEN.negate()));
                } else {
                    assertThrows(ArithmeticException.class, () -> table.fpowm(ONE.negate()));
                }
                table.free();
                table.free();
                assertThrows(IllegalStateException.class, () -> table.fpowm(ONE));
            }
        }
        BigInteger huge = BigInteger.TWO.pow(530000);
        for (BigInteger m : List.of(BigInteger.valueOf(1000003), BigInteger.valueOf(1000004))) {
            FpowmTab table = new FpowmTab(BigInteger.TEN, m, 8, 64);
            BigInteger expected = BigInteger.TEN.modPow(huge, m);
            onlyIfPublic("exponent has 530001 bits; at most 524288", expected, () -> table.fpowm(huge));
        }
        BigInteger long_ = BigInteger.TWO.pow(65540).add(ONE);
        onlyIfPublic("modulus has 65541 bits; at most 65536", BigInteger.valueOf(9),
                () -> new FpowmTab(BigInteger.valueOf(3), long_, 8, 64).fpowm(BigInteger.TWO));
        assertThrows(ArithmeticException.class, () -> new FpowmTab(ONE, BigInteger.ZERO, 10));
        assertThrows(IllegalArgumentException.class, () -> new FpowmTab(ONE, BigInteger.TEN, 0));
        assertThrows(NullPointerException.class, () -> new FpowmTab(null, BigInteger.TEN, 10));
    }

    /** More moduli than are kept, from several threads. */
    @Test
    void manyModuliInTurn() {
        IntStream.range(0, 3000).parallel().forEach(i -> {
            BigInteger modulus = BigInteger.TWO.pow(90).add(BigInteger.valueOf(2L * (i % 600) + 1));
            BigInteger e = BigInteger.valueOf(i);
            assertEquals(BigInteger.TEN.modPow(e, modulus), VMG.powm(BigInteger.TEN, e, modulus));
        });
    }
}

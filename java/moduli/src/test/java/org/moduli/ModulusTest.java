package org.moduli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the operations of Modulus with BigInteger. */
class ModulusTest {
    private static final BigInteger MILLION_AND_3 = BigInteger.valueOf(1000003);

    static java.util.stream.Stream<BigInteger> moduli() {
        return Cases.moduli();
    }

    /** Checks a result, or, if there is none, that the call throws ArithmeticException. */
    private static void same(BigInteger expected, java.util.function.Supplier<BigInteger> call, String what) {
        if (expected == null) {
            assertThrows(ArithmeticException.class, call::get, what);
        } else {
            assertEquals(expected, call.get(), what);
        }
    }

    @ParameterizedTest
    @MethodSource("moduli")
    void agreesWithBigInteger(BigInteger value) {
        Random random = new Random(value.bitLength());
        try (Modulus p = Modulus.of(value)) {
            assertEquals(value, p.value());
            assertTrue(p.kernel().matches("ifma52|fma50|adx|aarch64|portable"));
            List<BigInteger> operands = Cases.operands(value, random);
            List<BigInteger> exponents = Cases.exponents(random);
            for (int i = 0; i < operands.size(); i++) {
                BigInteger x = operands.get(i);
                BigInteger y = operands.get((i * 7 + 3) % operands.size());
                assertEquals(x.mod(value), p.reduce(x));
                assertEquals(x.multiply(y).mod(value), p.multiply(x, y));
                BigInteger inverse = x.gcd(value).equals(BigInteger.ONE) ? x.modInverse(value) : null;
                same(inverse, () -> p.invert(x), "invert " + x);
                same(inverse, () -> p.invertVartime(x), "invert " + x);
                for (int j = i % 2; j < exponents.size(); j += 2) {
                    BigInteger e = exponents.get(j);
                    String what = x + "^" + e;
                    BigInteger expected = Cases.power(x, e, value);
                    same(expected, () -> p.pow(x, e), what);
                    same(expected, () -> p.pow(x, e, 777), what);
                    same(expected, () -> p.powVartime(x, e), what);
                    if (x.signum() >= 0 && e.signum() >= 0) {
                        byte[] found = p.pow(x.toByteArray(), e.toByteArray());
                        assertEquals(p.byteLength(), found.length);
                        assertEquals(expected, new BigInteger(1, found), what);
                        assertArrayEquals(found, p.powVartime(x.toByteArray(), e.toByteArray()));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("moduli")
    void batchesAndProductsAgreeWithBigInteger(BigInteger value) {
        Random random = new Random(value.bitLength());
        List<BigInteger> x = new ArrayList<>();
        List<BigInteger> e = new ArrayList<>();
        try (Modulus p = Modulus.of(value)) {
            for (int i = 0; i < 19; i++) {
                for (boolean signed : new boolean[] {false, true}) {
                    List<BigInteger> exponents = new ArrayList<>(e);
                    if (signed && i > 0) {
                        exponents.set(i - 1, exponents.get(i - 1).negate());
                    }
                    BigInteger product = BigInteger.ONE;
                    List<BigInteger> powers = new ArrayList<>();
                    for (int j = 0; j < i; j++) {
                        powers.add(x.get(j).modPow(exponents.get(j), value));
                        product = product.multiply(powers.get(j)).mod(value);
                    }
                    assertEquals(powers, p.powBatch(x, exponents));
                    assertEquals(product.mod(value), p.multiPow(x, exponents));
                    assertEquals(product.mod(value), p.multiPowVartime(x, exponents));
                }
                BigInteger base = new BigInteger(value.bitLength() + 9, random).subtract(value);
                x.add(base.gcd(value).equals(BigInteger.ONE) ? base : BigInteger.TWO);
                e.add(new BigInteger(9 * i, random));
            }
        }
    }

    @Test
    void jacobiAgreesWithEulersCriterion() {
        for (int bits : new int[] {3, 16, 64, 65, 256, 512}) {
            BigInteger p = BigInteger.probablePrime(bits, new Random(bits));
            try (Modulus modulus = Modulus.of(p)) {
                for (BigInteger x : Cases.operands(p, new Random(bits))) {
                    BigInteger euler = x.modPow(p.shiftRight(1), p);
                    int symbol = euler.signum() == 0 ? 0 : euler.equals(BigInteger.ONE) ? 1 : -1;
                    assertEquals(symbol, modulus.jacobiVartime(x), x + " modulo " + p);
                }
            }
        }
    }

    @Test
    void refusesWhatIsNoModulus() {
        for (BigInteger bad : List.of(BigInteger.ZERO, BigInteger.ONE, BigInteger.TWO, BigInteger.TEN, BigInteger.ONE.negate(),
                BigInteger.valueOf(-7), BigInteger.TWO.pow(65536).add(BigInteger.ONE))) {
            assertThrows(ArithmeticException.class, () -> Modulus.of(bad), bad::toString);
        }
        assertThrows(IllegalArgumentException.class, () -> Modulus.of(BigInteger.TWO.pow(600000).add(BigInteger.ONE)));
        assertThrows(ArithmeticException.class, () -> Modulus.of(new byte[0]));
        assertThrows(NullPointerException.class, () -> Modulus.of((BigInteger) null));
        assertThrows(NullPointerException.class, () -> Modulus.of((byte[]) null));
    }

    @Test
    void refusesHostileOperands() {
        BigInteger one = BigInteger.ONE;
        BigInteger huge = BigInteger.TWO.pow(9_000_000);
        List<BigInteger> none = Arrays.asList((BigInteger) null);
        try (Modulus p = Modulus.of(MILLION_AND_3)) {
            for (Executable call : List.<Executable>of(() -> p.pow(null, one), () -> p.pow(one, (BigInteger) null),
                    () -> p.powVartime(null, one), () -> p.powVartime(one, (BigInteger) null), () -> p.pow((byte[]) null, new byte[1]),
                    () -> p.pow(new byte[1], null), () -> p.reduce(null), () -> p.multiply(one, null), () -> p.invert(null),
                    () -> p.invertVartime(null), () -> p.jacobiVartime(null), () -> p.multiPow(null, List.of()),
                    () -> p.multiPow(none, List.of(one)), () -> p.powBatch(List.of(one), none))) {
                assertThrows(NullPointerException.class, call);
            }
            for (Executable call : List.<Executable>of(() -> p.pow(one, huge), () -> p.pow(huge, one), () -> p.powVartime(one, huge),
                    () -> p.pow(one, huge.negate()), () -> p.reduce(huge), () -> p.pow(new byte[65537], new byte[1]),
                    () -> p.pow(one, BigInteger.TWO, 1), () -> p.pow(one, one, -1), () -> p.multiPow(List.of(one), List.of()),
                    () -> p.multiPow(List.of(one), List.of(huge)), () -> p.powBatch(List.of(), List.of(one)))) {
                assertThrows(IllegalArgumentException.class, call);
            }
            assertEquals(huge.negate().mod(MILLION_AND_3), p.reduce(huge.negate()));
            assertEquals(one, p.pow(BigInteger.ZERO, BigInteger.ZERO));
            assertArrayEquals(new byte[] {0, 0, 1}, p.pow(new byte[0], new byte[0]));
        }
    }

    /** A number that claims a length which, plus 7, overflows an int. It only claims it, so it needs no memory. */
    private static final class Longest extends BigInteger {
        private static final long serialVersionUID = 1;
        private final int bits;

        Longest(int bits) {
            super("5");
            this.bits = bits;
        }

        @Override
        public int bitLength() {
            return bits;
        }

        @Override
        public BigInteger abs() {
            return this;
        }
    }

    private static void refuses(String name, Executable call) {
        String message = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertEquals(name + ": 268435456 bytes; at most 65536", message);
    }

    @Test
    void refusesTheLongestNumbers() {
        BigInteger one = BigInteger.ONE;
        try (Modulus p = Modulus.of(MILLION_AND_3);
                EvenModulus even = EvenModulus.of(BigInteger.TEN);
                FixedBase table = FixedBase.build(p, BigInteger.TWO, 16, 4096, Secrecy.SECRET);
                CrtModulus crt = CrtModulus.of(BigInteger.valueOf(7), BigInteger.valueOf(11), 1)) {
            for (int bits : new int[] {Integer.MAX_VALUE - 6, Integer.MAX_VALUE}) {
                BigInteger longest = new Longest(bits);
                for (Executable call : List.<Executable>of(() -> p.reduce(longest), () -> p.pow(longest, one), () -> p.powVartime(longest, one),
                        () -> p.multiply(longest, one), () -> p.invert(longest), () -> p.jacobiVartime(longest),
                        () -> p.powBatch(List.of(longest), List.of(one)), () -> p.multiPow(List.of(longest), List.of(one)),
                        () -> even.pow(longest, one), () -> even.invertVartime(longest), () -> crt.pow(longest, one))) {
                    refuses("x", call);
                }
                for (Executable call : List.<Executable>of(() -> p.pow(one, longest), () -> p.powVartime(one, longest),
                        () -> p.powBatch(List.of(one), List.of(longest)), () -> even.powVartime(one, longest), () -> crt.pow(one, longest),
                        () -> table.pow(longest), () -> table.powVartime(longest), () -> table.powBatch(List.of(longest)))) {
                    refuses("e", call);
                }
                refuses("modulus", () -> Modulus.of(longest));
                refuses("modulus", () -> EvenModulus.of(longest));
                refuses("q", () -> CrtModulus.of(BigInteger.valueOf(7), longest, 1));
                refuses("order", () -> FixedBase.build(p, BigInteger.TWO, longest, 16, 4096, Secrecy.SECRET));
            }
        }
    }

    @Test
    void saysWhatIsWrong() {
        BigInteger one = BigInteger.ONE;
        assertEquals("value", assertThrows(NullPointerException.class, () -> Modulus.of((BigInteger) null)).getMessage());
        assertEquals("value", assertThrows(NullPointerException.class, () -> Modulus.of((byte[]) null)).getMessage());
        assertEquals("value", assertThrows(NullPointerException.class, () -> EvenModulus.of(null)).getMessage());
        assertEquals("modulus",
                assertThrows(NullPointerException.class, () -> FixedBase.build(null, one, 16, 4096, Secrecy.SECRET)).getMessage());
        try (Modulus p = Modulus.of(MILLION_AND_3)) {
            for (int bits : new int[] {Integer.MIN_VALUE, -1, 0, 524289, Integer.MAX_VALUE}) {
                String message = assertThrows(IllegalArgumentException.class, () -> p.pow(one, one, bits)).getMessage();
                assertEquals("exponentBits: " + bits + "; 1 to 524288", message);
            }
            for (Executable call : List.<Executable>of(() -> Modulus.of(BigInteger.ZERO), () -> Modulus.of(new byte[0]), () -> Modulus.of(one),
                    () -> EvenModulus.of(BigInteger.ZERO), () -> EvenModulus.of(one))) {
                assertEquals("the modulus must be greater than 1", assertThrows(ArithmeticException.class, call).getMessage());
            }
            assertEquals(one, p.pow(one, one, 524288));
            String message = assertThrows(IllegalArgumentException.class, () -> p.pow(one, BigInteger.TWO, 1)).getMessage();
            assertEquals("e is longer than exponentBits, 1", message);
        }
    }

    @Test
    void saysTheCommonFactorOfPublicValuesAlone() {
        try (Modulus p = Modulus.of(BigInteger.valueOf(15))) {
            BigInteger six = BigInteger.valueOf(6);
            assertTrue(assertThrows(ArithmeticException.class, () -> p.invertVartime(six)).getMessage().contains("3"));
            assertTrue(!assertThrows(ArithmeticException.class, () -> p.invert(six)).getMessage().contains("3"));
        }
    }

    @Test
    void powersAndInversesModuloEvenNumbersAgreeWithBigInteger() {
        Random random = new Random(7);
        BigInteger two = BigInteger.TWO;
        List<BigInteger> moduli = new ArrayList<>(List.of(two, BigInteger.valueOf(6), two.pow(64), two.pow(300), BigInteger.TEN.pow(6)));
        for (int twos : new int[] {1, 63, 64, 200}) {
            moduli.add(Cases.odd(3, random).shiftLeft(twos));
            moduli.add(Cases.odd(521, random).shiftLeft(twos));
        }
        for (BigInteger m : moduli) {
            try (EvenModulus modulus = EvenModulus.of(m)) {
                assertEquals(m, modulus.value());
                for (BigInteger x : Cases.operands(m, random)) {
                    BigInteger odd = x.setBit(0);
                    for (BigInteger y : List.of(x, odd)) {
                        BigInteger factor = y.gcd(m);
                        if (factor.equals(BigInteger.ONE)) {
                            assertEquals(y.modInverse(m), modulus.invert(y));
                            assertEquals(y.modInverse(m), modulus.invertVartime(y));
                        } else {
                            String message = assertThrows(ArithmeticException.class, () -> modulus.invert(y)).getMessage();
                            assertTrue(message.contains("not invertible") && !message.contains("0x"), message);
                            message = assertThrows(ArithmeticException.class, () -> modulus.invertVartime(y)).getMessage();
                            assertTrue(message.contains(factor.bitLength() > 63 ? "0x" : "0x" + factor.toString(16)), message);
                        }
                    }
                    for (BigInteger e : Cases.exponents(random)) {
                        if (e.signum() < 0 && !x.gcd(m).equals(BigInteger.ONE)) {
                            assertThrows(ArithmeticException.class, () -> modulus.pow(x, e));
                            assertThrows(ArithmeticException.class, () -> modulus.powVartime(x, e));
                        } else {
                            assertEquals(x.modPow(e, m), modulus.pow(x, e));
                            assertEquals(x.modPow(e, m), modulus.powVartime(x, e));
                        }
                    }
                }
                assertThrows(NullPointerException.class, () -> modulus.pow(null, two));
                assertThrows(NullPointerException.class, () -> modulus.pow(two, null));
                assertThrows(NullPointerException.class, () -> modulus.invert(null));
                assertThrows(NullPointerException.class, () -> modulus.invertVartime(null));
                assertThrows(IllegalArgumentException.class, () -> modulus.pow(two.pow(600000), two));
                assertThrows(IllegalArgumentException.class, () -> modulus.invert(two.pow(600000)));
            }
        }
        EvenModulus closed = EvenModulus.of(BigInteger.TEN);
        closed.close();
        assertThrows(IllegalStateException.class, () -> closed.pow(two, two));
        assertThrows(IllegalStateException.class, () -> closed.invert(two));
        assertThrows(IllegalStateException.class, () -> closed.invertVartime(two));
        assertThrows(IllegalArgumentException.class, () -> EvenModulus.of(BigInteger.valueOf(7)));
        for (BigInteger bad : List.of(BigInteger.ZERO, BigInteger.ONE, BigInteger.TEN.negate(), two.pow(65536))) {
            assertThrows(ArithmeticException.class, () -> EvenModulus.of(bad));
        }
        assertThrows(NullPointerException.class, () -> EvenModulus.of(null));
    }
}

package org.moduli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares tables of fixed bases, and powers computed with the factors, with BigInteger. */
class TablesTest {
    static java.util.stream.Stream<BigInteger> moduli() {
        return Cases.moduli();
    }

    @ParameterizedTest
    @MethodSource("moduli")
    void tablesAgreeWithBigInteger(BigInteger value) {
        Random random = new Random(value.bitLength());
        BigInteger base = new BigInteger(value.bitLength() + 3, random).negate();
        if (base.mod(value).signum() == 0) {
            base = BigInteger.TWO;
        }
        Modulus p = Modulus.of(value);
        for (Secrecy secrecy : Secrecy.values()) {
            for (int bits : new int[] {1, 100, 257}) {
                try (FixedBase table = FixedBase.build(p, base, bits, 1 << 16, secrecy)) {
                    assertEquals(base.mod(value), table.base());
                    assertEquals(value, table.modulus());
                    assertTrue(table.tableBytes() <= 1 << 16);
                    assertFalse(table.method().isEmpty());
                    List<BigInteger> rows = new ArrayList<>();
                    for (BigInteger e : Cases.exponents(random)) {
                        BigInteger expected = Cases.power(base, e, value);
                        boolean isLong = e.bitLength() > (bits + 7) / 8 * 8;
                        Class<? extends Exception> failure =
                                e.signum() >= 0 ? null : isLong ? IllegalArgumentException.class : ArithmeticException.class;
                        if (failure != null && (isLong || expected == null)) {
                            assertThrows(RuntimeException.class, () -> table.pow(e));
                            continue;
                        }
                        assertNotNull(expected);
                        assertEquals(expected, table.pow(e), "secret " + e);
                        assertEquals(expected, table.powVartime(e), "public " + e);
                        if (e.signum() >= 0 && !isLong) {
                            rows.add(e);
                        }
                    }
                    BigInteger of = base;
                    assertEquals(rows.stream().map(e -> of.modPow(e, value)).toList(), table.powBatch(rows));
                }
            }
        }
        // The modulus may be closed before the table.
        FixedBase table = FixedBase.build(p, base, 20, 1 << 16, Secrecy.SECRET);
        p.close();
        assertEquals(base.modPow(BigInteger.TEN, value), table.pow(BigInteger.TEN));
        table.close();
    }

    @Test
    void anOrderReducesLongExponents() {
        BigInteger p = BigInteger.valueOf(1000003);
        BigInteger order = BigInteger.valueOf(1000002);
        try (Modulus modulus = Modulus.of(p);
                FixedBase table = FixedBase.build(modulus, BigInteger.TWO, order, 20, 4096, Secrecy.SECRET)) {
            for (BigInteger e : List.of(order, BigInteger.TWO.pow(500), BigInteger.TWO.pow(500).negate())) {
                assertEquals(BigInteger.TWO.modPow(e, p), table.pow(e));
                assertEquals(BigInteger.TWO.modPow(e, p), table.powVartime(e));
            }
            assertThrows(IllegalArgumentException.class,
                    () -> FixedBase.build(modulus, BigInteger.TWO, BigInteger.TEN, 20, 4096, Secrecy.SECRET));
        }
    }

    @Test
    void refusesWhatIsNoTable() {
        BigInteger two = BigInteger.TWO;
        try (Modulus p = Modulus.of(BigInteger.valueOf(1000003))) {
            assertThrows(IllegalArgumentException.class, () -> FixedBase.build(p, p.value(), 16, 4096, Secrecy.SECRET));
            assertThrows(IllegalArgumentException.class, () -> FixedBase.build(p, two, 0, 4096, Secrecy.SECRET));
            assertThrows(IllegalArgumentException.class, () -> FixedBase.build(p, two, Integer.MAX_VALUE, 4096, Secrecy.SECRET));
            assertThrows(IllegalArgumentException.class, () -> FixedBase.build(p, two, 16, 1, Secrecy.SECRET));
            assertThrows(IllegalArgumentException.class, () -> FixedBase.build(p, two, 16, -1, Secrecy.SECRET));
            assertThrows(IllegalArgumentException.class, () -> FixedBase.build(p, two, two.negate(), 16, 4096, Secrecy.SECRET));
            assertThrows(NullPointerException.class, () -> FixedBase.build(null, two, 16, 4096, Secrecy.SECRET));
            assertThrows(NullPointerException.class, () -> FixedBase.build(p, null, 16, 4096, Secrecy.SECRET));
            assertThrows(NullPointerException.class, () -> FixedBase.build(p, two, 16, 4096, null));
            try (FixedBase table = FixedBase.build(p, two, 16, 4096, Secrecy.SECRET)) {
                assertThrows(NullPointerException.class, () -> table.pow(null));
                assertThrows(NullPointerException.class, () -> table.powVartime(null));
                assertThrows(NullPointerException.class, () -> table.powBatch(null));
                assertThrows(IllegalArgumentException.class, () -> table.pow(two.pow(600000)));
                assertThrows(IllegalArgumentException.class, () -> table.powBatch(List.of(two.pow(16))));
                assertThrows(IllegalArgumentException.class, () -> table.powBatch(List.of(two.negate())));
            }
        }
    }

    @Test
    void powersByTheFactorsAgreeWithBigInteger() {
        Random random = new Random(9);
        for (int bits : new int[] {16, 256, 512}) {
            BigInteger p = BigInteger.probablePrime(bits, random);
            BigInteger q = BigInteger.probablePrime(bits + 9, random);
            for (int k = 1; k <= 2; k++) {
                BigInteger n = p.multiply(q).pow(k);
                try (CrtModulus owner = CrtModulus.of(p, q, k)) {
                    assertEquals(n, owner.modulus().value());
                    for (BigInteger x : List.of(BigInteger.TWO, p, n.add(BigInteger.TEN), new BigInteger(2 * bits, random).negate())) {
                        for (BigInteger e : Cases.exponents(random)) {
                            BigInteger expected = Cases.power(x, e, n);
                            if (expected == null) {
                                assertThrows(ArithmeticException.class, () -> owner.pow(x, e));
                            } else {
                                assertEquals(expected, owner.pow(x, e));
                            }
                        }
                        assertEquals(x.modPow(n, n), owner.pow(x, n));
                    }
                }
            }
        }
        BigInteger seven = BigInteger.valueOf(7);
        for (BigInteger bad : List.of(seven, BigInteger.TWO, BigInteger.valueOf(15), BigInteger.ZERO, seven.negate())) {
            assertThrows(IllegalArgumentException.class, () -> CrtModulus.of(seven, bad, 1));
        }
        assertThrows(IllegalArgumentException.class, () -> CrtModulus.of(seven, BigInteger.valueOf(11), 0));
        assertThrows(ArithmeticException.class, () -> CrtModulus.of(seven, BigInteger.valueOf(11), Integer.MAX_VALUE));
        assertThrows(NullPointerException.class, () -> CrtModulus.of(null, seven, 1));
    }
}

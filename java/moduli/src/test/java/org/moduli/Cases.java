package org.moduli;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Numbers for the tests. They are the same in each run. */
final class Cases {
    static final int[] LENGTHS = {2, 3, 5, 63, 64, 65, 127, 256, 257, 521, 1023, 1024, 2048, 3072};

    private Cases() {}

    static Stream<BigInteger> moduli() {
        Random random = new Random(1);
        return IntStream.of(LENGTHS).mapToObj(bits -> odd(bits, random));
    }

    static BigInteger odd(int bits, Random random) {
        return new BigInteger(bits, random).setBit(bits - 1).setBit(0);
    }

    /** Returns numbers of both signs: 0, 1, numbers near p and its multiples, and longer ones. */
    static List<BigInteger> operands(BigInteger p, Random random) {
        List<BigInteger> all = new ArrayList<>(List.of(BigInteger.ZERO, BigInteger.ONE, BigInteger.TWO, p.subtract(BigInteger.ONE), p,
                p.add(BigInteger.ONE), p.multiply(p), BigInteger.TWO.pow(p.bitLength()), BigInteger.TWO.pow(p.bitLength() + 200)));
        for (int extra : new int[] {-1, 0, 1, 300}) {
            all.add(new BigInteger(Math.max(1, p.bitLength() + extra), random));
        }
        all.addAll(all.stream().map(BigInteger::negate).toList());
        return all;
    }

    static List<BigInteger> exponents(Random random) {
        List<BigInteger> all = new ArrayList<>(List.of(BigInteger.ZERO, BigInteger.ONE, BigInteger.TWO, BigInteger.valueOf(65537),
                BigInteger.TWO.pow(64).subtract(BigInteger.ONE), BigInteger.TWO.pow(64), BigInteger.TWO.pow(127)));
        for (int bits : new int[] {8, 63, 160, 256, 600}) {
            all.add(new BigInteger(bits, random));
        }
        all.addAll(all.stream().map(BigInteger::negate).toList());
        return all;
    }

    /** Computes {@code modPow}, but returns null if there is no inverse. */
    static BigInteger power(BigInteger x, BigInteger e, BigInteger p) {
        return e.signum() < 0 && !x.gcd(p).equals(BigInteger.ONE) ? null : x.modPow(e, p);
    }
}

package org.moduli;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Objects;

/**
 * N^k = (p·q)^k, for the owner of the secret primes p and q: k = 1 for RSA, k = 2 for Paillier. Powers are computed
 * by the Chinese remainder theorem, three to four times faster for long exponents, and checked before they are
 * released. Threads may share it.
 */
public final class CrtModulus extends Handle {
    private final Modulus modulus;

    private CrtModulus(MemorySegment address) {
        super(address, Native.CRT_MODULUS_FREE);
        modulus = Modulus.owning(Modulus.made(out -> (int) Native.CRT_MODULUS_PUBLIC.invokeExact(address, out)));
    }

    /**
     * Prepares N^k. Not constant-time in the primes, once per modulus. Cost: primality tests, a search (milliseconds)
     * and an inversion.
     *
     * @throws IllegalArgumentException if p or q is not an odd prime, if they are equal, or if k is below 1
     * @throws ArithmeticException if N^k has more than 65536 bits
     */
    public static CrtModulus of(BigInteger p, BigInteger q, int k) {
        int pLength = Numbers.checked("p", Numbers.length(Numbers.notNegative("p", p)));
        int qLength = Numbers.checked("q", Numbers.length(Numbers.notNegative("q", q)));
        if (k < 1) {
            throw new IllegalArgumentException("k: " + k + "; at least 1");
        }
        try (Scratch scratch = new Scratch((long) pLength + qLength)) {
            MemorySegment ps = scratch.take(pLength);
            MemorySegment qs = scratch.take(qLength);
            Numbers.write(ps, p);
            Numbers.write(qs, q);
            return new CrtModulus(Modulus.made(out -> (int) Native.CRT_MODULUS_NEW.invokeExact(out, ps, ps.byteSize(), qs,
                    qs.byteSize(), k)));
        }
    }

    /** Returns N^k, which is public, for other computations. It is closed together with this. */
    public Modulus modulus() {
        return modulus;
    }

    /**
     * Computes x^e mod N^k for a secret base and a secret exponent. Reveals the sign of e and its length in 64-bit
     * words.
     *
     * @throws ArithmeticException if e is negative and x has no inverse
     * @throws ModuliException if the result fails its check: the machine computed wrongly
     */
    public BigInteger pow(BigInteger x, BigInteger e) {
        BigInteger base = Objects.requireNonNull(x, "x").signum() < 0 ? x.mod(modulus.value()) : x;
        int width = Numbers.words(Objects.requireNonNull(e, "e"));
        if (e.signum() < 0) {
            return power(modulus.byteLength(), base, e, width, (crt, out, xs, es) -> (int) Native.CRT_POW_SIGNED.invokeExact(crt, out,
                    out.byteSize(), xs, xs.byteSize(), es, es.byteSize(), (byte) 1));
        }
        return power(modulus.byteLength(), base, e, width, (crt, out, xs, es) ->
                (int) Native.CRT_POW.invokeExact(crt, out, out.byteSize(), xs, xs.byteSize(), es, es.byteSize()));
    }

    /** Wipes the factors, and closes {@link #modulus}. */
    @Override
    public void close() {
        super.close();
        modulus.close();
    }
}

package org.moduli;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Objects;

/** An even modulus 2^k·n, with n odd, of at most 65536 bits, for powers. Never changes: threads may share it. */
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
     * @throws ArithmeticException if it is 0, negative or longer than 65536 bits
     * @throws IllegalArgumentException if it is odd
     */
    public static EvenModulus of(BigInteger value) {
        return new EvenModulus(value, Modulus.prepared(value, (out, bytes) ->
                (int) Native.EVEN_MODULUS_NEW.invokeExact(out, bytes, bytes.byteSize())));
    }

    /** The modulus itself. */
    public BigInteger value() {
        return value;
    }

    /**
     * x^e mod m for a secret base and a secret exponent; x^0 is 1. Of both their lengths in words of 64 bits show, and the sign of x. Cost:
     * that of {@link Modulus#pow(BigInteger, BigInteger)} modulo n, and for each bit of e, but no more than k + 1 of them, a schoolbook
     * product of k bits and a quarter more.
     *
     * @throws IllegalArgumentException if e is negative
     */
    public BigInteger pow(BigInteger x, BigInteger e) {
        return pow(x, e, (m, out, xs, es) ->
                (int) Native.EVEN_POW.invokeExact(m, out, out.byteSize(), xs, xs.byteSize(), es, es.byteSize()));
    }

    /** The same for a public base and a public exponent, and faster. */
    public BigInteger powVartime(BigInteger x, BigInteger e) {
        return pow(x, e, (m, out, xs, es) ->
                (int) Native.EVEN_POW_VARTIME.invokeExact(m, out, out.byteSize(), xs, xs.byteSize(), es, es.byteSize()));
    }

    private BigInteger pow(BigInteger x, BigInteger e, Power call) {
        BigInteger base = Objects.requireNonNull(x, "x").signum() < 0 ? x.mod(value) : x;
        return power(size, base, e, Numbers.words(Numbers.notNegative("e", e)), call);
    }
}

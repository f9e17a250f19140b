package org.moduli;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;

/**
 * An odd modulus of 2 to 65536 bits, prime or not, with its precomputed constants. It is immutable, and threads may
 * share it.
 *
 * <p>Numbers have any sign and up to 524288 bits, and are reduced first. Arrays of bytes are big-endian without a
 * sign; results are as long as the modulus. Functions are constant-time except for signs and lengths (the length of a
 * BigInteger in 64-bit words). Functions whose names end in Vartime are for public values, and faster. A BigInteger
 * itself is not constant-time and cannot be wiped; copies in native memory are wiped.
 *
 * <p>All functions throw {@link NullPointerException} for null, {@link IllegalArgumentException} for a number that is too long,
 * and {@link IllegalStateException} once closed.
 */
public final class Modulus extends Handle {
    private static final int MAX_EXPONENT_BITS = 8 * Native.MAX_NUMBER_BYTES;

    private final BigInteger value;
    private final int size;

    private Modulus(BigInteger value, MemorySegment address) {
        super(address, Native.MODULUS_FREE);
        this.value = value;
        this.size = Numbers.length(value);
    }

    /**
     * Prepares a modulus, public. Cost: about a hundred products.
     *
     * @throws ArithmeticException if it is even, below 3 or longer than 65536 bits
     */
    public static Modulus of(BigInteger value) {
        return new Modulus(value, prepared(value, (out, bytes) ->
                (int) Native.MODULUS_NEW.invokeExact(out, bytes, bytes.byteSize())));
    }

    /** A native call that creates a handle from the bytes of a modulus. */
    interface Preparation {
        int make(MemorySegment out, MemorySegment bytes) throws Throwable;
    }

    /** Runs such a call and returns its handle. */
    static MemorySegment prepared(BigInteger value, Preparation call) {
        if (Objects.requireNonNull(value, "value").signum() < 0) {
            throw new ArithmeticException("the modulus is negative");
        }
        int length = Numbers.checked("modulus", Numbers.length(value));
        try (Scratch scratch = new Scratch(length)) {
            MemorySegment bytes = scratch.take(length);
            Numbers.write(bytes, value);
            return made(out -> call.make(out, bytes));
        }
    }

    /** As {@link #of(BigInteger)}, for big-endian bytes. */
    public static Modulus of(byte[] value) {
        return of(new BigInteger(1, Objects.requireNonNull(value, "value")));
    }

    /** Returns a Modulus that takes ownership of a native handle from the caller. */
    static Modulus owning(MemorySegment address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate((long) Native.MODULUS_SIZE.invokeExact(address));
            Native.check((int) Native.MODULUS_BYTES.invokeExact(address, bytes, bytes.byteSize()));
            return new Modulus(Numbers.read(bytes), address);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** A native call that creates a handle. */
    interface Maker {
        int make(MemorySegment out) throws Throwable;
    }

    /** Runs such a call and returns its handle. */
    static MemorySegment made(Maker maker) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            Native.check(maker.make(out));
            return out.get(ADDRESS, 0);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** Returns the modulus. */
    public BigInteger value() {
        return value;
    }

    /** Returns the number of bytes of the modulus, and so of every result in bytes. */
    public int byteLength() {
        return size;
    }

    /** Returns the name of the arithmetic that was selected for this machine: ifma52, fma50, adx, aarch64 or portable. */
    public String kernel() {
        return use(p -> Native.text((MemorySegment) Native.MODULUS_KERNEL.invokeExact(p)));
    }

    /** Computes x mod p. */
    public BigInteger reduce(BigInteger x) {
        return unary(size, Native.REDUCE, base("x", x));
    }

    /** Computes x·y mod p. */
    public BigInteger multiply(BigInteger x, BigInteger y) {
        BigInteger factor = base("y", y);
        return binary(Native.MUL, base("x", x), factor, Numbers.words(factor));
    }

    /**
     * Computes the inverse of x modulo p. Cost: fifty to a hundred products.
     *
     * @throws ArithmeticException if there is none
     */
    public BigInteger invert(BigInteger x) {
        return unary(size, Native.INVERT, base("x", x));
    }

    /** As {@link #invert}, for a public x. The exception gives the common factor. */
    public BigInteger invertVartime(BigInteger x) {
        return unary(size, Native.INVERT_VARTIME, base("x", x));
    }

    /**
     * Computes x^e mod p for a secret base and a secret exponent; x^0 is 1. Reveals the sign of e and its length in
     * 64-bit words.
     *
     * @throws ArithmeticException if e is negative and x has no inverse
     */
    public BigInteger pow(BigInteger x, BigInteger e) {
        return powOfWidth(x, e, Numbers.words(Objects.requireNonNull(e, "e")));
    }

    /**
     * As {@link #pow(BigInteger, BigInteger)}, for |e| below 2^exponentBits. Reveals only this bound and the sign.
     *
     * @param exponentBits 1 to 524288
     * @throws IllegalArgumentException if e is longer, or exponentBits out of range
     */
    public BigInteger pow(BigInteger x, BigInteger e, int exponentBits) {
        if (exponentBits < 1 || exponentBits > MAX_EXPONENT_BITS) {
            throw new IllegalArgumentException("exponentBits: " + exponentBits + "; 1 to " + MAX_EXPONENT_BITS);
        }
        if (Objects.requireNonNull(e, "e").abs().bitLength() > exponentBits) {
            throw new IllegalArgumentException("e is longer than exponentBits, " + exponentBits);
        }
        return powOfWidth(x, e, Math.ceilDiv(exponentBits, 8));
    }

    private BigInteger powOfWidth(BigInteger x, BigInteger e, int width) {
        if (e.signum() < 0) {
            return power(size, base("x", x), e, width, (p, out, xs, es) -> (int) Native.POW_SIGNED.invokeExact(p, out,
                    out.byteSize(), xs, xs.byteSize(), es, es.byteSize(), (byte) 1));
        }
        return binary(Native.POW, base("x", x), e, width);
    }

    /** Computes x^e mod p for big-endian bytes. Reveals the length of e. */
    public byte[] pow(byte[] x, byte[] e) {
        return bytes(Native.POW, x, e);
    }

    /**
     * Computes x^e mod p for a public base and a public exponent. Variable-time.
     *
     * @throws ArithmeticException if e is negative and x has no inverse
     */
    public BigInteger powVartime(BigInteger x, BigInteger e) {
        BigInteger base = Objects.requireNonNull(e, "e").signum() < 0 ? invertVartime(x) : base("x", x);
        return binary(Native.POW_VARTIME, base, e, Numbers.words(e));
    }

    /** Computes x^e mod p for big-endian bytes. Variable-time. */
    public byte[] powVartime(byte[] x, byte[] e) {
        return bytes(Native.POW_VARTIME, x, e);
    }

    /**
     * Computes many powers at once, x_i^e_i mod p, on all cores and in the lanes of vector registers. Reveals the
     * length of the longest exponent, and the sign of each.
     *
     * @throws IllegalArgumentException if there are not as many bases as exponents
     * @throws ArithmeticException if an exponent is negative and any base has no inverse
     */
    public List<BigInteger> powBatch(List<BigInteger> x, List<BigInteger> e) {
        Rows rows = new Rows(x, e);
        long outBytes = (long) rows.count() * size;
        try (Scratch scratch = new Scratch(outBytes + rows.bytes())) {
            MemorySegment out = scratch.take(outBytes);
            rows.write(scratch);
            Native.check(use(p -> (int) Native.POW_BATCH.invokeExact(p, MemorySegment.NULL, out, (long) size, rows.x,
                    (long) rows.xWidth, rows.e, (long) rows.eWidth, rows.signs, (long) rows.count())));
            return Numbers.readRows(out, size, rows.count());
        }
    }

    /**
     * Computes the product of x_i^e_i mod p, 1 for none. The powers share their squarings, and it runs on all cores.
     * Reveals the length of the longest exponent, and the sign of each.
     *
     * @throws IllegalArgumentException if there are not as many bases as exponents
     * @throws ArithmeticException if an exponent is negative and any base has no inverse
     */
    public BigInteger multiPow(List<BigInteger> x, List<BigInteger> e) {
        return product(Native.MULTI_POW, x, e);
    }

    /** As {@link #multiPow}, for public bases and exponents. Variable-time. */
    public BigInteger multiPowVartime(List<BigInteger> x, List<BigInteger> e) {
        return product(Native.MULTI_POW_VARTIME, x, e);
    }

    /** Computes the Jacobi symbol (x/p), 1, −1 or 0: for a prime p, whether x is a square. Variable-time. */
    public int jacobiVartime(BigInteger x) {
        BigInteger base = base("x", x);
        int length = Numbers.checked("x", Numbers.length(base));
        try (Scratch scratch = new Scratch(8L + length)) {
            MemorySegment symbol = scratch.take(8);
            MemorySegment bytes = scratch.take(length);
            Numbers.write(bytes, base);
            Native.check(use(p -> (int) Native.JACOBI_VARTIME.invokeExact(p, symbol, bytes, bytes.byteSize())));
            return symbol.get(JAVA_INT, 0);
        }
    }

    /** Returns the base, reduced if it is negative. */
    private BigInteger base(String name, BigInteger x) {
        return Objects.requireNonNull(x, name).signum() < 0 ? x.mod(value) : x;
    }

    /** Runs the function with two numbers that must not be negative. */
    private BigInteger binary(MethodHandle function, BigInteger x, BigInteger e, int width) {
        return power(size, x, e, width, (p, out, xs, es) ->
                (int) function.invokeExact(p, out, out.byteSize(), xs, xs.byteSize(), es, es.byteSize()));
    }

    private byte[] bytes(MethodHandle function, byte[] x, byte[] e) {
        int xLength = Numbers.checked("x", Objects.requireNonNull(x, "x").length);
        int eLength = Numbers.checked("e", Objects.requireNonNull(e, "e").length);
        try (Scratch scratch = new Scratch((long) size + xLength + eLength)) {
            MemorySegment out = scratch.take(size);
            MemorySegment xs = scratch.take(xLength);
            MemorySegment es = scratch.take(eLength);
            Numbers.write(xs, x);
            Numbers.write(es, e);
            Native.check(use(p -> (int) function.invokeExact(p, out, out.byteSize(), xs, xs.byteSize(), es, es.byteSize())));
            return out.toArray(JAVA_BYTE);
        }
    }

    private BigInteger product(MethodHandle function, List<BigInteger> x, List<BigInteger> e) {
        Rows rows = new Rows(x, e);
        try (Scratch scratch = new Scratch(size + rows.bytes())) {
            MemorySegment out = scratch.take(size);
            rows.write(scratch);
            Native.check(use(p -> (int) function.invokeExact(p, out, out.byteSize(), rows.x, (long) rows.xWidth, rows.e,
                    (long) rows.eWidth, rows.signs, (long) rows.count())));
            return Numbers.read(out);
        }
    }

    /** The bases and exponents of a call for many powers, in native memory. */
    private final class Rows {
        private final List<BigInteger> bases;
        private final List<BigInteger> exponents;
        private final boolean isSigned;
        private final int xWidth;
        private final int eWidth;
        private MemorySegment x;
        private MemorySegment e;
        private MemorySegment signs = MemorySegment.NULL;

        Rows(List<BigInteger> x, List<BigInteger> e) {
            bases = Numbers.rows("x", x);
            exponents = Numbers.rows("e", e);
            if (bases.size() != exponents.size()) {
                throw new IllegalArgumentException(exponents.size() + " exponents for " + bases.size() + " bases");
            }
            bases.replaceAll(base -> base("x", base));
            isSigned = exponents.stream().anyMatch(exponent -> exponent.signum() < 0);
            xWidth = Math.max(size, Numbers.width("x", bases));
            eWidth = Numbers.width("e", exponents);
        }

        int count() {
            return bases.size();
        }

        long bytes() {
            return (long) count() * (xWidth + eWidth + 1);
        }

        void write(Scratch scratch) {
            x = scratch.take((long) count() * xWidth);
            e = scratch.take((long) count() * eWidth);
            Numbers.writeRows(x, xWidth, bases);
            Numbers.writeRows(e, eWidth, exponents);
            if (isSigned) {
                signs = scratch.take(count());
                for (int i = 0; i < count(); i++) {
                    signs.set(JAVA_BYTE, i, (byte) (exponents.get(i).signum() < 0 ? 1 : 0));
                }
            }
        }
    }
}

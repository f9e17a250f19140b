package org.moduli;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;

/**
 * A public base with a table of its powers. It is immutable, and threads may share it. It keeps what it needs of its
 * modulus, which may be closed earlier.
 *
 * <p>Exponents have any sign and length. Exponents longer than exponentBits are reduced modulo the order of the base,
 * if it was given; otherwise the additional bits cost a power without a table.
 */
public final class FixedBase extends Handle {
    private final BigInteger base;
    private final BigInteger modulus;
    private final int size;
    private final int exponentBytes;

    private FixedBase(BigInteger base, Modulus modulus, int exponentBytes, MemorySegment address) {
        super(address, Native.FIXED_BASE_FREE);
        this.base = base;
        this.modulus = modulus.value();
        this.size = modulus.byteLength();
        this.exponentBytes = exponentBytes;
    }

    /** Computes a table without an order: see {@link #build(Modulus, BigInteger, BigInteger, int, long, Secrecy)}. */
    public static FixedBase build(Modulus modulus, BigInteger base, int exponentBits, long budget, Secrecy secrecy) {
        return build(modulus, base, BigInteger.ZERO, exponentBits, budget, secrecy);
    }

    /**
     * Computes a table, on all cores. Cost: about one product per entry, three in some methods.
     *
     * @param base any number that is not 0 modulo the modulus, reduced first
     * @param order 0, or an order of the base, which is checked; longer exponents are reduced modulo it
     * @param exponentBits 1 to 131072, rounded up to whole bytes: exponents are expected to be below 2 to this power
     * @param budget the most bytes that the table may take
     * @throws IllegalArgumentException for a base of 0, a wrong order, a length out of range, or a budget that is too
     * small for any table
     */
    public static FixedBase build(
            Modulus modulus, BigInteger base, BigInteger order, int exponentBits, long budget, Secrecy secrecy) {
        BigInteger value = Objects.requireNonNull(modulus, "modulus").value();
        BigInteger reduced = Objects.requireNonNull(base, "base").mod(value);
        int orderLength = Numbers.checked("order", Numbers.length(Numbers.notNegative("order", order)));
        int choice = Objects.requireNonNull(secrecy, "secrecy").ordinal();
        if (exponentBits < 1 || exponentBits > 131072) {
            throw new IllegalArgumentException("exponentBits: " + exponentBits + "; 1 to 131072");
        }
        if (budget < 0) {
            throw new IllegalArgumentException("budget: " + budget + " bytes");
        }
        int exponentBytes = Math.ceilDiv(exponentBits, 8);
        int baseLength = Numbers.length(reduced);
        try (Scratch scratch = new Scratch((long) baseLength + orderLength)) {
            MemorySegment bases = scratch.take(baseLength);
            MemorySegment orders = scratch.take(orderLength);
            Numbers.write(bases, reduced);
            Numbers.write(orders, order);
            MemorySegment orderOrNull = orderLength == 0 ? MemorySegment.NULL : orders;
            MemorySegment address = Modulus.made(out -> modulus.<Integer>use(p -> (int) Native.FIXED_BASE_BUILD.invokeExact(p,
                    out, bases, bases.byteSize(), orderOrNull, (long) orderLength,
                    8 * exponentBytes, budget, choice)));
            return new FixedBase(reduced, modulus, exponentBytes, address);
        }
    }

    /** Returns the base, reduced. */
    public BigInteger base() {
        return base;
    }

    /** Returns the modulus. */
    public BigInteger modulus() {
        return modulus;
    }

    /** Returns the size of the table in bytes. */
    public long tableBytes() {
        return use(table -> (long) Native.FIXED_BASE_TABLE_BYTES.invokeExact(table));
    }

    /** Returns the method with its parameters, such as comb:5,4. */
    public String method() {
        return use(table -> Native.text((MemorySegment) Native.FIXED_BASE_METHOD.invokeExact(table)));
    }

    /**
     * Computes base^e for a secret exponent. Constant-time: reveals the sign of the exponent, and, if the exponent is
     * longer than exponentBits, its length in 64-bit words.
     *
     * @throws ArithmeticException if e is negative and the base has no inverse
     * @throws IllegalArgumentException if e is negative and too long for a table without an order
     */
    public BigInteger pow(BigInteger e) {
        boolean fits = Numbers.length(Objects.requireNonNull(e, "e")) <= exponentBytes;
        int width = fits ? exponentBytes : Numbers.words(e);
        if (e.signum() < 0) {
            return run(e, width, (table, out, bytes) -> (int) Native.FIXED_BASE_POW_SIGNED.invokeExact(table, out,
                    out.byteSize(), bytes, bytes.byteSize(), (byte) 1));
        }
        MethodHandle function = fits ? Native.FIXED_BASE_POW : Native.FIXED_BASE_POW_LONG;
        return run(e, width, (table, out, bytes) -> (int) function.invokeExact(table, out, out.byteSize(), bytes,
                bytes.byteSize()));
    }

    /** Computes base^e for a public exponent. Variable-time. Throws as {@link #pow}. */
    public BigInteger powVartime(BigInteger e) {
        if (Objects.requireNonNull(e, "e").signum() < 0) {
            return pow(e);
        }
        return run(e, Numbers.length(e), (table, out, bytes) -> (int) Native.FIXED_BASE_POW_LONG_VARTIME.invokeExact(table,
                out, out.byteSize(), bytes, bytes.byteSize()));
    }

    /**
     * Computes many powers at once, on all cores and in the lanes of vector registers, for secret exponents that are
     * not negative.
     *
     * @throws IllegalArgumentException if an exponent is negative, or too long for a table without an order
     */
    public List<BigInteger> powBatch(List<BigInteger> e) {
        List<BigInteger> rows = Numbers.rows("e", e);
        rows.forEach(row -> Numbers.notNegative("e", row));
        int longest = rows.stream().mapToInt(Numbers::length).max().orElse(0);
        int width = longest <= exponentBytes ? exponentBytes : Numbers.width("e", rows);
        try (Scratch scratch = new Scratch((long) rows.size() * (size + width))) {
            MemorySegment out = scratch.take((long) rows.size() * size);
            MemorySegment bytes = scratch.take((long) rows.size() * width);
            Numbers.writeRows(bytes, width, rows);
            Native.check(use(table -> (int) Native.FIXED_BASE_POW_BATCH.invokeExact(table, MemorySegment.NULL, out,
                    (long) size, bytes, (long) width, MemorySegment.NULL, (long) rows.size())));
            return Numbers.readRows(out, size, rows.size());
        }
    }

    /** A native call with one exponent. */
    private interface Power {
        int of(MemorySegment table, MemorySegment out, MemorySegment exponent) throws Throwable;
    }

    private BigInteger run(BigInteger e, int width, Power power) {
        Numbers.checked("e", width);
        try (Scratch scratch = new Scratch((long) size + width)) {
            MemorySegment out = scratch.take(size);
            MemorySegment bytes = scratch.take(width);
            Numbers.write(bytes, e);
            Native.check(use(table -> power.of(table, out, bytes)));
            return Numbers.read(out);
        }
    }
}

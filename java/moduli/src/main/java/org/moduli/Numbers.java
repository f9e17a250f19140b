package org.moduli;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Copies numbers to native memory and back. Copies in arrays are wiped; a BigInteger cannot be. */
final class Numbers {
    private Numbers() {}

    /** Returns the number of bytes of |x|. */
    static int length(BigInteger x) {
        return Math.ceilDiv(x.abs().bitLength(), 8);
    }

    /** Returns the length of |x| in bytes, in whole 64-bit words. Calls reveal this of a secret. */
    static int words(BigInteger x) {
        return (length(x) + 7) / 8 * 8;
    }

    /** @throws IllegalArgumentException if the length is more than the library accepts */
    static int checked(String name, int length) {
        if (length > Native.MAX_NUMBER_BYTES) {
            throw new IllegalArgumentException(
                    name + ": " + length + " bytes; at most " + Native.MAX_NUMBER_BYTES);
        }
        return length;
    }

    static BigInteger notNegative(String name, BigInteger x) {
        if (Objects.requireNonNull(x, name).signum() < 0) {
            throw new IllegalArgumentException(name + " is negative");
        }
        return x;
    }

    /** Writes |x| with leading zeros. */
    static void write(MemorySegment out, BigInteger x) {
        byte[] bytes = x.abs().toByteArray();
        int length = (int) Math.min(bytes.length, out.byteSize());
        MemorySegment.copy(bytes, bytes.length - length, out, JAVA_BYTE, out.byteSize() - length, length);
        Arrays.fill(bytes, (byte) 0);
    }

    static void write(MemorySegment out, byte[] bytes) {
        MemorySegment.copy(bytes, 0, out, JAVA_BYTE, 0, bytes.length);
    }

    static BigInteger read(MemorySegment bytes) {
        byte[] copy = bytes.toArray(JAVA_BYTE);
        BigInteger x = new BigInteger(1, copy);
        Arrays.fill(copy, (byte) 0);
        return x;
    }

    /** Writes the rows of a batch, each with this width. */
    static void writeRows(MemorySegment out, int width, List<BigInteger> rows) {
        for (int i = 0; i < rows.size(); i++) {
            write(out.asSlice((long) i * width, width), rows.get(i));
        }
    }

    static List<BigInteger> readRows(MemorySegment rows, int width, int count) {
        List<BigInteger> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            all.add(read(rows.asSlice((long) i * width, width)));
        }
        return all;
    }

    /** Returns the number of bytes for a base: that of the modulus, or more if x is longer. */
    static int width(int size, BigInteger x) {
        return checked("x", Math.max(size, words(x)));
    }

    /** Returns the length of the longest row in bytes, in whole 64-bit words, at least one. */
    static int width(String name, List<BigInteger> rows) {
        int width = 8;
        for (BigInteger row : rows) {
            width = Math.max(width, words(row));
        }
        return checked(name, width);
    }

    /** Returns a copy of a list, which other threads cannot change. Throws if it contains null. */
    static List<BigInteger> rows(String name, List<BigInteger> rows) {
        List<BigInteger> copy = new ArrayList<>(Objects.requireNonNull(rows, name));
        for (BigInteger row : copy) {
            Objects.requireNonNull(row, name);
        }
        return copy;
    }
}

package com.verificatum.vmgj;

import java.math.BigInteger;
import org.moduli.FixedBase;
import org.moduli.Secrecy;

/**
 * A table of the powers of a basis, as VMGJ's. Threads may share it. It takes at most as many bytes as GMPMEE's,
 * which is 2^blockWidth numbers of the length of the modulus, or 64 KiB if that is more. The system property {@code
 * moduli.vmgj.budget} sets the upper limit in bytes, by default 32 MiB.
 */
public class FpowmTab {
    private static final long LEAST = 1 << 16;
    private static final long MOST = Long.getLong("moduli.vmgj.budget", 32L << 20);
    private static final int MAX_EXPONENT_BITS = 131072;

    private final BigInteger basis;
    private final BigInteger modulus;

    /** Null if libmoduli has no table for this basis and modulus. */
    private final FixedBase table;

    private volatile boolean freed;

    /** A table for exponents of expected length. */
    public FpowmTab(BigInteger basis, BigInteger modulus, int exponentBitlen) {
        this(basis, modulus, 16, exponentBitlen);
    }

    /** A table of a block width for exponents of expected length; other exponents work, too. */
    public FpowmTab(BigInteger basis, BigInteger modulus, int blockWidth, int exponentBitlen) {
        if (blockWidth < 1 || exponentBitlen < 1) {
            throw new IllegalArgumentException("blockWidth and exponentBitlen must be positive");
        }
        this.modulus = VMG.positive(modulus);
        this.basis = basis.mod(this.modulus);
        boolean isServed = VMG.isServed(this.modulus) && this.basis.signum() != 0 && exponentBitlen <= MAX_EXPONENT_BITS;
        table = isServed ? build(blockWidth, exponentBitlen) : null;
    }

    private FixedBase build(int blockWidth, int exponentBitlen) {
        long entry = modulus.bitLength() / 8 + 1;
        long asGmpmee = blockWidth < 31 ? entry << blockWidth : MOST;
        long budget = Math.max(LEAST, Math.min(MOST, asGmpmee));
        Secrecy secrecy = VMG.SECRET ? Secrecy.SECRET : Secrecy.PUBLIC;
        return FixedBase.build(Prepared.of(modulus), basis, exponentBitlen, budget, secrecy);
    }

    /**
     * basis^exponent modulo the modulus.
     *
     * @throws IllegalStateException after {@link #free}
     */
    public BigInteger fpowm(BigInteger exponent) {
        if (freed) {
            throw new IllegalStateException("freed");
        }
        if (table == null || exponent.signum() < 0 || exponent.bitLength() > MAX_EXPONENT_BITS) {
            return VMG.powm(basis, exponent, modulus);
        }
        return VMG.SECRET ? table.pow(exponent) : table.powVartime(exponent);
    }

    /** Frees the table as soon as no call uses it. Freeing twice does nothing. */
    public void free() {
        freed = true;
        if (table != null) {
            table.close();
        }
    }
}

package com.verificatum.vmgj;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import org.moduli.Modulus;

/** Recently prepared moduli: programs that use VMGJ pass the number itself in each call. */
final class Prepared {
    /** The most moduli that are kept. Each takes some kilobytes. */
    private static final int MOST = 256;

    private static final Map<BigInteger, Modulus> MODULI = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        /** Drops old moduli without closing them, because a call may be about to use one. */
        @Override
        protected boolean removeEldestEntry(Map.Entry<BigInteger, Modulus> eldest) {
            return size() > MOST;
        }
    };

    /** The modulus that was used last. Most programs use it again. */
    private static volatile Modulus last;

    private Prepared() {}

    static Modulus of(BigInteger modulus) {
        Modulus known = last;
        if (known != null && known.value().equals(modulus)) {
            return known;
        }
        synchronized (MODULI) {
            known = MODULI.computeIfAbsent(modulus, Modulus::of);
        }
        last = known;
        return known;
    }
}

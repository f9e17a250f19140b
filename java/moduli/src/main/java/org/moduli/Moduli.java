package org.moduli;

/** About the library. */
public final class Moduli {
    private Moduli() {}

    /**
     * The version of the native library, which is loaded now if it was not yet.
     *
     * @throws UnsatisfiedLinkError if there is none for this platform
     */
    public static String version() {
        return Native.version();
    }
}

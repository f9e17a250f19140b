package org.moduli;

/** About the library. */
public final class Moduli {
    private Moduli() {}

    /**
     * Returns the version of the native library, and loads the library if necessary.
     *
     * @throws UnsatisfiedLinkError if there is none for this platform
     */
    public static String version() {
        return Native.version();
    }
}

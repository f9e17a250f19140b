package org.moduli;

/**
 * An error that the caller's numbers do not cause: a result that failed its check and is not released, a kernel that
 * this machine does not have (the environment variable {@code MODULI_KERNEL}), a random generator that failed, an
 * error in the library.
 */
public final class ModuliException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    ModuliException(int status, String message) {
        super(message);
        this.status = status;
    }

    /** The {@code moduli_status} of the C library. */
    public int status() {
        return status;
    }
}

package org.moduli;

/** Whether the exponents of a table will be secret. Decides which table is best; all calls work on every table. */
public enum Secrecy {
    /** The table is best for the constant-time calls. */
    SECRET,
    /** The table is best for the calls whose names end in Vartime. */
    PUBLIC
}

package org.moduli;

/** What the exponents of a table will be: the table is the best for that. All calls work on every table. */
public enum Secrecy {
    /** The table is the best for the constant-time calls. */
    SECRET,
    /** The table is the best for the calls whose names end in Vartime. */
    PUBLIC
}

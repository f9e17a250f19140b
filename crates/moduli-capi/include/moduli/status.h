#ifndef MODULI_STATUS_H
#define MODULI_STATUS_H

/* Made by cbindgen from crates/moduli-capi/src: do not edit. */

#include <stddef.h>
#include <stdint.h>
#include "attributes.h"

/**
 * The longest number that a call accepts, in bytes: 2^19 bits.
 */
#define MODULI_MAX_NUMBER_BYTES 65536

/**
 * The result of a call: MODULI_STATUS_OK, which is 0, or the reason why it failed.
 */
typedef enum {
    /**
     * The call succeeded.
     */
    MODULI_STATUS_OK = 0,
    /**
     * A pointer that must not be NULL is NULL.
     */
    MODULI_STATUS_NULL_POINTER = 1,
    /**
     * A length is out of its range: a number of more than MODULI_MAX_NUMBER_BYTES bytes, or a size that
     * overflows.
     */
    MODULI_STATUS_LENGTH = 2,
    /**
     * A buffer is too short for the result.
     */
    MODULI_STATUS_BUFFER_TOO_SMALL = 3,
    /**
     * The modulus is even, below 3, or longer than 65536 bits.
     */
    MODULI_STATUS_MODULUS = 4,
    /**
     * The base of a table is 0 modulo the modulus.
     */
    MODULI_STATUS_BASE_ZERO = 5,
    /**
     * An exponent does not fit the table.
     */
    MODULI_STATUS_EXPONENT_TOO_LONG = 6,
    /**
     * A value has no inverse modulo the modulus.
     */
    MODULI_STATUS_NOT_INVERTIBLE = 7,
    /**
     * Handles of different moduli were given to one call.
     */
    MODULI_STATUS_MODULUS_MISMATCH = 8,
    /**
     * No table fits the budget; moduli_last_error() gives the smallest budget that does.
     */
    MODULI_STATUS_BUDGET_TOO_SMALL = 9,
    /**
     * Another argument is out of its range: an unknown name, a text that is not UTF-8, a value that is too
     * large.
     */
    MODULI_STATUS_PARAMETER = 10,
    /**
     * The environment variable MODULI_KERNEL names a kernel that does not exist or that this machine cannot
     * run.
     */
    MODULI_STATUS_KERNEL = 11,
    /**
     * A file could not be read or written, or does not hold what was expected.
     */
    MODULI_STATUS_FILE = 12,
    /**
     * A table holds a wrong entry, or its entries are unverified.
     */
    MODULI_STATUS_TABLE = 13,
    /**
     * A key is malformed, of another kind, encrypted, or its numbers do not match.
     */
    MODULI_STATUS_KEY = 14,
    /**
     * A signature is malformed or does not verify.
     */
    MODULI_STATUS_SIGNATURE = 15,
    /**
     * A public value is not a member of its group.
     */
    MODULI_STATUS_NOT_IN_GROUP = 16,
    /**
     * The random number generator of the system failed.
     */
    MODULI_STATUS_RANDOM = 17,
    /**
     * A result of a secret key failed its check and was not released: the machine computed wrongly or was
     * disturbed.
     */
    MODULI_STATUS_FAULT = 18,
    /**
     * An error in this library; please report it.
     */
    MODULI_STATUS_INTERNAL = 19,
} moduli_status;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * An English sentence that describes a status, for any value. Never NULL; never free it.
 */
MODULI_API
const char *moduli_status_message(uint32_t status);

/**
 * The version of the library at run time, such as "0.1.0". Never NULL; never free it.
 */
MODULI_API
const char *moduli_version(void);

/**
 * Describes the error of the last call of this thread that failed: one line of UTF-8 that names the argument
 * and its bound, at most 1023 bytes; "" if none has failed.
 *
 * The text belongs to this thread. It does not change until another call of this thread fails. Never NULL;
 * never free it.
 */
MODULI_API
const char *moduli_last_error(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MODULI_STATUS_H */

#ifndef MODULI_H
#define MODULI_H

/* libmoduli: constant-time modular arithmetic for large odd moduli.
 *
 * Numbers are unsigned big-endian byte strings, as BN_bn2bin of OpenSSL writes them: a pointer, followed by the
 * length. Inputs may have any length from 0 (which is the number 0; the pointer may then be NULL) to
 * MODULI_MAX_NUMBER_BYTES, including leading zeros. The length of a secret is public: give all secrets of a kind
 * the same length, as BN_bn2binpad does. A result fills its whole buffer, padded with zeros at the front. The
 * buffer must have at least as many bytes as the modulus. If a call fails, the buffer is zero, even if it held an
 * input.
 *
 * Arguments come in this order: the handle, the outputs, the inputs. The length of a buffer, or the width of its
 * rows, follows its pointer. The number of rows or tables comes last. An output may be the same buffer as an
 * input, but must not overlap it in part.
 *
 * Status: functions return a moduli_status, MODULI_STATUS_OK or an error. moduli_last_error() describes the error.
 * After an error all output buffers are zero, and handles are NULL. No file is left half written. Running out of
 * memory ends the process.
 *
 * Compilers that can (gcc, clang) warn if a status is ignored, and if NULL is passed where it is an error:
 * attributes.h. To ignore a status on purpose, assign it to a variable. Enumerations are checked: an invalid value
 * gives MODULI_STATUS_PARAMETER.
 *
 * Pointers: NULL, lengths out of range and unknown names are errors. The library cannot check that a buffer has as
 * many bytes as you say, that texts end in a zero byte, or that a handle came from this library and has not been
 * freed. You must ensure this.
 *
 * Handles belong to the caller of the function that created them. Free each once, by the function that is named
 * there.
 *
 * Threads: any thread may call any function at any time. Threads may share a handle that functions take as const;
 * free it only when no call uses it. Batches and the building of tables use all cores, by threads of the library
 * that start at the first use and stay. With the environment variable RAYON_NUM_THREADS=1, only the calling thread
 * works. This is also so in a process that was forked after the first use, because the child does not have these
 * threads.
 *
 * Constant-time: the time, the branches and the addresses of a call do not depend on the values that its
 * description calls secret. They may depend on all lengths, on the modulus, on tables, and on whether the call
 * fails. Functions for public values, which are faster, have names that end in _vartime. Functions that take only
 * values that are public by nature (moduli, tables, groups, verification) are variable-time, too. The library
 * wipes its copies of secrets; you must wipe your buffers.
 */

#include "moduli/version.h"    /* the version of these headers */
#include "moduli/attributes.h" /* attributes for compilers */
#include "moduli/status.h"     /* statuses, and descriptions of errors */
#include "moduli/modulus.h"    /* a modulus; products, powers and inverses modulo it */
#include "moduli/even.h"       /* powers modulo even numbers */
#include "moduli/crt.h"        /* powers modulo (p*q)^k for the owner of p and q */
#include "moduli/fixed_base.h" /* tables of the powers of a base, their files, and products of powers */
#include "moduli/group.h"      /* named groups, and validation of public values */
#include "moduli/dsa.h"
#include "moduli/rsa.h"

#endif /* MODULI_H */

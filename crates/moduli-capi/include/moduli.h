#ifndef MODULI_H
#define MODULI_H

/* libmoduli: arithmetic modulo big odd numbers.
 *
 * Numbers are unsigned big-endian byte strings, as BN_bn2bin of OpenSSL gives them: a pointer, and right after it the length. As
 * inputs they may have any length from 0 (which is the number 0, and the pointer may be NULL) to MODULI_MAX_NUMBER_BYTES,
 * leading zeros included. The length of a secret is public: give all of them the same, as BN_bn2binpad does. Results fill the
 * whole buffer that they are given, zeros in front; it must have as many bytes as the modulus, or more. Where a call fails they are
 * all zero: an input that lay there is gone.
 *
 * Arguments come in this order: what it is done with, where results go, what it is done to. The length of a buffer, or the width of its
 * rows, stands right after it, the number of rows or tables at the end. An output may be the same buffer as an input; otherwise they must
 * not overlap in part.
 *
 * Status: functions return a moduli_status, MODULI_STATUS_OK or an error. moduli_last_error() says more about it. After an error
 * all output buffers are zero, and handles NULL. Nothing half-written is left.
 * Running out of memory ends the process.
 *
 * Compilers that can (gcc, clang) warn of a status that is ignored, and of NULL where it is an error: attributes.h. To ignore one on
 * purpose, assign it. Enumerations are checked: a value that is none is MODULI_STATUS_PARAMETER.
 *
 * Pointers: NULL, lengths out of range and unknown names are errors. What a library cannot see has to be true: that so
 * many bytes are there, that texts end in a zero byte, that a handle came from this library and is not freed yet.
 *
 * Handles belong to whoever called the function that made them, and are freed once by the function that says so.
 *
 * Threads: every function may be called by any thread at any time. Functions that take a const handle may share it between
 * threads; a handle is freed when no call uses it. Batches and the building of tables use all cores, by threads of the
 * library that are started the first time and stay; the environment variable RAYON_NUM_THREADS=1 keeps it to the calling
 * thread, and so does a fork after that first time: the child has no such threads.
 *
 * Constant-time: the time, the branches and the addresses of a call do not depend on the values that it calls secret, but
 * may depend on all lengths, on the modulus, on tables, and on whether the call fails. Functions for public values, which
 * are faster, have names that end in _vartime; those that take only what is public by nature (moduli, tables, groups,
 * verification) are variable-time, too. Secrets that the library copies are wiped; the caller's buffers are the caller's.
 */

#include "moduli/version.h"    /* the version of these headers */
#include "moduli/attributes.h" /* what compilers are told */
#include "moduli/status.h"     /* statuses, and what went wrong */
#include "moduli/modulus.h"    /* a modulus; products, powers and inverses modulo it */
#include "moduli/even.h"       /* powers modulo even numbers */
#include "moduli/crt.h"        /* powers modulo (p*q)^k for who knows p and q */
#include "moduli/fixed_base.h" /* tables of the powers of a base, their files, and products of powers */
#include "moduli/group.h"      /* named groups, and public values of strangers */
#include "moduli/dsa.h"
#include "moduli/rsa.h"

#endif /* MODULI_H */

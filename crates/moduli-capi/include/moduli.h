/* libmoduli: arithmetic modulo big odd numbers.
 *
 * Numbers are unsigned big-endian byte strings, as BN_bn2bin of OpenSSL gives them: a pointer, and right after it the length. As
 * inputs they may have any length from 0 (which is the number 0, and the pointer may be NULL) to MODULI_MAX_NUMBER_BYTES,
 * leading zeros included. The length of a secret is public: give all of them the same, as BN_bn2binpad does. Results fill the
 * whole buffer that they are given, zeros in front; it must have as many bytes as the modulus.
 *
 * Arguments come in this order: what it is done with, where results go, what it is done to. An output may be the same buffer
 * as an input; otherwise they must not overlap in part.
 *
 * Status: functions return a moduli_status, MODULI_STATUS_OK or an error. moduli_last_error() says more about it. After an error
 * all output buffers are zero, and handles NULL. Nothing half-written is left.
 * Running out of memory ends the process.
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


#ifndef MODULI_H
#define MODULI_H

/* Made by cbindgen from crates/moduli-capi/src: do not edit. */

#include <stddef.h>
#include <stdint.h>

/**
 * The longest number that a call takes, in bytes: 2^19 bits.
 */
#define MODULI_MAX_NUMBER_BYTES 65536

/**
 * For moduli_fixed_base_plan and moduli_fixed_base_build: exponents will be secret. The table is the best for the
 * constant-time calls; all calls work on it.
 */
#define MODULI_SECRET 0

/**
 * For moduli_fixed_base_plan and moduli_fixed_base_build: exponents will be public. The table is the best for the calls
 * whose names end in _vartime; all calls work on it.
 */
#define MODULI_PUBLIC 1

/**
 * What a call returns: MODULI_STATUS_OK, which is 0, or why it failed.
 */
typedef enum {
    /**
     * The call did what it says.
     */
    MODULI_STATUS_OK = 0,
    /**
     * A pointer is NULL that must not be.
     */
    MODULI_STATUS_NULL_POINTER = 1,
    /**
     * A length is out of its range: a number of more than MODULI_MAX_NUMBER_BYTES bytes, or a size that overflows.
     */
    MODULI_STATUS_LENGTH = 2,
    /**
     * A buffer of the caller is too short for the result.
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
     * No table fits the budget; moduli_last_error() says which budget does.
     */
    MODULI_STATUS_BUDGET_TOO_SMALL = 9,
    /**
     * Another argument is out of its range: a name that is unknown, a text that is not UTF-8, a value that is too large.
     */
    MODULI_STATUS_PARAMETER = 10,
    /**
     * The environment variable MODULI_KERNEL names a kernel that does not exist or that this machine cannot run.
     */
    MODULI_STATUS_KERNEL = 11,
    /**
     * A file could not be read or written, or does not hold what was expected.
     */
    MODULI_STATUS_FILE = 12,
    /**
     * A table holds an entry that is not the power it should be, or nothing is known of its entries.
     */
    MODULI_STATUS_TABLE = 13,
    /**
     * A key is malformed, of another kind, encrypted, or its numbers do not belong together.
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
     * A result with a secret key failed its check and was not released: the machine erred or was disturbed.
     */
    MODULI_STATUS_FAULT = 18,
    /**
     * An error in this library; please report it.
     */
    MODULI_STATUS_INTERNAL = 19,
} moduli_status;

/**
 * A DSA private key and a hash function, with a table for the generator. Never changes: threads may share it.
 */
typedef struct moduli_dsa_signer moduli_dsa_signer;

/**
 * A DSA public key and a hash function. Never changes: threads may share it.
 */
typedef struct moduli_dsa_verifier moduli_dsa_verifier;

/**
 * A base with a table of its powers. Never changes: threads may share it.
 */
typedef struct moduli_fixed_base moduli_fixed_base;

/**
 * An odd modulus, prime or not, with all that is precomputed for it. Never changes: threads may share it.
 */
typedef struct moduli_modulus moduli_modulus;

/**
 * An RSA private key. Threads may share it.
 */
typedef struct moduli_rsa_private_key moduli_rsa_private_key;

/**
 * An RSA public key. Never changes: threads may share it.
 */
typedef struct moduli_rsa_public_key moduli_rsa_public_key;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * A sentence in English about a status, for any value of it. Never NULL; never to be freed.
 */
const char *moduli_status_message(uint32_t status);

/**
 * The version of the library that runs, such as "0.1.0". Never NULL; never to be freed.
 */
const char *moduli_version(void);

/**
 * What went wrong in the last call of this thread that failed: one line of UTF-8 that names the argument and its bound, at
 * most 1023 bytes; "" if none has failed.
 *
 * The text is this thread's own. It stays as it is until another call of this thread fails. Never NULL; never to be
 * freed.
 */
const char *moduli_last_error(void);

/**
 * Prepares a modulus: odd, at least 3, at most 65536 bits, prime or not.
 *
 * out: the handle, to be given to moduli_modulus_free; NULL if the call fails.
 * value: the modulus, public.
 *
 * Variable-time in the modulus. Cost: about a hundred products.
 * Fails with MODULI_STATUS_MODULUS, MODULI_STATUS_LENGTH, MODULI_STATUS_NULL_POINTER; MODULI_STATUS_KERNEL if the
 * environment variable MODULI_KERNEL names a kernel that this machine cannot run.
 */
moduli_status moduli_modulus_new(moduli_modulus **out,
                                 const uint8_t *value,
                                 size_t value_len);

/**
 * Frees a modulus. NULL is allowed. Tables that were made of it stay usable.
 */
void moduli_modulus_free(moduli_modulus *modulus);

/**
 * Bytes of the modulus without leading zeros, and so of every result modulo it; 0 for NULL.
 */
size_t moduli_modulus_size(const moduli_modulus *modulus);

/**
 * Bits of the modulus without leading zeros; 0 for NULL.
 */
uint32_t moduli_modulus_bits(const moduli_modulus *modulus);

/**
 * The name of the arithmetic that was chosen for this machine and length: "ifma52", "fma50", "adx" or "portable". Lives as
 * long as the modulus. "" for NULL.
 */
const char *moduli_modulus_kernel(const moduli_modulus *modulus);

/**
 * Writes the modulus itself, of moduli_modulus_size bytes.
 */
moduli_status moduli_modulus_bytes(const moduli_modulus *modulus,
                                   uint8_t *out,
                                   size_t out_len);

/**
 * out = x^e mod p for a secret base and a secret exponent.
 *
 * out, out_len: at least moduli_modulus_size bytes.
 * x: any length, reduced modulo p first. e: its length is public; x^0 = 1, and 0^0 = 1.
 *
 * Constant-time in x and e but for their lengths. Cost: a squaring for each of the 8*e_len bits and a product for each four
 * to seven of them, by length.
 * Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
moduli_status moduli_pow(const moduli_modulus *modulus,
                         uint8_t *out,
                         size_t out_len,
                         const uint8_t *x,
                         size_t x_len,
                         const uint8_t *e,
                         size_t e_len);

/**
 * out = x^e mod p, or x^(-e) if negative is not 0: as moduli_pow, and constant-time in the sign, too.
 *
 * Whatever the sign, x must have an inverse. Cost: that of moduli_pow and moduli_invert.
 * Fails as moduli_pow; with MODULI_STATUS_NOT_INVERTIBLE if x has no inverse.
 */
moduli_status moduli_pow_signed(const moduli_modulus *modulus,
                                uint8_t *out,
                                size_t out_len,
                                const uint8_t *x,
                                size_t x_len,
                                const uint8_t *e,
                                size_t e_len,
                                uint8_t negative);

/**
 * out = x^e mod p for a public base and a public exponent: as moduli_pow, and faster.
 *
 * VARIABLE-TIME in x and e. Cost: about a squaring for each bit of e, leading zeros not counted, and a product for each five
 * to seven of them.
 * Fails as moduli_pow.
 */
moduli_status moduli_pow_vartime(const moduli_modulus *modulus,
                                 uint8_t *out,
                                 size_t out_len,
                                 const uint8_t *x,
                                 size_t x_len,
                                 const uint8_t *e,
                                 size_t e_len);

/**
 * count powers at once: row i of out = (row i of x)^(row i of e) mod p, on all cores and side by side in vectors.
 *
 * statuses: NULL, or count statuses, one for each row.
 * out: count rows of out_width bytes, at least moduli_modulus_size each, one after the other.
 * x, e: count rows of x_width and e_width bytes.
 * negative: NULL, or count bytes; where one is not 0 the power is x^(-e), and every x must have an inverse then.
 *
 * Constant-time in x, e and the signs; which rows fail is public. Cost: on one core with AVX-512 a quarter (256 bits) to
 * three quarters (8192 bits) of the time of count calls of moduli_pow, if count is large.
 * Fails as moduli_pow_signed. If only rows fail, the status is that of the first of them, they are zero, and the
 * others are delivered.
 */
moduli_status moduli_pow_batch(const moduli_modulus *modulus,
                               moduli_status *statuses,
                               uint8_t *out,
                               size_t out_width,
                               const uint8_t *x,
                               size_t x_width,
                               const uint8_t *e,
                               size_t e_width,
                               const uint8_t *negative,
                               size_t count);

/**
 * out = x mod p.
 *
 * out, out_len: at least moduli_modulus_size bytes. x: any length.
 *
 * Constant-time in x but for its length. Cost: next to nothing for an x no longer than p, else a division.
 * Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
moduli_status moduli_reduce(const moduli_modulus *modulus,
                            uint8_t *out,
                            size_t out_len,
                            const uint8_t *x,
                            size_t x_len);

/**
 * out = x*y mod p.
 *
 * out, out_len: at least moduli_modulus_size bytes. x, y: any lengths, reduced modulo p first.
 *
 * Constant-time in x and y but for their lengths. Cost: four products.
 * Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
moduli_status moduli_mul(const moduli_modulus *modulus,
                         uint8_t *out,
                         size_t out_len,
                         const uint8_t *x,
                         size_t x_len,
                         const uint8_t *y,
                         size_t y_len);

/**
 * out = x^(-1) mod p for a secret x.
 *
 * out, out_len: at least moduli_modulus_size bytes. x: any length, reduced modulo p first.
 *
 * Constant-time in x but for its length and for whether there is an inverse. Cost: some fifty to a hundred products.
 * Fails with MODULI_STATUS_NOT_INVERTIBLE if x and p have a common factor, which is not told; with
 * MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
moduli_status moduli_invert(const moduli_modulus *modulus,
                            uint8_t *out,
                            size_t out_len,
                            const uint8_t *x,
                            size_t x_len);

/**
 * out = x^(-1) mod p for a public x: as moduli_invert.
 *
 * VARIABLE-TIME in x. Cost: three quarters of moduli_invert.
 * Fails as moduli_invert; where there is no inverse, moduli_last_error() tells the common factor in hexadecimal.
 */
moduli_status moduli_invert_vartime(const moduli_modulus *modulus,
                                    uint8_t *out,
                                    size_t out_len,
                                    const uint8_t *x,
                                    size_t x_len);

/**
 * count inverses at once: row i of out = (row i of x)^(-1) mod p, on all cores.
 *
 * statuses: NULL, or count statuses, one for each row.
 * out: count rows of out_width bytes, at least moduli_modulus_size each. x: count rows of x_width bytes.
 *
 * Constant-time in x; which rows have no inverse is public. Cost: three products a row, and one inversion for up to 1024
 * of them; a row without an inverse costs some inversions more.
 * Fails as moduli_invert. If only rows fail, the status is MODULI_STATUS_NOT_INVERTIBLE, they are zero, and the
 * others are delivered.
 */
moduli_status moduli_invert_batch(const moduli_modulus *modulus,
                                  moduli_status *statuses,
                                  uint8_t *out,
                                  size_t out_width,
                                  const uint8_t *x,
                                  size_t x_width,
                                  size_t count);

/**
 * Which table moduli_fixed_base_build would build for a base that has an inverse, without building it.
 *
 * bytes: NULL, or where the size of the table goes. nanoseconds: NULL, or where the predicted time of one power on one core
 * goes. method, method_len: NULL and 0, or a buffer for the name of the method, such as "comb:5,4", with its zero;
 * 64 bytes are enough.
 * exponent_bits: 1 to 131072; exponents are below 2^exponent_bits. budget: the most bytes that the table may take.
 * secrecy: MODULI_SECRET or MODULI_PUBLIC.
 *
 * Nothing here is secret. Cost: milliseconds.
 * Fails with MODULI_STATUS_BUDGET_TOO_SMALL, MODULI_STATUS_PARAMETER, MODULI_STATUS_NULL_POINTER,
 * MODULI_STATUS_BUFFER_TOO_SMALL.
 */
moduli_status moduli_fixed_base_plan(const moduli_modulus *modulus,
                                     uint64_t *bytes,
                                     uint64_t *nanoseconds,
                                     char *method,
                                     size_t method_len,
                                     uint32_t exponent_bits,
                                     uint64_t budget,
                                     uint32_t secrecy);

/**
 * Builds a table of powers of a base: the fastest that fits a budget.
 *
 * out: the handle, to be given to moduli_fixed_base_free; NULL if the call fails.
 * base: public, any length, reduced modulo p first, not 0 then.
 * order, order_len: NULL and 0, or a number with base^order = 1, public. Exponents longer than exponent_bits are reduced
 * modulo it; without it they are refused.
 * exponent_bits: 1 to 131072; exponents are below 2^exponent_bits. budget: the most bytes that the table may take.
 * secrecy: MODULI_SECRET or MODULI_PUBLIC: what the table is best for.
 *
 * Variable-time in the base. Cost: about a product (three for some methods) for each entry, on all cores.
 * Fails with MODULI_STATUS_BASE_ZERO; MODULI_STATUS_BUDGET_TOO_SMALL; MODULI_STATUS_PARAMETER for an argument out of
 * range, for an order that is none and for a table that memory has no room for; MODULI_STATUS_NULL_POINTER,
 * MODULI_STATUS_LENGTH.
 */
moduli_status moduli_fixed_base_build(const moduli_modulus *modulus,
                                      moduli_fixed_base **out,
                                      const uint8_t *base,
                                      size_t base_len,
                                      const uint8_t *order,
                                      size_t order_len,
                                      uint32_t exponent_bits,
                                      uint64_t budget,
                                      uint32_t secrecy);

/**
 * Frees a table. NULL is allowed. Signers that were given it stay usable.
 */
void moduli_fixed_base_free(moduli_fixed_base *fixed_base);

/**
 * Bytes of a result: those of the modulus without leading zeros; 0 for NULL.
 */
size_t moduli_fixed_base_size(const moduli_fixed_base *fixed_base);

/**
 * Bytes of the table in memory; 0 for NULL.
 */
uint64_t moduli_fixed_base_table_bytes(const moduli_fixed_base *fixed_base);

/**
 * Exponents are below 2 to this power, unless the order is known; 0 for NULL.
 */
uint32_t moduli_fixed_base_exponent_bits(const moduli_fixed_base *fixed_base);

/**
 * 1 if the table is a file mapped into memory, so that processes share its pages, else 0.
 */
uint32_t moduli_fixed_base_is_mapped(const moduli_fixed_base *fixed_base);

/**
 * The method of the table with its parameters, such as "comb:5,4" or "radix:64 split 2". Lives as long as the table. "" for
 * NULL.
 */
const char *moduli_fixed_base_method(const moduli_fixed_base *fixed_base);

/**
 * out = base^e mod p for a secret exponent.
 *
 * out, out_len: at least moduli_fixed_base_size bytes.
 * e: below 2^exponent_bits of the table, or any if the table was built with an order; its length is public.
 *
 * Constant-time in e but for its length. Cost: what moduli_fixed_base_plan says.
 * Fails with MODULI_STATUS_EXPONENT_TOO_LONG, MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH,
 * MODULI_STATUS_BUFFER_TOO_SMALL.
 */
moduli_status moduli_fixed_base_pow(const moduli_fixed_base *fixed_base,
                                    uint8_t *out,
                                    size_t out_len,
                                    const uint8_t *e,
                                    size_t e_len);

/**
 * out = base^e mod p, or base^(-e) if negative is not 0: as moduli_fixed_base_pow, and constant-time in the sign, too.
 *
 * Cost: a product more. Fails as moduli_fixed_base_pow; with MODULI_STATUS_NOT_INVERTIBLE if the base has no
 * inverse.
 */
moduli_status moduli_fixed_base_pow_signed(const moduli_fixed_base *fixed_base,
                                           uint8_t *out,
                                           size_t out_len,
                                           const uint8_t *e,
                                           size_t e_len,
                                           uint8_t negative);

/**
 * out = base^e mod p for a public exponent: as moduli_fixed_base_pow, and faster.
 *
 * VARIABLE-TIME in e. Fails as moduli_fixed_base_pow.
 */
moduli_status moduli_fixed_base_pow_vartime(const moduli_fixed_base *fixed_base,
                                            uint8_t *out,
                                            size_t out_len,
                                            const uint8_t *e,
                                            size_t e_len);

/**
 * count powers of the base at once: row i of out = base^(row i of e) mod p, on all cores and side by side in vectors.
 *
 * statuses: NULL, or count statuses, one for each row.
 * out: count rows of out_width bytes, at least moduli_fixed_base_size each. e: count rows of e_width bytes.
 * negative: NULL, or count bytes; where one is not 0 the power is base^(-e).
 *
 * Constant-time in e and the signs; which rows fail is public.
 * Fails as moduli_fixed_base_pow_signed. If only rows fail, the status is that of the first of them, they are zero,
 * and the others are delivered.
 */
moduli_status moduli_fixed_base_pow_batch(const moduli_fixed_base *fixed_base,
                                          moduli_status *statuses,
                                          uint8_t *out,
                                          size_t out_width,
                                          const uint8_t *e,
                                          size_t e_width,
                                          const uint8_t *negative,
                                          size_t count);

/**
 * count powers of the base for public exponents: as moduli_fixed_base_pow_batch, and faster.
 *
 * VARIABLE-TIME in e and the signs. Fails as moduli_fixed_base_pow_batch.
 */
moduli_status moduli_fixed_base_pow_batch_vartime(const moduli_fixed_base *fixed_base,
                                                  moduli_status *statuses,
                                                  uint8_t *out,
                                                  size_t out_width,
                                                  const uint8_t *e,
                                                  size_t e_width,
                                                  const uint8_t *negative,
                                                  size_t count);

/**
 * out = g^a * h^b * ... mod p: the product of powers of count bases with tables, for secret exponents.
 *
 * bases, count: the tables, one at least, all of one modulus. out, out_len: at least moduli_fixed_base_size bytes.
 * e: count rows of e_width bytes, one exponent for each table, as moduli_fixed_base_pow takes it.
 * negative: NULL, or count bytes; where one is not 0 the power is that of the negative exponent.
 *
 * Constant-time in the exponents and signs but for e_width. Cost: the products of count powers, but squarings only once.
 * Fails with MODULI_STATUS_MODULUS_MISMATCH, MODULI_STATUS_EXPONENT_TOO_LONG, MODULI_STATUS_NOT_INVERTIBLE for
 * signed exponents of a base without inverse, MODULI_STATUS_PARAMETER if count is 0, MODULI_STATUS_NULL_POINTER,
 * MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
moduli_status moduli_product_pow(const moduli_fixed_base *const *bases,
                                 size_t count,
                                 uint8_t *out,
                                 size_t out_len,
                                 const uint8_t *e,
                                 size_t e_width,
                                 const uint8_t *negative);

/**
 * out = g^a * h^b * ... mod p for public exponents: as moduli_product_pow, and faster.
 *
 * VARIABLE-TIME in the exponents and signs. Fails as moduli_product_pow.
 */
moduli_status moduli_product_pow_vartime(const moduli_fixed_base *const *bases,
                                         size_t count,
                                         uint8_t *out,
                                         size_t out_len,
                                         const uint8_t *e,
                                         size_t e_width,
                                         const uint8_t *negative);

/**
 * out = base^a * x^b mod p for a base with a table, a variable x, and secret exponents.
 *
 * out, out_len: at least moduli_fixed_base_size bytes. a: as moduli_fixed_base_pow takes it. x, b: as moduli_pow takes them.
 *
 * Constant-time in a, x and b but for their lengths. Cost: that of moduli_pow for b, and the products of
 * moduli_fixed_base_pow for a.
 * Fails as moduli_fixed_base_pow.
 */
moduli_status moduli_fixed_base_pow_times(const moduli_fixed_base *fixed_base,
                                          uint8_t *out,
                                          size_t out_len,
                                          const uint8_t *a,
                                          size_t a_len,
                                          const uint8_t *x,
                                          size_t x_len,
                                          const uint8_t *b,
                                          size_t b_len);

/**
 * out = base^a * x^b mod p for public a, x and b, as verifiers of signatures and proofs need it: as
 * moduli_fixed_base_pow_times, and faster.
 *
 * VARIABLE-TIME in a, x and b. Fails as moduli_fixed_base_pow.
 */
moduli_status moduli_fixed_base_pow_times_vartime(const moduli_fixed_base *fixed_base,
                                                  uint8_t *out,
                                                  size_t out_len,
                                                  const uint8_t *a,
                                                  size_t a_len,
                                                  const uint8_t *x,
                                                  size_t x_len,
                                                  const uint8_t *b,
                                                  size_t b_len);

/**
 * Writes a table to a file, for moduli_fixed_base_open.
 *
 * path: ends in a zero byte; UTF-8 on systems other than Unix.
 *
 * The file appears whole or not at all: it is written under another name beside it and renamed over what was there.
 * Fails with MODULI_STATUS_FILE, MODULI_STATUS_NULL_POINTER.
 */
moduli_status moduli_fixed_base_save(const moduli_fixed_base *fixed_base,
                                     const char *path);

/**
 * Reads a table from a file into memory, if it is the one that is expected.
 *
 * out: the handle, to be given to moduli_fixed_base_free; NULL if the call fails.
 * base: the base that the table must have. Both it and the modulus must come from elsewhere than the file: a table for a
 * modulus of its writer's choice gives secret exponents away.
 * path: ends in a zero byte; UTF-8 on systems other than Unix.
 *
 * Checks the checksum and every entry, so that nothing in the file has to be trusted. A file of another machine is converted
 * if need be. Variable-time: nothing here is secret. Cost: about that of building the table.
 * Fails with MODULI_STATUS_FILE, whatever is wrong with the file; MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH.
 */
moduli_status moduli_fixed_base_open(const moduli_modulus *modulus,
                                     moduli_fixed_base **out,
                                     const uint8_t *base,
                                     size_t base_len,
                                     const char *path);

/**
 * As moduli_fixed_base_open, but maps the file read-only, so that processes that open the same file share one copy of its
 * pages.
 *
 * As long as the handle lives, nobody may change the file or cut it short: a change makes results wrong and can give secret
 * exponents away, a page that is cut off ends the process with a signal. Map only what nobody else can write to.
 * Replacing the file as moduli_fixed_base_save does, by renaming, is allowed: the map keeps the old one.
 *
 * A file written for another kernel, and any file on a big-endian machine, is read into memory instead; see
 * moduli_fixed_base_is_mapped. Fails as moduli_fixed_base_open.
 */
moduli_status moduli_fixed_base_open_mapped(const moduli_modulus *modulus,
                                            moduli_fixed_base **out,
                                            const uint8_t *base,
                                            size_t base_len,
                                            const char *path);

/**
 * The name of the group with this index, counted from 0, such as "ffdhe3072"; NULL if there are no more. Never to be freed.
 */
const char *moduli_group_name(size_t index);

/**
 * The sizes of a named group of prime order q modulo a prime p.
 *
 * p_size, q_size: NULL, or where the bytes of p (and of its generator g), and of q, go.
 * exponent_bits: NULL, or where the bits go that a secret exponent needs in this group: those of q where it is short; for
 * p = 2q + 1 twice the strength of the group, as RFC 7919 says.
 * name: ends in a zero byte; moduli_group_name lists all.
 *
 * Fails with MODULI_STATUS_PARAMETER for a name that is unknown; MODULI_STATUS_NULL_POINTER.
 */
moduli_status moduli_group_sizes(const char *name,
                                 size_t *p_size,
                                 size_t *q_size,
                                 uint32_t *exponent_bits);

/**
 * The numbers of a named group: the primes p and q, and a generator g of order q modulo p.
 *
 * p, q, g: NULL and 0 for what is not wanted, else buffers of at least the sizes that moduli_group_sizes tells (g has that of
 * p). name: ends in a zero byte.
 *
 * Fails with MODULI_STATUS_PARAMETER for a name that is unknown; MODULI_STATUS_BUFFER_TOO_SMALL,
 * MODULI_STATUS_NULL_POINTER.
 */
moduli_status moduli_group_numbers(const char *name,
                                   uint8_t *p,
                                   size_t p_len,
                                   uint8_t *q,
                                   size_t q_len,
                                   uint8_t *g,
                                   size_t g_len);

/**
 * Checks a public value y of a stranger, as Diffie-Hellman and ElGamal have to: 1 < y < p - 1 and y^order = 1 modulo the
 * prime p (NIST SP 800-56A, 5.6.2.3.1).
 *
 * modulus: p, prime. order: the order q of the group. MODULI_STATUS_OK says that y is a member.
 *
 * VARIABLE-TIME in y. Cost: for p = 2q + 1 a Jacobi symbol, else a power with an exponent as long as q.
 * Fails with MODULI_STATUS_NOT_IN_GROUP; MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH.
 */
moduli_status moduli_validate_public_value_vartime(const moduli_modulus *modulus,
                                                   const uint8_t *order,
                                                   size_t order_len,
                                                   const uint8_t *y,
                                                   size_t y_len);

/**
 * Prepares to sign with a DSA key.
 *
 * out: the handle, to be given to moduli_dsa_signer_free, which wipes the key; NULL if the call fails.
 * pem, pem_len: a text with a block PRIVATE KEY or DSA PRIVATE KEY, not encrypted, as OpenSSL writes it. The caller wipes
 * its copy.
 * hash: "sha224", "sha256", "sha384" or "sha512".
 * table, budget: a table for the generator of the key, with exponents as long as q, to be shared with other signers; or NULL
 * and the most bytes that a table may take that is built now.
 * check: if not 0, each signature is verified before it is released, against whoever can disturb the computation; signing
 * then takes some nine times as long.
 *
 * Reading the key is not claimed constant-time. Cost: some powers, and that of building the table.
 * Fails with MODULI_STATUS_KEY; MODULI_STATUS_PARAMETER for an unknown hash function or a table of another base;
 * MODULI_STATUS_BUDGET_TOO_SMALL; MODULI_STATUS_NULL_POINTER.
 */
moduli_status moduli_dsa_signer_new(moduli_dsa_signer **out,
                                    const char *pem,
                                    size_t pem_len,
                                    const char *hash,
                                    const moduli_fixed_base *table,
                                    uint64_t budget,
                                    uint32_t check);

/**
 * Frees a signer and wipes its key. NULL is allowed.
 */
void moduli_dsa_signer_free(moduli_dsa_signer *signer);

/**
 * The most bytes that a signature of this key has in DER; 0 for NULL.
 */
size_t moduli_dsa_signer_size(const moduli_dsa_signer *signer);

/**
 * Signs a message: a DER sequence of r and s, as OpenSSL reads and writes it.
 *
 * signature, signature_len: moduli_dsa_signer_size bytes are enough; what is not used is zero. written: the bytes of the
 * signature, which differ from one to the next.
 * message: of any length.
 *
 * The nonce is that of RFC 6979 with random bytes of the system mixed in (section 3.6): a message has another signature each
 * time. Constant-time in the key and the nonce. Cost: a power from the table, the hash.
 * Fails with MODULI_STATUS_RANDOM, MODULI_STATUS_FAULT, MODULI_STATUS_NULL_POINTER, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
moduli_status moduli_dsa_sign(const moduli_dsa_signer *signer,
                              uint8_t *signature,
                              size_t signature_len,
                              size_t *written,
                              const uint8_t *message,
                              size_t message_len);

/**
 * Signs a message with the nonce of RFC 6979 alone: as moduli_dsa_sign, but a message always has the same signature.
 */
moduli_status moduli_dsa_sign_deterministic(const moduli_dsa_signer *signer,
                                            uint8_t *signature,
                                            size_t signature_len,
                                            size_t *written,
                                            const uint8_t *message,
                                            size_t message_len);

/**
 * Signs the digest of a message that was hashed elsewhere, by the hash function of the signer: as moduli_dsa_sign.
 *
 * Fails as moduli_dsa_sign; with MODULI_STATUS_PARAMETER for a digest of another length.
 */
moduli_status moduli_dsa_sign_digest(const moduli_dsa_signer *signer,
                                     uint8_t *signature,
                                     size_t signature_len,
                                     size_t *written,
                                     const uint8_t *digest,
                                     size_t digest_len);

/**
 * Prepares to verify with a DSA key.
 *
 * out: the handle, to be given to moduli_dsa_verifier_free; NULL if the call fails.
 * pem, pem_len: a text with a block PUBLIC KEY, as OpenSSL writes it.
 * hash: "sha1", "sha224", "sha256", "sha384" or "sha512".
 *
 * Variable-time: all is public. Cost: some powers.
 * Fails with MODULI_STATUS_KEY, MODULI_STATUS_PARAMETER, MODULI_STATUS_NULL_POINTER.
 */
moduli_status moduli_dsa_verifier_new(moduli_dsa_verifier **out,
                                      const char *pem,
                                      size_t pem_len,
                                      const char *hash);

/**
 * Frees a verifier. NULL is allowed.
 */
void moduli_dsa_verifier_free(moduli_dsa_verifier *verifier);

/**
 * MODULI_STATUS_OK if this is, in strict DER, a signature of the message.
 *
 * Variable-time: all is public. Cost: two powers with exponents as long as q.
 * Fails with MODULI_STATUS_SIGNATURE if it is none; MODULI_STATUS_NULL_POINTER.
 */
moduli_status moduli_dsa_verify(const moduli_dsa_verifier *verifier,
                                const uint8_t *signature,
                                size_t signature_len,
                                const uint8_t *message,
                                size_t message_len);

/**
 * MODULI_STATUS_OK if this is, in strict DER, a signature of the message with this digest: as moduli_dsa_verify.
 *
 * Fails as moduli_dsa_verify; with MODULI_STATUS_PARAMETER for a digest of another length than the hash function's.
 */
moduli_status moduli_dsa_verify_digest(const moduli_dsa_verifier *verifier,
                                       const uint8_t *signature,
                                       size_t signature_len,
                                       const uint8_t *digest,
                                       size_t digest_len);

/**
 * Reads an RSA private key of two primes, with 1024 to 16384 bits.
 *
 * out: the handle, to be given to moduli_rsa_private_key_free, which wipes the key; NULL if the call fails.
 * pem, pem_len: a text with a block PRIVATE KEY or RSA PRIVATE KEY, not encrypted, as OpenSSL writes it. The caller wipes
 * its copy.
 *
 * Not claimed constant-time. Cost: two divisions and an inversion.
 * Fails with MODULI_STATUS_KEY, MODULI_STATUS_PARAMETER, MODULI_STATUS_NULL_POINTER.
 */
moduli_status moduli_rsa_private_key_new(moduli_rsa_private_key **out,
                                         const char *pem,
                                         size_t pem_len);

/**
 * Frees a private key and wipes it. NULL is allowed.
 */
void moduli_rsa_private_key_free(moduli_rsa_private_key *key);

/**
 * Bytes of n, and so of a signature and of a decrypted number; 0 for NULL.
 */
size_t moduli_rsa_private_key_size(const moduli_rsa_private_key *key);

/**
 * out = c^d mod n: the private operation alone (RSADP of RFC 8017).
 *
 * out, out_len: at least moduli_rsa_private_key_size bytes. c: below n.
 *
 * The result is the padded message. Whoever removes the padding must not let anyone know whether it was right, by an answer
 * or by time: PKCS#1 v1.5 encryption is broken by that.
 *
 * Constant-time in the key and c but for its length; blinded with random bytes of the system, and checked before it is
 * released. Cost: a power modulo each prime.
 * Fails with MODULI_STATUS_PARAMETER if c is not below n; MODULI_STATUS_RANDOM, MODULI_STATUS_FAULT,
 * MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
moduli_status moduli_rsa_decrypt_raw(const moduli_rsa_private_key *key,
                                     uint8_t *out,
                                     size_t out_len,
                                     const uint8_t *c,
                                     size_t c_len);

/**
 * Signs a message.
 *
 * signature, signature_len: at least moduli_rsa_private_key_size bytes; a signature has just so many, and a longer buffer
 * gets zeros behind it.
 * scheme: "pss-sha256" (PSS with MGF1 of the same hash function and a salt as long as a digest) or "pkcs1-sha256" (PKCS#1
 * v1.5), or with sha224, sha384 or sha512. message: of any length.
 *
 * Constant-time in the key; blinded and salted with random bytes of the system, and checked before it is released. Cost: that
 * of moduli_rsa_decrypt_raw, and the hash.
 * Fails with MODULI_STATUS_PARAMETER for a scheme that is unknown or for which n is too short; MODULI_STATUS_RANDOM,
 * MODULI_STATUS_FAULT, MODULI_STATUS_NULL_POINTER, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
moduli_status moduli_rsa_sign(const moduli_rsa_private_key *key,
                              uint8_t *signature,
                              size_t signature_len,
                              const char *scheme,
                              const uint8_t *message,
                              size_t message_len);

/**
 * Signs the digest of a message that was hashed elsewhere, by the hash function of the scheme: as moduli_rsa_sign.
 *
 * Fails as moduli_rsa_sign; with MODULI_STATUS_PARAMETER for a digest of another length.
 */
moduli_status moduli_rsa_sign_digest(const moduli_rsa_private_key *key,
                                     uint8_t *signature,
                                     size_t signature_len,
                                     const char *scheme,
                                     const uint8_t *digest,
                                     size_t digest_len);

/**
 * Reads an RSA public key with 1024 to 16384 bits and an exponent of at most 256.
 *
 * out: the handle, to be given to moduli_rsa_public_key_free; NULL if the call fails.
 * pem, pem_len: a text with a block PUBLIC KEY or RSA PUBLIC KEY, as OpenSSL writes it.
 *
 * Fails with MODULI_STATUS_KEY, MODULI_STATUS_PARAMETER, MODULI_STATUS_NULL_POINTER.
 */
moduli_status moduli_rsa_public_key_new(moduli_rsa_public_key **out,
                                        const char *pem,
                                        size_t pem_len);

/**
 * Frees a public key. NULL is allowed.
 */
void moduli_rsa_public_key_free(moduli_rsa_public_key *key);

/**
 * Bytes of n, and so of a signature and of an encrypted number; 0 for NULL.
 */
size_t moduli_rsa_public_key_size(const moduli_rsa_public_key *key);

/**
 * out = m^e mod n: the public operation alone (RSAEP of RFC 8017), for a message that was padded elsewhere.
 *
 * out, out_len: at least moduli_rsa_public_key_size bytes. m: below n.
 *
 * Constant-time in m but for its length. Cost: a squaring for each bit of e.
 * Fails with MODULI_STATUS_PARAMETER if m is not below n; MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH,
 * MODULI_STATUS_BUFFER_TOO_SMALL.
 */
moduli_status moduli_rsa_encrypt_raw(const moduli_rsa_public_key *key,
                                     uint8_t *out,
                                     size_t out_len,
                                     const uint8_t *m,
                                     size_t m_len);

/**
 * MODULI_STATUS_OK if this is a signature of the message.
 *
 * scheme: as for moduli_rsa_sign, with sha1, too.
 *
 * Variable-time: all is public. Cost: that of moduli_rsa_encrypt_raw, and the hash.
 * Fails with MODULI_STATUS_SIGNATURE if it is none; MODULI_STATUS_PARAMETER for a scheme that is unknown;
 * MODULI_STATUS_NULL_POINTER.
 */
moduli_status moduli_rsa_verify(const moduli_rsa_public_key *key,
                                const uint8_t *signature,
                                size_t signature_len,
                                const char *scheme,
                                const uint8_t *message,
                                size_t message_len);

/**
 * MODULI_STATUS_OK if this is a signature of the message with this digest: as moduli_rsa_verify.
 *
 * Fails as moduli_rsa_verify; with MODULI_STATUS_PARAMETER for a digest of another length than the hash function's.
 */
moduli_status moduli_rsa_verify_digest(const moduli_rsa_public_key *key,
                                       const uint8_t *signature,
                                       size_t signature_len,
                                       const char *scheme,
                                       const uint8_t *digest,
                                       size_t digest_len);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MODULI_H */

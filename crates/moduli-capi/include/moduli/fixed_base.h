#ifndef MODULI_FIXED_BASE_H
#define MODULI_FIXED_BASE_H

/* Made by cbindgen from crates/moduli-capi/src: do not edit. */

#include <stddef.h>
#include <stdint.h>
#include "attributes.h"
#include "modulus.h"

/**
 * Whether the exponents of a table will be secret. Decides which table is best; all calls work on every
 * table.
 */
typedef enum {
    /**
     * Secret: the table is best for the constant-time calls.
     */
    MODULI_SECRECY_SECRET = 0,
    /**
     * Public: the table is best for the calls whose names end in _vartime.
     */
    MODULI_SECRECY_PUBLIC = 1,
} moduli_secrecy;

/**
 * A base with a table of its powers. Immutable: threads may share it.
 */
typedef struct moduli_fixed_base moduli_fixed_base;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Plans the table that moduli_fixed_base_build would build for a base that has an inverse, without building
 * it.
 *
 * bytes: NULL, or receives the size of the table. nanoseconds: NULL, or receives the predicted time of one
 * power on one core. method, method_len: NULL and 0, or a buffer for the name of the method, such as
 * "comb:5,4", with its terminating zero; 64 bytes are enough.
 * exponent_bits: 1 to 131072; exponents are below 2^exponent_bits. budget: the most bytes that the table may
 * take.
 * secrecy: MODULI_SECRECY_SECRET or MODULI_SECRECY_PUBLIC.
 *
 * Nothing here is secret. Cost: milliseconds.
 * Fails with MODULI_STATUS_BUDGET_TOO_SMALL, MODULI_STATUS_PARAMETER, MODULI_STATUS_NULL_POINTER,
 * MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_plan(const moduli_modulus *modulus,
                                     uint64_t *bytes,
                                     uint64_t *nanoseconds,
                                     char *method,
                                     size_t method_len,
                                     uint32_t exponent_bits,
                                     uint64_t budget,
                                     moduli_secrecy secrecy)
MODULI_NONNULL(1);

/**
 * Builds a table of powers of a base: the fastest that fits a budget.
 *
 * out: receives the handle, or NULL if the call fails. moduli_fixed_base_free frees it.
 * base: public, any length; it is reduced modulo p first, and must not be 0 then.
 * order, order_len: NULL and 0, or a number with base^order = 1, public. Exponents longer than exponent_bits
 * are reduced modulo it; without it they are rejected.
 * exponent_bits: 1 to 131072; exponents are below 2^exponent_bits. budget: the most bytes that the table may
 * take.
 * secrecy: MODULI_SECRECY_SECRET or MODULI_SECRECY_PUBLIC: what the table is best for.
 *
 * Variable-time in the base. Cost: about a product (three for some methods) for each entry, on all cores.
 * Fails with MODULI_STATUS_BASE_ZERO; MODULI_STATUS_BUDGET_TOO_SMALL; MODULI_STATUS_PARAMETER for an
 * argument out of range, for a wrong order, or if there is not enough memory for the table;
 * MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_build(const moduli_modulus *modulus,
                                      moduli_fixed_base **out,
                                      const uint8_t *base,
                                      size_t base_len,
                                      const uint8_t *order,
                                      size_t order_len,
                                      uint32_t exponent_bits,
                                      uint64_t budget,
                                      moduli_secrecy secrecy)
MODULI_NONNULL(1, 2);

/**
 * Frees a table. NULL is allowed. Signers that use it stay usable.
 */
MODULI_API
void moduli_fixed_base_free(moduli_fixed_base *fixed_base);

/**
 * Bytes of a result: those of the modulus without leading zeros; 0 for NULL.
 */
MODULI_API
size_t moduli_fixed_base_size(const moduli_fixed_base *fixed_base);

/**
 * Bytes of the table in memory; 0 for NULL.
 */
MODULI_API
uint64_t moduli_fixed_base_table_bytes(const moduli_fixed_base *fixed_base);

/**
 * The exponent bits of the table: exponents are below 2 to this power, unless the order is known; 0 for
 * NULL.
 */
MODULI_API
uint32_t moduli_fixed_base_exponent_bits(const moduli_fixed_base *fixed_base);

/**
 * 1 if the table is a file mapped into memory, whose pages processes share; otherwise 0.
 */
MODULI_API
uint32_t moduli_fixed_base_is_mapped(const moduli_fixed_base *fixed_base);

/**
 * The method of the table with its parameters, such as "comb:5,4" or "radix:64 split 2". Valid as long as
 * the table. "" for NULL.
 */
MODULI_API
const char *moduli_fixed_base_method(const moduli_fixed_base *fixed_base);

/**
 * out = base^e mod p for a secret exponent.
 *
 * out, out_len: at least moduli_fixed_base_size bytes.
 * e: below 2^exponent_bits of the table, or any if the table was built with an order; its length is public.
 *
 * Constant-time in e except for its length. Cost: as moduli_fixed_base_plan predicts.
 * Fails with MODULI_STATUS_EXPONENT_TOO_LONG, MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH,
 * MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_pow(const moduli_fixed_base *fixed_base,
                                    uint8_t *out,
                                    size_t out_len,
                                    const uint8_t *e,
                                    size_t e_len)
MODULI_NONNULL(1, 2);

/**
 * out = base^e mod p for a secret exponent that may be longer than exponent_bits of the table: as
 * moduli_fixed_base_pow.
 *
 * e: any length. If the table was built with an order, e is reduced modulo it. Otherwise the bits beyond
 * exponent_bits are the exponent of a power of base^(2^exponent_bits), which has no table.
 *
 * Constant-time in e except for its length, which alone decides whether there is such a power. Cost: that of
 * moduli_fixed_base_pow, and that of moduli_pow for the 8*e_len - exponent_bits bits beyond: give no more
 * leading zeros than needed.
 * Fails as moduli_fixed_base_pow, except with MODULI_STATUS_EXPONENT_TOO_LONG.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_pow_long(const moduli_fixed_base *fixed_base,
                                         uint8_t *out,
                                         size_t out_len,
                                         const uint8_t *e,
                                         size_t e_len)
MODULI_NONNULL(1, 2);

/**
 * out = base^e mod p for a public exponent that may be longer than exponent_bits of the table: as
 * moduli_fixed_base_pow_long, and faster.
 *
 * VARIABLE-TIME in e. Cost: leading zeros do not count. Fails as moduli_fixed_base_pow_long.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_pow_long_vartime(const moduli_fixed_base *fixed_base,
                                                 uint8_t *out,
                                                 size_t out_len,
                                                 const uint8_t *e,
                                                 size_t e_len)
MODULI_NONNULL(1, 2);

/**
 * out = base^e mod p, or base^(-e) if negative is not 0: as moduli_fixed_base_pow, and constant-time in the
 * sign, too.
 *
 * Cost: one more product. Fails as moduli_fixed_base_pow; with MODULI_STATUS_NOT_INVERTIBLE if the base has
 * no inverse.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_pow_signed(const moduli_fixed_base *fixed_base,
                                           uint8_t *out,
                                           size_t out_len,
                                           const uint8_t *e,
                                           size_t e_len,
                                           uint8_t negative)
MODULI_NONNULL(1, 2);

/**
 * out = base^e mod p for a public exponent: as moduli_fixed_base_pow, and faster.
 *
 * VARIABLE-TIME in e. Fails as moduli_fixed_base_pow.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_pow_vartime(const moduli_fixed_base *fixed_base,
                                            uint8_t *out,
                                            size_t out_len,
                                            const uint8_t *e,
                                            size_t e_len)
MODULI_NONNULL(1, 2);

/**
 * count powers of the base at once: row i of out = base^(row i of e) mod p, on all cores and in the lanes of
 * vector registers.
 *
 * statuses: NULL, or count statuses, one for each row.
 * out: count rows of out_width bytes, at least moduli_fixed_base_size each. e: count rows of e_width bytes.
 * negative: NULL, or count bytes; where one is not 0 the power is base^(-e).
 *
 * Constant-time in e and the signs; which rows fail is public.
 * Fails as moduli_fixed_base_pow_signed. If only some rows fail, the call returns the status of the first of
 * them; these rows are zero, and the other rows have their results.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_pow_batch(const moduli_fixed_base *fixed_base,
                                          moduli_status *statuses,
                                          uint8_t *out,
                                          size_t out_width,
                                          const uint8_t *e,
                                          size_t e_width,
                                          const uint8_t *negative,
                                          size_t count)
MODULI_NONNULL(1);

/**
 * count powers of the base for public exponents: as moduli_fixed_base_pow_batch, and faster.
 *
 * VARIABLE-TIME in e and the signs. Fails as moduli_fixed_base_pow_batch.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_pow_batch_vartime(const moduli_fixed_base *fixed_base,
                                                  moduli_status *statuses,
                                                  uint8_t *out,
                                                  size_t out_width,
                                                  const uint8_t *e,
                                                  size_t e_width,
                                                  const uint8_t *negative,
                                                  size_t count)
MODULI_NONNULL(1);

/**
 * out = g^a * h^b * ... mod p: the product of powers of count bases with tables, for secret exponents.
 *
 * bases: count tables, at least one, all with the same modulus. out, out_len: at least
 * moduli_fixed_base_size bytes.
 * e: count rows of e_width bytes, one exponent for each table, as moduli_fixed_base_pow takes it.
 * negative: NULL, or count bytes; where one is not 0 the power is that of the negative exponent.
 *
 * Constant-time in the exponents and signs, except for e_width. Cost: the products of count powers, and the
 * squarings of one.
 * Fails with MODULI_STATUS_MODULUS_MISMATCH, MODULI_STATUS_EXPONENT_TOO_LONG, MODULI_STATUS_NOT_INVERTIBLE
 * for signed exponents of a base without an inverse, MODULI_STATUS_PARAMETER if count is 0,
 * MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_product_pow(const moduli_fixed_base *const *bases,
                                 uint8_t *out,
                                 size_t out_len,
                                 const uint8_t *e,
                                 size_t e_width,
                                 const uint8_t *negative,
                                 size_t count)
MODULI_NONNULL(1);

/**
 * out = g^a * h^b * ... mod p for public exponents: as moduli_product_pow, and faster.
 *
 * VARIABLE-TIME in the exponents and signs. Fails as moduli_product_pow.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_product_pow_vartime(const moduli_fixed_base *const *bases,
                                         uint8_t *out,
                                         size_t out_len,
                                         const uint8_t *e,
                                         size_t e_width,
                                         const uint8_t *negative,
                                         size_t count)
MODULI_NONNULL(1);

/**
 * out = base^a * x^b mod p for a base with a table, a variable x, and secret exponents.
 *
 * out, out_len: at least moduli_fixed_base_size bytes. a: as moduli_fixed_base_pow takes it. x, b: as
 * moduli_pow takes them.
 *
 * Constant-time in a, x and b except for their lengths. Cost: that of moduli_pow for b, and the products of
 * moduli_fixed_base_pow for a.
 * Fails as moduli_fixed_base_pow.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_pow_times(const moduli_fixed_base *fixed_base,
                                          uint8_t *out,
                                          size_t out_len,
                                          const uint8_t *a,
                                          size_t a_len,
                                          const uint8_t *x,
                                          size_t x_len,
                                          const uint8_t *b,
                                          size_t b_len)
MODULI_NONNULL(1, 2);

/**
 * out = base^a * x^b mod p for public a, x and b, as verifiers of signatures and proofs need it: as
 * moduli_fixed_base_pow_times, and faster.
 *
 * VARIABLE-TIME in a, x and b. Fails as moduli_fixed_base_pow.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_pow_times_vartime(const moduli_fixed_base *fixed_base,
                                                  uint8_t *out,
                                                  size_t out_len,
                                                  const uint8_t *a,
                                                  size_t a_len,
                                                  const uint8_t *x,
                                                  size_t x_len,
                                                  const uint8_t *b,
                                                  size_t b_len)
MODULI_NONNULL(1, 2);

/**
 * Writes a table to a file, for moduli_fixed_base_open.
 *
 * path: ends in a zero byte; UTF-8 on systems other than Unix.
 *
 * The file appears whole or not at all: it is written under another name in the same folder, and then
 * renamed. If path is a symbolic link, the file that it leads to is replaced; if it leads nowhere, the call
 * fails.
 * Fails with MODULI_STATUS_FILE, MODULI_STATUS_NULL_POINTER.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_save(const moduli_fixed_base *fixed_base,
                                     const char *path)
MODULI_NONNULL(1, 2);

/**
 * Reads a table from a file into memory, if it is the expected one.
 *
 * out: receives the handle, or NULL if the call fails. moduli_fixed_base_free frees it.
 * base: the base that the table must have. Neither it nor the modulus may come from the file: a table for a
 * modulus that an attacker chose reveals secret exponents.
 * path: ends in a zero byte; UTF-8 on systems other than Unix.
 *
 * Checks the checksum and every entry, so the file need not be trusted. A file from another machine is
 * converted if necessary. Variable-time: nothing here is secret. Cost: about that of building the table.
 * Fails with MODULI_STATUS_FILE, whatever is wrong with the file; MODULI_STATUS_NULL_POINTER,
 * MODULI_STATUS_LENGTH.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_open(const moduli_modulus *modulus,
                                     moduli_fixed_base **out,
                                     const uint8_t *base,
                                     size_t base_len,
                                     const char *path)
MODULI_NONNULL(1, 2, 5);

/**
 * As moduli_fixed_base_open, but maps the file read-only, so that processes that open the same file share
 * one copy of its pages.
 *
 * As long as the handle exists, nobody may change or truncate the file: a change makes results wrong and can
 * reveal secret exponents, and a truncated page ends the process with a signal. Map only files to which
 * nobody else can write. Replacing the file as moduli_fixed_base_save does, by renaming, is allowed: the
 * mapping keeps the old one.
 *
 * A file written for another kernel, and any file on a big-endian machine, is read into memory instead; see
 * moduli_fixed_base_is_mapped. Fails as moduli_fixed_base_open.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_open_mapped(const moduli_modulus *modulus,
                                            moduli_fixed_base **out,
                                            const uint8_t *base,
                                            size_t base_len,
                                            const char *path)
MODULI_NONNULL(1, 2, 5);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MODULI_FIXED_BASE_H */

#ifndef MODULI_FIXED_BASE_H
#define MODULI_FIXED_BASE_H

/* Made by cbindgen from crates/moduli-capi/src: do not edit. */

#include <stddef.h>
#include <stdint.h>
#include "attributes.h"
#include "modulus.h"

/**
 * What the exponents of a table will be: the table is the best for that. All calls work on every table.
 */
typedef enum {
    /**
     * Secret: the table is the best for the constant-time calls.
     */
    MODULI_SECRECY_SECRET = 0,
    /**
     * Public: the table is the best for the calls whose names end in _vartime.
     */
    MODULI_SECRECY_PUBLIC = 1,
} moduli_secrecy;

/**
 * A base with a table of its powers. Never changes: threads may share it.
 */
typedef struct moduli_fixed_base moduli_fixed_base;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Which table moduli_fixed_base_build would build for a base that has an inverse, without building it.
 *
 * bytes: NULL, or where the size of the table goes. nanoseconds: NULL, or where the predicted time of one power on one core
 * goes. method, method_len: NULL and 0, or a buffer for the name of the method, such as "comb:5,4", with its zero;
 * 64 bytes are enough.
 * exponent_bits: 1 to 131072; exponents are below 2^exponent_bits. budget: the most bytes that the table may take.
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
 * out: the handle, to be given to moduli_fixed_base_free; NULL if the call fails.
 * base: public, any length, reduced modulo p first, not 0 then.
 * order, order_len: NULL and 0, or a number with base^order = 1, public. Exponents longer than exponent_bits are reduced
 * modulo it; without it they are refused.
 * exponent_bits: 1 to 131072; exponents are below 2^exponent_bits. budget: the most bytes that the table may take.
 * secrecy: MODULI_SECRECY_SECRET or MODULI_SECRECY_PUBLIC: what the table is best for.
 *
 * Variable-time in the base. Cost: about a product (three for some methods) for each entry, on all cores.
 * Fails with MODULI_STATUS_BASE_ZERO; MODULI_STATUS_BUDGET_TOO_SMALL; MODULI_STATUS_PARAMETER for an argument out of
 * range, for an order that is none and for a table that memory has no room for; MODULI_STATUS_NULL_POINTER,
 * MODULI_STATUS_LENGTH.
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
 * Frees a table. NULL is allowed. Signers that were given it stay usable.
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
 * Exponents are below 2 to this power, unless the order is known; 0 for NULL.
 */
MODULI_API
uint32_t moduli_fixed_base_exponent_bits(const moduli_fixed_base *fixed_base);

/**
 * 1 if the table is a file mapped into memory, so that processes share its pages, else 0.
 */
MODULI_API
uint32_t moduli_fixed_base_is_mapped(const moduli_fixed_base *fixed_base);

/**
 * The method of the table with its parameters, such as "comb:5,4" or "radix:64 split 2". Lives as long as the table. "" for
 * NULL.
 */
MODULI_API
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
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_pow(const moduli_fixed_base *fixed_base,
                                    uint8_t *out,
                                    size_t out_len,
                                    const uint8_t *e,
                                    size_t e_len)
MODULI_NONNULL(1, 2);

/**
 * out = base^e mod p for a secret exponent that may be longer than the table was made for: as moduli_fixed_base_pow.
 *
 * e: any length. If the table was built with an order, e is reduced by it. Else the bits beyond exponent_bits are the exponent of a
 * power of base^(2^exponent_bits), which has no table.
 *
 * Constant-time in e but for its length, which alone decides whether there is such a power. Cost: that of moduli_fixed_base_pow, and
 * that of moduli_pow for the 8*e_len - exponent_bits bits beyond: give no more leading zeros than needed.
 * Fails as moduli_fixed_base_pow, but for MODULI_STATUS_EXPONENT_TOO_LONG.
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
 * out = base^e mod p for a public exponent that may be longer than the table was made for: as moduli_fixed_base_pow_long, and faster.
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
 * out = base^e mod p, or base^(-e) if negative is not 0: as moduli_fixed_base_pow, and constant-time in the sign, too.
 *
 * Cost: a product more. Fails as moduli_fixed_base_pow; with MODULI_STATUS_NOT_INVERTIBLE if the base has no
 * inverse.
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
 * bases: count tables, one at least, all of one modulus. out, out_len: at least moduli_fixed_base_size bytes.
 * e: count rows of e_width bytes, one exponent for each table, as moduli_fixed_base_pow takes it.
 * negative: NULL, or count bytes; where one is not 0 the power is that of the negative exponent.
 *
 * Constant-time in the exponents and signs but for e_width. Cost: the products of count powers, but squarings only once.
 * Fails with MODULI_STATUS_MODULUS_MISMATCH, MODULI_STATUS_EXPONENT_TOO_LONG, MODULI_STATUS_NOT_INVERTIBLE for
 * signed exponents of a base without inverse, MODULI_STATUS_PARAMETER if count is 0, MODULI_STATUS_NULL_POINTER,
 * MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
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
 * out, out_len: at least moduli_fixed_base_size bytes. a: as moduli_fixed_base_pow takes it. x, b: as moduli_pow takes them.
 *
 * Constant-time in a, x and b but for their lengths. Cost: that of moduli_pow for b, and the products of
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
 * The file appears whole or not at all: it is written under another name beside it and renamed over what was there.
 * Fails with MODULI_STATUS_FILE, MODULI_STATUS_NULL_POINTER.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_save(const moduli_fixed_base *fixed_base,
                                     const char *path)
MODULI_NONNULL(1, 2);

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
MODULI_API
MODULI_MUST_USE
moduli_status moduli_fixed_base_open(const moduli_modulus *modulus,
                                     moduli_fixed_base **out,
                                     const uint8_t *base,
                                     size_t base_len,
                                     const char *path)
MODULI_NONNULL(1, 2, 5);

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

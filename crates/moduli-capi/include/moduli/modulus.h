#ifndef MODULI_MODULUS_H
#define MODULI_MODULUS_H

/* Made by cbindgen from crates/moduli-capi/src: do not edit. */

#include <stddef.h>
#include <stdint.h>
#include "attributes.h"
#include "status.h"

/**
 * An odd modulus, prime or not, with its precomputed constants. Immutable: threads may share it.
 */
typedef struct moduli_modulus moduli_modulus;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Prepares a modulus: odd, at least 3, at most 65536 bits, prime or not.
 *
 * out: receives the handle, or NULL if the call fails. moduli_modulus_free frees it.
 * value: the modulus, public.
 *
 * Variable-time in the modulus. Cost: about a hundred products.
 * Fails with MODULI_STATUS_MODULUS, MODULI_STATUS_LENGTH, MODULI_STATUS_NULL_POINTER; MODULI_STATUS_KERNEL
 * if the environment variable MODULI_KERNEL names a kernel that this machine cannot run.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_modulus_new(moduli_modulus **out,
                                 const uint8_t *value,
                                 size_t value_len)
MODULI_NONNULL(1);

/**
 * Frees a modulus. NULL is allowed. Tables that were built from it stay usable.
 */
MODULI_API
void moduli_modulus_free(moduli_modulus *modulus);

/**
 * Bytes of the modulus without leading zeros, and so of every result modulo it; 0 for NULL.
 */
MODULI_API
size_t moduli_modulus_size(const moduli_modulus *modulus);

/**
 * Bits of the modulus without leading zeros; 0 for NULL.
 */
MODULI_API
uint32_t moduli_modulus_bits(const moduli_modulus *modulus);

/**
 * The name of the kernel (arithmetic) that was selected for this machine and length: "ifma52", "fma50",
 * "adx", "aarch64" or "portable". Valid as long as the modulus. "" for NULL.
 */
MODULI_API
const char *moduli_modulus_kernel(const moduli_modulus *modulus);

/**
 * Writes the modulus, which has moduli_modulus_size bytes.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_modulus_bytes(const moduli_modulus *modulus,
                                   uint8_t *out,
                                   size_t out_len)
MODULI_NONNULL(1, 2);

/**
 * out = x^e mod p for a secret base and a secret exponent.
 *
 * out, out_len: at least moduli_modulus_size bytes.
 * x: any length, reduced modulo p first. e: its length is public; x^0 = 1, and 0^0 = 1.
 *
 * Constant-time in x and e except for their lengths. Cost: a squaring for each of the 8*e_len bits and a
 * product for every four to seven bits, depending on the length.
 * Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_pow(const moduli_modulus *modulus,
                         uint8_t *out,
                         size_t out_len,
                         const uint8_t *x,
                         size_t x_len,
                         const uint8_t *e,
                         size_t e_len)
MODULI_NONNULL(1, 2);

/**
 * out = x^e mod p, or x^(-e) if negative is not 0: as moduli_pow, and constant-time in the sign, too.
 *
 * Whatever the sign, x must have an inverse. Cost: that of moduli_pow and moduli_invert.
 * Fails as moduli_pow; with MODULI_STATUS_NOT_INVERTIBLE if x has no inverse.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_pow_signed(const moduli_modulus *modulus,
                                uint8_t *out,
                                size_t out_len,
                                const uint8_t *x,
                                size_t x_len,
                                const uint8_t *e,
                                size_t e_len,
                                uint8_t negative)
MODULI_NONNULL(1, 2);

/**
 * out = x^e mod p for a public base and a public exponent: as moduli_pow, and faster.
 *
 * VARIABLE-TIME in x and e. Cost: about a squaring for each bit of e, without leading zeros, and a product
 * for every five to seven bits.
 * Fails as moduli_pow.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_pow_vartime(const moduli_modulus *modulus,
                                 uint8_t *out,
                                 size_t out_len,
                                 const uint8_t *x,
                                 size_t x_len,
                                 const uint8_t *e,
                                 size_t e_len)
MODULI_NONNULL(1, 2);

/**
 * count powers at once: row i of out = (row i of x)^(row i of e) mod p, on all cores and in the lanes of
 * vector registers.
 *
 * statuses: NULL, or count statuses, one for each row.
 * out: count rows of out_width bytes, at least moduli_modulus_size each, contiguous.
 * x, e: count rows of x_width and e_width bytes.
 * negative: NULL, or count bytes; where one is not 0 the power is x^(-e), and every x must have an inverse
 * then.
 *
 * Constant-time in x, e and the signs; which rows fail is public. Cost: on one core with AVX-512 a third
 * (256 bits) to four fifths (2048 bits on) of the time of count calls of moduli_pow, if count is large.
 * Fails as moduli_pow_signed. If only some rows fail, the call returns the status of the first of them;
 * these rows are zero, and the other rows have their results.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_pow_batch(const moduli_modulus *modulus,
                               moduli_status *statuses,
                               uint8_t *out,
                               size_t out_width,
                               const uint8_t *x,
                               size_t x_width,
                               const uint8_t *e,
                               size_t e_width,
                               const uint8_t *negative,
                               size_t count)
MODULI_NONNULL(1);

/**
 * out = x_0^e_0 * x_1^e_1 * ... mod p: the product of powers of count variable bases, for secret bases and
 * exponents.
 *
 * out, out_len: at least moduli_modulus_size bytes. x, e: count rows of x_width and e_width bytes.
 * negative: NULL, or count bytes; where one is not 0 the power is x^(-e), and every x must have an inverse
 * then.
 * count: 0 gives 1. Otherwise one of the widths must not be 0.
 *
 * Constant-time in x, e and the signs, except for the widths and count. Runs on all cores. Cost: the
 * products of count calls of moduli_pow, but all bases whose tables together fit into half a megabyte share
 * the squarings of one call; with signs, also an inversion for up to 1024 bases.
 * Fails with MODULI_STATUS_NOT_INVERTIBLE if there are signs and an x has no inverse;
 * MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_multi_pow(const moduli_modulus *modulus,
                               uint8_t *out,
                               size_t out_len,
                               const uint8_t *x,
                               size_t x_width,
                               const uint8_t *e,
                               size_t e_width,
                               const uint8_t *negative,
                               size_t count)
MODULI_NONNULL(1, 2);

/**
 * out = x_0^e_0 * x_1^e_1 * ... mod p for public bases and exponents: as moduli_multi_pow, and faster.
 *
 * VARIABLE-TIME in x, e and the signs. Only an x with a negative exponent must have an inverse. Cost: that
 * of the method that needs the fewest products for these lengths: sliding windows that share their
 * squarings, buckets, or Euclid's algorithm on the exponents.
 * Fails as moduli_multi_pow; if there is no inverse, moduli_last_error() gives the common factor in
 * hexadecimal.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_multi_pow_vartime(const moduli_modulus *modulus,
                                       uint8_t *out,
                                       size_t out_len,
                                       const uint8_t *x,
                                       size_t x_width,
                                       const uint8_t *e,
                                       size_t e_width,
                                       const uint8_t *negative,
                                       size_t count)
MODULI_NONNULL(1, 2);

/**
 * out = x mod p.
 *
 * out, out_len: at least moduli_modulus_size bytes. x: any length.
 *
 * Constant-time in x except for its length. Cost: negligible for an x no longer than p, otherwise a
 * division.
 * Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_reduce(const moduli_modulus *modulus,
                            uint8_t *out,
                            size_t out_len,
                            const uint8_t *x,
                            size_t x_len)
MODULI_NONNULL(1, 2);

/**
 * out = x*y mod p.
 *
 * out, out_len: at least moduli_modulus_size bytes. x, y: any lengths, reduced modulo p first.
 *
 * Constant-time in x and y except for their lengths. Cost: four products.
 * Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_mul(const moduli_modulus *modulus,
                         uint8_t *out,
                         size_t out_len,
                         const uint8_t *x,
                         size_t x_len,
                         const uint8_t *y,
                         size_t y_len)
MODULI_NONNULL(1, 2);

/**
 * out = x^(-1) mod p for a secret x.
 *
 * out, out_len: at least moduli_modulus_size bytes. x: any length, reduced modulo p first.
 *
 * Constant-time in x except for its length and for whether there is an inverse. Cost: fifty to a hundred
 * products.
 * Fails with MODULI_STATUS_NOT_INVERTIBLE if x and p have a common factor, which is not revealed; with
 * MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_invert(const moduli_modulus *modulus,
                            uint8_t *out,
                            size_t out_len,
                            const uint8_t *x,
                            size_t x_len)
MODULI_NONNULL(1, 2);

/**
 * out = x^(-1) mod p for a public x: as moduli_invert.
 *
 * VARIABLE-TIME in x. Cost: a half (256 bits) to a third (4096 bits) of moduli_invert.
 * Fails as moduli_invert; if there is no inverse, moduli_last_error() gives the common factor in
 * hexadecimal.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_invert_vartime(const moduli_modulus *modulus,
                                    uint8_t *out,
                                    size_t out_len,
                                    const uint8_t *x,
                                    size_t x_len)
MODULI_NONNULL(1, 2);

/**
 * out = x^(-1) mod m for public numbers and any m above 0, odd or even, which is not prepared; 0 modulo 1.
 *
 * out, out_len: at least as many bytes as m has without leading zeros; m_len is always enough. x, m: any
 * lengths.
 *
 * VARIABLE-TIME in x and m. Cost: that of moduli_invert_vartime, a third of preparing m and calling that.
 * Fails with MODULI_STATUS_NOT_INVERTIBLE if x and m have a common factor: moduli_last_error() gives it in
 * hexadecimal; with MODULI_STATUS_MODULUS for m = 0, MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH,
 * MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_invert_modulo_vartime(uint8_t *out,
                                           size_t out_len,
                                           const uint8_t *x,
                                           size_t x_len,
                                           const uint8_t *m,
                                           size_t m_len)
MODULI_NONNULL(1);

/**
 * count inverses at once: row i of out = (row i of x)^(-1) mod p, on all cores.
 *
 * statuses: NULL, or count statuses, one for each row.
 * out: count rows of out_width bytes, at least moduli_modulus_size each. x: count rows of x_width bytes.
 *
 * Constant-time in x; which rows have no inverse is public. Cost: three products a row, and one inversion
 * for up to 1024 of them; a row without an inverse costs a few more inversions.
 * Fails as moduli_invert. If only some rows fail, the call returns MODULI_STATUS_NOT_INVERTIBLE; these rows
 * are zero, and the other rows have their results.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_invert_batch(const moduli_modulus *modulus,
                                  moduli_status *statuses,
                                  uint8_t *out,
                                  size_t out_width,
                                  const uint8_t *x,
                                  size_t x_width,
                                  size_t count)
MODULI_NONNULL(1);

/**
 * symbol = the Jacobi symbol (x/p): for a prime p, 1 for squares, -1 for others and 0 for multiples of p.
 *
 * symbol: -1, 0 or 1; 0 if the call fails. x: any length, reduced modulo p first.
 *
 * VARIABLE-TIME in x. Cost: about 0.7 shifts and subtractions for each bit of p.
 * Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_jacobi_vartime(const moduli_modulus *modulus,
                                    int32_t *symbol,
                                    const uint8_t *x,
                                    size_t x_len)
MODULI_NONNULL(1, 2);

/**
 * out = the greatest common divisor of x and y, odd or even; that of 0 and y is y.
 *
 * out, out_len: at least as many bytes as the divisor has without leading zeros; the length of the longer of
 * x and y is always enough.
 *
 * VARIABLE-TIME in x and y. Cost: grows with the square of the longer length; that of moduli_invert and more
 * at the same length.
 * Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_gcd_vartime(uint8_t *out,
                                 size_t out_len,
                                 const uint8_t *x,
                                 size_t x_len,
                                 const uint8_t *y,
                                 size_t y_len)
MODULI_NONNULL(1);

/**
 * prime = whether x is prime, by trial division and rounds of the Miller-Rabin test, whose bases are hashed
 * from x.
 *
 * prime: 1 or 0; 0 if the call fails. x: any length; more than 65536 bits count as not prime. rounds: at
 * least 1. For a prime, the result is always 1. For a composite number, it is 1 with a probability of at
 * most 4^(-rounds), even if an adversary chose the number; 64 rounds are enough for every purpose. Below
 * 2^32 the answer is exact.
 *
 * VARIABLE-TIME in x. Cost: a power of the length of x for each round; one round for most composite numbers.
 * Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_PARAMETER for rounds of 0.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_is_probable_prime_vartime(int32_t *prime,
                                               const uint8_t *x,
                                               size_t x_len,
                                               uint32_t rounds)
MODULI_NONNULL(1);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MODULI_MODULUS_H */

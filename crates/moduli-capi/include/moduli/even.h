#ifndef MODULI_EVEN_H
#define MODULI_EVEN_H

/* Made by cbindgen from crates/moduli-capi/src: do not edit. */

#include <stddef.h>
#include <stdint.h>
#include "attributes.h"
#include "status.h"

/**
 * An even modulus. Immutable: threads may share it.
 */
typedef struct moduli_even_modulus moduli_even_modulus;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Prepares an even modulus m = 2^k*n with n odd, of at most 65536 bits, for powers and inverses.
 *
 * out: receives the handle, or NULL if the call fails. moduli_even_modulus_free frees it.
 * value: the modulus, public.
 *
 * Variable-time in the modulus. Cost: about a hundred products modulo n and some of k bits.
 * Fails with MODULI_STATUS_MODULUS if it is 0, 1 or too long, MODULI_STATUS_PARAMETER if it is another odd
 * number, MODULI_STATUS_LENGTH, MODULI_STATUS_NULL_POINTER, MODULI_STATUS_KERNEL as moduli_modulus_new.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_even_modulus_new(moduli_even_modulus **out,
                                      const uint8_t *value,
                                      size_t value_len)
MODULI_NONNULL(1);

/**
 * Frees an even modulus. NULL is allowed.
 */
MODULI_API
void moduli_even_modulus_free(moduli_even_modulus *even_modulus);

/**
 * Bytes of the modulus without leading zeros, and so of every result modulo it; 0 for NULL.
 */
MODULI_API
size_t moduli_even_modulus_size(const moduli_even_modulus *even_modulus);

/**
 * out = x^e mod m for a secret base and a secret exponent.
 *
 * out, out_len: at least moduli_even_modulus_size bytes. x: any length. e: its length is public; x^0 = 1,
 * and 0^0 = 1.
 *
 * Constant-time in x and e except for their lengths. Cost: that of moduli_pow modulo n, and 1.25 truncated
 * schoolbook products of k bits for each bit of e, of which at most k + 1 count.
 * Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_even_pow(const moduli_even_modulus *even_modulus,
                              uint8_t *out,
                              size_t out_len,
                              const uint8_t *x,
                              size_t x_len,
                              const uint8_t *e,
                              size_t e_len)
MODULI_NONNULL(1, 2);

/**
 * out = x^e mod m for a public base and a public exponent: as moduli_even_pow, and faster.
 *
 * VARIABLE-TIME in x and e. Fails as moduli_even_pow.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_even_pow_vartime(const moduli_even_modulus *even_modulus,
                                      uint8_t *out,
                                      size_t out_len,
                                      const uint8_t *x,
                                      size_t x_len,
                                      const uint8_t *e,
                                      size_t e_len)
MODULI_NONNULL(1, 2);

/**
 * out = x^(-1) mod m for a secret x.
 *
 * out, out_len: at least moduli_even_modulus_size bytes. x: any length, reduced modulo m first.
 *
 * Constant-time in x except for its length and for whether there is an inverse. Cost: that of moduli_invert
 * modulo n, and two truncated schoolbook products of k bits for each doubling of the length from 3 bits to
 * k.
 * Fails with MODULI_STATUS_NOT_INVERTIBLE if x and m have a common factor, which is not revealed; with
 * MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_even_invert(const moduli_even_modulus *even_modulus,
                                 uint8_t *out,
                                 size_t out_len,
                                 const uint8_t *x,
                                 size_t x_len)
MODULI_NONNULL(1, 2);

/**
 * out = x^(-1) mod m for a public x: as moduli_even_invert.
 *
 * VARIABLE-TIME in x.
 * Fails as moduli_even_invert; if there is no inverse, moduli_last_error() gives the common factor in
 * hexadecimal.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_even_invert_vartime(const moduli_even_modulus *even_modulus,
                                         uint8_t *out,
                                         size_t out_len,
                                         const uint8_t *x,
                                         size_t x_len)
MODULI_NONNULL(1, 2);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MODULI_EVEN_H */

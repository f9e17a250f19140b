#ifndef MODULI_CRT_H
#define MODULI_CRT_H

/* Made by cbindgen from crates/moduli-capi/src: do not edit. */

#include <stddef.h>
#include <stdint.h>
#include "attributes.h"
#include "modulus.h"

/**
 * The modulus N^k = (p*q)^k, for the owner of the secret primes p and q. Immutable: threads may share it.
 */
typedef struct moduli_crt_modulus moduli_crt_modulus;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Prepares N^k = (p*q)^k for powers by the Chinese remainder theorem: k = 1 for RSA, k = 2 for Paillier.
 *
 * out: receives the handle, or NULL if the call fails. moduli_crt_modulus_free frees it and wipes the
 * factors.
 * p, q: two different odd primes. k: at least 1.
 *
 * Not claimed constant-time in p and q, once per modulus. Cost: primality tests, a search (milliseconds) and
 * an inversion.
 * Fails with MODULI_STATUS_PARAMETER if p or q is not an odd prime, if they are equal, or if k is 0;
 * MODULI_STATUS_MODULUS if N^k has more than 65536 bits, or one of p^k and q^k more than 65472;
 * MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_crt_modulus_new(moduli_crt_modulus **out,
                                     const uint8_t *p,
                                     size_t p_len,
                                     const uint8_t *q,
                                     size_t q_len,
                                     uint32_t k)
MODULI_NONNULL(1);

/**
 * Frees the handle and wipes the factors. NULL is allowed.
 */
MODULI_API
void moduli_crt_modulus_free(moduli_crt_modulus *crt_modulus);

/**
 * Bytes of N^k without leading zeros, and so of every result; 0 for NULL.
 */
MODULI_API
size_t moduli_crt_modulus_size(const moduli_crt_modulus *crt_modulus);

/**
 * Returns N^k, which is public, as a modulus for other computations.
 *
 * out: receives the handle, or NULL if the call fails. moduli_modulus_free frees it. It stays usable when
 * the other handle is freed.
 *
 * Cost: negligible.
 * Fails with MODULI_STATUS_NULL_POINTER.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_crt_modulus_public(const moduli_crt_modulus *crt_modulus,
                                        moduli_modulus **out)
MODULI_NONNULL(1, 2);

/**
 * out = x^e mod N^k for a secret base and a secret exponent, checked before it is released.
 *
 * out, out_len: at least moduli_crt_modulus_size bytes. x: any length; it need not be coprime to N. e: its
 * length is public; x^0 = 1.
 *
 * Constant-time in x, e and the factors, except for their lengths and for whether the check failed. Cost:
 * two powers of half the length, with exponents of at most as many bits: a quarter to a third of moduli_pow
 * for exponents as long as N^k.
 * Fails with MODULI_STATUS_FAULT if the result fails its check; MODULI_STATUS_NULL_POINTER,
 * MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_crt_pow(const moduli_crt_modulus *crt_modulus,
                             uint8_t *out,
                             size_t out_len,
                             const uint8_t *x,
                             size_t x_len,
                             const uint8_t *e,
                             size_t e_len)
MODULI_NONNULL(1, 2);

/**
 * out = x^e mod N^k, or x^(-e) if negative is not 0: as moduli_crt_pow, and constant-time in the sign, too.
 *
 * Whatever the sign, x must have an inverse. Cost: one more inversion.
 * Fails as moduli_crt_pow; with MODULI_STATUS_NOT_INVERTIBLE if x has no inverse.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_crt_pow_signed(const moduli_crt_modulus *crt_modulus,
                                    uint8_t *out,
                                    size_t out_len,
                                    const uint8_t *x,
                                    size_t x_len,
                                    const uint8_t *e,
                                    size_t e_len,
                                    uint8_t negative)
MODULI_NONNULL(1, 2);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MODULI_CRT_H */

#ifndef MODULI_GROUP_H
#define MODULI_GROUP_H

/* Made by cbindgen from crates/moduli-capi/src: do not edit. */

#include <stddef.h>
#include <stdint.h>
#include "attributes.h"
#include "modulus.h"

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The name of the group with this index, counted from 0, such as "ffdhe3072"; NULL if there are no more.
 * Never free it.
 */
MODULI_API
const char *moduli_group_name(size_t index);

/**
 * The sizes of a named group of prime order q modulo a prime p.
 *
 * p_size, q_size: NULL, or receive the bytes of p (and of its generator g), and of q.
 * exponent_bits: NULL, or receives the bits that a secret exponent needs in this group: the length of q if
 * it is short; for p = 2q + 1 twice the strength of the group, as RFC 7919 requires.
 * name: ends in a zero byte; moduli_group_name lists all.
 *
 * Fails with MODULI_STATUS_PARAMETER for a name that is unknown; MODULI_STATUS_NULL_POINTER.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_group_sizes(const char *name,
                                 size_t *p_size,
                                 size_t *q_size,
                                 uint32_t *exponent_bits)
MODULI_NONNULL(1);

/**
 * The numbers of a named group: the primes p and q, and a generator g of order q modulo p.
 *
 * p, q, g: buffers of at least the sizes that moduli_group_sizes returns (g has the size of p), or NULL and
 * 0 to omit a number. name: ends in a zero byte.
 *
 * Fails with MODULI_STATUS_PARAMETER for a name that is unknown; MODULI_STATUS_BUFFER_TOO_SMALL,
 * MODULI_STATUS_NULL_POINTER.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_group_numbers(const char *name,
                                   uint8_t *p,
                                   size_t p_len,
                                   uint8_t *q,
                                   size_t q_len,
                                   uint8_t *g,
                                   size_t g_len)
MODULI_NONNULL(1);

/**
 * Validates an untrusted public value y, as Diffie-Hellman and ElGamal require: 1 < y < p - 1 and y^order =
 * 1 modulo the prime p (NIST SP 800-56A, 5.6.2.3.1).
 *
 * modulus: p, prime. order: the order q of the group. MODULI_STATUS_OK means that y is a member.
 *
 * VARIABLE-TIME in y. Cost: for p = 2q + 1 a Jacobi symbol, otherwise a power with an exponent as long as q.
 * Fails with MODULI_STATUS_NOT_IN_GROUP; MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_validate_public_value_vartime(const moduli_modulus *modulus,
                                                   const uint8_t *order,
                                                   size_t order_len,
                                                   const uint8_t *y,
                                                   size_t y_len)
MODULI_NONNULL(1);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MODULI_GROUP_H */

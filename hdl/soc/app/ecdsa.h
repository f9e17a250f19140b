/* ECDSA with SHA-256 and the nonces of RFC 6979 on two cores: the core for programs computes multiples of points, and the other
 * core computes modulo the order of the generator. Numbers have WORDS words. */
#ifndef ECDSA_H
#define ECDSA_H

#include "moduli_rns_driver.h"

#include <stdint.h>

struct signer {
    struct moduli_rns_resident curve;
    struct moduli_rns order;
    bool interrupts; /* serve the multiples of points by interrupts */
    /* Writes secret random words. Returns an outcome of the driver. */
    enum moduli_rns_outcome (*random)(uint32_t *words, uint32_t count);
};

/* point = scalar * generator: x, then y. The scalar, below the order and not 0, is blinded. */
enum moduli_rns_outcome ecdsa_multiple(struct signer *signer, const uint32_t *scalar, uint32_t *point);

/* The signature (r, s) of a message by its digest. The key is at least 1 and below the order. */
enum moduli_rns_outcome ecdsa_sign(struct signer *signer, const uint32_t *key, const uint8_t digest[32], uint32_t *r, uint32_t *s);

#endif

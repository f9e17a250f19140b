/* SHA-256 (FIPS 180-4) and HMAC with it (RFC 2104), for messages in pieces. */
#ifndef SHA256_H
#define SHA256_H

#include <stdint.h>

#define SHA256_BYTES 32u

struct sha256 {
    uint32_t state[8];
    uint32_t length; /* bytes so far, below 2^29 */
    uint8_t block[64];
};

void sha256_begin(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, uint32_t count);
void sha256_end(struct sha256 *hash, uint8_t digest[SHA256_BYTES]); /* wipes the state */

struct hmac {
    struct sha256 inner, outer;
};

void hmac_begin(struct hmac *mac, const uint8_t key[SHA256_BYTES]);
void hmac_add(struct hmac *mac, const void *bytes, uint32_t count);
void hmac_end(struct hmac *mac, uint8_t digest[SHA256_BYTES]); /* wipes the state */

#endif

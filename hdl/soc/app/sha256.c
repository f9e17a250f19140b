#include "sha256.h"

#include "moduli_rns_driver.h"

/* The first 32 bits of the fractions of the cube roots of the first 64 primes, and of the square roots of the first 8. */
static const uint32_t ROUNDS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static const uint32_t START[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static uint32_t rotated(uint32_t word, int count) { return word >> count | word << (32 - count); }

static void compress(uint32_t state[8], const uint8_t block[64]) {
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++) {
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    }
    for (int i = 16; i < 64; i++) {
        uint32_t low = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t high = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + low + w[i - 7] + high;
    }
    for (int i = 0; i < 8; i++) {
        s[i] = state[i];
    }
    for (int i = 0; i < 64; i++) {
        uint32_t first = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + ROUNDS[i] + w[i];
        uint32_t second = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int k = 7; k > 0; k--) {
            s[k] = s[k - 1];
        }
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++) {
        state[i] += s[i];
    }
    moduli_rns_wipe(w, sizeof w);
    moduli_rns_wipe(s, sizeof s);
}

void sha256_begin(struct sha256 *hash) {
    for (int i = 0; i < 8; i++) {
        hash->state[i] = START[i];
    }
    hash->length = 0;
}

void sha256_add(struct sha256 *hash, const void *bytes, uint32_t count) {
    const uint8_t *byte = bytes;
    while (count-- > 0) {
        hash->block[hash->length++ % 64] = *byte++;
        if (hash->length % 64 == 0) {
            compress(hash->state, hash->block);
        }
    }
}

void sha256_end(struct sha256 *hash, uint8_t digest[SHA256_BYTES]) {
    const uint8_t one = 0x80, zero = 0;
    uint32_t bits = 8 * hash->length;
    sha256_add(hash, &one, 1);
    while (hash->length % 64 != 60) {
        sha256_add(hash, &zero, 1);
    }
    for (int i = 3; i >= 0; i--) {
        uint8_t byte = (uint8_t)(bits >> 8 * i);
        sha256_add(hash, &byte, 1);
    }
    for (int i = 0; i < 32; i++) {
        digest[i] = (uint8_t)(hash->state[i / 4] >> 8 * (3 - i % 4));
    }
    moduli_rns_wipe(hash, sizeof *hash);
}

void hmac_begin(struct hmac *mac, const uint8_t key[SHA256_BYTES]) {
    sha256_begin(&mac->inner);
    sha256_begin(&mac->outer);
    for (uint32_t i = 0; i < 64; i++) {
        uint8_t byte = i < SHA256_BYTES ? key[i] : 0, in = byte ^ 0x36, out = byte ^ 0x5c;
        sha256_add(&mac->inner, &in, 1);
        sha256_add(&mac->outer, &out, 1);
    }
}

void hmac_add(struct hmac *mac, const void *bytes, uint32_t count) { sha256_add(&mac->inner, bytes, count); }

void hmac_end(struct hmac *mac, uint8_t digest[SHA256_BYTES]) {
    sha256_end(&mac->inner, digest);
    sha256_add(&mac->outer, digest, SHA256_BYTES);
    sha256_end(&mac->outer, digest);
}

#include "ecdsa.h"

#include "curve.h"
#include "numbers.h"
#include "sha256.h"

/* The generator of nonces, RFC 6979, section 3.2. */
struct nonces {
    uint8_t k[SHA256_BYTES], v[SHA256_BYTES];
    bool used;
};

static void step(struct nonces *nonces, const uint8_t *mark, const uint8_t *seed, uint32_t count) {
    struct hmac mac;
    hmac_begin(&mac, nonces->k);
    hmac_add(&mac, nonces->v, SHA256_BYTES);
    if (mark) {
        hmac_add(&mac, mark, 1);
        hmac_add(&mac, seed, count);
        hmac_end(&mac, nonces->k);
        step(nonces, 0, 0, 0);
    } else {
        hmac_end(&mac, nonces->v);
    }
}

static void begin(struct nonces *nonces, const uint32_t *key, const uint32_t *hashed) {
    uint8_t seed[8 * WORDS], mark[2] = {0, 1};
    number_to_bytes(seed, key);
    number_to_bytes(seed + 4 * WORDS, hashed);
    for (uint32_t i = 0; i < SHA256_BYTES; i++) {
        nonces->k[i] = 0;
        nonces->v[i] = 1;
    }
    step(nonces, &mark[0], seed, sizeof seed);
    step(nonces, &mark[1], seed, sizeof seed);
    nonces->used = false;
    moduli_rns_wipe(seed, sizeof seed);
}

static void next(struct nonces *nonces, uint32_t *nonce) {
    const uint8_t mark = 0;
    do {
        if (nonces->used) {
            step(nonces, &mark, 0, 0);
        }
        nonces->used = true;
        step(nonces, 0, 0, 0);
        number_from_bytes(nonce, nonces->v);
    } while (number_is_zero(nonce) || !number_below(nonce, ORDER));
}

/* A random number from 1 to the order minus 1. */
static enum moduli_rns_outcome random_number(struct signer *signer, uint32_t *number) {
    enum moduli_rns_outcome outcome;
    for (int tries = 0; tries < 64; tries++) {
        if ((outcome = signer->random(number, WORDS)) != MODULI_RNS_OK) {
            return outcome;
        }
        if (!number_is_zero(number) && number_below(number, ORDER)) {
            return MODULI_RNS_OK;
        }
    }
    return MODULI_RNS_RANDOM_ZERO;
}

/* A random factor that is suitable for every scalar from 2^32 to the order minus 2^32: the sum of the factor and the core's
 * constant is neither 0 nor -1 modulo 2^32. For other scalars, which are never nonces, the factor is 0. */
static enum moduli_rns_outcome blinding(struct signer *signer, const uint32_t *scalar, uint32_t *factor) {
    uint32_t above = 0, below = 0, low;
    for (uint32_t i = 1; i < WORDS; i++) {
        above |= scalar[i];
        below |= scalar[i] ^ ORDER[i];
    }
    for (int tries = 0; tries < 64; tries++) {
        enum moduli_rns_outcome outcome = signer->random(factor, BLINDING_WORDS);
        if (outcome != MODULI_RNS_OK) {
            return outcome;
        }
        low = factor[0] + COMPLETION;
        if (above == 0 || below == 0) {
            moduli_rns_wipe(factor, 4 * BLINDING_WORDS);
            return MODULI_RNS_OK;
        }
        if (low != 0 && low != 0xFFFFFFFFu) {
            return MODULI_RNS_OK;
        }
    }
    return MODULI_RNS_RANDOM_ZERO;
}

enum moduli_rns_outcome ecdsa_multiple(struct signer *signer, const uint32_t *scalar, uint32_t *point) {
    uint32_t factor[BLINDING_WORDS], blinded[WORDS + BLINDING_WORDS];
    const struct moduli_rns_operand operands[3] = {{GENERATOR_X, WORDS}, {GENERATOR_Y, WORDS}, {blinded, WORDS + BLINDING_WORDS}};
    const struct moduli_rns_call call = {0, operands, 3, point, 2};
    enum moduli_rns_outcome outcome = blinding(signer, scalar, factor), cleared;
    if (outcome == MODULI_RNS_OK) {
        number_blind(blinded, scalar, factor, ORDER);
        if (signer->interrupts) {
            outcome = moduli_rns_resident_begin(&signer->curve, &call, true);
            while (outcome == MODULI_RNS_OK && (outcome = moduli_rns_resident_outcome(&signer->curve)) == MODULI_RNS_PENDING) {
                /* Another program would do something else here. */
                outcome = MODULI_RNS_OK;
            }
        } else {
            outcome = moduli_rns_resident_run(&signer->curve, &call);
        }
        cleared = moduli_rns_resident_clear(&signer->curve);
        outcome = outcome != MODULI_RNS_OK ? outcome : cleared;
    }
    moduli_rns_wipe(factor, sizeof factor);
    moduli_rns_wipe(blinded, sizeof blinded);
    return outcome;
}

/* s = (e + r*d)/k; work is scratch space. */
static enum moduli_rns_outcome second_half(struct signer *signer, const uint32_t *key, const uint32_t *nonce, const uint32_t *hashed,
                                           const uint32_t *r, uint32_t *s, uint32_t work[3][WORDS]) {
    enum moduli_rns_outcome outcome;
    if ((outcome = random_number(signer, work[0])) != MODULI_RNS_OK ||
        (outcome = moduli_rns_invert_blinded(&signer->order, nonce, work[0], work[1], work[2])) != MODULI_RNS_OK ||
        (outcome = moduli_rns_run(&signer->order, MODULI_RNS_MULTIPLY, r, key, work[1])) != MODULI_RNS_OK) {
        return outcome;
    }
    number_add(work[1], hashed, ORDER);
    return moduli_rns_run(&signer->order, MODULI_RNS_MULTIPLY, work[1], work[2], s);
}

enum moduli_rns_outcome ecdsa_sign(struct signer *signer, const uint32_t *key, const uint8_t digest[32], uint32_t *r, uint32_t *s) {
    uint32_t hashed[WORDS], nonce[WORDS], point[2 * WORDS], work[3][WORDS];
    struct nonces nonces;
    enum moduli_rns_outcome outcome, cleared;
    number_from_bytes(hashed, digest);
    number_reduce(hashed, ORDER);
    begin(&nonces, key, hashed);
    do {
        next(&nonces, nonce);
        if ((outcome = ecdsa_multiple(signer, nonce, point)) != MODULI_RNS_OK) {
            break;
        }
        for (uint32_t i = 0; i < WORDS; i++) {
            r[i] = point[i];
        }
        number_reduce(r, ORDER);
        outcome = second_half(signer, key, nonce, hashed, r, s, work);
    } while (outcome == MODULI_RNS_OK && (number_is_zero(r) || number_is_zero(s)));
    cleared = moduli_rns_clear(&signer->order);
    outcome = outcome != MODULI_RNS_OK ? outcome : cleared;
    if (outcome != MODULI_RNS_OK) {
        moduli_rns_wipe(r, 4 * WORDS);
        moduli_rns_wipe(s, 4 * WORDS);
    }
    moduli_rns_wipe(nonce, sizeof nonce);
    moduli_rns_wipe(point, sizeof point);
    moduli_rns_wipe(work, sizeof work);
    moduli_rns_wipe(&nonces, sizeof nonces);
    return outcome;
}

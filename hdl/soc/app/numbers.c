#include "numbers.h"

#include "curve.h"

void number_from_bytes(uint32_t *number, const uint8_t *bytes) {
    for (uint32_t i = 0; i < WORDS; i++) {
        const uint8_t *place = bytes + 4 * (WORDS - 1 - i);
        number[i] = (uint32_t)place[0] << 24 | (uint32_t)place[1] << 16 | (uint32_t)place[2] << 8 | place[3];
    }
}

void number_to_bytes(uint8_t *bytes, const uint32_t *number) {
    for (uint32_t i = 0; i < 4 * WORDS; i++) {
        bytes[i] = (uint8_t)(number[WORDS - 1 - i / 4] >> 8 * (3 - i % 4));
    }
}

bool number_is_zero(const uint32_t *number) {
    uint32_t any = 0;
    for (uint32_t i = 0; i < WORDS; i++) {
        any |= number[i];
    }
    return any == 0;
}

/* difference = number - other; returns the borrow, 0 or 1. */
static uint32_t subtract(uint32_t *difference, const uint32_t *number, const uint32_t *other) {
    uint64_t borrow = 0;
    for (uint32_t i = 0; i < WORDS; i++) {
        uint64_t word = (uint64_t)number[i] - other[i] - borrow;
        difference[i] = (uint32_t)word;
        borrow = word >> 63;
    }
    return (uint32_t)borrow;
}

bool number_below(const uint32_t *number, const uint32_t *bound) {
    uint32_t difference[WORDS];
    return subtract(difference, number, bound);
}

/* Subtracts the modulus from number unless the result is negative; carry is the word above number. */
static void reduce(uint32_t *number, const uint32_t *modulus, uint32_t carry) {
    uint32_t difference[WORDS], keep = 0u - (subtract(difference, number, modulus) & ~carry & 1u);
    for (uint32_t i = 0; i < WORDS; i++) {
        number[i] = (number[i] & keep) | (difference[i] & ~keep);
    }
}

void number_reduce(uint32_t *number, const uint32_t *modulus) { reduce(number, modulus, 0); }

void number_add(uint32_t *sum, const uint32_t *other, const uint32_t *modulus) {
    uint64_t carry = 0;
    for (uint32_t i = 0; i < WORDS; i++) {
        carry += (uint64_t)sum[i] + other[i];
        sum[i] = (uint32_t)carry;
        carry >>= 32;
    }
    reduce(sum, modulus, (uint32_t)carry);
}

void number_blind(uint32_t *blinded, const uint32_t *number, const uint32_t *factor, const uint32_t *modulus) {
    for (uint32_t i = 0; i < WORDS + BLINDING_WORDS; i++) {
        blinded[i] = i < WORDS ? number[i] : 0;
    }
    for (uint32_t j = 0; j < BLINDING_WORDS; j++) {
        uint64_t carry = 0;
        for (uint32_t i = 0; i < WORDS; i++) {
            carry += blinded[i + j] + (uint64_t)factor[j] * modulus[i];
            blinded[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        for (uint32_t i = WORDS + j; i < WORDS + BLINDING_WORDS; i++) {
            carry += blinded[i];
            blinded[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
}

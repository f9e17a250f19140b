/* The arithmetic that the cores do not provide, on WORDS words, the lowest first. Constant-time. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

void number_from_bytes(uint32_t *number, const uint8_t *bytes); /* the highest byte first, 4 * WORDS of them */
void number_to_bytes(uint8_t *bytes, const uint32_t *number);
bool number_is_zero(const uint32_t *number);
bool number_below(const uint32_t *number, const uint32_t *bound);
void number_reduce(uint32_t *number, const uint32_t *modulus);                        /* one subtraction; number is below twice the modulus */
void number_add(uint32_t *sum, const uint32_t *other, const uint32_t *modulus);        /* modulo the modulus, for numbers below it */
void number_blind(uint32_t *blinded, const uint32_t *number, const uint32_t *factor,
                  const uint32_t *modulus); /* number + factor * modulus, in WORDS + BLINDING_WORDS words; factor has BLINDING_WORDS */

#endif

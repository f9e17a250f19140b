/* A minimal driver: one inversion, polled. Build with the address at which the core is mapped:
 * cc -DMODULI_RNS_BASE=0x43C00000 -c example.c */
#include "moduli_rns.h"

#include <stdint.h>

#ifndef MODULI_RNS_BASE
#error "define MODULI_RNS_BASE, the address of the core"
#endif

static volatile uint32_t *word(uint32_t offset) {
    return (volatile uint32_t *)((uintptr_t)MODULI_RNS_BASE + offset);
}

static uint32_t status(void) { return *word(MODULI_RNS_STATUS_OFFSET); }

/* Words of an operand. */
uint32_t moduli_rns_words(void) {
    uint32_t shape = *word(MODULI_RNS_SHAPE_OFFSET);
    return (((shape & MODULI_RNS_SHAPE_BITS_MASK) >> MODULI_RNS_SHAPE_BITS_SHIFT) + 31u) / 32u;
}

/* Whether there is a core at the address. */
int moduli_rns_present(void) { return *word(MODULI_RNS_ID_OFFSET) == MODULI_RNS_IDENTIFICATION; }

/* Runs a command on a and b (b may be null for an inversion), the lowest word first; waits; returns STATUS.ERROR.
 * Nothing else may be under way. */
uint32_t moduli_rns_run(uint32_t operation, const uint32_t *a, const uint32_t *b, uint32_t *result) {
    uint32_t words = moduli_rns_words();
    uint32_t ended, i;
    while (!(status() & MODULI_RNS_STATUS_READY_MASK)) {
    }
    for (i = 0; i < words; i++) {
        word(MODULI_RNS_A_OFFSET)[i] = a[i];
        if (b) {
            word(MODULI_RNS_B_OFFSET)[i] = b[i];
        }
    }
    *word(MODULI_RNS_COMMAND_OFFSET) = operation << MODULI_RNS_COMMAND_OPERATION_SHIFT;
    while (!((ended = status()) & MODULI_RNS_STATUS_DONE_MASK)) {
    }
    for (i = 0; i < words; i++) {
        result[i] = word(MODULI_RNS_RESULT_OFFSET)[i];
    }
    *word(MODULI_RNS_ACKNOWLEDGE_OFFSET) = 1;
    return (ended & MODULI_RNS_STATUS_ERROR_MASK) >> MODULI_RNS_STATUS_ERROR_SHIFT;
}

/* Overwrites words that are not needed any more, in a way that a compiler does not leave out. */
static void wipe(uint32_t *words, uint32_t count) {
    volatile uint32_t *place = words;
    while (count-- > 0) {
        place[count] = 0;
    }
}

/* The inverse of a secret a: blinded by a fresh random r, 1 <= r < P, because the time of an inversion by plus-minus steps
 * depends on its operand. By one command if the core has it, else by three, where the core needs multiplication and scratch
 * holds as many words as a; it is wiped. */
uint32_t moduli_rns_invert_blinded(const uint32_t *a, const uint32_t *r, uint32_t *scratch, uint32_t *result) {
    uint32_t error;
    if (*word(MODULI_RNS_BUILD_OFFSET) & MODULI_RNS_BUILD_BLIND_MASK) {
        error = moduli_rns_run(MODULI_RNS_INVERT_BLINDED, a, r, result);
    } else {
        error = moduli_rns_run(MODULI_RNS_MULTIPLY, a, r, scratch);
        if (error == MODULI_RNS_ERROR_NONE) {
            error = moduli_rns_run(MODULI_RNS_INVERT, scratch, 0, scratch);
        }
        if (error == MODULI_RNS_ERROR_NONE) {
            error = moduli_rns_run(MODULI_RNS_MULTIPLY, scratch, r, result);
        }
        wipe(scratch, moduli_rns_words());
    }
    *word(MODULI_RNS_CLEAR_OFFSET) = 1;
    while (status() & MODULI_RNS_STATUS_BUSY_MASK) {
    }
    return error;
}

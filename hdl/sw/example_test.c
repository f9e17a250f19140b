/* The example on a stand-in for the core, memory that is always ready with the same result: what it leaves behind. */
#include <stdint.h>
#include <stdio.h>

static uint32_t registers[1024];
#define MODULI_RNS_BASE registers
#include "example.c"

int main(void) {
    uint32_t a[2] = {5, 6}, r[2] = {7, 8}, scratch[3] = {1, 1, 99}, result[2] = {0, 0};
    uint32_t error;
    registers[MODULI_RNS_SHAPE_OFFSET / 4] = 64u << MODULI_RNS_SHAPE_BITS_SHIFT;
    registers[MODULI_RNS_STATUS_OFFSET / 4] = MODULI_RNS_STATUS_READY_MASK | MODULI_RNS_STATUS_DONE_MASK;
    registers[MODULI_RNS_RESULT_OFFSET / 4] = 0xAAAAAAAAu;
    registers[MODULI_RNS_RESULT_OFFSET / 4 + 1] = 0x55555555u;
    error = moduli_rns_invert_blinded(a, r, scratch, result);
    if (error != 0 || result[0] != 0xAAAAAAAAu || result[1] != 0x55555555u) {
        puts("no result");
        return 1;
    }
    if (scratch[0] != 0 || scratch[1] != 0 || scratch[2] != 99 || registers[MODULI_RNS_CLEAR_OFFSET / 4] != 1) {
        puts("something was left behind");
        return 1;
    }
    return 0;
}

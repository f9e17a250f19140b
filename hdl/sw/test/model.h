/* Stand-ins for the registers of both wrappers, for tests of the driver on a host. They count the accesses that a core would
 * refuse with SLVERR. Time passes with every read of STATUS. */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define CORE_BASE 0x1000u
#define RESIDENT_BASE 0x3000u
#define PRIME 0x1FFFFFFFFFFFFFFFull /* 2^61 - 1 */
#define BITS 61u
#define OPERAND_BITS 93u
#define LATENCY 5u /* the reads of STATUS until a command ends */
#define DEEP_LATENCY 60u

#define MODULI_RNS_READ(address) model_read(address)
#define MODULI_RNS_WRITE(address, value) model_write(address, value)

uint32_t model_read(uintptr_t address);
void model_write(uintptr_t address, uint32_t value);

/* The behaviour that tests choose. */
struct model_faults {
    bool absent, old;    /* no core; one of another major version */
    bool deep;           /* as many contexts as there are tags, and more */
    bool hang;           /* no command ends */
    bool check;          /* every result has the error of a check */
    bool wrong_tag;      /* results have tags of other commands */
    bool no_blind, inversion_only;
    bool zero, silent, first_zero; /* random numbers of programs: 0, none, or 0 for the first result only */
    bool stuck;          /* wiping does not end */
};
extern struct model_faults model_faults;

/* Counters that tests read. */
extern uint32_t model_refused, model_clears, model_commands, model_served, model_polls;
bool model_irq(uintptr_t base);
bool model_clean(uintptr_t base); /* no operand or result is left, no work is pending, and no interrupt is enabled */
void model_reset(void);
uint64_t model_times(uint64_t a, uint64_t b);
uint64_t model_inverse(uint64_t a);
uint64_t model_power(uint64_t a, uint64_t e);

#endif

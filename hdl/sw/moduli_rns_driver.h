/* A driver for the core behind AXI4-Lite, moduli_rns_axi, and for the core for programs, moduli_rns_resident_axi. C99 without a C
 * library; nothing is allocated. Numbers are arrays of 32-bit words, the lowest first.
 *
 * A caller begins work, and then serves it: by moduli_rns_service in a loop (moduli_rns_wait), or from an interrupt handler. Both
 * use the same code. A structure belongs to one core. While an interrupt handler may serve a core, do not call other functions
 * for it, except those whose comments allow it. */
#ifndef MODULI_RNS_DRIVER_H
#define MODULI_RNS_DRIVER_H

#include "moduli_rns.h"
#include "moduli_rns_resident.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How registers are read and written: as memory, or by the two macros of a header that MODULI_RNS_ACCESS names. */
#ifdef MODULI_RNS_ACCESS
#include MODULI_RNS_ACCESS
#else
#define MODULI_RNS_READ(address) (*(volatile const uint32_t *)(address))
#define MODULI_RNS_WRITE(address, value) (*(volatile uint32_t *)(address) = (value))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The return values of functions. The first four are the values of STATUS.ERROR. Work that was begun and does not end with
 * MODULI_RNS_OK has results of 0. Work that was not begun (RANGE, BUSY, and a program that the core lacks) does not change
 * results. */
enum moduli_rns_outcome {
    MODULI_RNS_OK = MODULI_RNS_ERROR_NONE,
    MODULI_RNS_NOT_INVERTIBLE = MODULI_RNS_ERROR_NOT_INVERTIBLE, /* A, or a random factor, has no inverse */
    MODULI_RNS_CHECK_FAILED = MODULI_RNS_ERROR_CHECK,            /* a check noticed that something was disturbed */
    MODULI_RNS_NOT_BUILT_IN = MODULI_RNS_ERROR_UNSUPPORTED,      /* the core has no such operation or program */
    MODULI_RNS_RANDOM_ZERO,                                      /* a random number of a program was 0: the source is broken */
    MODULI_RNS_NO_CORE,  /* no core at the address, or of another major version of the register map */
    MODULI_RNS_RANGE,    /* an operand is longer than the core accepts; there is no room for results; there is no job */
    MODULI_RNS_BUSY,     /* earlier work is not done yet */
    MODULI_RNS_PENDING,  /* not done yet */
    MODULI_RNS_TIMEOUT,  /* nothing happened for `patience` polls; pending work was dropped, and the core wiped */
    MODULI_RNS_STARVED,  /* as TIMEOUT, while the program was waiting for a random word */
    MODULI_RNS_CONFUSED, /* the core returned a result for no job; pending work was dropped, and the core wiped */
};

/* The default of `patience`, the number of successive polls that may find nothing new. The two open functions set it. */
#define MODULI_RNS_PATIENCE 1000000u

/* The most commands that can be pending at once. Each has a tag. */
#define MODULI_RNS_TAGS 16u

/* One command. Operands and result have the words of the core; result may be one of the operands of this job. */
struct moduli_rns_job {
    uint32_t operation;             /* MODULI_RNS_MULTIPLY ..., with MODULI_RNS_COMMAND_MONTGOMERY_MASK for Montgomery forms */
    const uint32_t *a, *b;          /* b is not read by an inversion that is not blinded */
    uint32_t *result;
    enum moduli_rns_outcome outcome; /* written: MODULI_RNS_PENDING, then how it ended */
    uint32_t steps;                 /* written: STATUS.STEPS */
};

struct moduli_rns {
    uintptr_t base;
    uint32_t words;    /* words of an operand */
    uint32_t bits;     /* bits of P */
    uint32_t build;    /* the register BUILD */
    uint32_t patience; /* polls before TIMEOUT; may be changed */
    bool interrupts;
    struct moduli_rns_job *jobs;
    uint32_t count;
    volatile uint32_t begun, ended;
    uint32_t used;                  /* the tags in use, one bit each */
    uint32_t tagged[MODULI_RNS_TAGS]; /* the index of the job of each tag */
    volatile enum moduli_rns_outcome failure;
};

/* An operand of a program. Higher words that it does not have are 0. */
struct moduli_rns_operand {
    const uint32_t *number;
    uint32_t words;
};

/* A program with its operands and results, in the program's order. */
struct moduli_rns_call {
    uint32_t program;
    const struct moduli_rns_operand *operands;
    uint32_t operand_count;
    uint32_t *results; /* one after the other, each with as many words as the core has */
    uint32_t result_count;
};

struct moduli_rns_resident {
    uintptr_t base;
    uint32_t words;         /* words of a result */
    uint32_t operand_words; /* the most words of an operand */
    uint32_t operand_bits;
    uint32_t programs;
    uint32_t patience;
    bool interrupts;
    const struct moduli_rns_call *call;
    volatile uint32_t offered, taken;
    bool failed; /* a result had an error */
    volatile enum moduli_rns_outcome failure;
};

/* Identifies the core at the address, masks its interrupts and wipes it. Returns OK, NO_CORE or TIMEOUT. */
enum moduli_rns_outcome moduli_rns_open(struct moduli_rns *core, uintptr_t base);

/* Begins jobs. They must stay in place until all have ended. With interrupts, the core raises its interrupt whenever
 * moduli_rns_service has something to do. Returns OK, RANGE or BUSY. */
enum moduli_rns_outcome moduli_rns_begin(struct moduli_rns *core, struct moduli_rns_job *jobs, uint32_t count, bool interrupts);

/* Takes results and starts jobs. Call it from the interrupt handler, or repeatedly. Returns PENDING until all jobs have ended;
 * then OK, or the outcome of the first job that has another one. */
enum moduli_rns_outcome moduli_rns_service(struct moduli_rns *core);

/* Returns the same value as moduli_rns_service, but does nothing: for programs whose interrupt handler serves the core. */
enum moduli_rns_outcome moduli_rns_outcome(const struct moduli_rns *core);

/* Serves until all jobs have ended. Returns as moduli_rns_service, or TIMEOUT if nothing happens. */
enum moduli_rns_outcome moduli_rns_wait(struct moduli_rns *core);

/* Runs one command from begin to end. b may be NULL for an inversion that is not blinded. */
enum moduli_rns_outcome moduli_rns_run(struct moduli_rns *core, uint32_t operation, const uint32_t *a, const uint32_t *b, uint32_t *result);

/* Computes the inverse of a secret a, blinded by a random r, 1 <= r < P, because the time of an inversion by plus-minus steps
 * depends on its operand. r must be secret and used only once. This takes one command if the core has it, otherwise three;
 * scratch has as many words as an operand, and is wiped. Wipes the core. */
enum moduli_rns_outcome moduli_rns_invert_blinded(struct moduli_rns *core, const uint32_t *a, const uint32_t *r, uint32_t *scratch,
                                                  uint32_t *result);

/* Ends a session with secrets: drops pending jobs, which end with TIMEOUT and results of 0, masks interrupts and wipes the core.
 * Returns OK, or TIMEOUT if the core does not end wiping. May be called while an interrupt handler serves the core. */
enum moduli_rns_outcome moduli_rns_clear(struct moduli_rns *core);

/* The same functions for the core for programs. begin returns BUSY and RANGE, and NOT_BUILT_IN for a program that the core lacks.
 * If one random number of a program was 0, all its results are 0. */
enum moduli_rns_outcome moduli_rns_resident_open(struct moduli_rns_resident *core, uintptr_t base);
enum moduli_rns_outcome moduli_rns_resident_begin(struct moduli_rns_resident *core, const struct moduli_rns_call *call, bool interrupts);
enum moduli_rns_outcome moduli_rns_resident_service(struct moduli_rns_resident *core);
enum moduli_rns_outcome moduli_rns_resident_outcome(const struct moduli_rns_resident *core);
enum moduli_rns_outcome moduli_rns_resident_wait(struct moduli_rns_resident *core);
enum moduli_rns_outcome moduli_rns_resident_run(struct moduli_rns_resident *core, const struct moduli_rns_call *call);
enum moduli_rns_outcome moduli_rns_resident_clear(struct moduli_rns_resident *core);

/* Overwrites bytes with 0. Compilers do not optimise this away. */
void moduli_rns_wipe(void *place, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif

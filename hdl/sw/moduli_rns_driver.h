/* A driver for the core behind AXI4-Lite, moduli_rns_axi, and for the core for programs, moduli_rns_resident_axi. C99 without a C
 * library; nothing is allocated. Numbers are arrays of 32-bit words, the lowest first.
 *
 * Work is begun, and then served: by moduli_rns_service in a loop (moduli_rns_wait), or from an interrupt handler. Both go the same way.
 * A structure belongs to one core. Its functions are not to be called while an interrupt handler may serve the same core, but for
 * those that say so. */
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

/* What functions return. The first four are STATUS.ERROR. Whatever was begun and ends with another one than MODULI_RNS_OK has results of
 * 0; what was not begun (RANGE, BUSY, and a program that is not there) leaves results alone. */
enum moduli_rns_outcome {
    MODULI_RNS_OK = MODULI_RNS_ERROR_NONE,
    MODULI_RNS_NOT_INVERTIBLE = MODULI_RNS_ERROR_NOT_INVERTIBLE, /* A, or a random factor, has no inverse */
    MODULI_RNS_CHECK_FAILED = MODULI_RNS_ERROR_CHECK,            /* a check noticed that something was disturbed */
    MODULI_RNS_NOT_BUILT_IN = MODULI_RNS_ERROR_UNSUPPORTED,      /* the core has no such operation or program */
    MODULI_RNS_RANDOM_ZERO,                                      /* a random number of a program was 0: the source is broken */
    MODULI_RNS_NO_CORE,  /* no core at the address, or of another major version of the register map */
    MODULI_RNS_RANGE,    /* an operand has more words than the core takes; results have no room; nothing is asked for */
    MODULI_RNS_BUSY,     /* what was begun before is not done yet */
    MODULI_RNS_PENDING,  /* not done yet */
    MODULI_RNS_TIMEOUT,  /* nothing happened for so many polls; what was under way is dropped, and the core wiped */
    MODULI_RNS_STARVED,  /* the same, and the program was waiting for a random word */
    MODULI_RNS_CONFUSED, /* the core answered what was not asked; what was under way is dropped, and the core wiped */
};

/* How many polls in a row may find nothing new, as moduli_rns_open and moduli_rns_resident_open set it. */
#define MODULI_RNS_PATIENCE 1000000u

/* Commands that can be under way at once: each has a tag. */
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
    uint32_t words;    /* of an operand */
    uint32_t bits;     /* of P */
    uint32_t build;    /* the register BUILD */
    uint32_t patience; /* polls; may be changed */
    bool interrupts;
    struct moduli_rns_job *jobs;
    uint32_t count;
    volatile uint32_t begun, ended;
    uint32_t used;                  /* tags, a bit each */
    uint32_t tagged[MODULI_RNS_TAGS]; /* the job of each */
    volatile enum moduli_rns_outcome failure;
};

/* An operand of a program: words that are left out are 0. */
struct moduli_rns_operand {
    const uint32_t *number;
    uint32_t words;
};

/* A program with what it loads and stores, in its order. */
struct moduli_rns_call {
    uint32_t program;
    const struct moduli_rns_operand *operands;
    uint32_t operand_count;
    uint32_t *results; /* one after the other, each of the words of the core */
    uint32_t result_count;
};

struct moduli_rns_resident {
    uintptr_t base;
    uint32_t words;         /* of a result */
    uint32_t operand_words; /* that an operand may have */
    uint32_t operand_bits;
    uint32_t programs;
    uint32_t patience;
    bool interrupts;
    const struct moduli_rns_call *call;
    volatile uint32_t offered, taken;
    bool failed; /* a result had an error */
    volatile enum moduli_rns_outcome failure;
};

/* Finds out what is at the address, masks its interrupts and wipes it. OK, NO_CORE or TIMEOUT. */
enum moduli_rns_outcome moduli_rns_open(struct moduli_rns *core, uintptr_t base);

/* Begins jobs, which have to stay where they are until all have ended. With interrupts the core raises its interrupt whenever
 * moduli_rns_service has something to do. OK, RANGE or BUSY. */
enum moduli_rns_outcome moduli_rns_begin(struct moduli_rns *core, struct moduli_rns_job *jobs, uint32_t count, bool interrupts);

/* Takes results and starts what can be started. To be called from the interrupt handler, or again and again. PENDING until all jobs have
 * ended; then OK, or the outcome of the first job that has another one. */
enum moduli_rns_outcome moduli_rns_service(struct moduli_rns *core);

/* The same without serving; for programs that wait for an interrupt handler to do so. */
enum moduli_rns_outcome moduli_rns_outcome(const struct moduli_rns *core);

/* Serves until all jobs have ended; TIMEOUT if nothing happens. */
enum moduli_rns_outcome moduli_rns_wait(struct moduli_rns *core);

/* One command from begin to end. b may be NULL for an inversion that is not blinded. */
enum moduli_rns_outcome moduli_rns_run(struct moduli_rns *core, uint32_t operation, const uint32_t *a, const uint32_t *b, uint32_t *result);

/* The inverse of a secret a, blinded by a fresh random r, 1 <= r < P, which nobody may know and which serves once: the time of an
 * inversion by plus-minus steps depends on its operand. By one command if the core has it; else by three, with as many words of
 * scratch, which are wiped. Wipes the core. */
enum moduli_rns_outcome moduli_rns_invert_blinded(struct moduli_rns *core, const uint32_t *a, const uint32_t *r, uint32_t *scratch,
                                                  uint32_t *result);

/* Drops what is under way, whose jobs end with TIMEOUT and results of 0, masks interrupts and wipes the core: to end a session with
 * secrets. OK, or TIMEOUT if the core does not end wiping. The interrupt handler may be there. */
enum moduli_rns_outcome moduli_rns_clear(struct moduli_rns *core);

/* The same of the core for programs. BUSY comes from begin, RANGE too; a program that is not there is NOT_BUILT_IN. If one random number
 * of a program was 0, all its results are 0. */
enum moduli_rns_outcome moduli_rns_resident_open(struct moduli_rns_resident *core, uintptr_t base);
enum moduli_rns_outcome moduli_rns_resident_begin(struct moduli_rns_resident *core, const struct moduli_rns_call *call, bool interrupts);
enum moduli_rns_outcome moduli_rns_resident_service(struct moduli_rns_resident *core);
enum moduli_rns_outcome moduli_rns_resident_outcome(const struct moduli_rns_resident *core);
enum moduli_rns_outcome moduli_rns_resident_wait(struct moduli_rns_resident *core);
enum moduli_rns_outcome moduli_rns_resident_run(struct moduli_rns_resident *core, const struct moduli_rns_call *call);
enum moduli_rns_outcome moduli_rns_resident_clear(struct moduli_rns_resident *core);

/* Overwrites bytes with 0, in a way that a compiler does not leave out. */
void moduli_rns_wipe(void *place, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif

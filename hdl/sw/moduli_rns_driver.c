/* The driver of moduli_rns_axi. */
#include "moduli_rns_driver.h"

static uint32_t get(const struct moduli_rns *core, uint32_t offset) { return MODULI_RNS_READ(core->base + offset); }

static void set(const struct moduli_rns *core, uint32_t offset, uint32_t value) { MODULI_RNS_WRITE(core->base + offset, value); }

static uint32_t field(uint32_t value, uint32_t mask, uint32_t shift) { return (value & mask) >> shift; }
#define FIELD(value, name) field(value, MODULI_RNS_##name##_MASK, MODULI_RNS_##name##_SHIFT)

void moduli_rns_wipe(void *place, size_t bytes) {
    volatile uint8_t *byte = place;
    while (bytes-- > 0) {
        *byte++ = 0;
    }
}

/* Wipes the core, and waits until it has done so. */
static enum moduli_rns_outcome wiped(const struct moduli_rns *core) {
    uint32_t polls = core->patience;
    set(core, MODULI_RNS_INTERRUPT_ENABLE_OFFSET, 0);
    set(core, MODULI_RNS_CLEAR_OFFSET, 1);
    while (get(core, MODULI_RNS_STATUS_OFFSET) & MODULI_RNS_STATUS_BUSY_MASK) {
        if (polls-- == 0) {
            return MODULI_RNS_TIMEOUT;
        }
    }
    return MODULI_RNS_OK;
}

enum moduli_rns_outcome moduli_rns_open(struct moduli_rns *core, uintptr_t base) {
    uint32_t shape;
    core->base = base;
    core->patience = MODULI_RNS_PATIENCE;
    core->jobs = NULL;
    core->interrupts = false;
    core->count = core->begun = core->ended = core->used = 0;
    core->failure = MODULI_RNS_OK;
    if (get(core, MODULI_RNS_ID_OFFSET) != MODULI_RNS_IDENTIFICATION || get(core, MODULI_RNS_VERSION_OFFSET) >> 16 != MODULI_RNS_MAJOR) {
        return MODULI_RNS_NO_CORE;
    }
    shape = get(core, MODULI_RNS_SHAPE_OFFSET);
    core->build = get(core, MODULI_RNS_BUILD_OFFSET);
    core->bits = FIELD(shape, SHAPE_BITS);
    core->words = (core->bits + 31u) / 32u;
    return wiped(core);
}

/* Whether the core has an operation. The bus refuses some others, and on some systems a bus error ends the program. */
static bool built_in(const struct moduli_rns *core, uint32_t operation) {
    uint32_t which = operation & MODULI_RNS_COMMAND_OPERATION_MASK;
    uint32_t multiplies = core->build & MODULI_RNS_BUILD_MULTIPLY_MASK;
    if (operation & ~(MODULI_RNS_COMMAND_OPERATION_MASK | MODULI_RNS_COMMAND_MONTGOMERY_MASK)) {
        return false;
    }
    if (which == MODULI_RNS_INVERT_BLINDED) {
        return multiplies && core->build & MODULI_RNS_BUILD_BLIND_MASK;
    }
    return multiplies || operation == MODULI_RNS_INVERT;
}

static bool takes_two(uint32_t operation) { return (operation & MODULI_RNS_COMMAND_OPERATION_MASK) != MODULI_RNS_INVERT; }

/* Ends a job without a result. */
static void refuse(struct moduli_rns *core, struct moduli_rns_job *job, enum moduli_rns_outcome outcome) {
    moduli_rns_wipe(job->result, 4 * core->words);
    job->outcome = outcome;
    core->ended++;
}

/* Whether a number has bits beyond those of P in its highest word. The bus would refuse it. */
static bool too_large(const struct moduli_rns *core, const uint32_t *number) {
    uint32_t above = core->bits % 32u;
    return above != 0 && number[core->words - 1] >> above != 0;
}

enum moduli_rns_outcome moduli_rns_begin(struct moduli_rns *core, struct moduli_rns_job *jobs, uint32_t count, bool interrupts) {
    uint32_t i;
    if (core->ended < core->count) {
        return MODULI_RNS_BUSY;
    }
    if (count == 0) {
        return MODULI_RNS_RANGE;
    }
    for (i = 0; i < count; i++) {
        bool two = takes_two(jobs[i].operation);
        if (!jobs[i].a || !jobs[i].result || (two && !jobs[i].b) || too_large(core, jobs[i].a) || (two && too_large(core, jobs[i].b))) {
            return MODULI_RNS_RANGE;
        }
        jobs[i].outcome = MODULI_RNS_PENDING;
        jobs[i].steps = 0;
    }
    core->jobs = jobs;
    core->begun = core->ended = core->used = 0;
    core->failure = MODULI_RNS_OK;
    core->interrupts = interrupts;
    core->count = count;
    if (interrupts) {
        set(core, MODULI_RNS_INTERRUPT_ENABLE_OFFSET, MODULI_RNS_INTERRUPT_ENABLE_READY_MASK);
    }
    return MODULI_RNS_OK;
}

/* Takes the result that STATUS announces. */
static void take(struct moduli_rns *core, uint32_t status) {
    uint32_t tag = FIELD(status, STATUS_TAG), error = FIELD(status, STATUS_ERROR), i;
    struct moduli_rns_job *job;
    if (!(core->used & 1u << tag)) {
        core->failure = MODULI_RNS_CONFUSED;
        return;
    }
    job = &core->jobs[core->tagged[tag]];
    for (i = 0; i < core->words; i++) {
        job->result[i] = error == MODULI_RNS_ERROR_NONE ? MODULI_RNS_READ(core->base + MODULI_RNS_RESULT_OFFSET + 4 * i) : 0;
    }
    set(core, MODULI_RNS_ACKNOWLEDGE_OFFSET, 1);
    core->used &= ~(1u << tag);
    job->steps = FIELD(status, STATUS_STEPS);
    job->outcome = (enum moduli_rns_outcome)error;
    core->ended++;
}

/* Starts the next job. */
static void start(struct moduli_rns *core) {
    struct moduli_rns_job *job = &core->jobs[core->begun];
    uint32_t tag = 0, i;
    if (!built_in(core, job->operation)) {
        core->begun++;
        refuse(core, job, MODULI_RNS_NOT_BUILT_IN);
        return;
    }
    while (core->used & 1u << tag) {
        tag++;
    }
    for (i = 0; i < core->words; i++) {
        set(core, MODULI_RNS_A_OFFSET + 4 * i, job->a[i]);
        if (takes_two(job->operation)) {
            set(core, MODULI_RNS_B_OFFSET + 4 * i, job->b[i]);
        }
    }
    set(core, MODULI_RNS_COMMAND_OFFSET, job->operation | tag << MODULI_RNS_COMMAND_TAG_SHIFT);
    core->used |= 1u << tag;
    core->tagged[tag] = core->begun++;
}

/* Ends all pending jobs with an outcome. */
static void give_up(struct moduli_rns *core, enum moduli_rns_outcome why) {
    uint32_t i;
    for (i = 0; i < core->count; i++) {
        if (core->jobs[i].outcome == MODULI_RNS_PENDING) {
            refuse(core, &core->jobs[i], why);
        }
    }
    core->begun = core->ended = core->count;
    core->used = 0;
}

enum moduli_rns_outcome moduli_rns_outcome(const struct moduli_rns *core) {
    uint32_t i;
    if (core->ended < core->count) {
        return MODULI_RNS_PENDING;
    }
    for (i = 0; i < core->count; i++) {
        if (core->jobs[i].outcome != MODULI_RNS_OK) {
            return core->jobs[i].outcome;
        }
    }
    return MODULI_RNS_OK;
}

enum moduli_rns_outcome moduli_rns_service(struct moduli_rns *core) {
    const uint32_t all = (1u << MODULI_RNS_TAGS) - 1u;
    bool more = core->ended < core->count;
    while (more) {
        uint32_t status = get(core, MODULI_RNS_STATUS_OFFSET);
        more = false;
        if (status & MODULI_RNS_STATUS_DONE_MASK) {
            take(core, status);
            more = true;
        }
        if (core->failure != MODULI_RNS_OK) {
            (void)wiped(core);
            give_up(core, core->failure);
            return core->failure;
        }
        if (status & MODULI_RNS_STATUS_READY_MASK && core->begun < core->count && core->used != all) {
            start(core);
            more = true;
        }
    }
    if (core->interrupts) {
        uint32_t causes = core->used ? MODULI_RNS_INTERRUPT_ENABLE_DONE_MASK : 0;
        if (core->begun < core->count && core->used != all) {
            causes |= MODULI_RNS_INTERRUPT_ENABLE_READY_MASK;
        }
        set(core, MODULI_RNS_INTERRUPT_ENABLE_OFFSET, causes);
    }
    return moduli_rns_outcome(core);
}

enum moduli_rns_outcome moduli_rns_wait(struct moduli_rns *core) {
    uint32_t polls = 0, seen = core->begun + core->ended;
    enum moduli_rns_outcome outcome;
    while ((outcome = moduli_rns_service(core)) == MODULI_RNS_PENDING) {
        polls = core->begun + core->ended == seen ? polls + 1 : 0;
        seen = core->begun + core->ended;
        if (polls >= core->patience) {
            (void)wiped(core);
            give_up(core, MODULI_RNS_TIMEOUT);
            return MODULI_RNS_TIMEOUT;
        }
    }
    return outcome;
}

enum moduli_rns_outcome moduli_rns_run(struct moduli_rns *core, uint32_t operation, const uint32_t *a, const uint32_t *b, uint32_t *result) {
    struct moduli_rns_job job = {operation, a, b, result, MODULI_RNS_PENDING, 0};
    enum moduli_rns_outcome outcome = moduli_rns_begin(core, &job, 1, false);
    if (outcome == MODULI_RNS_OK) {
        outcome = moduli_rns_wait(core);
        /* The job is a local variable, so the core must not refer to it any more. */
        core->jobs = NULL;
        core->count = core->begun = core->ended = 0;
    }
    return outcome;
}

enum moduli_rns_outcome moduli_rns_invert_blinded(struct moduli_rns *core, const uint32_t *a, const uint32_t *r, uint32_t *scratch,
                                                  uint32_t *result) {
    enum moduli_rns_outcome outcome, clearing;
    if (built_in(core, MODULI_RNS_INVERT_BLINDED)) {
        outcome = moduli_rns_run(core, MODULI_RNS_INVERT_BLINDED, a, r, result);
    } else {
        outcome = moduli_rns_run(core, MODULI_RNS_MULTIPLY, a, r, scratch);
        if (outcome == MODULI_RNS_OK) {
            outcome = moduli_rns_run(core, MODULI_RNS_INVERT, scratch, NULL, scratch);
        }
        if (outcome == MODULI_RNS_OK) {
            outcome = moduli_rns_run(core, MODULI_RNS_MULTIPLY, scratch, r, result);
        }
        if (outcome != MODULI_RNS_BUSY) {
            moduli_rns_wipe(scratch, 4 * core->words);
        }
    }
    if (outcome == MODULI_RNS_BUSY) {
        return outcome;
    }
    clearing = moduli_rns_clear(core);
    if (outcome != MODULI_RNS_OK || clearing != MODULI_RNS_OK) {
        moduli_rns_wipe(result, 4 * core->words);
    }
    return outcome != MODULI_RNS_OK ? outcome : clearing;
}

enum moduli_rns_outcome moduli_rns_clear(struct moduli_rns *core) {
    /* Masks interrupts first, so that the handler does not run meanwhile. */
    set(core, MODULI_RNS_INTERRUPT_ENABLE_OFFSET, 0);
    give_up(core, MODULI_RNS_TIMEOUT);
    return wiped(core);
}

/* The driver of moduli_rns_resident_axi. */
#include "moduli_rns_driver.h"

static uint32_t get(const struct moduli_rns_resident *core, uint32_t offset) { return MODULI_RNS_READ(core->base + offset); }

static void set(const struct moduli_rns_resident *core, uint32_t offset, uint32_t value) { MODULI_RNS_WRITE(core->base + offset, value); }

#define FIELD(value, name) (((value) & MODULI_RNS_RESIDENT_##name##_MASK) >> MODULI_RNS_RESIDENT_##name##_SHIFT)

/* Wipes the core, and waits until it has done so. */
static enum moduli_rns_outcome wiped(const struct moduli_rns_resident *core) {
    uint32_t polls = core->patience;
    set(core, MODULI_RNS_RESIDENT_INTERRUPT_ENABLE_OFFSET, 0);
    set(core, MODULI_RNS_RESIDENT_CLEAR_OFFSET, 1);
    while (get(core, MODULI_RNS_RESIDENT_STATUS_OFFSET) & MODULI_RNS_RESIDENT_STATUS_BUSY_MASK) {
        if (polls-- == 0) {
            return MODULI_RNS_TIMEOUT;
        }
    }
    return MODULI_RNS_OK;
}

enum moduli_rns_outcome moduli_rns_resident_open(struct moduli_rns_resident *core, uintptr_t base) {
    uint32_t shape, build;
    core->base = base;
    core->patience = MODULI_RNS_PATIENCE;
    core->call = NULL;
    core->interrupts = core->failed = false;
    core->offered = core->taken = 0;
    core->failure = MODULI_RNS_OK;
    if (get(core, MODULI_RNS_RESIDENT_ID_OFFSET) != MODULI_RNS_RESIDENT_IDENTIFICATION ||
        get(core, MODULI_RNS_RESIDENT_VERSION_OFFSET) >> 16 != MODULI_RNS_RESIDENT_MAJOR) {
        return MODULI_RNS_NO_CORE;
    }
    shape = get(core, MODULI_RNS_RESIDENT_SHAPE_OFFSET);
    build = get(core, MODULI_RNS_RESIDENT_BUILD_OFFSET);
    core->words = (FIELD(shape, SHAPE_BITS) + 31u) / 32u;
    core->operand_bits = FIELD(build, BUILD_OPERAND_BITS);
    core->operand_words = (core->operand_bits + 31u) / 32u;
    core->programs = FIELD(build, BUILD_PROGRAMS);
    return wiped(core);
}

/* Whether a number fits the register OPERAND. */
static bool fits(const struct moduli_rns_resident *core, const struct moduli_rns_operand *operand) {
    uint32_t above = core->operand_bits % 32u;
    return operand->number && operand->words <= core->operand_words &&
           (operand->words < core->operand_words || above == 0 || operand->number[operand->words - 1] >> above == 0);
}

static bool under_way(const struct moduli_rns_resident *core) {
    return core->call && core->failure == MODULI_RNS_OK && core->taken < core->call->result_count;
}

enum moduli_rns_outcome moduli_rns_resident_begin(struct moduli_rns_resident *core, const struct moduli_rns_call *call, bool interrupts) {
    uint32_t i;
    if (under_way(core)) {
        return MODULI_RNS_BUSY;
    }
    if (call->program >= core->programs) {
        return MODULI_RNS_NOT_BUILT_IN;
    }
    if (call->result_count == 0 || !call->results) {
        return MODULI_RNS_RANGE;
    }
    for (i = 0; i < call->operand_count; i++) {
        if (!fits(core, &call->operands[i])) {
            return MODULI_RNS_RANGE;
        }
    }
    if (!(get(core, MODULI_RNS_RESIDENT_STATUS_OFFSET) & MODULI_RNS_RESIDENT_STATUS_READY_MASK)) {
        return MODULI_RNS_BUSY;
    }
    core->offered = core->taken = 0;
    core->failed = false;
    core->failure = MODULI_RNS_OK;
    core->interrupts = interrupts;
    core->call = call;
    set(core, MODULI_RNS_RESIDENT_COMMAND_OFFSET, call->program << MODULI_RNS_RESIDENT_COMMAND_PROGRAM_SHIFT);
    if (interrupts) {
        set(core, MODULI_RNS_RESIDENT_INTERRUPT_ENABLE_OFFSET,
            MODULI_RNS_RESIDENT_INTERRUPT_ENABLE_DONE_MASK | (call->operand_count ? MODULI_RNS_RESIDENT_INTERRUPT_ENABLE_FREE_MASK : 0));
    }
    return MODULI_RNS_OK;
}

/* Writes the next operand. Unwritten words are 0, because the core has wiped the register. */
static void offer(struct moduli_rns_resident *core) {
    const struct moduli_rns_operand *operand = &core->call->operands[core->offered];
    uint32_t i;
    for (i = 0; i < operand->words; i++) {
        set(core, MODULI_RNS_RESIDENT_OPERAND_OFFSET + 4 * i, operand->number[i]);
    }
    set(core, MODULI_RNS_RESIDENT_OFFER_OFFSET, 1);
    core->offered++;
}

/* Ends the program with an outcome, and wipes its results. */
static void give_up(struct moduli_rns_resident *core, enum moduli_rns_outcome why) {
    moduli_rns_wipe(core->call->results, 4 * core->words * core->call->result_count);
    core->failure = why;
}

enum moduli_rns_outcome moduli_rns_resident_outcome(const struct moduli_rns_resident *core) {
    return under_way(core) ? MODULI_RNS_PENDING : core->failure;
}

enum moduli_rns_outcome moduli_rns_resident_service(struct moduli_rns_resident *core) {
    bool more = under_way(core);
    while (more) {
        uint32_t status = get(core, MODULI_RNS_RESIDENT_STATUS_OFFSET), i;
        more = false;
        if (status & MODULI_RNS_RESIDENT_STATUS_FREE_MASK && core->offered < core->call->operand_count) {
            offer(core);
            more = true;
        }
        if (status & MODULI_RNS_RESIDENT_STATUS_DONE_MASK && core->taken < core->call->result_count) {
            uint32_t *result = core->call->results + core->taken * core->words;
            core->failed = core->failed || status & MODULI_RNS_RESIDENT_STATUS_ERROR_MASK;
            for (i = 0; i < core->words; i++) {
                result[i] = get(core, MODULI_RNS_RESIDENT_RESULT_OFFSET + 4 * i);
            }
            set(core, MODULI_RNS_RESIDENT_ACKNOWLEDGE_OFFSET, 1);
            /* An error concerns all results. They are still taken, because this frees the core. */
            if (core->failed && core->taken + 1 == core->call->result_count) {
                give_up(core, MODULI_RNS_RANDOM_ZERO);
            }
            core->taken++;
            more = true;
        }
    }
    if (core->interrupts && core->call) {
        uint32_t causes = under_way(core) ? MODULI_RNS_RESIDENT_INTERRUPT_ENABLE_DONE_MASK : 0;
        if (under_way(core) && core->offered < core->call->operand_count) {
            causes |= MODULI_RNS_RESIDENT_INTERRUPT_ENABLE_FREE_MASK;
        }
        set(core, MODULI_RNS_RESIDENT_INTERRUPT_ENABLE_OFFSET, causes);
    }
    return moduli_rns_resident_outcome(core);
}

enum moduli_rns_outcome moduli_rns_resident_wait(struct moduli_rns_resident *core) {
    uint32_t polls = 0, seen = core->offered + core->taken;
    enum moduli_rns_outcome outcome;
    while ((outcome = moduli_rns_resident_service(core)) == MODULI_RNS_PENDING) {
        polls = core->offered + core->taken == seen ? polls + 1 : 0;
        seen = core->offered + core->taken;
        if (polls >= core->patience) {
            bool starved = get(core, MODULI_RNS_RESIDENT_STATUS_OFFSET) & MODULI_RNS_RESIDENT_STATUS_STARVED_MASK;
            (void)wiped(core);
            give_up(core, starved ? MODULI_RNS_STARVED : MODULI_RNS_TIMEOUT);
            return core->failure;
        }
    }
    return outcome;
}

enum moduli_rns_outcome moduli_rns_resident_run(struct moduli_rns_resident *core, const struct moduli_rns_call *call) {
    enum moduli_rns_outcome outcome = moduli_rns_resident_begin(core, call, false);
    if (outcome == MODULI_RNS_OK) {
        outcome = moduli_rns_resident_wait(core);
        core->call = NULL;
    }
    return outcome;
}

enum moduli_rns_outcome moduli_rns_resident_clear(struct moduli_rns_resident *core) {
    /* Masks interrupts first, so that the handler does not run meanwhile. */
    set(core, MODULI_RNS_RESIDENT_INTERRUPT_ENABLE_OFFSET, 0);
    if (under_way(core)) {
        give_up(core, MODULI_RNS_TIMEOUT);
    }
    return wiped(core);
}

#include "model.h"

#include "moduli_rns.h"
#include "moduli_rns_resident.h"

#include <string.h>

struct model_faults model_faults;
uint32_t model_refused, model_clears, model_commands, model_served, model_polls;

#define CONTEXTS 4u
#define MOST 20u

struct command {
    uint64_t result;
    uint32_t error, tag, left;
};

static struct {
    uint64_t a, b;
    struct command under_way[MOST + 1]; /* one more than contexts, which waits at the port */
    uint32_t count;
    struct command done;
    bool is_done;
    uint32_t enable, wiping;
} core;

static struct {
    uint32_t operand[3];
    bool offered, running, is_done, error;
    uint32_t program, taken, given, left;
    uint64_t operands[3], results[2];
    uint32_t enable, wiping;
} resident;

__extension__ typedef unsigned __int128 wide;

uint64_t model_times(uint64_t a, uint64_t b) { return (uint64_t)((wide)a * b % PRIME); }

uint64_t model_power(uint64_t a, uint64_t e) {
    uint64_t power = 1;
    for (int bit = 63; bit >= 0; bit--) {
        power = model_times(power, power);
        if (e >> bit & 1) {
            power = model_times(power, a % PRIME);
        }
    }
    return power;
}

uint64_t model_inverse(uint64_t a) { return model_power(a, PRIME - 2); }

void model_reset(void) {
    memset(&model_faults, 0, sizeof model_faults);
    memset(&core, 0, sizeof core);
    memset(&resident, 0, sizeof resident);
    model_refused = model_clears = model_commands = model_served = model_polls = 0;
}

static uint32_t contexts(void) { return model_faults.deep ? MOST : CONTEXTS; }

static bool core_ready(void) { return core.count <= contexts() && !core.wiping; }

static uint32_t core_levels(void) { return (core.is_done && !core.wiping ? 1u : 0) | (core_ready() ? 2u : 0); }

/* Lets time pass for the core. The last command ends first, so that results come in another order than commands. */
static void core_passes(void) {
    if (core.wiping && !model_faults.stuck) {
        core.wiping--;
    }
    for (uint32_t i = 0; i < core.count && i < contexts(); i++) {
        core.under_way[i].left -= core.under_way[i].left > 0;
    }
    if (!core.is_done && !model_faults.hang) {
        for (uint32_t i = core.count < contexts() ? core.count : contexts(); i-- > 0;) {
            if (core.under_way[i].left == 0) {
                core.done = core.under_way[i];
                core.is_done = true;
                core.count--;
                memmove(&core.under_way[i], &core.under_way[i + 1], (core.count - i) * sizeof core.under_way[0]);
                break;
            }
        }
    }
}

static uint32_t refuse(void) {
    model_refused++;
    return 0;
}

static uint32_t core_read(uint32_t offset) {
    uint32_t status;
    switch (offset) {
    case MODULI_RNS_ID_OFFSET: return model_faults.absent ? 0 : MODULI_RNS_IDENTIFICATION;
    case MODULI_RNS_VERSION_OFFSET: return model_faults.old ? 0x20000u : 0x10001u;
    case MODULI_RNS_BUILD_OFFSET:
        return CONTEXTS << MODULI_RNS_BUILD_CONTEXTS_SHIFT | (model_faults.inversion_only ? 0 : MODULI_RNS_BUILD_MULTIPLY_MASK) |
               (model_faults.no_blind || model_faults.inversion_only ? 0 : MODULI_RNS_BUILD_BLIND_MASK);
    case MODULI_RNS_SHAPE_OFFSET: return BITS << MODULI_RNS_SHAPE_BITS_SHIFT;
    case MODULI_RNS_STATUS_OFFSET:
        core_passes();
        model_polls++;
        status = (core_ready() ? MODULI_RNS_STATUS_READY_MASK : 0) | (core.count || core.is_done || core.wiping ? MODULI_RNS_STATUS_BUSY_MASK : 0);
        if (core.is_done && !core.wiping) {
            status |= MODULI_RNS_STATUS_DONE_MASK | core.done.error << MODULI_RNS_STATUS_ERROR_SHIFT | 7u << MODULI_RNS_STATUS_STEPS_SHIFT |
                      (core.done.tag ^ (model_faults.wrong_tag ? 8u : 0)) << MODULI_RNS_STATUS_TAG_SHIFT;
        }
        return status;
    case MODULI_RNS_INTERRUPT_ENABLE_OFFSET: return core.enable;
    case MODULI_RNS_INTERRUPT_STATUS_OFFSET: return core_levels();
    case MODULI_RNS_RESULT_OFFSET:
    case MODULI_RNS_RESULT_OFFSET + 4:
        /* Also returns data beside an error. The driver must not use it. */
        return core.is_done && !core.wiping ? (uint32_t)(core.done.result >> 8 * (offset - MODULI_RNS_RESULT_OFFSET)) : refuse();
    default: return refuse();
    }
}

static void core_command(uint32_t value) {
    struct command *command = &core.under_way[core.count];
    uint32_t operation = value & 3u;
    bool blinded = operation == MODULI_RNS_INVERT_BLINDED;
    if (!core_ready() || value & ~0xF07u || (blinded && (model_faults.no_blind || model_faults.inversion_only))) {
        refuse();
        return;
    }
    command->tag = value >> 8;
    command->error = (operation >= MODULI_RNS_INVERT && core.a % PRIME == 0) || (blinded && core.b % PRIME == 0);
    command->result = operation == MODULI_RNS_MULTIPLY       ? model_times(core.a % PRIME, core.b % PRIME)
                      : operation == MODULI_RNS_EXPONENTIATE ? model_power(core.a, core.b)
                                                             : model_inverse(core.a);
    if (model_faults.check) {
        command->error = MODULI_RNS_ERROR_CHECK;
    }
    if (command->error) {
        command->result = 0xBADBADBADull;
    }
    command->left = model_faults.deep ? DEEP_LATENCY : LATENCY;
    core.count++;
    model_commands++;
}

static void core_write(uint32_t offset, uint32_t value) {
    uint32_t word = offset >> 2 & 1u, shift = 32 * word;
    uint64_t *operand = offset < MODULI_RNS_B_OFFSET ? &core.a : &core.b;
    switch (offset) {
    case MODULI_RNS_COMMAND_OFFSET: core_command(value); break;
    case MODULI_RNS_ACKNOWLEDGE_OFFSET:
        if (!core.is_done || core.wiping) {
            refuse();
        }
        core.is_done = false;
        model_served++;
        break;
    case MODULI_RNS_CLEAR_OFFSET:
        core.a = core.b = core.count = 0;
        core.is_done = false;
        memset(&core.done, 0, sizeof core.done);
        memset(core.under_way, 0, sizeof core.under_way);
        core.wiping = 4;
        model_clears++;
        break;
    case MODULI_RNS_INTERRUPT_ENABLE_OFFSET:
        if (value & ~3u) {
            refuse();
        }
        core.enable = value;
        break;
    case MODULI_RNS_B_OFFSET:
    case MODULI_RNS_B_OFFSET + 4:
        if (model_faults.inversion_only) {
            refuse();
            break;
        }
        /* fall through */
    case MODULI_RNS_A_OFFSET:
    case MODULI_RNS_A_OFFSET + 4:
        if (!core_ready() || (word && value >> (BITS - 32))) {
            refuse();
            break;
        }
        *operand = (*operand & ~((uint64_t)0xFFFFFFFFu << shift)) | (uint64_t)value << shift;
        break;
    default: refuse();
    }
}

/* Program 0 computes A + B from two operands. Program 1 computes x*k and y*k from three operands and a random number. */
static uint32_t wanted(void) { return 2 + resident.program; }
static uint32_t delivered(void) { return 1 + resident.program; }
static bool starved(void) { return resident.running && resident.program == 1 && model_faults.silent; }

static uint32_t resident_levels(void) {
    return resident.wiping ? 0 : (resident.is_done ? 1u : 0) | (!resident.running ? 2u : 0) | (!resident.offered ? 4u : 0);
}

static void resident_passes(void) {
    if (resident.wiping && !model_faults.stuck) {
        resident.wiping--;
    }
    if (!resident.running || resident.wiping || starved() || model_faults.hang) {
        return;
    }
    if (resident.offered && resident.taken < wanted()) {
        resident.operands[resident.taken++] = resident.operand[0] | (uint64_t)resident.operand[1] << 32;
        memset(resident.operand, 0, sizeof resident.operand);
        resident.offered = false;
        resident.left = LATENCY;
    } else if (resident.taken == wanted() && !resident.is_done && resident.left-- == 0) {
        uint64_t *given = resident.operands;
        bool zero = resident.program == 1 && (model_faults.zero || (model_faults.first_zero && resident.given == 0));
        resident.error = zero;
        resident.results[0] = resident.program ? model_times(given[resident.given] % PRIME, given[2] % PRIME) : (given[0] % PRIME + given[1] % PRIME) % PRIME;
        resident.results[0] = zero ? 0 : resident.results[0];
        resident.is_done = true;
    }
}

static uint32_t resident_read(uint32_t offset) {
    switch (offset) {
    case MODULI_RNS_RESIDENT_ID_OFFSET: return model_faults.absent ? MODULI_RNS_IDENTIFICATION : MODULI_RNS_RESIDENT_IDENTIFICATION;
    case MODULI_RNS_RESIDENT_VERSION_OFFSET: return model_faults.old ? 0x20000u : 0x10000u;
    case MODULI_RNS_RESIDENT_BUILD_OFFSET: return 2u | OPERAND_BITS << MODULI_RNS_RESIDENT_BUILD_OPERAND_BITS_SHIFT;
    case MODULI_RNS_RESIDENT_SHAPE_OFFSET: return BITS << MODULI_RNS_RESIDENT_SHAPE_BITS_SHIFT;
    case MODULI_RNS_RESIDENT_STATUS_OFFSET:
        resident_passes();
        model_polls++;
        return (resident_levels() & 2u ? MODULI_RNS_RESIDENT_STATUS_READY_MASK : 0) | (resident_levels() & 1u ? MODULI_RNS_RESIDENT_STATUS_DONE_MASK : 0) |
               (resident_levels() & 4u ? MODULI_RNS_RESIDENT_STATUS_FREE_MASK : 0) |
               (resident.running || resident.wiping ? MODULI_RNS_RESIDENT_STATUS_BUSY_MASK : 0) |
               (resident.error && resident.is_done ? MODULI_RNS_RESIDENT_STATUS_ERROR_MASK : 0) | (starved() ? MODULI_RNS_RESIDENT_STATUS_STARVED_MASK : 0);
    case MODULI_RNS_RESIDENT_INTERRUPT_ENABLE_OFFSET: return resident.enable;
    case MODULI_RNS_RESIDENT_INTERRUPT_STATUS_OFFSET: return resident_levels();
    case MODULI_RNS_RESIDENT_RESULT_OFFSET:
    case MODULI_RNS_RESIDENT_RESULT_OFFSET + 4:
        return resident.is_done ? (uint32_t)(resident.results[0] >> 8 * (offset - MODULI_RNS_RESIDENT_RESULT_OFFSET)) : refuse();
    default: return refuse();
    }
}

static void resident_write(uint32_t offset, uint32_t value) {
    uint32_t word = (offset - MODULI_RNS_RESIDENT_OPERAND_OFFSET) >> 2;
    if (offset >= MODULI_RNS_RESIDENT_OPERAND_OFFSET && word < 3) {
        if (!(resident_levels() & 4u) || (word == 2 && value >> (OPERAND_BITS - 64))) {
            refuse();
            return;
        }
        resident.operand[word] = value;
        return;
    }
    switch (offset) {
    case MODULI_RNS_RESIDENT_COMMAND_OFFSET:
        if (!(resident_levels() & 2u) || value > 1) {
            refuse();
            break;
        }
        resident.program = value;
        resident.running = true;
        resident.taken = resident.given = 0;
        model_commands++;
        break;
    case MODULI_RNS_RESIDENT_OFFER_OFFSET:
        if (!(resident_levels() & 4u)) {
            refuse();
        }
        resident.offered = true;
        break;
    case MODULI_RNS_RESIDENT_ACKNOWLEDGE_OFFSET:
        if (!resident.is_done) {
            refuse();
        }
        resident.is_done = false;
        resident.left = LATENCY;
        resident.running = ++resident.given < delivered();
        model_served++;
        break;
    case MODULI_RNS_RESIDENT_CLEAR_OFFSET:
        memset(resident.operand, 0, sizeof resident.operand);
        memset(resident.operands, 0, sizeof resident.operands);
        memset(resident.results, 0, sizeof resident.results);
        resident.offered = resident.running = resident.is_done = false;
        resident.wiping = 4;
        model_clears++;
        break;
    case MODULI_RNS_RESIDENT_INTERRUPT_ENABLE_OFFSET:
        if (value & ~7u) {
            refuse();
        }
        resident.enable = value;
        break;
    default: refuse();
    }
}

uint32_t model_read(uintptr_t address) {
    return address < RESIDENT_BASE ? core_read((uint32_t)(address - CORE_BASE)) : resident_read((uint32_t)(address - RESIDENT_BASE));
}

void model_write(uintptr_t address, uint32_t value) {
    if (address < RESIDENT_BASE) {
        core_write((uint32_t)(address - CORE_BASE), value);
    } else {
        resident_write((uint32_t)(address - RESIDENT_BASE), value);
    }
}

bool model_irq(uintptr_t base) {
    /* Time also passes while software waits for an interrupt. */
    if (base == CORE_BASE) {
        core_passes();
        return core.enable & core_levels();
    }
    resident_passes();
    return resident.enable & resident_levels();
}

bool model_clean(uintptr_t base) {
    if (base == CORE_BASE) {
        return !core.a && !core.b && !core.count && !core.is_done && !core.done.result && !core.enable && !core.wiping;
    }
    return !resident.running && !resident.offered && !resident.is_done && !resident.results[0] && !resident.operands[0] && !resident.operand[0] &&
           !resident.enable && !resident.wiping;
}

/* Tests the driver on stand-ins for the cores (model.c): results, errors, interrupts, and that nothing is left behind. Prints
 * what fails; the exit status is the number of failures. */
#include "moduli_rns_driver.h"

#include <stdio.h>
#include <string.h>

#define COUNT 40u

static int passed, failed;

static void expect(bool holds, const char *what, int line) {
    if (holds) {
        passed++;
    } else {
        failed++;
        printf("line %d: %s\n", line, what);
    }
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

static struct moduli_rns core;
static struct moduli_rns_resident resident;

static void opened(void) {
    model_reset();
    /* Earlier software may have left interrupts enabled. */
    model_write(CORE_BASE + MODULI_RNS_INTERRUPT_ENABLE_OFFSET, 3);
    model_write(RESIDENT_BASE + MODULI_RNS_RESIDENT_INTERRUPT_ENABLE_OFFSET, 7);
    EXPECT(moduli_rns_open(&core, CORE_BASE) == MODULI_RNS_OK);
    EXPECT(moduli_rns_resident_open(&resident, RESIDENT_BASE) == MODULI_RNS_OK);
    core.patience = resident.patience = 200;
}

static uint64_t value(const uint32_t *words) { return words[0] | (uint64_t)words[1] << 32; }

static void put(uint32_t *words, uint64_t number) {
    words[0] = (uint32_t)number;
    words[1] = (uint32_t)(number >> 32);
}

/* A number of two words, and a guard word that the driver must not write. */
struct number {
    uint32_t words[2], guard;
};

static void opening(void) {
    opened();
    EXPECT(core.words == 2 && core.bits == BITS && resident.words == 2 && resident.operand_words == 3 && resident.programs == 2);
    EXPECT(model_clean(CORE_BASE) && model_clean(RESIDENT_BASE) && model_clears == 2);
    for (int which = 0; which < 2; which++) {
        model_reset();
        *(which ? &model_faults.absent : &model_faults.old) = true;
        EXPECT(moduli_rns_open(&core, CORE_BASE) == MODULI_RNS_NO_CORE);
        EXPECT(moduli_rns_resident_open(&resident, RESIDENT_BASE) == MODULI_RNS_NO_CORE);
        EXPECT(model_clears == 0 && model_refused == 0);
    }
}

static void operations(void) {
    struct number a = {{0, 0}, 99}, b = {{0, 0}, 99}, result = {{0, 0}, 99};
    opened();
    put(a.words, 0x123456789ABCDEFull);
    put(b.words, 0x1EDCBA987654321ull);
    EXPECT(moduli_rns_run(&core, MODULI_RNS_MULTIPLY, a.words, b.words, result.words) == MODULI_RNS_OK);
    EXPECT(value(result.words) == model_times(value(a.words), value(b.words)));
    EXPECT(moduli_rns_run(&core, MODULI_RNS_EXPONENTIATE, a.words, b.words, result.words) == MODULI_RNS_OK);
    EXPECT(value(result.words) == model_power(value(a.words), value(b.words)));
    EXPECT(moduli_rns_run(&core, MODULI_RNS_INVERT, a.words, NULL, result.words) == MODULI_RNS_OK);
    EXPECT(model_times(value(result.words), value(a.words)) == 1);
    /* The result may be in the place of an operand. */
    EXPECT(moduli_rns_run(&core, MODULI_RNS_INVERT, result.words, NULL, result.words) == MODULI_RNS_OK);
    EXPECT(value(result.words) == value(a.words));
    EXPECT(result.guard == 99 && model_refused == 0 && model_commands == 4 && model_served == 4);
}

static void errors(void) {
    struct number a = {{0, 0}, 99}, b = {{1, 0}, 99}, result = {{5, 6}, 99};
    opened();
    EXPECT(moduli_rns_run(&core, MODULI_RNS_INVERT, a.words, NULL, result.words) == MODULI_RNS_NOT_INVERTIBLE);
    EXPECT(value(result.words) == 0 && result.guard == 99);
    put(result.words, 5);
    model_faults.check = true;
    EXPECT(moduli_rns_run(&core, MODULI_RNS_MULTIPLY, b.words, b.words, result.words) == MODULI_RNS_CHECK_FAILED);
    EXPECT(value(result.words) == 0);
    model_faults.check = false;
    /* The driver must not try writes that the bus would refuse. */
    put(result.words, 5);
    EXPECT(moduli_rns_run(&core, 9, b.words, b.words, result.words) == MODULI_RNS_NOT_BUILT_IN);
    EXPECT(value(result.words) == 0);
    put(a.words, 1ull << BITS);
    EXPECT(moduli_rns_run(&core, MODULI_RNS_INVERT, a.words, NULL, result.words) == MODULI_RNS_RANGE);
    EXPECT(moduli_rns_run(&core, MODULI_RNS_MULTIPLY, b.words, NULL, result.words) == MODULI_RNS_RANGE);
    EXPECT(moduli_rns_run(&core, MODULI_RNS_MULTIPLY, b.words, a.words, result.words) == MODULI_RNS_RANGE);
    EXPECT(moduli_rns_begin(&core, NULL, 0, false) == MODULI_RNS_RANGE);
    model_faults.inversion_only = true;
    EXPECT(moduli_rns_open(&core, CORE_BASE) == MODULI_RNS_OK);
    EXPECT(moduli_rns_run(&core, MODULI_RNS_MULTIPLY, b.words, b.words, result.words) == MODULI_RNS_NOT_BUILT_IN);
    EXPECT(moduli_rns_run(&core, MODULI_RNS_INVERT | MODULI_RNS_COMMAND_MONTGOMERY_MASK, b.words, NULL, result.words) == MODULI_RNS_NOT_BUILT_IN);
    EXPECT(moduli_rns_run(&core, MODULI_RNS_INVERT, b.words, NULL, result.words) == MODULI_RNS_OK && value(result.words) == 1);
    EXPECT(model_refused == 0);
}

static void fill(struct moduli_rns_job *jobs, struct number *a, struct number *results) {
    for (uint32_t i = 0; i < COUNT; i++) {
        put(a[i].words, i == 17 || i == 30 ? 0 : 0x1000000010ull * i + 3);
        results[i] = (struct number){{7, 7}, 99};
        jobs[i] = (struct moduli_rns_job){MODULI_RNS_INVERT, a[i].words, NULL, results[i].words, MODULI_RNS_OK, 0};
    }
}

static bool all_right(const struct moduli_rns_job *jobs, const struct number *a, const struct number *results) {
    bool right = true;
    for (uint32_t i = 0; i < COUNT; i++) {
        bool none = value(a[i].words) == 0;
        right = right && jobs[i].outcome == (none ? MODULI_RNS_NOT_INVERTIBLE : MODULI_RNS_OK) && results[i].guard == 99 && jobs[i].steps == 7;
        right = right && (none ? value(results[i].words) == 0 : model_times(value(results[i].words), value(a[i].words)) == 1);
    }
    return right;
}

static void batch(bool deep) {
    struct moduli_rns_job jobs[COUNT];
    struct number a[COUNT], results[COUNT];
    uint32_t interrupts = 0, ticks = 0;
    opened();
    model_faults.deep = deep;
    fill(jobs, a, results);
    EXPECT(moduli_rns_begin(&core, jobs, COUNT, false) == MODULI_RNS_OK);
    EXPECT(moduli_rns_outcome(&core) == MODULI_RNS_PENDING);
    EXPECT(moduli_rns_begin(&core, jobs, COUNT, false) == MODULI_RNS_BUSY);
    EXPECT(moduli_rns_run(&core, MODULI_RNS_INVERT, a[0].words, NULL, results[0].words) == MODULI_RNS_BUSY);
    EXPECT(moduli_rns_wait(&core) == MODULI_RNS_NOT_INVERTIBLE);
    EXPECT(all_right(jobs, a, results));
    EXPECT(model_commands == COUNT && model_served == COUNT && model_refused == 0);
    /* Runs by interrupts only. Serving must remove the cause of each interrupt, and none must be left at the end. */
    fill(jobs, a, results);
    EXPECT(moduli_rns_begin(&core, jobs, COUNT, true) == MODULI_RNS_OK);
    while (moduli_rns_outcome(&core) == MODULI_RNS_PENDING && ticks++ < 10000) {
        if (model_irq(CORE_BASE)) {
            interrupts++;
            moduli_rns_service(&core);
        }
    }
    EXPECT(moduli_rns_outcome(&core) == MODULI_RNS_NOT_INVERTIBLE);
    EXPECT(all_right(jobs, a, results));
    EXPECT(interrupts > (deep ? 1u : 5u) && interrupts <= 2 * COUNT);
    EXPECT(!model_irq(CORE_BASE) && model_refused == 0 && model_served == 2 * COUNT);
}

static void hanging(void) {
    struct moduli_rns_job jobs[COUNT];
    struct number a[COUNT], results[COUNT];
    opened();
    fill(jobs, a, results);
    model_faults.hang = true;
    EXPECT(moduli_rns_begin(&core, jobs, COUNT, false) == MODULI_RNS_OK);
    EXPECT(moduli_rns_wait(&core) == MODULI_RNS_TIMEOUT && model_polls < 2 * core.patience);
    EXPECT(jobs[0].outcome == MODULI_RNS_TIMEOUT && jobs[COUNT - 1].outcome == MODULI_RNS_TIMEOUT && value(results[0].words) == 0);
    EXPECT(model_clean(CORE_BASE) && model_refused == 0);
    model_faults.hang = false;
    EXPECT(moduli_rns_run(&core, MODULI_RNS_INVERT, a[1].words, NULL, results[1].words) == MODULI_RNS_OK);
    /* The core returns tags that are not in use. */
    model_faults.wrong_tag = true;
    EXPECT(moduli_rns_run(&core, MODULI_RNS_INVERT, a[1].words, NULL, results[1].words) == MODULI_RNS_CONFUSED);
    EXPECT(value(results[1].words) == 0 && model_clean(CORE_BASE));
    model_faults.wrong_tag = false;
    EXPECT(moduli_rns_run(&core, MODULI_RNS_INVERT, a[1].words, NULL, results[1].words) == MODULI_RNS_OK);
    model_faults.stuck = true;
    EXPECT(moduli_rns_clear(&core) == MODULI_RNS_TIMEOUT);
}

static void clearing(void) {
    struct moduli_rns_job jobs[COUNT];
    struct number a[COUNT], results[COUNT];
    opened();
    fill(jobs, a, results);
    EXPECT(moduli_rns_begin(&core, jobs, COUNT, true) == MODULI_RNS_OK);
    for (uint32_t i = 0; i < 3; i++) {
        moduli_rns_service(&core);
    }
    EXPECT(moduli_rns_clear(&core) == MODULI_RNS_OK);
    EXPECT(model_clean(CORE_BASE) && !model_irq(CORE_BASE));
    EXPECT(jobs[COUNT - 1].outcome == MODULI_RNS_TIMEOUT && value(results[COUNT - 1].words) == 0);
    EXPECT(moduli_rns_run(&core, MODULI_RNS_INVERT, a[1].words, NULL, results[1].words) == MODULI_RNS_OK);
    EXPECT(model_refused == 0);
}

static void secrets(void) {
    for (int three = 0; three < 2; three++) {
        struct number a = {{0, 0}, 99}, r = {{0, 0}, 99}, scratch = {{1, 1}, 99}, result = {{0, 0}, 99};
        opened();
        model_faults.no_blind = three;
        EXPECT(moduli_rns_open(&core, CORE_BASE) == MODULI_RNS_OK);
        put(a.words, 12345678901234567ull);
        put(r.words, 987654321098765ull);
        EXPECT(moduli_rns_invert_blinded(&core, a.words, r.words, scratch.words, result.words) == MODULI_RNS_OK);
        EXPECT(model_times(value(a.words), value(result.words)) == 1);
        EXPECT(model_commands == (three ? 3u : 1u));
        EXPECT(!three || value(scratch.words) == 0);
        EXPECT(scratch.guard == 99 && result.guard == 99);
        EXPECT(model_clean(CORE_BASE) && model_refused == 0);
        put(r.words, 0);
        EXPECT(moduli_rns_invert_blinded(&core, a.words, r.words, scratch.words, result.words) == MODULI_RNS_NOT_INVERTIBLE);
        EXPECT(value(result.words) == 0 && model_clean(CORE_BASE));
    }
}

static void programs(void) {
    uint32_t x[2], y[2], k[3] = {5, 0, 0}, results[5] = {0, 0, 0, 0, 99}, ticks = 0, interrupts = 0;
    struct moduli_rns_operand operands[3] = {{x, 2}, {y, 2}, {k, 3}};
    struct moduli_rns_call sum = {0, operands, 2, results, 1}, multiple = {1, operands, 3, results, 2};
    put(x, 0x123456789ABCDEFull);
    put(y, 77);
    opened();
    EXPECT(moduli_rns_resident_run(&resident, &sum) == MODULI_RNS_OK);
    EXPECT(value(results) == 0x123456789ABCDEFull + 77 && results[2] == 0);
    EXPECT(moduli_rns_resident_run(&resident, &multiple) == MODULI_RNS_OK);
    EXPECT(value(results) == model_times(value(x), 5) && value(results + 2) == 385 && results[4] == 99);
    /* Runs by interrupts. */
    memset(results, 0, 4 * sizeof results[0]);
    EXPECT(moduli_rns_resident_begin(&resident, &multiple, true) == MODULI_RNS_OK);
    EXPECT(moduli_rns_resident_begin(&resident, &multiple, true) == MODULI_RNS_BUSY);
    while (moduli_rns_resident_outcome(&resident) == MODULI_RNS_PENDING && ticks++ < 10000) {
        if (model_irq(RESIDENT_BASE)) {
            interrupts++;
            moduli_rns_resident_service(&resident);
        }
    }
    EXPECT(moduli_rns_resident_outcome(&resident) == MODULI_RNS_OK && value(results + 2) == 385);
    EXPECT(interrupts >= 2 && interrupts <= 5);
    EXPECT(!model_irq(RESIDENT_BASE) && model_refused == 0 && model_commands == 3 && model_served == 5);
    EXPECT(moduli_rns_resident_clear(&resident) == MODULI_RNS_OK && model_clean(RESIDENT_BASE));
}

static void program_errors(void) {
    uint32_t x[2] = {3, 0}, k[3] = {5, 0, 1u << 29}, results[5] = {1, 2, 3, 4, 99};
    struct moduli_rns_operand operands[3] = {{x, 2}, {x, 2}, {x, 2}}, large[3] = {{x, 2}, {x, 2}, {k, 3}}, none[3] = {{NULL, 2}, {x, 2}, {x, 2}};
    struct moduli_rns_operand longer[3] = {{x, 2}, {x, 2}, {k, 4}};
    struct moduli_rns_call multiple = {1, operands, 3, results, 2}, absent = {2, operands, 3, results, 2};
    struct moduli_rns_call wrong[] = {{1, large, 3, results, 2}, {1, none, 3, results, 2}, {1, longer, 3, results, 2}, {1, operands, 3, results, 0}, {1, operands, 3, NULL, 2}};
    opened();
    EXPECT(moduli_rns_resident_run(&resident, &absent) == MODULI_RNS_NOT_BUILT_IN);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        EXPECT(moduli_rns_resident_run(&resident, &wrong[i]) == MODULI_RNS_RANGE);
    }
    EXPECT(model_commands == 0 && model_refused == 0);
    for (int first = 0; first < 2; first++) {
        *(first ? &model_faults.first_zero : &model_faults.zero) = true;
        EXPECT(moduli_rns_resident_run(&resident, &multiple) == MODULI_RNS_RANDOM_ZERO);
        EXPECT(value(results) == 0 && value(results + 2) == 0 && results[4] == 99);
        model_faults.first_zero = model_faults.zero = false;
    }
    /* The same from an interrupt handler, which sees one result at a time. */
    model_faults.first_zero = true;
    EXPECT(moduli_rns_resident_begin(&resident, &multiple, true) == MODULI_RNS_OK);
    for (int ticks = 0; ticks < 1000; ticks++) {
        if (model_irq(RESIDENT_BASE)) {
            moduli_rns_resident_service(&resident);
        }
    }
    EXPECT(moduli_rns_resident_outcome(&resident) == MODULI_RNS_RANDOM_ZERO && value(results + 2) == 0);
    model_faults.first_zero = false;
    model_faults.silent = true;
    model_polls = 0;
    EXPECT(moduli_rns_resident_run(&resident, &multiple) == MODULI_RNS_STARVED && model_polls < 2 * resident.patience);
    EXPECT(model_clean(RESIDENT_BASE) && value(results) == 0);
    model_faults.silent = false;
    model_faults.hang = true;
    EXPECT(moduli_rns_resident_run(&resident, &multiple) == MODULI_RNS_TIMEOUT);
    EXPECT(model_clean(RESIDENT_BASE));
    model_faults.hang = false;
    EXPECT(moduli_rns_resident_run(&resident, &multiple) == MODULI_RNS_OK && value(results) == 9);
    /* Clears the core in the middle of a program. */
    EXPECT(moduli_rns_resident_begin(&resident, &multiple, true) == MODULI_RNS_OK);
    moduli_rns_resident_service(&resident);
    EXPECT(moduli_rns_resident_clear(&resident) == MODULI_RNS_OK);
    EXPECT(model_clean(RESIDENT_BASE) && !model_irq(RESIDENT_BASE) && moduli_rns_resident_outcome(&resident) == MODULI_RNS_TIMEOUT);
    EXPECT(moduli_rns_resident_run(&resident, &multiple) == MODULI_RNS_OK && value(results) == 9);
    EXPECT(model_refused == 0);
    model_faults.stuck = true;
    EXPECT(moduli_rns_resident_clear(&resident) == MODULI_RNS_TIMEOUT);
}

int main(void) {
    opening();
    operations();
    errors();
    batch(false);
    batch(true);
    hanging();
    clearing();
    secrets();
    programs();
    program_errors();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

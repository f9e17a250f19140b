/* Four threads share handles: results are those of one thread, and last errors are each thread's own. A process that was forked
 * computes batches, too. */

#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define THREADS 4
#define VALUES 16

struct shared {
    const moduli_modulus *modulus;
    const moduli_fixed_base *table;
    const moduli_rsa_private_key *rsa;
    uint8_t fixed[VALUES][MAX_BYTES], variable[VALUES][MAX_BYTES], decrypted[VALUES][MAX_BYTES];
    int rounds, values;
};

struct work {
    struct shared *shared;
    int number;
};

static void compute(const struct shared *shared, int i, uint8_t *fixed, uint8_t *variable, uint8_t *decrypted) {
    uint8_t e[32];
    memset(e, i + 1, sizeof e);
    size_t size = moduli_modulus_size(shared->modulus);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow(shared->table, fixed, size, e, sizeof e));
    EXPECT(MODULI_STATUS_OK, moduli_pow(shared->modulus, variable, size, fixed, size, e, sizeof e));
    EXPECT(MODULI_STATUS_OK,
           moduli_rsa_decrypt_raw(shared->rsa, decrypted, moduli_rsa_private_key_size(shared->rsa), e, sizeof e));
}

static void *run(void *argument) {
    struct work *work = argument;
    struct shared *shared = work->shared;
    uint8_t fixed[MAX_BYTES], variable[MAX_BYTES], decrypted[MAX_BYTES], even = (uint8_t)(2 * work->number + 2);
    moduli_modulus *none;
    size_t size = moduli_modulus_size(shared->modulus), rsa_size = moduli_rsa_private_key_size(shared->rsa);
    CHECK(strcmp(moduli_last_error(), "") == 0);
    /* Odd threads make one error, even ones another. */
    if (work->number % 2) {
        EXPECT(MODULI_STATUS_NULL_POINTER, moduli_modulus_new(NULL, &even, 1));
    } else {
        EXPECT(MODULI_STATUS_MODULUS, moduli_modulus_new(&none, &even, 1));
    }
    for (int round = 0; round < shared->rounds; round++) {
        int i = (round + 5 * work->number) % shared->values;
        compute(shared, i, fixed, variable, decrypted);
        CHECK(memcmp(fixed, shared->fixed[i], size) == 0);
        CHECK(memcmp(variable, shared->variable[i], size) == 0);
        CHECK(memcmp(decrypted, shared->decrypted[i], rsa_size) == 0);
    }
    CHECK(strstr(moduli_last_error(), work->number % 2 ? "NULL" : "even") != NULL);
    return NULL;
}

/* A batch in this process starts the library's threads, which the child has not. */
static void test_fork(const moduli_fixed_base *table, size_t size) {
    static uint8_t e[64][32], ours[64][MAX_BYTES], theirs[64][MAX_BYTES];
    random_bytes(e[0], sizeof e);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_batch(table, NULL, ours[0], MAX_BYTES, e[0], 32, NULL, 64));
    CHECK(!is_zero(ours[63], MAX_BYTES) && size <= MAX_BYTES);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(60);
        moduli_status status = moduli_fixed_base_pow_batch(table, NULL, theirs[0], MAX_BYTES, e[0], 32, NULL, 64);
        _exit(status != MODULI_STATUS_OK || memcmp(ours, theirs, sizeof ours) != 0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void test_threads(const char *folder, int quick) {
    static struct shared shared;
    BIGNUM *p = BN_new(), *g = BN_new();
    moduli_modulus *modulus;
    moduli_fixed_base *table = group_table("dsa-2048-256", &modulus, 30000, p, g);
    size_t length;
    char *pem = file_text(folder, "rsa.pem", &length);
    moduli_rsa_private_key *rsa;
    EXPECT(MODULI_STATUS_OK, moduli_rsa_private_key_new(&rsa, pem, length));
    free(pem);
    shared.modulus = modulus;
    shared.table = table;
    shared.rsa = rsa;
    shared.rounds = quick ? 1 : 64;
    shared.values = quick ? 2 : VALUES;
    for (int i = 0; i < shared.values; i++) {
        compute(&shared, i, shared.fixed[i], shared.variable[i], shared.decrypted[i]);
    }
    pthread_t threads[THREADS];
    struct work works[THREADS];
    for (int i = 0; i < THREADS; i++) {
        works[i] = (struct work){&shared, i};
        CHECK(pthread_create(&threads[i], NULL, run, &works[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    test_fork(table, moduli_modulus_size(modulus));
    moduli_rsa_private_key_free(rsa);
    moduli_fixed_base_free(table);
    moduli_modulus_free(modulus);
    BN_free(p);
    BN_free(g);
}

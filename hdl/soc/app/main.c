/* Signs messages, inverts a batch, and tests failures of the source of random words. Prints a line for each result, which soc.py
 * reads. */
#include "curve.h"
#include "ecdsa.h"
#include "numbers.h"
#include "runtime.h"
#include "sha256.h"

#include <generated/csr.h>
#include <generated/mem.h>

/* The key of RFC 6979, A.2.5, for both messages. The keys of other messages are derived from their numbers. */
static const uint8_t KEY[32] = {0xC9, 0xAF, 0xA9, 0xD8, 0x45, 0xBA, 0x75, 0x16, 0x6B, 0x5C, 0x21, 0x57, 0x67, 0xB1, 0xD6, 0x93,
                                0x4E, 0x50, 0xC3, 0xDB, 0x36, 0xE8, 0x9B, 0x12, 0x7B, 0x8A, 0x62, 0x2B, 0x12, 0x0F, 0x67, 0x21};
static const char *const MESSAGES[] = {"sample", "test"};
#define PUBLISHED 2u
/* The index of the element of the batch that is 0 and has no inverse. */
#define ZERO 3u
/* The number of polls without a random word before a timeout. */
#define LITTLE_PATIENCE 1000u
/* Bits of the register `fault` of the simulated random words. */
#define ZEROS 1u
#define SILENT 2u

static struct signer signer;

static enum moduli_rns_outcome random_words(uint32_t *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t polls = 0;
        while (!random_ready_read()) {
            if (++polls > LITTLE_PATIENCE) {
                return MODULI_RNS_STARVED;
            }
        }
        words[i] = random_word_read();
    }
    return MODULI_RNS_OK;
}

/* The digest of a text followed by a number. */
static void hashed(uint8_t digest[SHA256_BYTES], const char *text, uint8_t number) {
    struct sha256 hash;
    sha256_begin(&hash);
    while (*text) {
        sha256_add(&hash, text++, 1);
    }
    if (number) {
        sha256_add(&hash, &number, 1);
    }
    sha256_end(&hash, digest);
}

static void say(const char *what, uint32_t value) {
    print(what);
    print(" ");
    print_number(value);
    print("\n");
}

static void say_time(uint32_t begun) {
    print(" ");
    print_number(cycles() - begun);
    print("\n");
}

/* The key of a message and its digest. */
static void subject(uint32_t which, uint32_t *key, uint8_t digest[SHA256_BYTES]) {
    uint8_t bytes[SHA256_BYTES];
    hashed(digest, which < PUBLISHED ? MESSAGES[which] : "message", which < PUBLISHED ? 0 : (uint8_t)which);
    hashed(bytes, "key", (uint8_t)which);
    number_from_bytes(key, which < PUBLISHED ? KEY : bytes);
    number_reduce(key, ORDER);
}

static void sign(uint32_t which) {
    uint32_t key[WORDS], point[2 * WORDS], r[WORDS], s[WORDS], begun, before;
    uint8_t digest[SHA256_BYTES];
    enum moduli_rns_outcome outcome;
    subject(which, key, digest);
    signer.interrupts = which & 1u;
    begun = cycles();
    outcome = ecdsa_multiple(&signer, key, point);
    print("public ");
    print_words(point, WORDS);
    print(" ");
    print_words(point + WORDS, WORDS);
    print(" ");
    print_number(outcome);
    say_time(begun);
    before = interrupts;
    begun = cycles();
    outcome = ecdsa_sign(&signer, key, digest, r, s);
    print("signature ");
    print_words(r, WORDS);
    print(" ");
    print_words(s, WORDS);
    print(" ");
    print_number(outcome);
    print(" ");
    print_number(interrupts - before);
    say_time(begun);
    moduli_rns_wipe(key, sizeof key);
}

/* Computes inverses modulo the order by interrupts, several at once in the core. */
static void invert(void) {
    static uint32_t numbers[BATCH][WORDS], results[BATCH][WORDS];
    static struct moduli_rns_job jobs[BATCH];
    uint32_t begun, before = interrupts;
    for (uint32_t i = 0; i < BATCH; i++) {
        uint8_t bytes[SHA256_BYTES];
        hashed(bytes, "number", (uint8_t)(i + 1));
        number_from_bytes(numbers[i], bytes);
        if (i == ZERO) {
            moduli_rns_wipe(numbers[i], sizeof numbers[i]);
        }
        jobs[i] = (struct moduli_rns_job){MODULI_RNS_INVERT, numbers[i], 0, results[i], MODULI_RNS_PENDING, 0};
    }
    begun = cycles();
    moduli_rns_begin(&signer.order, jobs, BATCH, true);
    while (moduli_rns_outcome(&signer.order) == MODULI_RNS_PENDING) {
    }
    begun = cycles() - begun;
    for (uint32_t i = 0; i < BATCH; i++) {
        print("inverse ");
        print_words(numbers[i], WORDS);
        print(" ");
        print_words(results[i], WORDS);
        print(" ");
        print_number(jobs[i].outcome);
        print("\n");
    }
    print("batch ");
    print_number(interrupts - before);
    print(" ");
    print_number(begun);
    print("\n");
}

/* Tests programs without random words, and the recovery afterwards. */
static void fail(void) {
    uint32_t key[WORDS], point[2 * WORDS], patience = signer.curve.patience;
    uint8_t digest[SHA256_BYTES];
    const struct moduli_rns_operand operands[3] = {{GENERATOR_X, WORDS}, {GENERATOR_Y, WORDS}, {key, WORDS}};
    const struct moduli_rns_call call = {0, operands, 3, point, 2};
    subject(0, key, digest);
    /* The word that waits for the CPU was taken earlier. */
    words_fault_write(ZEROS);
    say("zeros", moduli_rns_resident_run(&signer.curve, &call));
    words_fault_write(SILENT);
    signer.curve.patience = LITTLE_PATIENCE;
    say("silent", moduli_rns_resident_run(&signer.curve, &call));
    (void)random_words(point, 1);
    say("silent-cpu", random_words(point, 1));
    signer.curve.patience = patience;
    words_fault_write(0);
    /* There is no result to read. No access was refused before. */
    say("refused", curve_refused_read() + order_refused_read());
    say("value", MODULI_RNS_READ(CURVE_BASE + MODULI_RNS_RESIDENT_RESULT_OFFSET));
    say("refused", curve_refused_read() + order_refused_read());
    say("absent", moduli_rns_open(&signer.order, CURVE_BASE));
    say("order", moduli_rns_open(&signer.order, ORDER_BASE));
}

int main(void) {
    enum moduli_rns_outcome outcome;
    print("curve " CURVE_NAME "\n");
    outcome = moduli_rns_resident_open(&signer.curve, CURVE_BASE);
    say("open-curve", outcome);
    if (outcome == MODULI_RNS_OK) {
        outcome = moduli_rns_open(&signer.order, ORDER_BASE);
        say("open-order", outcome);
    }
    if (outcome == MODULI_RNS_OK) {
        signer.random = random_words;
        serve(&signer.curve, &signer.order);
        for (uint32_t i = 0; i < SIGNATURES; i++) {
            sign(i);
        }
        invert();
        fail();
        sign(0);
    }
    end();
}

/* Whether the library, and moduli_gmp.h if WITH_GMP is defined, wipe the operands and results that they copied. */

#define MODULI_NONNULL(...)

#include <moduli.h>
#include <string.h>

#include "../condition.h"
#include "freed.h"

#define OK(call) CHECK((call) == MODULI_STATUS_OK)

enum { SIZE = 256, E = 32, ROWS = 3 };

static uint8_t p[SIZE], x[ROWS * SIZE], e[ROWS * E], out[ROWS * SIZE], wanted[ROWS * SIZE];

static void random_bytes(uint8_t *bytes, size_t length) {
    static uint64_t state = 0x9e3779b97f4a7c15;
    for (size_t i = 0; i < length; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes[i] = (uint8_t)(state >> 32);
    }
}

/* Looks for the operands, and for what the call before has left in `out`. */
static void watch(void) {
    memcpy(wanted, out, sizeof out);
    freed_watch(x, sizeof x);
    freed_watch(e, sizeof e);
    freed_watch(wanted, sizeof wanted);
}

/* Does it twice: the first time to know the result. */
#define WIPES(call)                                                                                          \
    do {                                                                                                     \
        memset(out, 0, sizeof out);                                                                          \
        OK(call);                                                                                            \
        watch();                                                                                             \
        OK(call);                                                                                            \
        CHECK(freed_found() == 0);                                                                           \
    } while (0)

/* What is not wiped is found. */
static void what_is_left_is_found(void) {
    void *(*volatile allocate)(size_t) = malloc;
    void (*volatile give_back)(void *) = free;
    for (int reversed = 0; reversed < 2; reversed++) {
        uint8_t *copy = allocate(E);
        CHECK(copy != NULL);
        for (size_t i = 0; i < E; i++) {
            copy[i] = e[reversed ? E - 1 - i : i];
        }
        freed_watch(e, E);
        give_back(copy);
        CHECK(freed_found() == E / 8);
    }
}

static void powers_and_inverses_are_wiped(void) {
    moduli_modulus *modulus;
    OK(moduli_modulus_new(&modulus, p, SIZE));
    WIPES(moduli_pow(modulus, out, SIZE, x, SIZE, e, E));
    WIPES(moduli_pow_signed(modulus, out, SIZE, x, SIZE, e, E, 1));
    WIPES(moduli_pow_batch(modulus, NULL, out, SIZE, x, SIZE, e, E, NULL, ROWS));
    WIPES(moduli_multi_pow(modulus, out, SIZE, x, SIZE, e, E, NULL, ROWS));
    WIPES(moduli_mul(modulus, out, SIZE, x, SIZE, x + SIZE, SIZE));
    WIPES(moduli_reduce(modulus, out, SIZE, x, 2 * SIZE));
    WIPES(moduli_invert(modulus, out, SIZE, x, SIZE));
    WIPES(moduli_invert_batch(modulus, NULL, out, SIZE, x, SIZE, ROWS));
    moduli_modulus_free(modulus);
    moduli_even_modulus *even;
    p[SIZE - 1] ^= 1;
    OK(moduli_even_modulus_new(&even, p, SIZE));
    p[SIZE - 1] ^= 1;
    x[SIZE - 1] |= 1;
    WIPES(moduli_even_pow(even, out, SIZE, x, SIZE, e, E));
    WIPES(moduli_even_invert(even, out, SIZE, x, SIZE));
    moduli_even_modulus_free(even);
}

static void powers_of_tables_are_wiped(void) {
    moduli_modulus *modulus;
    moduli_fixed_base *table;
    const uint8_t base[] = {3};
    OK(moduli_modulus_new(&modulus, p, SIZE));
    OK(moduli_fixed_base_build(modulus, &table, base, 1, NULL, 0, 8 * E, 1 << 16, MODULI_SECRECY_SECRET));
    WIPES(moduli_fixed_base_pow(table, out, SIZE, e, E));
    WIPES(moduli_fixed_base_pow_signed(table, out, SIZE, e, E, 1));
    WIPES(moduli_fixed_base_pow_long(table, out, SIZE, e, 2 * E));
    WIPES(moduli_fixed_base_pow_batch(table, NULL, out, SIZE, e, E, NULL, ROWS));
    WIPES(moduli_fixed_base_pow_times(table, out, SIZE, e, E, x, SIZE, e + E, E));
    const moduli_fixed_base *tables[] = {table, table};
    WIPES(moduli_product_pow(tables, out, SIZE, e, E, NULL, 2));
    moduli_fixed_base_free(table);
    moduli_modulus_free(modulus);
}

/* 2^521 - 1 and 2^607 - 1: what is looked for is their owner's power. */
static void powers_by_factors_are_wiped(void) {
    uint8_t first[66], second[76];
    memset(first, 0xff, sizeof first);
    memset(second, 0xff, sizeof second);
    first[0] = 1;
    second[0] = 0x7f;
    moduli_crt_modulus *crt;
    OK(moduli_crt_modulus_new(&crt, first, sizeof first, second, sizeof second, 1));
    WIPES(moduli_crt_pow(crt, out, SIZE, x, SIZE, e, E));
    WIPES(moduli_crt_pow_signed(crt, out, SIZE, x, SIZE, e, E, 1));
    moduli_crt_modulus_free(crt);
}

#ifdef WITH_GMP

#include <moduli_gmp.h>

/* The variables are the caller's, and freed when nothing is looked for. */
static void buffers_of_gmp_are_wiped(void) {
    mpz_t modulus, base, exponent, result;
    moduli_mpz_fpowm_tab table;
    mpz_inits(modulus, base, exponent, NULL);
    mpz_init2(result, 8 * SIZE);
    mpz_import(modulus, SIZE, 1, 1, 1, 0, p);
    mpz_import(base, SIZE, 1, 1, 1, 0, x);
    mpz_import(exponent, E, 1, 1, 1, 0, e);
#define WIPES_MPZ(call)                                                                                      \
    do {                                                                                                     \
        OK(call);                                                                                            \
        memset(out, 0, sizeof out);                                                                          \
        mpz_export(out, NULL, -1, 8, 0, 0, result);                                                          \
        watch();                                                                                             \
        OK(call);                                                                                            \
        CHECK(freed_found() == 0);                                                                           \
    } while (0)
    for (int negative = 0; negative < 2; negative++) {
        WIPES_MPZ(moduli_mpz_powm_sec(result, base, exponent, modulus));
        WIPES_MPZ(moduli_mpz_invert_sec(result, base, modulus));
        mpz_neg(base, base);
    }
    OK(moduli_mpz_fpowm_init(table, modulus, 8, 8 * E));
    mpz_set_ui(result, 3);
    OK(moduli_mpz_fpowm_precomp(table, result));
    WIPES_MPZ(moduli_mpz_fpowm_sec(result, table, exponent));
    moduli_mpz_fpowm_clear(table);
    mpz_sub_ui(modulus, modulus, 1);
    WIPES_MPZ(moduli_mpz_powm_sec(result, base, exponent, modulus));
    WIPES_MPZ(moduli_mpz_invert_sec(result, base, modulus));
    mpz_clears(modulus, base, exponent, result, NULL);
}

#else

static void buffers_of_gmp_are_wiped(void) {
}

#endif

int main(void) {
    random_bytes(p, sizeof p);
    random_bytes(x, sizeof x);
    random_bytes(e, sizeof e);
    p[0] |= 0x80;
    p[SIZE - 1] |= 1;
    what_is_left_is_found();
    powers_and_inverses_are_wiped();
    powers_of_tables_are_wiped();
    powers_by_factors_are_wiped();
    buffers_of_gmp_are_wiped();
    printf("libmoduli %s: secrets are wiped\n", moduli_version());
    return 0;
}

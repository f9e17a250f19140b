/* moduli_gmp.h beside GMP: `main [quick]`. */

#include <moduli.h>
#include <string.h>

/* Functions for public values count their calls: those for secret values may not call them. */
static unsigned long public_calls;
#define PUBLIC(call) (public_calls++, call)
#define moduli_pow_vartime(...) PUBLIC(moduli_pow_vartime(__VA_ARGS__))
#define moduli_invert_vartime(...) PUBLIC(moduli_invert_vartime(__VA_ARGS__))
#define moduli_invert_modulo_vartime(...) PUBLIC(moduli_invert_modulo_vartime(__VA_ARGS__))
#define moduli_even_pow_vartime(...) PUBLIC(moduli_even_pow_vartime(__VA_ARGS__))
#define moduli_even_invert_vartime(...) PUBLIC(moduli_even_invert_vartime(__VA_ARGS__))
#define moduli_fixed_base_pow_long_vartime(...) PUBLIC(moduli_fixed_base_pow_long_vartime(__VA_ARGS__))

#include <moduli_gmp.h>

#include "../condition.h"

#define OK(call) CHECK((call) == MODULI_STATUS_OK)
#define OK_SECRETLY(call)                                                                                    \
    do {                                                                                                     \
        unsigned long before = public_calls;                                                                 \
        OK(call);                                                                                            \
        CHECK(public_calls == before);                                                                       \
    } while (0)
#define FAILS(status, rop, call)                                                                             \
    do {                                                                                                     \
        mpz_set_ui(rop, 7);                                                                                  \
        CHECK((call) == (status));                                                                           \
        CHECK(mpz_sgn(rop) == 0);                                                                            \
    } while (0)

static gmp_randstate_t state;

/* A modulus of so many bits, the lowest of them as it is to be. */
static void modulus_of(mpz_t m, mp_bitcnt_t bits, int odd) {
    mpz_urandomb(m, state, bits);
    mpz_setbit(m, bits - 1);
    if (odd) {
        mpz_setbit(m, 0);
    } else {
        mpz_clrbit(m, 0);
    }
}

/* Whether a negative exponent has a meaning. */
static int invertible(const mpz_t x, const mpz_t m) {
    mpz_t divisor;
    mpz_init(divisor);
    mpz_gcd(divisor, x, m);
    int one = mpz_cmp_ui(divisor, 1) == 0;
    mpz_clear(divisor);
    return one;
}

/* Bases and exponents of both signs, 0 and 1 among them, the result in place of each operand. */
static void powers(mpz_t m) {
    mpz_t x, e, wanted, out;
    mpz_inits(x, e, wanted, out, NULL);
    for (int i = 0; i < 24; i++) {
        mpz_urandomb(x, state, mpz_sizeinbase(m, 2) + 70 * (i % 2));
        mpz_urandomb(e, state, (mp_bitcnt_t)(i * 13));
        if (i < 6) {
            mpz_set_si(x, i - 2);
        } else if (i == 6) {
            mpz_set(x, m);
        }
        if (i % 3 == 1) {
            mpz_neg(x, x);
        }
        if (i % 5 == 4) {
            mpz_neg(e, e);
        }
        if (mpz_sgn(e) < 0 && !invertible(x, m)) {
            FAILS(MODULI_STATUS_NOT_INVERTIBLE, out, moduli_mpz_powm(out, x, e, m));
            continue;
        }
        mpz_powm(wanted, x, e, m);
        OK(moduli_mpz_powm(out, x, e, m));
        CHECK(mpz_cmp(out, wanted) == 0);
        if (mpz_sgn(e) < 0) {
            FAILS(MODULI_STATUS_PARAMETER, out, moduli_mpz_powm_sec(out, x, e, m));
        } else if (mpz_even_p(m) && mpz_sgn(x) < 0) {
            FAILS(MODULI_STATUS_PARAMETER, out, moduli_mpz_powm_sec(out, x, e, m));
        } else if (mpz_cmpabs_ui(m, 1) == 0) {
            FAILS(MODULI_STATUS_MODULUS, out, moduli_mpz_powm_sec(out, x, e, m));
        } else {
            OK_SECRETLY(moduli_mpz_powm_sec(out, x, e, m));
            CHECK(mpz_cmp(out, wanted) == 0);
        }
        mpz_set(out, x);
        OK(moduli_mpz_powm(out, out, e, m));
        CHECK(mpz_cmp(out, wanted) == 0);
        OK(moduli_mpz_powm(e, x, e, m));
        CHECK(mpz_cmp(e, wanted) == 0);
    }
    mpz_clears(x, e, wanted, out, NULL);
}

/* Of both signs, 0, 1 and multiples of the modulus among them, the result in place of each operand. */
static void inverses(mpz_t m) {
    mpz_t x, wanted, out;
    mpz_inits(x, wanted, out, NULL);
    for (int i = 0; i < 16; i++) {
        if (i < 5) {
            mpz_set_si(x, i - 2);
        } else if (i < 7) {
            mpz_mul_si(x, m, i - 4);
        } else {
            mpz_urandomb(x, state, mpz_sizeinbase(m, 2) + 70 * (i % 2));
        }
        if (i % 3 == 1) {
            mpz_neg(x, x);
        }
        int served = mpz_cmpabs_ui(m, 1) != 0;
        if (!served) {
            FAILS(MODULI_STATUS_MODULUS, out, moduli_mpz_invert_sec(out, x, m));
        }
        if (mpz_invert(wanted, x, m) == 0) {
            FAILS(MODULI_STATUS_NOT_INVERTIBLE, out, moduli_mpz_invert(out, x, m));
            if (served) {
                FAILS(MODULI_STATUS_NOT_INVERTIBLE, out, moduli_mpz_invert_sec(out, x, m));
            }
            continue;
        }
        unsigned long before = public_calls;
        OK(moduli_mpz_invert(out, x, m));
        CHECK(mpz_cmp(out, wanted) == 0);
        /* By whom is a matter of speed. */
        CHECK(public_calls - before == (mpz_sizeinbase(m, 2) > 512 && mpz_sizeinbase(m, 2) <= 16384));
        if (served) {
            OK_SECRETLY(moduli_mpz_invert_sec(out, x, m));
            CHECK(mpz_cmp(out, wanted) == 0);
        }
        mpz_set(out, m);
        OK(moduli_mpz_invert(out, x, out));
        CHECK(mpz_cmp(out, wanted) == 0);
        OK(moduli_mpz_invert(x, x, m));
        CHECK(mpz_cmp(x, wanted) == 0);
    }
    mpz_clears(x, wanted, out, NULL);
}

static void products(mpz_t m) {
    enum { N = 30 };
    mpz_t x[N], e[N], wanted, power, out;
    mpz_inits(wanted, power, out, NULL);
    for (int i = 0; i < N; i++) {
        mpz_inits(x[i], e[i], NULL);
        mpz_urandomb(x[i], state, mpz_sizeinbase(m, 2) + 9);
        mpz_urandomb(e[i], state, (mp_bitcnt_t)(i * 9));
        if (i % 4 == 1) {
            mpz_neg(x[i], x[i]);
        }
        if (i % 7 == 3 && invertible(x[i], m)) {
            mpz_neg(e[i], e[i]);
        }
    }
    mpz_set_ui(wanted, 1);
    for (size_t n = 0; n <= N; n++) {
        mpz_mod(wanted, wanted, m);
        OK(moduli_mpz_spowm(out, x, e, n, m));
        CHECK(mpz_cmp(out, wanted) == 0);
        if (n < N) {
            mpz_powm(power, x[n], e[n], m);
            mpz_mul(wanted, wanted, power);
        }
    }
    mpz_set(x[0], m);
    mpz_set_si(e[0], -1);
    if (mpz_cmpabs_ui(m, 1) != 0) {
        FAILS(MODULI_STATUS_NOT_INVERTIBLE, out, moduli_mpz_spowm(out, x, e, 2, m));
    }
    mpz_set_ui(out, 0);
    CHECK(moduli_mpz_spowm(out, x, e, 2, out) == MODULI_STATUS_MODULUS);
    for (int i = 0; i < N; i++) {
        mpz_clears(x[i], e[i], NULL);
    }
    mpz_clears(wanted, power, out, NULL);
}

static void tables(mpz_t m, size_t block_width, size_t bits) {
    moduli_mpz_fpowm_tab table;
    mpz_t basis, e, wanted, out;
    mpz_inits(basis, e, wanted, out, NULL);
    OK(moduli_mpz_fpowm_init(table, m, block_width, bits));
    for (int round = 0; round < 3; round++) {
        mpz_urandomb(basis, state, mpz_sizeinbase(m, 2) + 5);
        if (round == 1) {
            mpz_neg(basis, basis);
        } else if (round == 2) {
            mpz_set(basis, m);
        }
        OK(moduli_mpz_fpowm_precomp(table, basis));
        for (int i = 0; i < 9; i++) {
            mpz_urandomb(e, state, i < 5 ? bits : bits + 61 * (mp_bitcnt_t)i);
            if (i < 2) {
                mpz_set_ui(e, (unsigned long)i);
            }
            if (i == 8) {
                mpz_neg(e, e);
            }
            if (mpz_sgn(e) < 0 && !invertible(basis, m)) {
                FAILS(MODULI_STATUS_NOT_INVERTIBLE, out, moduli_mpz_fpowm(out, table, e));
                continue;
            }
            mpz_powm(wanted, basis, e, m);
            OK(moduli_mpz_fpowm(out, table, e));
            CHECK(mpz_cmp(out, wanted) == 0);
            if (mpz_even_p(m) || mpz_divisible_p(basis, m)) {
                FAILS(MODULI_STATUS_MODULUS, out, moduli_mpz_fpowm_sec(out, table, e));
            } else if (mpz_sgn(e) < 0) {
                FAILS(MODULI_STATUS_PARAMETER, out, moduli_mpz_fpowm_sec(out, table, e));
            } else {
                OK_SECRETLY(moduli_mpz_fpowm_sec(out, table, e));
                CHECK(mpz_cmp(out, wanted) == 0);
            }
        }
    }
    moduli_mpz_fpowm_clear(table);
    mpz_set_ui(basis, 3);
    OK(moduli_mpz_fpowm_init_precomp(table, basis, m, block_width, bits));
    mpz_powm(wanted, basis, m, m);
    OK(moduli_mpz_fpowm(out, table, m));
    CHECK(mpz_cmp(out, wanted) == 0);
    moduli_mpz_fpowm_clear(table);
    CHECK(moduli_mpz_fpowm_init_precomp(table, basis, m, block_width, 0) == MODULI_STATUS_PARAMETER);
    moduli_mpz_fpowm_clear(table);
    mpz_set_ui(out, 0);
    CHECK(moduli_mpz_fpowm_init_precomp(table, basis, out, block_width, 10) == MODULI_STATUS_MODULUS);
    moduli_mpz_fpowm_clear(table);
    mpz_clears(basis, e, wanted, out, NULL);
}

/* Longer than libmoduli takes: public ones are for GMP, secret ones an error. */
static void long_operands(mpz_t m) {
    mpz_t fits, longer, wanted, out, three, x[2], e[2];
    moduli_mpz_fpowm_tab table;
    mpz_inits(fits, longer, wanted, out, three, x[0], x[1], e[0], e[1], NULL);
    mpz_setbit(fits, 8 * MODULI_MAX_NUMBER_BYTES - 1);
    mpz_setbit(longer, 8 * MODULI_MAX_NUMBER_BYTES);
    mpz_setbit(longer, 1);
    mpz_set_ui(three, 3);
    OK(moduli_mpz_fpowm_init_precomp(table, three, m, 4, 100));
    for (int i = 0; i < 3; i++) {
        mpz_ptr operand = i == 0 ? fits : longer;
        if (i == 2) {
            mpz_neg(longer, longer);
        }
        mpz_powm(wanted, operand, three, m);
        OK(moduli_mpz_powm(out, operand, three, m));
        CHECK(mpz_cmp(out, wanted) == 0);
        mpz_powm(wanted, three, operand, m);
        OK(moduli_mpz_powm(out, three, operand, m));
        CHECK(mpz_cmp(out, wanted) == 0);
        OK(moduli_mpz_fpowm(out, table, operand));
        CHECK(mpz_cmp(out, wanted) == 0);
        mpz_set(x[0], three);
        mpz_set(e[0], operand);
        mpz_set(x[1], operand);
        mpz_set_ui(e[1], 5);
        mpz_powm(out, operand, e[1], m);
        mpz_mul(wanted, wanted, out);
        mpz_mod(wanted, wanted, m);
        OK(moduli_mpz_spowm(out, x, e, 2, m));
        CHECK(mpz_cmp(out, wanted) == 0);
        mpz_invert(wanted, operand, m);
        OK(moduli_mpz_invert(out, operand, m));
        CHECK(mpz_cmp(out, wanted) == 0);
    }
    mpz_abs(longer, longer);
    FAILS(MODULI_STATUS_LENGTH, out, moduli_mpz_powm_sec(out, longer, three, m));
    FAILS(MODULI_STATUS_LENGTH, out, moduli_mpz_powm_sec(out, three, longer, m));
    FAILS(MODULI_STATUS_LENGTH, out, moduli_mpz_invert_sec(out, longer, m));
    FAILS(MODULI_STATUS_LENGTH, out, moduli_mpz_fpowm_sec(out, table, longer));
    OK_SECRETLY(moduli_mpz_powm_sec(out, fits, three, m));
    moduli_mpz_fpowm_clear(table);
    mpz_clears(fits, longer, wanted, out, three, x[0], x[1], e[0], e[1], NULL);
}

int main(int count, char **arguments) {
    int quick = count > 1 && strcmp(arguments[1], "quick") == 0;
    mpz_t m, x;
    mpz_inits(m, x, NULL);
    gmp_randinit_default(state);
    static const mp_bitcnt_t lengths[] = {2, 3, 64, 65, 256, 521, 1024, 2048};
    for (size_t i = 0; i < (quick ? 5 : 8); i++) {
        for (int kind = 0; kind < 3; kind++) {
            modulus_of(m, lengths[i], kind > 0);
            if (kind == 2) {
                mpz_neg(m, m); /* The sign of a modulus does not count. */
            }
            powers(m);
            inverses(m);
            products(m);
            if (kind < 2) {
                tables(m, 4, 100);
                tables(m, quick ? 6 : 12, lengths[i]);
            }
        }
    }
    for (mp_bitcnt_t twos = 1; twos < 200; twos += 21) {
        mpz_set_ui(m, 0);
        mpz_setbit(m, twos);
        inverses(m);
        mpz_mul_si(m, m, -15);
        inverses(m);
    }
    static const mp_bitcnt_t at_the_ends[] = {512, 513, 640, 16384, 16385};
    for (size_t i = 0; i < (quick ? 3 : 5); i++) {
        for (int kind = 0; kind < 3; kind++) {
            modulus_of(m, at_the_ends[i], kind > 0);
            if (kind == 2) {
                mpz_neg(m, m);
            }
            inverses(m);
        }
    }
    mpz_set_ui(m, 1000003);
    long_operands(m);
    mpz_set_si(m, -1);
    inverses(m);
    mpz_set_ui(m, 1);
    powers(m);
    inverses(m);
    mpz_set_ui(m, 0);
    mpz_set_ui(x, 5);
    FAILS(MODULI_STATUS_MODULUS, x, moduli_mpz_powm(x, x, x, m));
    FAILS(MODULI_STATUS_MODULUS, x, moduli_mpz_powm_sec(x, x, x, m));
    FAILS(MODULI_STATUS_MODULUS, x, moduli_mpz_invert(x, x, m));
    FAILS(MODULI_STATUS_MODULUS, x, moduli_mpz_invert_sec(x, x, m));
    CHECK(public_calls > 0);
    gmp_randclear(state);
    mpz_clears(m, x, NULL);
    printf("moduli_gmp.h, libmoduli %s, GMP %s: all tests passed%s\n", moduli_version(), gmp_version, quick ? " (quick)" : "");
    return 0;
}

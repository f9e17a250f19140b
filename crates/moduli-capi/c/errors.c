/* Every way to call a function wrongly that a library can see: a status, outputs of zero, and a sentence. */

#include "check.h"

static const uint8_t million_and_3[] = {0x0f, 0x42, 0x43}, fifteen[] = {15}, two[] = {2}, zero[] = {0};

/* Fails like this, with a sentence, and leaves zeros. */
#define FAILS(status, call)                                                                                  \
    do {                                                                                                     \
        memset(out, 0xaa, sizeof out);                                                                       \
        EXPECT(status, call);                                                                                \
        CHECK(is_zero(out, 8) && strlen(moduli_last_error()) > 0);                                           \
    } while (0)

static void values_that_are_no_moduli(void) {
    moduli_modulus *modulus = (moduli_modulus *)&modulus;
    uint8_t *large = calloc(1, MODULI_MAX_NUMBER_BYTES + 1);
    CHECK(large != NULL);
    large[MODULI_MAX_NUMBER_BYTES] = 1;
    EXPECT(MODULI_STATUS_MODULUS, moduli_modulus_new(&modulus, two, 1));
    CHECK(modulus == NULL && strstr(moduli_last_error(), "even") != NULL);
    EXPECT(MODULI_STATUS_MODULUS, moduli_modulus_new(&modulus, zero, 1));
    CHECK(strstr(moduli_last_error(), "greater than 1") != NULL);
    EXPECT(MODULI_STATUS_MODULUS, moduli_modulus_new(&modulus, NULL, 0));
    CHECK(strstr(moduli_last_error(), "greater than 1") != NULL);
    EXPECT(MODULI_STATUS_MODULUS, moduli_modulus_new(&modulus, (const uint8_t *)"\1", 1));
    EXPECT(MODULI_STATUS_LENGTH, moduli_modulus_new(&modulus, large, MODULI_MAX_NUMBER_BYTES + 1));
    EXPECT(MODULI_STATUS_LENGTH, moduli_modulus_new(&modulus, large, SIZE_MAX));
    large[0] = 1;
    large[MODULI_MAX_NUMBER_BYTES - 1] = 1;
    EXPECT(MODULI_STATUS_MODULUS, moduli_modulus_new(&modulus, large, MODULI_MAX_NUMBER_BYTES));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_modulus_new(&modulus, NULL, 3));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_modulus_new(NULL, fifteen, 1));
    free(large);
    moduli_modulus_free(NULL);
    CHECK(moduli_modulus_size(NULL) == 0 && moduli_modulus_bits(NULL) == 0);
    CHECK(strcmp(moduli_modulus_kernel(NULL), "") == 0);
}

static void powers(const moduli_modulus *p, const moduli_modulus *composite) {
    uint8_t out[8];
    const uint8_t *x = two, *e = fifteen;
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_modulus_bytes(NULL, out, 8));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_pow(NULL, out, 8, x, 1, e, 1));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_pow(p, out, 8, NULL, 1, e, 1));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_pow(p, out, 8, x, 1, NULL, 1));
    FAILS(MODULI_STATUS_LENGTH, moduli_pow(p, out, 8, x, SIZE_MAX, e, 1));
    FAILS(MODULI_STATUS_LENGTH, moduli_pow(p, out, 8, x, 1, e, MODULI_MAX_NUMBER_BYTES + 1));
    FAILS(MODULI_STATUS_NOT_INVERTIBLE, moduli_pow_signed(p, out, 8, zero, 1, e, 1, 0));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_pow_vartime(NULL, out, 8, x, 1, e, 1));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_mul(p, out, 8, x, 1, NULL, 1));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_reduce(p, out, 8, NULL, 1));
    FAILS(MODULI_STATUS_NOT_INVERTIBLE, moduli_invert(p, out, 8, zero, 1));
    FAILS(MODULI_STATUS_NOT_INVERTIBLE, moduli_invert(composite, out, 8, (const uint8_t *)"\6", 1));
    /* The constant-time inversion has not learnt the common factor. */
    CHECK(strstr(moduli_last_error(), "factor") == NULL && strchr(moduli_last_error(), '3') == NULL);
    FAILS(MODULI_STATUS_NOT_INVERTIBLE, moduli_invert_vartime(composite, out, 8, (const uint8_t *)"\6", 1));
    CHECK(strstr(moduli_last_error(), "factor") != NULL && strchr(moduli_last_error(), '3') != NULL);
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_pow(p, NULL, 8, x, 1, e, 1));
    memset(out, 0xaa, sizeof out);
    EXPECT(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_pow(p, out, 2, x, 1, e, 1));
    CHECK(is_zero(out, 2) && out[2] == 0xaa && strstr(moduli_last_error(), "3 are needed") != NULL);
    EXPECT(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_modulus_bytes(p, out, 0));
    EXPECT(MODULI_STATUS_LENGTH, moduli_modulus_bytes(p, out, SIZE_MAX));
    EXPECT(MODULI_STATUS_LENGTH, moduli_pow(p, out, SIZE_MAX, x, 1, e, 1));
    EXPECT(MODULI_STATUS_LENGTH, moduli_pow(p, out, SIZE_MAX / 2 + 1, x, 1, e, 1));
    EXPECT(MODULI_STATUS_OK, moduli_reduce(p, out, 8, NULL, 0));
    CHECK(is_zero(out, 8));
}

static void products(const moduli_modulus *p, const moduli_modulus *composite) {
    uint8_t out[8];
    const uint8_t x[2] = {2, 3}, e[2] = {4, 5}, signs[2] = {0, 1}, zeros[2] = {0, 0};
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_multi_pow(NULL, out, 8, x, 1, e, 1, NULL, 2));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_multi_pow(p, out, 8, NULL, 1, e, 1, NULL, 2));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_multi_pow_vartime(p, out, 8, x, 1, NULL, 1, NULL, 2));
    FAILS(MODULI_STATUS_LENGTH, moduli_multi_pow(p, out, 8, x, SIZE_MAX, e, 1, NULL, 2));
    FAILS(MODULI_STATUS_LENGTH, moduli_multi_pow(p, out, 8, x, SIZE_MAX / 2 + 1, e, 1, NULL, 2));
    FAILS(MODULI_STATUS_LENGTH, moduli_multi_pow(p, out, 8, x, 1, e, 1, NULL, SIZE_MAX));
    FAILS(MODULI_STATUS_LENGTH, moduli_multi_pow_vartime(p, out, 8, NULL, 0, NULL, 0, NULL, SIZE_MAX));
    FAILS(MODULI_STATUS_NOT_INVERTIBLE, moduli_multi_pow(p, out, 8, zeros, 1, e, 1, signs, 2));
    FAILS(MODULI_STATUS_NOT_INVERTIBLE, moduli_multi_pow_vartime(composite, out, 8, (const uint8_t *)"\1\6", 1, e, 1, signs, 2));
    CHECK(strstr(moduli_last_error(), "factor") != NULL);
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_multi_pow(p, NULL, 8, x, 1, e, 1, NULL, 2));
    EXPECT(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_multi_pow(p, out, 2, x, 1, e, 1, NULL, 2));
    EXPECT(MODULI_STATUS_OK, moduli_multi_pow(p, out, 8, NULL, 0, NULL, 0, NULL, 0));
    CHECK(is_zero(out, 7) && out[7] == 1);
}

static void divisors(const moduli_modulus *p) {
    uint8_t out[8];
    int32_t symbol = 1;
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_jacobi_vartime(NULL, &symbol, two, 1));
    CHECK(symbol == 0);
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_jacobi_vartime(p, NULL, two, 1));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_jacobi_vartime(p, &symbol, NULL, 1));
    EXPECT(MODULI_STATUS_LENGTH, moduli_jacobi_vartime(p, &symbol, two, SIZE_MAX));
    EXPECT(MODULI_STATUS_OK, moduli_jacobi_vartime(p, &symbol, NULL, 0));
    CHECK(symbol == 0);
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_gcd_vartime(out, 8, NULL, 1, two, 1));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_gcd_vartime(out, 8, two, 1, NULL, 1));
    FAILS(MODULI_STATUS_LENGTH, moduli_gcd_vartime(out, 8, two, MODULI_MAX_NUMBER_BYTES + 1, two, 1));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_gcd_vartime(NULL, 8, two, 1, two, 1));
    EXPECT(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_gcd_vartime(out, 2, million_and_3, 3, zero, 1));
    /* The divisor alone has to fit; that of nothing is nothing. */
    EXPECT(MODULI_STATUS_OK, moduli_gcd_vartime(out, 1, million_and_3, 3, fifteen, 1));
    CHECK(out[0] == 1);
    EXPECT(MODULI_STATUS_OK, moduli_gcd_vartime(out, 8, NULL, 0, NULL, 0));
    CHECK(is_zero(out, 8));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_invert_modulo_vartime(out, 8, NULL, 1, two, 1));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_invert_modulo_vartime(out, 8, two, 1, NULL, 1));
    FAILS(MODULI_STATUS_LENGTH, moduli_invert_modulo_vartime(out, 8, two, 1, two, MODULI_MAX_NUMBER_BYTES + 1));
    FAILS(MODULI_STATUS_MODULUS, moduli_invert_modulo_vartime(out, 8, two, 1, zero, 1));
    FAILS(MODULI_STATUS_MODULUS, moduli_invert_modulo_vartime(out, 8, two, 1, NULL, 0));
    FAILS(MODULI_STATUS_NOT_INVERTIBLE, moduli_invert_modulo_vartime(out, 8, fifteen, 1, (const uint8_t *)"\0\0\6", 3));
    CHECK(strstr(moduli_last_error(), "0x3") != NULL);
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_invert_modulo_vartime(NULL, 8, two, 1, fifteen, 1));
    EXPECT(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_invert_modulo_vartime(out, 2, two, 1, million_and_3, 3));
    /* The inverse alone has to fit; modulo 1 everything is 0, which is its own inverse. */
    EXPECT(MODULI_STATUS_OK, moduli_invert_modulo_vartime(out, 1, two, 1, (const uint8_t *)"\0\0\17", 3));
    CHECK(out[0] == 8);
    EXPECT(MODULI_STATUS_OK, moduli_invert_modulo_vartime(out, 8, NULL, 0, (const uint8_t *)"\0\1", 2));
    CHECK(is_zero(out, 8));
    int32_t prime = 1;
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_is_probable_prime_vartime(NULL, two, 1, 64));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_is_probable_prime_vartime(&prime, NULL, 1, 64));
    CHECK(prime == 0);
    prime = 1;
    EXPECT(MODULI_STATUS_PARAMETER, moduli_is_probable_prime_vartime(&prime, two, 1, 0));
    CHECK(prime == 0);
    EXPECT(MODULI_STATUS_LENGTH, moduli_is_probable_prime_vartime(&prime, two, MODULI_MAX_NUMBER_BYTES + 1, 64));
    EXPECT(MODULI_STATUS_OK, moduli_is_probable_prime_vartime(&prime, two, 1, 1));
    CHECK(prime == 1);
    EXPECT(MODULI_STATUS_OK, moduli_is_probable_prime_vartime(&prime, NULL, 0, 1));
    CHECK(prime == 0);
}

static void crt(void) {
    moduli_crt_modulus *crt = (moduli_crt_modulus *)&crt;
    moduli_modulus *n = (moduli_modulus *)&n;
    uint8_t out[8];
    const uint8_t p[] = {7}, q[] = {11}, x[] = {7}, e[] = {3};
    uint8_t *large = calloc(1, 8193);
    CHECK(large != NULL);
    large[0] = large[8192] = 1;
    EXPECT(MODULI_STATUS_PARAMETER, moduli_crt_modulus_new(&crt, p, 1, p, 1, 1));
    CHECK(crt == NULL);
    EXPECT(MODULI_STATUS_PARAMETER, moduli_crt_modulus_new(&crt, p, 1, fifteen, 1, 1));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_crt_modulus_new(&crt, p, 1, two, 1, 1));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_crt_modulus_new(&crt, zero, 1, q, 1, 1));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_crt_modulus_new(&crt, NULL, 0, q, 1, 1));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_crt_modulus_new(&crt, p, 1, q, 1, 0));
    EXPECT(MODULI_STATUS_MODULUS, moduli_crt_modulus_new(&crt, p, 1, q, 1, UINT32_MAX));
    CHECK(strstr(moduli_last_error(), "more than 65536 bits") != NULL);
    EXPECT(MODULI_STATUS_MODULUS, moduli_crt_modulus_new(&crt, large, 8193, q, 1, 1));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_crt_modulus_new(&crt, NULL, 1, q, 1, 1));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_crt_modulus_new(NULL, p, 1, q, 1, 1));
    free(large);
    EXPECT(MODULI_STATUS_OK, moduli_crt_modulus_new(&crt, p, 1, q, 1, 1));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_crt_pow(NULL, out, 8, x, 1, e, 1));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_crt_pow(crt, out, 8, NULL, 1, e, 1));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_crt_pow_signed(crt, out, 8, x, 1, NULL, 1, 0));
    FAILS(MODULI_STATUS_NOT_INVERTIBLE, moduli_crt_pow_signed(crt, out, 8, x, 1, e, 1, 0));
    EXPECT(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_crt_pow(crt, out, 0, x, 1, e, 1));
    /* A base that has no inverse. */
    EXPECT(MODULI_STATUS_OK, moduli_crt_pow(crt, out, 8, x, 1, e, 1));
    CHECK(is_zero(out, 7) && out[7] == 343 % 77);
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_crt_modulus_public(NULL, &n));
    CHECK(n == NULL);
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_crt_modulus_public(crt, NULL));
    moduli_crt_modulus_free(crt);
    moduli_crt_modulus_free(NULL);
    CHECK(moduli_crt_modulus_size(NULL) == 0);
}

static void even(void) {
    moduli_even_modulus *m = (moduli_even_modulus *)&m;
    uint8_t out[8], *large = calloc(1, 8193);
    const uint8_t ten[] = {10}, x[] = {7}, e[] = {3};
    CHECK(large != NULL);
    large[0] = 1;
    EXPECT(MODULI_STATUS_MODULUS, moduli_even_modulus_new(&m, zero, 1));
    CHECK(m == NULL);
    EXPECT(MODULI_STATUS_MODULUS, moduli_even_modulus_new(&m, NULL, 0));
    EXPECT(MODULI_STATUS_MODULUS, moduli_even_modulus_new(&m, (const uint8_t *)"\0\1", 2));
    CHECK(strstr(moduli_last_error(), "greater than 1") != NULL);
    EXPECT(MODULI_STATUS_MODULUS, moduli_even_modulus_new(&m, large, 8193));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_even_modulus_new(&m, fifteen, 1));
    EXPECT(MODULI_STATUS_LENGTH, moduli_even_modulus_new(&m, ten, SIZE_MAX));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_even_modulus_new(&m, NULL, 1));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_even_modulus_new(NULL, ten, 1));
    free(large);
    EXPECT(MODULI_STATUS_OK, moduli_even_modulus_new(&m, ten, 1));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_even_pow(NULL, out, 8, x, 1, e, 1));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_even_pow(m, out, 8, NULL, 1, e, 1));
    FAILS(MODULI_STATUS_LENGTH, moduli_even_pow_vartime(m, out, 8, x, 1, e, SIZE_MAX));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_even_pow(m, NULL, 8, x, 1, e, 1));
    EXPECT(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_even_pow(m, out, 0, x, 1, e, 1));
    EXPECT(MODULI_STATUS_OK, moduli_even_pow(m, out, 8, x, 1, e, 1));
    CHECK(is_zero(out, 7) && out[7] == 3);
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_even_invert(NULL, out, 8, x, 1));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_even_invert(m, out, 8, NULL, 1));
    FAILS(MODULI_STATUS_LENGTH, moduli_even_invert_vartime(m, out, 8, x, SIZE_MAX));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_even_invert(m, NULL, 8, x, 1));
    EXPECT(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_even_invert(m, out, 0, x, 1));
    FAILS(MODULI_STATUS_NOT_INVERTIBLE, moduli_even_invert(m, out, 8, zero, 1));
    FAILS(MODULI_STATUS_NOT_INVERTIBLE, moduli_even_invert(m, out, 8, two, 1));
    FAILS(MODULI_STATUS_NOT_INVERTIBLE, moduli_even_invert(m, out, 8, fifteen, 1));
    /* The constant-time inversion has not learnt the common factor. */
    CHECK(strstr(moduli_last_error(), "factor") == NULL && strchr(moduli_last_error(), '5') == NULL);
    FAILS(MODULI_STATUS_NOT_INVERTIBLE, moduli_even_invert_vartime(m, out, 8, fifteen, 1));
    CHECK(strstr(moduli_last_error(), "factor") != NULL && strchr(moduli_last_error(), '5') != NULL);
    EXPECT(MODULI_STATUS_OK, moduli_even_invert(m, out, 8, x, 1));
    CHECK(is_zero(out, 7) && out[7] == 3);
    moduli_even_modulus_free(m);
    moduli_even_modulus_free(NULL);
    CHECK(moduli_even_modulus_size(NULL) == 0);
}

static void batches(const moduli_modulus *p, const moduli_fixed_base *table) {
    uint8_t out[8];
    const uint8_t x[2] = {2, 3}, e[2] = {4, 5}, big[2] = {0xff, 0xff};
    moduli_status statuses[2];
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_pow_batch(NULL, statuses, out, 4, x, 1, e, 1, NULL, 2));
    CHECK(statuses[0] == MODULI_STATUS_NULL_POINTER && statuses[1] == MODULI_STATUS_NULL_POINTER);
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_pow_batch(p, statuses, out, 4, NULL, 1, e, 1, NULL, 2));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_pow_batch(p, statuses, NULL, 4, x, 1, e, 1, NULL, 2));
    EXPECT(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_pow_batch(p, statuses, out, 2, x, 1, e, 1, NULL, 2));
    CHECK(statuses[0] == MODULI_STATUS_BUFFER_TOO_SMALL);
    EXPECT(MODULI_STATUS_LENGTH, moduli_pow_batch(p, NULL, out, SIZE_MAX, x, 1, e, 1, NULL, 2));
    EXPECT(MODULI_STATUS_LENGTH, moduli_pow_batch(p, NULL, out, SIZE_MAX / 2, x, 1, e, 1, NULL, 2));
    FAILS(MODULI_STATUS_LENGTH, moduli_pow_batch(p, NULL, out, 4, x, SIZE_MAX, e, 1, NULL, 2));
    EXPECT(MODULI_STATUS_OK, moduli_pow_batch(p, statuses, NULL, 4, NULL, 1, NULL, 1, NULL, 0));
    EXPECT(MODULI_STATUS_OK, moduli_invert_batch(p, NULL, NULL, 0, NULL, 0, 0));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_invert_batch(p, NULL, out, 4, NULL, 1, 2));
    /* The rows that are right are delivered. */
    const uint8_t mixed[2] = {0, 1};
    EXPECT(MODULI_STATUS_NOT_INVERTIBLE, moduli_invert_batch(p, statuses, out, 4, mixed, 1, 2));
    CHECK(is_zero(out, 7) && out[7] == 1 && strstr(moduli_last_error(), "row 0") != NULL);
    CHECK(statuses[0] == MODULI_STATUS_NOT_INVERTIBLE && statuses[1] == MODULI_STATUS_OK);

    FAILS(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_pow_batch(NULL, NULL, out, 4, e, 1, NULL, 2));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_pow_batch_vartime(table, NULL, out, 4, NULL, 1, NULL, 2));
    FAILS(MODULI_STATUS_EXPONENT_TOO_LONG, moduli_fixed_base_pow(table, out, 8, big, 2));
    FAILS(MODULI_STATUS_EXPONENT_TOO_LONG, moduli_fixed_base_pow_signed(table, out, 8, big, 2, 1));
    FAILS(MODULI_STATUS_EXPONENT_TOO_LONG, moduli_fixed_base_pow_vartime(table, out, 8, big, 2));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_pow(table, out, 8, NULL, 2));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_pow_long(NULL, out, 8, big, 2));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_pow_long(table, out, 8, NULL, 2));
    FAILS(MODULI_STATUS_LENGTH, moduli_fixed_base_pow_long(table, out, 8, big, SIZE_MAX));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_pow_long_vartime(NULL, out, 8, big, 2));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_pow_times(NULL, out, 8, e, 1, x, 1, e, 1));
    FAILS(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_pow_times_vartime(table, out, 8, e, 1, NULL, 1, e, 1));
    EXPECT(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_fixed_base_pow(table, out, 2, e, 1));
    const uint8_t two_rows[4] = {0xff, 0xff, 0, 1};
    EXPECT(MODULI_STATUS_EXPONENT_TOO_LONG,
           moduli_fixed_base_pow_batch(table, statuses, out, 4, two_rows, 2, NULL, 2));
    CHECK(is_zero(out, 7) && out[7] == 2 && statuses[1] == MODULI_STATUS_OK);
}

static void tables(const moduli_modulus *p) {
    moduli_fixed_base *none;
    const uint8_t order[] = {0x0f, 0x42, 0x42}, wrong[] = {7};
    uint64_t bytes = 1;
    char method[8] = "before";
    EXPECT(MODULI_STATUS_BASE_ZERO,
           moduli_fixed_base_build(p, &none, million_and_3, 3, NULL, 0, 16, 4096, MODULI_SECRECY_SECRET));
    CHECK(none == NULL);
    EXPECT(MODULI_STATUS_BUDGET_TOO_SMALL,
           moduli_fixed_base_build(p, &none, two, 1, NULL, 0, 16, 1, MODULI_SECRECY_SECRET));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_fixed_base_build(p, &none, two, 1, NULL, 0, 0, 4096, MODULI_SECRECY_SECRET));
    EXPECT(MODULI_STATUS_PARAMETER,
           moduli_fixed_base_build(p, &none, two, 1, NULL, 0, UINT32_MAX, 4096, MODULI_SECRECY_SECRET));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_fixed_base_build(p, &none, two, 1, NULL, 0, 16, 4096, (moduli_secrecy)2));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_fixed_base_build(p, &none, two, 1, wrong, 1, 16, 4096, MODULI_SECRECY_SECRET));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_build(NULL, &none, two, 1, NULL, 0, 16, 4096, MODULI_SECRECY_SECRET));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_build(p, &none, NULL, 1, NULL, 0, 16, 4096, MODULI_SECRECY_SECRET));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_build(p, NULL, two, 1, NULL, 0, 16, 4096, MODULI_SECRECY_SECRET));
    EXPECT(MODULI_STATUS_BUDGET_TOO_SMALL, moduli_fixed_base_plan(p, &bytes, NULL, method, 8, 16, 1, MODULI_SECRECY_SECRET));
    CHECK(bytes == 0 && is_zero((const uint8_t *)method, 8));
    EXPECT(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_fixed_base_plan(p, NULL, NULL, method, 3, 16, 4096, MODULI_SECRECY_SECRET));
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_plan(p, NULL, NULL, NULL, 0, 16, 4096, MODULI_SECRECY_PUBLIC));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_plan(NULL, NULL, NULL, NULL, 0, 16, 4096, MODULI_SECRECY_SECRET));
    moduli_fixed_base_free(NULL);
    CHECK(moduli_fixed_base_size(NULL) == 0 && moduli_fixed_base_table_bytes(NULL) == 0);
    CHECK(moduli_fixed_base_exponent_bits(NULL) == 0 && moduli_fixed_base_is_mapped(NULL) == 0);
    CHECK(strcmp(moduli_fixed_base_method(NULL), "") == 0);

    /* With the order, longer exponents are reduced: 2^(p - 1) = 1. */
    moduli_fixed_base *table;
    uint8_t out[3], e[5] = {0x0f, 0x42, 0x42, 0, 0};
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_build(p, &table, two, 1, order, 3, 20, 4096, MODULI_SECRECY_SECRET));
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow(table, out, 3, e, 5));
    CHECK(out[0] == 0 && out[1] == 0 && out[2] == 1);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_long(table, out, 3, e, 5));
    CHECK(out[0] == 0 && out[1] == 0 && out[2] == 1);
    moduli_fixed_base_free(table);
}

static void groups(const moduli_modulus *p) {
    uint8_t out[512];
    size_t p_size = 1, names = 0;
    for (const char *name; (name = moduli_group_name(names)) != NULL; names++) {
        EXPECT(MODULI_STATUS_OK, moduli_group_sizes(name, &p_size, NULL, NULL));
        CHECK(p_size >= 64);
    }
    CHECK(names > 5 && moduli_group_name(SIZE_MAX) == NULL);
    EXPECT(MODULI_STATUS_PARAMETER, moduli_group_sizes("none", &p_size, NULL, NULL));
    CHECK(p_size == 0 && strstr(moduli_last_error(), "ffdhe3072") != NULL);
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_group_sizes(NULL, &p_size, NULL, NULL));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_group_sizes("\xff\xff", &p_size, NULL, NULL));
    FAILS(MODULI_STATUS_PARAMETER, moduli_group_numbers("none", out, sizeof out, NULL, 0, NULL, 0));
    FAILS(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_group_numbers("ffdhe3072", out, 383, NULL, 0, NULL, 0));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_group_numbers("ffdhe3072", NULL, 384, NULL, 0, NULL, 0));
    EXPECT(MODULI_STATUS_OK, moduli_group_numbers("ffdhe3072", NULL, 0, NULL, 0, out, 384));
    CHECK(is_zero(out, 383) && out[383] == 2);
    /* p = 1000003 is 2*500001 + 1, but only y = 1 and p - 1 have small orders. */
    const uint8_t order[] = {0x07, 0xa1, 0x21}, last[] = {0x0f, 0x42, 0x42}, four[] = {4};
    EXPECT(MODULI_STATUS_OK, moduli_validate_public_value_vartime(p, order, 3, four, 1));
    EXPECT(MODULI_STATUS_NOT_IN_GROUP, moduli_validate_public_value_vartime(p, order, 3, two, 1));
    EXPECT(MODULI_STATUS_NOT_IN_GROUP, moduli_validate_public_value_vartime(p, order, 3, zero, 1));
    EXPECT(MODULI_STATUS_NOT_IN_GROUP, moduli_validate_public_value_vartime(p, order, 3, last, 3));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_validate_public_value_vartime(NULL, order, 3, two, 1));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_validate_public_value_vartime(p, order, 3, NULL, 1));
}

void test_errors(void) {
    moduli_modulus *p, *composite;
    moduli_fixed_base *table;
    values_that_are_no_moduli();
    EXPECT(MODULI_STATUS_OK, moduli_modulus_new(&p, million_and_3, 3));
    EXPECT(MODULI_STATUS_OK, moduli_modulus_new(&composite, fifteen, 1));
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_build(p, &table, two, 1, NULL, 0, 8, 4096, MODULI_SECRECY_SECRET));
    powers(p, composite);
    products(p, composite);
    divisors(p);
    crt();
    even();
    batches(p, table);
    tables(p);
    groups(p);
    moduli_fixed_base_free(table);
    moduli_modulus_free(p);
    moduli_modulus_free(composite);
}

/* Under valgrind: secrets are marked as undefined, so that a branch or an address that depends on one is an error. What comes out
 * is marked as defined again, and compared with what calls for public values give. Inversions branch on whether there is an
 * inverse, which is public; errors.c knows the constant-time one by what it does not tell. What is beneath is watched by the
 * library's own tests; here it is the way there. */

#include <valgrind/memcheck.h>

#include "check.h"

enum { E = 32, ROWS = 9 };

static void secret(void *start, size_t length) {
    (void)VALGRIND_MAKE_MEM_UNDEFINED(start, length);
}

static void published(void *start, size_t length) {
    (void)VALGRIND_MAKE_MEM_DEFINED(start, length);
}

/* Whether the bytes under the mark are those, once published. */
static int gives(uint8_t *out, const uint8_t *wanted, size_t length) {
    published(out, length);
    return memcmp(out, wanted, length) == 0;
}

void test_secrets(void) {
    BIGNUM *p = BN_new(), *g = BN_new();
    moduli_modulus *modulus;
    moduli_fixed_base *table = group_table("dsa-2048-256", &modulus, 30000, p, g);
    size_t size = moduli_modulus_size(modulus);
    uint8_t e[ROWS * E], x[MAX_BYTES], y[MAX_BYTES], wanted[ROWS * 256], out[ROWS * 256], negative = 0;
    CHECK(size == 256);
    random_bytes(e, sizeof e);
    random_bytes(x, size);

    EXPECT(MODULI_STATUS_OK, moduli_pow_vartime(modulus, wanted, size, x, size, e, E));
    EXPECT(MODULI_STATUS_OK, moduli_invert_vartime(modulus, y, size, x, size));
    secret(x, size);
    secret(e, sizeof e);
    secret(&negative, 1);
    EXPECT(MODULI_STATUS_OK, moduli_pow(modulus, out, size, x, size, e, E));
    CHECK(gives(out, wanted, size));
    EXPECT(MODULI_STATUS_OK, moduli_mul(modulus, out, size, x, size, y, size));
    published(out, size);
    CHECK(is_zero(out, size - 1) && out[size - 1] == 1);

    EXPECT(MODULI_STATUS_OK, moduli_reduce(modulus, out, size, x, size));
    published(x, size);
    EXPECT(MODULI_STATUS_OK, moduli_reduce(modulus, wanted, size, x, size));
    CHECK(gives(out, wanted, size));

    /* Modulo an even number: the modulus without its lowest 130 bits. Of whole words, as the modulus is: others have bytes in
     * front, whose zeros are made of secrets, and asked for. */
    uint8_t even_bytes[256];
    moduli_even_modulus *even;
    CHECK(BN_rshift(g, p, 130) && BN_lshift(g, g, 130) && BN_bn2binpad(g, even_bytes, 256) == 256);
    EXPECT(MODULI_STATUS_OK, moduli_even_modulus_new(&even, even_bytes, size));
    published(e, sizeof e);
    EXPECT(MODULI_STATUS_OK, moduli_even_pow_vartime(even, wanted, size, x, size, e, E));
    secret(e, sizeof e);
    secret(x, size);
    EXPECT(MODULI_STATUS_OK, moduli_even_pow(even, out, size, x, size, e, E));
    CHECK(gives(out, wanted, size));
    published(x, size);
    moduli_even_modulus_free(even);

    /* Longer than the table was made for. */
    published(e, sizeof e);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_long_vartime(table, wanted, size, e, E + 9));
    secret(e, sizeof e);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_long(table, out, size, e, E + 9));
    CHECK(gives(out, wanted, size));

    /* A base for each row. */
    uint8_t bases_of_rows[ROWS * 32], signs[ROWS] = {0};
    random_bytes(bases_of_rows, sizeof bases_of_rows);
    published(e, sizeof e);
    for (size_t row = 0; row < ROWS; row++)
        EXPECT(MODULI_STATUS_OK, moduli_pow_vartime(modulus, wanted + row * size, size, bases_of_rows + row * 32, 32,
                                                    e + row * E, E));
    secret(e, sizeof e);
    secret(bases_of_rows, sizeof bases_of_rows);
    EXPECT(MODULI_STATUS_OK, moduli_pow_batch(modulus, NULL, out, size, bases_of_rows, 32, e, E, NULL, ROWS));
    CHECK(gives(out, wanted, ROWS * size));
    published(e, sizeof e);
    published(bases_of_rows, sizeof bases_of_rows);
    EXPECT(MODULI_STATUS_OK, moduli_multi_pow_vartime(modulus, wanted, size, bases_of_rows, 32, e, E, NULL, ROWS));
    secret(e, sizeof e);
    secret(bases_of_rows, sizeof bases_of_rows);
    EXPECT(MODULI_STATUS_OK, moduli_multi_pow(modulus, out, size, bases_of_rows, 32, e, E, NULL, ROWS));
    CHECK(gives(out, wanted, size));
    /* That a base has an inverse is public. */
    published(bases_of_rows, sizeof bases_of_rows);
    secret(signs, sizeof signs);
    EXPECT(MODULI_STATUS_OK, moduli_multi_pow(modulus, out, size, bases_of_rows, 32, e, E, signs, ROWS));
    CHECK(gives(out, wanted, size));

    published(e, sizeof e);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_batch_vartime(table, NULL, wanted, size, e, E, NULL, ROWS));
    secret(e, sizeof e);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow(table, out, size, e, E));
    CHECK(gives(out, wanted, size));
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_signed(table, out, size, e, E, negative));
    CHECK(gives(out, wanted, size));
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_batch(table, NULL, out, size, e, E, NULL, ROWS));
    CHECK(gives(out, wanted, ROWS * size));
    secret(signs, sizeof signs);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_batch(table, NULL, out, size, e, E, signs, ROWS));
    CHECK(gives(out, wanted, ROWS * size));
    published(e, sizeof e);
    published(x, size);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_times_vartime(table, wanted, size, e, E, x, size, e + E, E));
    secret(e, sizeof e);
    secret(x, size);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_times(table, out, size, e, E, x, size, e + E, E));
    CHECK(gives(out, wanted, size));

    const moduli_fixed_base *bases[2] = {table, table};
    published(e, sizeof e);
    EXPECT(MODULI_STATUS_OK, moduli_product_pow_vartime(bases, wanted, size, e, E, NULL, 2));
    secret(e, sizeof e);
    EXPECT(MODULI_STATUS_OK, moduli_product_pow(bases, out, size, e, E, NULL, 2));
    CHECK(gives(out, wanted, size));
    EXPECT(MODULI_STATUS_OK, moduli_product_pow(bases, out, size, e, E, signs, 2));
    CHECK(gives(out, wanted, size));
    moduli_fixed_base_free(table);
    moduli_modulus_free(modulus);
    BN_free(p);
    BN_free(g);
}

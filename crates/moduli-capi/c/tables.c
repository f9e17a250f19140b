/* Tables of fixed bases, products of their powers, and table files. */

#include "check.h"

#define ROWS 19
#define E 32

static void bn_power(BIGNUM *power, const BIGNUM *g, const uint8_t *e, int negative, const BIGNUM *p, BN_CTX *context) {
    BIGNUM *exponent = number_of(e, E);
    CHECK(BN_mod_exp(power, g, exponent, p, context));
    CHECK(!negative || BN_mod_inverse(power, power, p, context) != NULL);
    BN_free(exponent);
}

static void powers(const moduli_fixed_base *table, const BIGNUM *g, const BIGNUM *p, size_t rows) {
    size_t size = moduli_fixed_base_size(table);
    uint8_t *out = malloc(ROWS * size), e[ROWS * E], negative[ROWS];
    moduli_status statuses[ROWS];
    BIGNUM *wanted = BN_new();
    BN_CTX *context = BN_CTX_new();
    CHECK(out != NULL && wanted != NULL && context != NULL);
    random_bytes(e, sizeof e);
    random_bytes(negative, sizeof negative);
    memset(e, 0, E);
    memset(e + E, 0xff, E);
    negative[0] = 1;
    negative[1] = 2;
    negative[2] = 0;
    for (size_t i = 0; i < 4; i++) {
        bn_power(wanted, g, e + i * E, 0, p, context);
        EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow(table, out, size, e + i * E, E));
        CHECK(equals(out, size, wanted));
        EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_vartime(table, out, size, e + i * E, E));
        CHECK(equals(out, size, wanted));
        bn_power(wanted, g, e + i * E, negative[i], p, context);
        EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_signed(table, out, size, e + i * E, E, negative[i]));
        CHECK(equals(out, size, wanted));
    }
    /* Longer than the table was made for: by a bit, by a byte and more, with all of them zero and all of them ones. */
    for (int i = 0; i < 8; i++) {
        uint8_t longer[E + 33];
        size_t length = E + (i < 2 ? 1 : i < 4 ? 9 : sizeof longer - E);
        random_bytes(longer, length);
        if (i % 4 < 2) {
            memset(longer, i % 2 ? 0xff : 0, length);
        }
        BIGNUM *exponent = number_of(longer, length);
        CHECK(BN_mod_exp(wanted, g, exponent, p, context));
        EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_long(table, out, size, longer, length));
        CHECK(equals(out, size, wanted));
        EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_long_vartime(table, out, size, longer, length));
        CHECK(equals(out, size, wanted));
        BN_free(exponent);
    }
    for (int form = 0; form < 4; form++) {
        const uint8_t *signs = form % 2 ? negative : NULL;
        if (form < 2) {
            EXPECT(MODULI_STATUS_OK,
                   moduli_fixed_base_pow_batch(table, statuses, out, size, e, E, signs, rows));
        } else {
            EXPECT(MODULI_STATUS_OK,
                   moduli_fixed_base_pow_batch_vartime(table, statuses, out, size, e, E, signs, rows));
        }
        for (size_t i = 0; i < rows; i++) {
            bn_power(wanted, g, e + i * E, signs && negative[i], p, context);
            CHECK(statuses[i] == MODULI_STATUS_OK && equals(out + i * size, size, wanted));
        }
    }
    BN_free(wanted);
    BN_CTX_free(context);
    free(out);
}

/* g^a * h^b by two tables, and g^a * x^b by one. */
static void products(const moduli_modulus *modulus, const moduli_fixed_base *g, const BIGNUM *bn_g, const BIGNUM *p) {
    size_t size = moduli_modulus_size(modulus);
    uint8_t out[MAX_BYTES], h_bytes[MAX_BYTES], e[2 * E], negative[2] = {0, 2};
    BIGNUM *left = BN_new(), *right = BN_new();
    BN_CTX *context = BN_CTX_new();
    CHECK(left != NULL && right != NULL && context != NULL);
    random_bytes(e, sizeof e);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_vartime(g, h_bytes, size, (const uint8_t *)"secret", 6));
    BIGNUM *bn_h = number_of(h_bytes, size);
    moduli_fixed_base *h;
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_build(modulus, &h, h_bytes, size, NULL, 0, 8 * E, 20000, MODULI_SECRECY_PUBLIC));
    const moduli_fixed_base *both[2] = {g, h};
    for (int signs = 0; signs < 2; signs++) {
        bn_power(left, bn_g, e, 0, p, context);
        bn_power(right, bn_h, e + E, signs, p, context);
        CHECK(BN_mod_mul(left, left, right, p, context));
        const uint8_t *sign = signs ? negative : NULL;
        EXPECT(MODULI_STATUS_OK, moduli_product_pow(both, out, size, e, E, sign, 2));
        CHECK(equals(out, size, left));
        EXPECT(MODULI_STATUS_OK, moduli_product_pow_vartime(both, out, size, e, E, sign, 2));
        CHECK(equals(out, size, left));
        if (!signs) {
            EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_times(g, out, size, e, E, h_bytes, size, e + E, E));
            CHECK(equals(out, size, left));
            EXPECT(MODULI_STATUS_OK,
                   moduli_fixed_base_pow_times_vartime(g, out, size, e, E, h_bytes, size, e + E, E));
            CHECK(equals(out, size, left));
        }
    }
    /* Another modulus, a NULL among the tables, and none. */
    moduli_modulus *other_modulus;
    moduli_fixed_base *other;
    const uint8_t small[] = {0x0f, 0x42, 0x43}, two[] = {2};
    EXPECT(MODULI_STATUS_OK, moduli_modulus_new(&other_modulus, small, 3));
    EXPECT(MODULI_STATUS_OK,
           moduli_fixed_base_build(other_modulus, &other, two, 1, NULL, 0, 256, 5000, MODULI_SECRECY_SECRET));
    const moduli_fixed_base *mixed[2] = {g, other}, *holes[2] = {g, NULL};
    EXPECT(MODULI_STATUS_MODULUS_MISMATCH, moduli_product_pow(mixed, out, size, e, E, NULL, 2));
    CHECK(is_zero(out, size));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_product_pow(holes, out, size, e, E, NULL, 2));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_product_pow(NULL, out, size, e, E, NULL, 2));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_product_pow(both, out, size, e, E, NULL, 0));
    EXPECT(MODULI_STATUS_LENGTH, moduli_product_pow(both, out, size, e, E, NULL, SIZE_MAX));
    moduli_fixed_base_free(h);
    moduli_fixed_base_free(other);
    moduli_modulus_free(other_modulus);
    BN_free(left);
    BN_free(right);
    BN_free(bn_h);
    BN_CTX_free(context);
}

/* An order of the base reduces exponents. What is planned for public exponents takes less time than for secret ones. */
static void orders_and_secrecy(void) {
    uint8_t p[MAX_BYTES], q[MAX_BYTES], g[MAX_BYTES], e[E + 9], out[MAX_BYTES], wanted[MAX_BYTES];
    size_t size, q_size;
    uint32_t bits;
    moduli_modulus *modulus;
    moduli_fixed_base *table, *none = (moduli_fixed_base *)&none;
    EXPECT(MODULI_STATUS_OK, moduli_group_sizes("dsa-2048-256", &size, &q_size, &bits));
    EXPECT(MODULI_STATUS_OK, moduli_group_numbers("dsa-2048-256", p, size, q, q_size, g, size));
    EXPECT(MODULI_STATUS_OK, moduli_modulus_new(&modulus, p, size));
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_build(modulus, &table, g, size, q, q_size, bits, 1 << 16, MODULI_SECRECY_SECRET));
    random_bytes(e, sizeof e);
    e[0] |= 1;
    EXPECT(MODULI_STATUS_OK, moduli_pow_vartime(modulus, wanted, size, g, size, e, sizeof e));
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow(table, out, size, e, sizeof e));
    CHECK(memcmp(out, wanted, size) == 0);
    q[q_size - 1] ^= 2;
    EXPECT(MODULI_STATUS_PARAMETER,
           moduli_fixed_base_build(modulus, &none, g, size, q, q_size, bits, 1 << 16, MODULI_SECRECY_SECRET));
    CHECK(none == NULL);
    uint64_t secret, public;
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_plan(modulus, NULL, &secret, NULL, 0, bits, 1 << 16, MODULI_SECRECY_SECRET));
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_plan(modulus, NULL, &public, NULL, 0, bits, 1 << 16, MODULI_SECRECY_PUBLIC));
    CHECK(public < secret);
    moduli_fixed_base_free(table);
    moduli_modulus_free(modulus);
}

void test_tables(int quick) {
    orders_and_secrecy();
    static const char *const names[] = {"dsa-2048-256", "ffdhe3072", "electionguard-v2.1"};
    static const uint64_t budgets[] = {4000, 65536, 1 << 20};
    for (size_t group = 0; group < (quick ? 1 : 3); group++) {
        for (size_t budget = 0; budget < (quick ? 1 : 3); budget++) {
            BIGNUM *p = BN_new(), *g = BN_new();
            moduli_modulus *modulus;
            moduli_fixed_base *table = group_table(names[group], &modulus, budgets[budget], p, g);
            uint64_t bytes, nanoseconds;
            char method[64];
            uint32_t bits = moduli_fixed_base_exponent_bits(table);
            EXPECT(MODULI_STATUS_OK, moduli_fixed_base_plan(modulus, &bytes, &nanoseconds, method, sizeof method,
                                                            bits, budgets[budget], MODULI_SECRECY_SECRET));
            CHECK(bytes == moduli_fixed_base_table_bytes(table) && bytes <= budgets[budget] && nanoseconds > 0);
            CHECK(strcmp(method, moduli_fixed_base_method(table)) == 0);
            CHECK(!moduli_fixed_base_is_mapped(table));
            if (bits == 8 * E) {
                powers(table, g, p, quick ? 2 : ROWS);
                products(modulus, table, g, p);
            } else {
                uint8_t out[MAX_BYTES], e[E];
                random_bytes(e, E);
                e[0] = 0;
                e[1] = 0;
                BIGNUM *wanted = BN_new();
                BN_CTX *context = BN_CTX_new();
                EXPECT(MODULI_STATUS_OK,
                       moduli_fixed_base_pow(table, out, moduli_fixed_base_size(table), e + 2, E - 2));
                bn_power(wanted, g, e, 0, p, context);
                CHECK(equals(out, moduli_fixed_base_size(table), wanted));
                BN_free(wanted);
                BN_CTX_free(context);
            }
            /* The modulus may go first. */
            moduli_modulus_free(modulus);
            uint8_t out[MAX_BYTES], one[] = {1};
            EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow(table, out, sizeof out, one, 1));
            CHECK(equals(out, sizeof out, g));
            moduli_fixed_base_free(table);
            BN_free(p);
            BN_free(g);
        }
    }
}

void test_files(const char *folder, int quick) {
    char path[512], missing[512];
    uint8_t base[MAX_BYTES], out[MAX_BYTES], other[MAX_BYTES];
    snprintf(path, sizeof path, "%s/g.table", folder);
    snprintf(missing, sizeof missing, "%s/no/such/folder/g.table", folder);
    BIGNUM *p = BN_new(), *g = BN_new();
    moduli_modulus *modulus;
    moduli_fixed_base *table = group_table("dsa-2048-256", &modulus, 30000, p, g), *opened;
    size_t size = moduli_modulus_size(modulus);
    CHECK(BN_bn2binpad(g, base, (int)size) == (int)size);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_save(table, path));
    EXPECT(MODULI_STATUS_FILE, moduli_fixed_base_save(table, missing));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_save(table, NULL));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_save(NULL, path));
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_open(modulus, &opened, base, size, path));
    powers(opened, g, p, quick ? 2 : ROWS);
    CHECK(!moduli_fixed_base_is_mapped(opened));
    moduli_fixed_base_free(opened);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_open_mapped(modulus, &opened, base, size, path));
    CHECK(moduli_fixed_base_is_mapped(opened));
    powers(opened, g, p, quick ? 2 : ROWS);
    moduli_fixed_base_free(opened);

    /* Not the base that is expected; no such file; a file that was damaged. */
    EXPECT(MODULI_STATUS_OK, moduli_mul(modulus, other, size, base, size, base, size));
    EXPECT(MODULI_STATUS_FILE, moduli_fixed_base_open(modulus, &opened, other, size, path));
    CHECK(opened == NULL && strstr(moduli_last_error(), "base") != NULL);
    EXPECT(MODULI_STATUS_FILE, moduli_fixed_base_open(modulus, &opened, base, size, missing));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_open(modulus, &opened, base, size, NULL));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_open(modulus, NULL, base, size, path));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_fixed_base_open_mapped(NULL, &opened, base, size, path));
    FILE *file = fopen(path, "r+b");
    CHECK(file != NULL && fseek(file, -100, SEEK_END) == 0);
    int byte = getc(file);
    CHECK(byte != EOF && fseek(file, -100, SEEK_END) == 0 && putc(byte ^ 1, file) != EOF && fclose(file) == 0);
    EXPECT(MODULI_STATUS_FILE, moduli_fixed_base_open(modulus, &opened, base, size, path));
    EXPECT(MODULI_STATUS_FILE, moduli_fixed_base_open_mapped(modulus, &opened, base, size, path));
    CHECK(opened == NULL);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow(table, out, size, base, 32));
    moduli_fixed_base_free(table);
    moduli_modulus_free(modulus);
    BN_free(p);
    BN_free(g);
}

/* Powers, products, inverses and batches of variable bases, beside OpenSSL's, at many lengths of the modulus. */

#include "check.h"

#define OPERANDS 9
#define ROWS 21

/* An odd modulus of so many bits. Nearly all are composite, which Montgomery's method and the inversion do not mind. */
static BIGNUM *odd_number(int bits) {
    uint8_t bytes[MAX_BYTES];
    size_t size = (size_t)(bits + 7) / 8;
    random_bytes(bytes, size);
    BIGNUM *p = number_of(bytes, size);
    CHECK(BN_set_bit(p, bits - 1) && BN_set_bit(p, 0));
    if (BN_num_bits(p) > bits) {
        CHECK(BN_mask_bits(p, bits));
    }
    return p;
}

/* x^e modulo p, with 0^0 = 1 also where p divides x. */
static void bn_power(BIGNUM *power, const BIGNUM *x, const BIGNUM *e, const BIGNUM *p, BN_CTX *context) {
    CHECK(BN_is_zero(e) ? BN_one(power) : BN_mod_exp(power, x, e, p, context));
}

static void single(const moduli_modulus *modulus, const BIGNUM *p, int i, BN_CTX *context) {
    size_t size = moduli_modulus_size(modulus);
    /* Longer than the modulus, shorter, or none at all. */
    size_t x_len = i == 8 ? 2 * size : size + 1, y_len = i % 3 == 0 ? size : size + 2, e_len = (size_t)i * 5 % 33;
    uint8_t x[2 * MAX_BYTES], y[MAX_BYTES + 2], e[64], out[MAX_BYTES + 3];
    operand(x, x_len, i, p);
    operand(y, y_len, OPERANDS - 1 - i, p);
    operand(e, e_len, i < 3 ? i : 6, p);
    BIGNUM *bn_x = number_of(x, x_len), *bn_y = number_of(y, y_len), *bn_e = number_of(e, e_len), *wanted = BN_new();
    CHECK(wanted != NULL);

    CHECK(BN_nnmod(wanted, bn_x, p, context));
    EXPECT(MODULI_STATUS_OK, moduli_reduce(modulus, out, size, x, x_len));
    CHECK(equals(out, size, wanted));

    CHECK(BN_mod_mul(wanted, bn_x, bn_y, p, context));
    /* A longer buffer is filled, zeros in front. */
    memset(out, 0xaa, sizeof out);
    EXPECT(MODULI_STATUS_OK, moduli_mul(modulus, out, size + 3, x, x_len, y, y_len));
    CHECK(is_zero(out, 3) && equals(out, size + 3, wanted));

    bn_power(wanted, bn_x, bn_e, p, context);
    EXPECT(MODULI_STATUS_OK, moduli_pow(modulus, out, size, x, x_len, e_len ? e : NULL, e_len));
    CHECK(equals(out, size, wanted));
    EXPECT(MODULI_STATUS_OK, moduli_pow_vartime(modulus, out, size, x, x_len, e, e_len));
    CHECK(equals(out, size, wanted));

    int invertible = BN_mod_inverse(wanted, bn_x, p, context) != NULL;
    moduli_status status = invertible ? MODULI_STATUS_OK : MODULI_STATUS_NOT_INVERTIBLE;
    memset(out, 0xaa, sizeof out);
    EXPECT(status, moduli_invert(modulus, out, size, x, x_len));
    CHECK(invertible ? equals(out, size, wanted) : is_zero(out, size));
    EXPECT(status, moduli_invert_vartime(modulus, out, size, x, x_len));
    CHECK(invertible ? equals(out, size, wanted) : is_zero(out, size));
    uint8_t p_bytes[MAX_BYTES];
    CHECK(BN_bn2binpad(p, p_bytes, (int)size) == (int)size);
    memset(out, 0xaa, sizeof out);
    EXPECT(status, moduli_invert_modulo_vartime(out, size, x, x_len, p_bytes, size));
    CHECK(invertible ? equals(out, size, wanted) : is_zero(out, size));

    /* Whatever is not 0 is a minus sign. */
    for (uint8_t negative = 0; negative < 3; negative++) {
        if (invertible) {
            BIGNUM *base = BN_dup(bn_x);
            CHECK(base != NULL && (!negative || BN_mod_inverse(base, bn_x, p, context) != NULL));
            bn_power(wanted, base, bn_e, p, context);
            BN_free(base);
        }
        EXPECT(status, moduli_pow_signed(modulus, out, size, x, x_len, e, e_len, negative));
        CHECK(invertible ? equals(out, size, wanted) : is_zero(out, size));
    }

    int32_t symbol = 7;
    EXPECT(MODULI_STATUS_OK, moduli_jacobi_vartime(modulus, &symbol, x, x_len));
    CHECK(symbol == BN_kronecker(bn_x, p, context));
    CHECK(BN_gcd(wanted, bn_x, bn_y, context));
    EXPECT(MODULI_STATUS_OK, moduli_gcd_vartime(out, sizeof out, x, x_len, y, y_len));
    CHECK(equals(out, sizeof out, wanted));
    BIGNUM *shifted = BN_dup(bn_y);
    CHECK(shifted != NULL && BN_lshift(shifted, shifted, 7) && BN_gcd(wanted, p, shifted, context));
    uint8_t *longer = malloc(y_len + 1);
    CHECK(longer != NULL && BN_bn2binpad(shifted, longer, (int)y_len + 1) > 0);
    EXPECT(MODULI_STATUS_OK, moduli_gcd_vartime(out, size, p_bytes, size, longer, y_len + 1));
    CHECK(equals(out, size, wanted));
    free(longer);
    BN_free(shifted);

    /* In place. */
    bn_power(wanted, bn_x, bn_e, p, context);
    EXPECT(MODULI_STATUS_OK, moduli_pow(modulus, x, x_len, x, x_len, e, e_len));
    CHECK(equals(x, x_len, wanted));
    BN_free(bn_x);
    BN_free(bn_y);
    BN_free(bn_e);
    BN_free(wanted);
}

static void batches(const moduli_modulus *modulus, const BIGNUM *p, BN_CTX *context) {
    enum { E = 4 };
    size_t size = moduli_modulus_size(modulus), width = size + 1;
    uint8_t *x = malloc(ROWS * width), *out = malloc(ROWS * size), e[ROWS * E], negative[ROWS];
    moduli_status statuses[ROWS], first = MODULI_STATUS_OK;
    CHECK(x != NULL && out != NULL);
    for (int i = 0; i < ROWS; i++) {
        operand(x + (size_t)i * width, width, i, p);
    }
    random_bytes(e, sizeof e);
    random_bytes(negative, sizeof negative);
    BIGNUM *wanted = BN_new();
    CHECK(wanted != NULL);

    EXPECT(MODULI_STATUS_OK, moduli_pow_batch(modulus, NULL, out, size, x, width, e, E, NULL, ROWS));
    for (size_t i = 0; i < ROWS; i++) {
        BIGNUM *base = number_of(x + i * width, width), *exponent = number_of(e + i * E, E);
        bn_power(wanted, base, exponent, p, context);
        CHECK(equals(out + i * size, size, wanted));
        BN_free(base);
        BN_free(exponent);
    }

    moduli_status inverse_status = moduli_invert_batch(modulus, statuses, out, size, x, width, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        BIGNUM *base = number_of(x + i * width, width);
        int invertible = BN_mod_inverse(wanted, base, p, context) != NULL;
        CHECK(statuses[i] == (invertible ? MODULI_STATUS_OK : MODULI_STATUS_NOT_INVERTIBLE));
        CHECK(invertible ? equals(out + i * size, size, wanted) : is_zero(out + i * size, size));
        if (!invertible) {
            first = MODULI_STATUS_NOT_INVERTIBLE;
        }
        BN_free(base);
    }
    CHECK(inverse_status == first);

    moduli_status signed_status =
        moduli_pow_batch(modulus, statuses, out, size, x, width, e, E, negative, ROWS);
    CHECK(signed_status == first);
    for (size_t i = 0; i < ROWS; i++) {
        BIGNUM *base = number_of(x + i * width, width), *exponent = number_of(e + i * E, E);
        int invertible = BN_mod_inverse(wanted, base, p, context) != NULL;
        CHECK(statuses[i] == (invertible ? MODULI_STATUS_OK : MODULI_STATUS_NOT_INVERTIBLE));
        if (invertible) {
            bn_power(wanted, negative[i] ? wanted : base, exponent, p, context);
            CHECK(equals(out + i * size, size, wanted));
        } else {
            CHECK(is_zero(out + i * size, size));
        }
        BN_free(base);
        BN_free(exponent);
    }
    BN_free(wanted);
    free(x);
    free(out);
}

/* The products of powers of the rows that have inverses, of none to all of them, with and without signs. */
static void products(const moduli_modulus *modulus, const BIGNUM *p, BN_CTX *context) {
    enum { E = 5 };
    size_t size = moduli_modulus_size(modulus), width = size + 1;
    uint8_t *x = malloc(ROWS * width), out[MAX_BYTES], e[ROWS * E], negative[ROWS];
    BIGNUM *wanted = BN_new(), *power = BN_new();
    CHECK(x != NULL && wanted != NULL && power != NULL);
    random_bytes(e, sizeof e);
    random_bytes(negative, sizeof negative);
    memset(e, 0, E);
    memset(e + E, 0xff, E);
    negative[1] = 1;
    negative[2] = 0;
    for (int i = 0; i < ROWS; i++) {
        operand(x + (size_t)i * width, width, i == 0 ? 1 : i, p);
        BIGNUM *base = number_of(x + (size_t)i * width, width);
        if (BN_mod_inverse(power, base, p, context) == NULL) {
            operand(x + (size_t)i * width, width, 2, p);
        }
        BN_free(base);
    }
    for (int form = 0; form < 2; form++) {
        const uint8_t *signs = form ? negative : NULL;
        CHECK(BN_one(wanted));
        for (size_t rows = 0; rows <= ROWS; rows++) {
            if (rows < 3 || rows == ROWS) {
                EXPECT(MODULI_STATUS_OK, moduli_multi_pow(modulus, out, size, x, width, e, E, signs, rows));
                CHECK(equals(out, size, wanted));
                EXPECT(MODULI_STATUS_OK, moduli_multi_pow_vartime(modulus, out, size, x, width, e, E, signs, rows));
                CHECK(equals(out, size, wanted));
            }
            if (rows < ROWS) {
                BIGNUM *base = number_of(x + rows * width, width), *exponent = number_of(e + rows * E, E);
                CHECK(!signs || !signs[rows] || BN_mod_inverse(base, base, p, context) != NULL);
                bn_power(power, base, exponent, p, context);
                CHECK(BN_mod_mul(wanted, wanted, power, p, context));
                BN_free(base);
                BN_free(exponent);
            }
        }
    }
    BN_free(wanted);
    BN_free(power);
    free(x);
}

static void length(int bits) {
    uint8_t bytes[MAX_BYTES + 9] = {0}, back[MAX_BYTES];
    BIGNUM *p = odd_number(bits);
    size_t size = (size_t)BN_num_bytes(p);
    BN_CTX *context = BN_CTX_new();
    CHECK(context != NULL && BN_num_bits(p) == bits);
    /* Leading zeros do not count. */
    CHECK(BN_bn2bin(p, bytes + 9) == (int)size);
    moduli_modulus *modulus;
    EXPECT(MODULI_STATUS_OK, moduli_modulus_new(&modulus, bytes, size + 9));
    CHECK(moduli_modulus_size(modulus) == size && moduli_modulus_bits(modulus) == (uint32_t)bits);
    CHECK(strlen(moduli_modulus_kernel(modulus)) > 0);
    EXPECT(MODULI_STATUS_OK, moduli_modulus_bytes(modulus, back, size));
    CHECK(memcmp(back, bytes + 9, size) == 0);
    for (int i = 0; i < OPERANDS; i++) {
        single(modulus, p, i, context);
    }
    batches(modulus, p, context);
    products(modulus, p, context);
    moduli_modulus_free(modulus);
    BN_CTX_free(context);
    BN_free(p);
}

/* Modulo 2^twos times an odd number of so many bits, 1 for none. */
static void even(int bits, int twos) {
    BIGNUM *m = bits ? odd_number(bits) : BN_new(), *wanted = BN_new();
    BN_CTX *context = BN_CTX_new();
    uint8_t bytes[MAX_BYTES], x[MAX_BYTES + 9], e[MAX_BYTES], out[MAX_BYTES];
    CHECK(m && wanted && context && (bits || BN_one(m)) && BN_lshift(m, m, twos));
    size_t size = (size_t)BN_bn2bin(m, bytes);
    moduli_even_modulus *even;
    EXPECT(MODULI_STATUS_OK, moduli_even_modulus_new(&even, bytes, size));
    CHECK(moduli_even_modulus_size(even) == size);
    for (int i = 0; i < OPERANDS; i++) {
        size_t x_len = size + (size_t)i, e_len = (size_t)i * 9;
        operand(x, x_len, i, m);
        operand(e, e_len, i < 3 ? i : 6, m);
        BIGNUM *base = number_of(x, x_len), *exponent = number_of(e, e_len);
        bn_power(wanted, base, exponent, m, context);
        EXPECT(MODULI_STATUS_OK, moduli_even_pow(even, out, size, x, x_len, e, e_len));
        CHECK(equals(out, size, wanted));
        EXPECT(MODULI_STATUS_OK, moduli_even_pow_vartime(even, out, size, x, x_len, e, e_len));
        CHECK(equals(out, size, wanted));
        for (int odd = 0; odd < 2; odd++) {
            /* Half of the operands are even, and have no inverse. */
            x[x_len - 1] |= (uint8_t)odd;
            CHECK(BN_bin2bn(x, (int)x_len, base));
            int invertible = BN_mod_inverse(wanted, base, m, context) != NULL;
            moduli_status status = invertible ? MODULI_STATUS_OK : MODULI_STATUS_NOT_INVERTIBLE;
            memset(out, 0xaa, sizeof out);
            EXPECT(status, moduli_even_invert(even, out, size, x, x_len));
            CHECK(invertible ? equals(out, size, wanted) : is_zero(out, size));
            EXPECT(status, moduli_even_invert_vartime(even, out, size, x, x_len));
            CHECK(invertible ? equals(out, size, wanted) : is_zero(out, size));
            EXPECT(status, moduli_invert_modulo_vartime(out, size, x, x_len, bytes, size));
            CHECK(invertible ? equals(out, size, wanted) : is_zero(out, size));
        }
        BN_free(base);
        BN_free(exponent);
    }
    moduli_even_modulus_free(even);
    BN_CTX_free(context);
    BN_free(m);
    BN_free(wanted);
}

/* Of so many bits: a prime of OpenSSL's, its square, and numbers that OpenSSL decides about. */
static void primes(int bits) {
    BIGNUM *n = BN_new(), *square = BN_new();
    BN_CTX *context = BN_CTX_new();
    uint8_t bytes[MAX_BYTES];
    CHECK(n && square && context && BN_generate_prime_ex(n, bits, 0, NULL, NULL, NULL) && BN_sqr(square, n, context));
    for (int i = 0; i < 22; i++) {
        const BIGNUM *number = i == 1 ? square : n;
        int32_t prime = 7, wanted = BN_check_prime(number, context, NULL);
        CHECK(BN_bn2binpad(number, bytes, bits / 4 + 1) > 0 && (i > 1 || wanted == (i == 0)));
        EXPECT(MODULI_STATUS_OK, moduli_is_probable_prime_vartime(&prime, bytes, (size_t)(bits / 4 + 1), 20));
        CHECK(prime == wanted);
        CHECK(i == 0 || BN_sub_word(n, 1));
    }
    BN_CTX_free(context);
    BN_free(n);
    BN_free(square);
}

void test_arithmetic(int quick) {
    static const int few[] = {2, 3, 63, 64, 65, 256, 521};
    static const int more[] = {2,   3,   4,   5,   7,    8,    9,    31,   33,   63,   64,   65,   100,  127,  128, 129,
                               192, 255, 256, 257, 320,  383,  384,  448,  511,  512,  513,  521,  640,  768,  832, 1000,
                               1023, 1024, 1025, 1536, 2047, 2048, 2049, 2560, 3072, 3584, 4095, 4096};
    static const int of_primes[] = {6, 16, 32, 33, 64, 65, 200, 512};
    for (size_t i = 0; i < sizeof of_primes / sizeof *of_primes - (quick ? 2 : 0); i++) {
        primes(of_primes[i]);
    }
    const int *lengths = quick ? few : more;
    size_t count = quick ? sizeof few / sizeof *few : sizeof more / sizeof *more;
    for (size_t i = 0; i < count; i++) {
        length(lengths[i]);
        even(lengths[i], 1 + (int)i * 11);
        even(0, lengths[i]);
    }
    /* 2, and 2 and 4 times 3. */
    even(0, 1);
    even(2, 1);
    even(2, 2);
}

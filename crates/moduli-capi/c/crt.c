/* Powers by the owner of the factors, beside OpenSSL's. */

#include "check.h"

static void factors(int bits, uint32_t k) {
    uint8_t p_bytes[MAX_BYTES], q_bytes[MAX_BYTES], x[2 * MAX_BYTES], e[2 * MAX_BYTES], out[2 * MAX_BYTES];
    BIGNUM *p = BN_new(), *q = BN_new(), *n = BN_new(), *wanted = BN_new(), *power_of_n = BN_new();
    BN_CTX *context = BN_CTX_new();
    CHECK(p && q && n && wanted && power_of_n && context);
    CHECK(BN_generate_prime_ex(p, bits, 0, NULL, NULL, NULL) && BN_generate_prime_ex(q, bits + 7, 0, NULL, NULL, NULL));
    CHECK(BN_mul(power_of_n, p, q, context) && BN_one(n));
    for (uint32_t i = 0; i < k; i++) {
        CHECK(BN_mul(n, n, power_of_n, context));
    }
    size_t p_size = (size_t)BN_bn2bin(p, p_bytes), q_size = (size_t)BN_bn2bin(q, q_bytes), size = (size_t)BN_num_bytes(n);
    moduli_crt_modulus *crt;
    moduli_modulus *modulus;
    EXPECT(MODULI_STATUS_OK, moduli_crt_modulus_new(&crt, p_bytes, p_size, q_bytes, q_size, k));
    CHECK(moduli_crt_modulus_size(crt) == size && size <= MAX_BYTES);
    for (int i = 0; i < 8; i++) {
        size_t x_len = size + (i == 6 ? 40 : 1), e_len = i == 7 ? size + 5 : (size_t)i * 7 % 40;
        operand(x, x_len, i, i == 3 ? p : n);
        operand(e, e_len, i < 3 ? i : 6, n);
        BIGNUM *base = number_of(x, x_len), *exponent = number_of(e, e_len);
        CHECK(BN_is_zero(exponent) ? BN_one(wanted) : BN_mod_exp(wanted, base, exponent, n, context));
        EXPECT(MODULI_STATUS_OK, moduli_crt_pow(crt, out, size, x, x_len, e, e_len));
        CHECK(equals(out, size, wanted));
        int invertible = BN_mod_inverse(base, base, n, context) != NULL;
        EXPECT(invertible ? MODULI_STATUS_OK : MODULI_STATUS_NOT_INVERTIBLE,
               moduli_crt_pow_signed(crt, out, size, x, x_len, e, e_len, 0));
        CHECK(invertible ? equals(out, size, wanted) : is_zero(out, size));
        if (invertible) {
            CHECK(BN_is_zero(exponent) ? BN_one(wanted) : BN_mod_exp(wanted, base, exponent, n, context));
            EXPECT(MODULI_STATUS_OK, moduli_crt_pow_signed(crt, out, size, x, x_len, e, e_len, 2));
            CHECK(equals(out, size, wanted));
        }
        BN_free(base);
        BN_free(exponent);
    }
    EXPECT(MODULI_STATUS_OK, moduli_crt_modulus_public(crt, &modulus));
    moduli_crt_modulus_free(crt);
    EXPECT(MODULI_STATUS_OK, moduli_modulus_bytes(modulus, out, size));
    CHECK(equals(out, size, n));
    moduli_modulus_free(modulus);
    BN_free(p);
    BN_free(q);
    BN_free(n);
    BN_free(wanted);
    BN_free(power_of_n);
    BN_CTX_free(context);
}

void test_crt(int quick) {
    static const int lengths[] = {16, 64, 200, 512, 1024};
    for (size_t i = 0; i < (quick ? 2 : 5); i++) {
        factors(lengths[i], 1);
        factors(lengths[i], 2);
    }
}

#ifndef MODULI_GMP_H
#define MODULI_GMP_H

/* For programs that use GMP: powers and inverses of mpz_t by libmoduli. The arguments are in the order of GMP and of
 * GMPMEE (GMP Modular Exponentiation Extension). This is a header-only interface to moduli.h and gmp.h: link with both
 * libraries.
 *
 * Results are in 0 ... |modulus| - 1. A result may be the same variable as an operand. libmoduli does not support a
 * modulus of 1, moduli longer than 65536 bits, nor operands longer than MODULI_MAX_NUMBER_BYTES. For these and for even
 * moduli, functions for public values call GMP. Functions for secret values fail for them, except that
 * moduli_mpz_powm_sec and moduli_mpz_invert_sec support even moduli.
 *
 * Status: MODULI_STATUS_OK or an error, as in moduli.h; after an error the result is 0. A modulus of 0 gives
 * MODULI_STATUS_MODULUS, and a negative exponent of a base without an inverse gives MODULI_STATUS_NOT_INVERTIBLE; GMP
 * divides by zero in both cases. Running out of memory ends the process.
 *
 * Secrets: an mpz_t stores the number of its limbs. So the functions for secret values (_sec) are constant-time except
 * for the numbers of limbs, like mpz_powm_sec. Copies of operands and results are wiped; you must wipe your variables.
 *
 * moduli_mpz_invert, for public numbers, prepares nothing: it calls GMP where that is faster.
 *
 * If you use a modulus repeatedly, prepare it once with moduli_modulus_new, and call moduli_pow. Preparing takes about a
 * hundred products; a power takes thousands. */

#include <gmp.h>
#include <stdlib.h>

#include "moduli.h"

/* Bytes in a buffer that is wiped before it is given back. */
typedef struct {
    uint8_t *bytes;
    size_t length;
} moduli_mpz_buffer;

static inline moduli_mpz_buffer moduli_mpz_buffer_new(size_t length) {
    moduli_mpz_buffer buffer;
    buffer.bytes = (uint8_t *)calloc(length + 1, 1);
    buffer.length = length;
    if (buffer.bytes == NULL) {
        abort();
    }
    return buffer;
}

static inline void moduli_mpz_buffer_free(moduli_mpz_buffer buffer) {
    volatile uint8_t *bytes = buffer.bytes;
    for (size_t i = 0; i < buffer.length; i++) {
        bytes[i] = 0;
    }
    free(buffer.bytes);
}

/* Writes |x|, big-endian, to `length` bytes: whole limbs, at least as many as x has. Its time depends only on the number of
 * limbs. */
static inline void moduli_mpz_write(uint8_t *out, size_t length, mpz_srcptr x) {
    size_t limbs = mpz_size(x);
    for (size_t i = 0; i < length; i++) {
        size_t limb = i / sizeof(mp_limb_t);
        mp_limb_t value = limb < limbs ? mpz_getlimbn(x, (mp_size_t)limb) : 0;
        out[length - 1 - i] = (uint8_t)(value >> (8 * (i % sizeof(mp_limb_t))));
    }
}

static inline size_t moduli_mpz_length(mpz_srcptr x) {
    return mpz_size(x) * sizeof(mp_limb_t);
}

static inline moduli_mpz_buffer moduli_mpz_bytes(mpz_srcptr x) {
    moduli_mpz_buffer buffer = moduli_mpz_buffer_new(moduli_mpz_length(x));
    moduli_mpz_write(buffer.bytes, buffer.length, x);
    return buffer;
}

/* Takes a result, or 0 after an error. */
static inline moduli_status moduli_mpz_take(mpz_ptr rop, moduli_status status, moduli_mpz_buffer result) {
    if (status == MODULI_STATUS_OK) {
        mpz_import(rop, result.length, 1, 1, 1, 0, result.bytes);
    } else {
        mpz_set_ui(rop, 0);
    }
    moduli_mpz_buffer_free(result);
    return status;
}

/* Whether |modulus| is odd, and libmoduli supports it. */
static inline int moduli_mpz_is_served(mpz_srcptr modulus) {
    return mpz_odd_p(modulus) && mpz_cmpabs_ui(modulus, 1) > 0 && mpz_sizeinbase(modulus, 2) <= 65536;
}

/* Whether libmoduli takes an operand of this length. */
static inline int moduli_mpz_fits(mpz_srcptr x) {
    return moduli_mpz_length(x) <= MODULI_MAX_NUMBER_BYTES;
}

static inline moduli_status moduli_mpz_modulus(moduli_modulus **out, mpz_srcptr modulus) {
    moduli_mpz_buffer bytes = moduli_mpz_bytes(modulus);
    moduli_status status = moduli_modulus_new(out, bytes.bytes, bytes.length);
    moduli_mpz_buffer_free(bytes);
    return status;
}

/* rop = base^exp mod |mod| by GMP, for a modulus or operands that libmoduli does not support. */
static inline moduli_status moduli_mpz_powm_by_gmp(mpz_ptr rop, mpz_srcptr base, mpz_srcptr exp, mpz_srcptr mod) {
    moduli_status status = mpz_sgn(mod) == 0 ? MODULI_STATUS_MODULUS : MODULI_STATUS_OK;
    if (status == MODULI_STATUS_OK && mpz_sgn(exp) < 0) {
        mpz_t divisor;
        mpz_init(divisor);
        mpz_gcd(divisor, base, mod);
        if (mpz_cmp_ui(divisor, 1) != 0) {
            status = MODULI_STATUS_NOT_INVERTIBLE;
        }
        mpz_clear(divisor);
    }
    if (status == MODULI_STATUS_OK) {
        mpz_powm(rop, base, exp, mod);
    } else {
        mpz_set_ui(rop, 0);
    }
    return status;
}

/* x modulo p, as bytes. A negative x is p - (|x| mod p): its sign is public. */
static inline moduli_status moduli_mpz_residue(const moduli_modulus *modulus, moduli_mpz_buffer *out, mpz_srcptr x) {
    moduli_status status;
    *out = moduli_mpz_bytes(x);
    if (mpz_sgn(x) >= 0) {
        return MODULI_STATUS_OK;
    }
    /* (p - 1)*|x| = x modulo p. */
    size_t size = moduli_modulus_size(modulus);
    moduli_mpz_buffer minus_one = moduli_mpz_buffer_new(size), negated = moduli_mpz_buffer_new(size);
    status = moduli_modulus_bytes(modulus, minus_one.bytes, minus_one.length);
    if (status == MODULI_STATUS_OK) {
        minus_one.bytes[minus_one.length - 1] ^= 1;
        status = moduli_mul(modulus, negated.bytes, negated.length, minus_one.bytes, minus_one.length, out->bytes, out->length);
    }
    moduli_mpz_buffer_free(minus_one);
    moduli_mpz_buffer_free(*out);
    *out = negated;
    return status;
}

/* What mpz_powm and mpz_powm_sec share. */
static inline moduli_status moduli_mpz_power(mpz_ptr rop, mpz_srcptr base, mpz_srcptr exp, mpz_srcptr mod, int secret) {
    moduli_modulus *modulus;
    moduli_status status = moduli_mpz_modulus(&modulus, mod);
    if (status != MODULI_STATUS_OK) {
        mpz_set_ui(rop, 0);
        return status;
    }
    moduli_mpz_buffer x, e = moduli_mpz_bytes(exp);
    moduli_mpz_buffer out = moduli_mpz_buffer_new(moduli_modulus_size(modulus));
    status = moduli_mpz_residue(modulus, &x, base);
    if (status == MODULI_STATUS_OK && mpz_sgn(exp) < 0) {
        moduli_mpz_buffer inverse = moduli_mpz_buffer_new(out.length);
        status = moduli_invert_vartime(modulus, inverse.bytes, inverse.length, x.bytes, x.length);
        moduli_mpz_buffer_free(x);
        x = inverse;
    }
    if (status == MODULI_STATUS_OK) {
        status = secret ? moduli_pow(modulus, out.bytes, out.length, x.bytes, x.length, e.bytes, e.length)
                        : moduli_pow_vartime(modulus, out.bytes, out.length, x.bytes, x.length, e.bytes, e.length);
    }
    moduli_mpz_buffer_free(x);
    moduli_mpz_buffer_free(e);
    moduli_modulus_free(modulus);
    return moduli_mpz_take(rop, status, out);
}

/* rop = base^exp mod |mod|, as mpz_powm. VARIABLE-TIME. */
static inline moduli_status moduli_mpz_powm(mpz_ptr rop, mpz_srcptr base, mpz_srcptr exp, mpz_srcptr mod) {
    return moduli_mpz_is_served(mod) && moduli_mpz_fits(base) && moduli_mpz_fits(exp)
               ? moduli_mpz_power(rop, base, exp, mod, 0)
               : moduli_mpz_powm_by_gmp(rop, base, exp, mod);
}

static inline moduli_status moduli_mpz_even_modulus(moduli_even_modulus **out, mpz_srcptr modulus) {
    moduli_mpz_buffer bytes = moduli_mpz_bytes(modulus);
    moduli_status status = moduli_even_modulus_new(out, bytes.bytes, bytes.length);
    moduli_mpz_buffer_free(bytes);
    return status;
}

/* The same for an even modulus and a secret base that is not negative. */
static inline moduli_status moduli_mpz_even_power(mpz_ptr rop, mpz_srcptr base, mpz_srcptr exp, mpz_srcptr mod) {
    moduli_even_modulus *modulus;
    moduli_status status = moduli_mpz_even_modulus(&modulus, mod);
    if (status != MODULI_STATUS_OK) {
        mpz_set_ui(rop, 0);
        return status;
    }
    moduli_mpz_buffer x = moduli_mpz_bytes(base), e = moduli_mpz_bytes(exp);
    moduli_mpz_buffer out = moduli_mpz_buffer_new(moduli_even_modulus_size(modulus));
    status = moduli_even_pow(modulus, out.bytes, out.length, x.bytes, x.length, e.bytes, e.length);
    moduli_mpz_buffer_free(x);
    moduli_mpz_buffer_free(e);
    moduli_even_modulus_free(modulus);
    return moduli_mpz_take(rop, status, out);
}

/* rop = base^exp mod |mod| for a secret base and exponent, as mpz_powm_sec; exp = 0 gives 1, and mod may be
 * even. Constant-time except for the numbers of limbs and the sign of the base. MODULI_STATUS_MODULUS for a modulus that
 * libmoduli does not support, MODULI_STATUS_LENGTH for an operand that is too long, MODULI_STATUS_PARAMETER for exp < 0,
 * and for a negative base with an even modulus. */
static inline moduli_status moduli_mpz_powm_sec(mpz_ptr rop, mpz_srcptr base, mpz_srcptr exp, mpz_srcptr mod) {
    moduli_status status = MODULI_STATUS_PARAMETER;
    if (mpz_sgn(exp) >= 0 && moduli_mpz_is_served(mod)) {
        return moduli_mpz_power(rop, base, exp, mod, 1);
    }
    if (mpz_sgn(exp) >= 0 && mpz_odd_p(mod)) {
        status = MODULI_STATUS_MODULUS;
    } else if (mpz_sgn(exp) >= 0 && mpz_sgn(base) >= 0) {
        return moduli_mpz_even_power(rop, base, exp, mod);
    }
    mpz_set_ui(rop, 0);
    return status;
}

/* Whether libmoduli inverts public numbers faster than GMP. Shorter ones take less time than their conversion to bytes; for
 * longer ones GMP's algorithm is asymptotically faster. */
static inline int moduli_mpz_invert_is_faster(mpz_srcptr modulus) {
    size_t bits = mpz_sizeinbase(modulus, 2);
    return bits > 512 && bits <= 16384;
}

/* rop = op1^(-1) mod |op2|, as mpz_invert, except that the return value is a status: MODULI_STATUS_OK, which is 0, where
 * mpz_invert returns nonzero; MODULI_STATUS_NOT_INVERTIBLE, with rop = 0, where it returns 0. VARIABLE-TIME. */
static inline moduli_status moduli_mpz_invert(mpz_ptr rop, mpz_srcptr op1, mpz_srcptr op2) {
    moduli_status status = MODULI_STATUS_OK;
    if (!moduli_mpz_invert_is_faster(op2)) {
        if (mpz_sgn(op2) == 0) {
            status = MODULI_STATUS_MODULUS;
        } else if (mpz_invert(rop, op1, op2) == 0) {
            status = MODULI_STATUS_NOT_INVERTIBLE;
        }
        if (status != MODULI_STATUS_OK) {
            mpz_set_ui(rop, 0);
        }
        return status;
    }
    moduli_mpz_buffer m = moduli_mpz_bytes(op2), x = moduli_mpz_buffer_new(m.length), out = moduli_mpz_buffer_new(m.length);
    if (mpz_sgn(op1) >= 0 && mpz_cmpabs(op1, op2) < 0) {
        moduli_mpz_write(x.bytes, x.length, op1);
    } else {
        mpz_t reduced;
        mpz_init(reduced);
        mpz_mod(reduced, op1, op2);
        moduli_mpz_write(x.bytes, x.length, reduced);
        mpz_clear(reduced);
    }
    status = moduli_invert_modulo_vartime(out.bytes, out.length, x.bytes, x.length, m.bytes, m.length);
    moduli_mpz_buffer_free(x);
    moduli_mpz_buffer_free(m);
    return moduli_mpz_take(rop, status, out);
}

/* The same for an odd modulus and a secret op1. */
static inline moduli_status moduli_mpz_odd_inverse(mpz_ptr rop, mpz_srcptr op1, mpz_srcptr op2) {
    moduli_modulus *modulus;
    moduli_status status = moduli_mpz_modulus(&modulus, op2);
    if (status != MODULI_STATUS_OK) {
        mpz_set_ui(rop, 0);
        return status;
    }
    moduli_mpz_buffer x, out = moduli_mpz_buffer_new(moduli_modulus_size(modulus));
    status = moduli_mpz_residue(modulus, &x, op1);
    if (status == MODULI_STATUS_OK) {
        status = moduli_invert(modulus, out.bytes, out.length, x.bytes, x.length);
    }
    moduli_mpz_buffer_free(x);
    moduli_modulus_free(modulus);
    return moduli_mpz_take(rop, status, out);
}

/* The same for an even modulus and a secret number. */
static inline moduli_status moduli_mpz_even_inverse(mpz_ptr rop, mpz_srcptr op1, mpz_srcptr op2) {
    moduli_even_modulus *modulus;
    moduli_status status = moduli_mpz_even_modulus(&modulus, op2);
    if (status != MODULI_STATUS_OK) {
        mpz_set_ui(rop, 0);
        return status;
    }
    moduli_mpz_buffer x = moduli_mpz_bytes(op1), out = moduli_mpz_buffer_new(moduli_even_modulus_size(modulus));
    status = moduli_even_invert(modulus, out.bytes, out.length, x.bytes, x.length);
    moduli_mpz_buffer_free(x);
    moduli_even_modulus_free(modulus);
    if (status == MODULI_STATUS_OK && mpz_sgn(op1) < 0) {
        /* |op2| minus the inverse of |op1|, which is not 0. */
        moduli_mpz_buffer m = moduli_mpz_bytes(op2);
        uint32_t borrow = 0;
        for (size_t i = 1; i <= out.length; i++) {
            uint32_t all = (uint32_t)m.bytes[m.length - i] - out.bytes[out.length - i] - borrow;
            out.bytes[out.length - i] = (uint8_t)all;
            borrow = all >> 31;
        }
        moduli_mpz_buffer_free(m);
    }
    return moduli_mpz_take(rop, status, out);
}

/* The same for a secret op1; op2 may be even. Constant-time except for the numbers of limbs, the sign of op1 and whether
 * there is an inverse. MODULI_STATUS_MODULUS for a modulus that libmoduli does not support, MODULI_STATUS_LENGTH for an op1
 * that is too long. */
static inline moduli_status moduli_mpz_invert_sec(mpz_ptr rop, mpz_srcptr op1, mpz_srcptr op2) {
    if (moduli_mpz_is_served(op2)) {
        return moduli_mpz_odd_inverse(rop, op1, op2);
    }
    if (mpz_even_p(op2)) {
        return moduli_mpz_even_inverse(rop, op1, op2);
    }
    mpz_set_ui(rop, 0);
    return MODULI_STATUS_MODULUS;
}

/* rop = the product of bases[i]^exponents[i] mod |modulus| for len of them, 1 for none, as
 * gmpmee_spowm. VARIABLE-TIME. Runs on all cores. */
static inline moduli_status moduli_mpz_spowm(mpz_ptr rop, mpz_t *bases, mpz_t *exponents, size_t len, mpz_srcptr modulus) {
    moduli_status status = MODULI_STATUS_OK;
    size_t x_width = moduli_mpz_length(modulus), e_width = 1;
    mpz_t reduced;
    for (size_t i = 0; i < len; i++) {
        e_width = moduli_mpz_length(exponents[i]) > e_width ? moduli_mpz_length(exponents[i]) : e_width;
    }
    if (!moduli_mpz_is_served(modulus) || e_width > MODULI_MAX_NUMBER_BYTES) {
        mpz_t product, m;
        mpz_init_set_ui(product, 1);
        mpz_init_set(m, modulus);
        mpz_init(reduced);
        status = mpz_sgn(m) == 0 ? MODULI_STATUS_MODULUS : MODULI_STATUS_OK;
        for (size_t i = 0; i < len && status == MODULI_STATUS_OK; i++) {
            status = moduli_mpz_powm_by_gmp(reduced, bases[i], exponents[i], m);
            mpz_mul(product, product, reduced);
            mpz_mod(product, product, m);
        }
        if (status != MODULI_STATUS_OK) {
            mpz_set_ui(rop, 0);
        } else {
            mpz_mod(rop, product, m);
        }
        mpz_clear(product);
        mpz_clear(m);
        mpz_clear(reduced);
        return status;
    }
    moduli_modulus *prepared;
    status = moduli_mpz_modulus(&prepared, modulus);
    if (status != MODULI_STATUS_OK) {
        mpz_set_ui(rop, 0);
        return status;
    }
    if (len > (SIZE_MAX - 1) / (x_width > e_width ? x_width : e_width)) {
        abort();
    }
    moduli_mpz_buffer x = moduli_mpz_buffer_new(len * x_width), e = moduli_mpz_buffer_new(len * e_width);
    moduli_mpz_buffer signs = moduli_mpz_buffer_new(len), out = moduli_mpz_buffer_new(moduli_modulus_size(prepared));
    mpz_init(reduced);
    for (size_t i = 0; i < len; i++) {
        /* Of the width of the modulus. */
        mpz_mod(reduced, bases[i], modulus);
        moduli_mpz_write(x.bytes + i * x_width, x_width, reduced);
        moduli_mpz_write(e.bytes + i * e_width, e_width, exponents[i]);
        signs.bytes[i] = mpz_sgn(exponents[i]) < 0;
    }
    mpz_clear(reduced);
    status = moduli_multi_pow_vartime(prepared, out.bytes, out.length, x.bytes, x_width, e.bytes, e_width, signs.bytes, len);
    moduli_mpz_buffer_free(x);
    moduli_mpz_buffer_free(e);
    moduli_mpz_buffer_free(signs);
    moduli_modulus_free(prepared);
    return moduli_mpz_take(rop, status, out);
}

/* A table of the powers of a basis, as gmpmee_fpowm_tab. Threads may share a table that is filled. */
typedef struct {
    mpz_t modulus;
    mpz_t basis;
    uint64_t budget;
    uint32_t exponent_bitlen;
    moduli_fixed_base *table; /* NULL: none yet, or the modulus is one for GMP, or the basis is 0 modulo it. */
} moduli_mpz_fpowm_tab[1];

/* Prepares a table without a basis, as gmpmee_fpowm_init. The table takes at most as many bytes as GMPMEE's, which is
 * 2^block_width numbers of the length of the modulus, with limits of 64 KiB and 1 GiB. exponent_bitlen: the expected length
 * of exponents, 1 to 131072 bits; exponents of other lengths work, too. */
static inline moduli_status moduli_mpz_fpowm_init(moduli_mpz_fpowm_tab table, mpz_srcptr modulus, size_t block_width,
                                                  size_t exponent_bitlen) {
    uint64_t entry = moduli_mpz_length(modulus) + 1, most = (uint64_t)1 << 30, least = (uint64_t)1 << 16;
    mpz_init_set(table->modulus, modulus);
    mpz_init(table->basis);
    table->budget = block_width >= 30 || entry > (most >> block_width) ? most : entry << block_width;
    table->budget = table->budget < least ? least : table->budget;
    table->exponent_bitlen = (uint32_t)(exponent_bitlen < UINT32_MAX ? exponent_bitlen : UINT32_MAX);
    table->table = NULL;
    if (mpz_sgn(modulus) == 0) {
        return MODULI_STATUS_MODULUS;
    }
    return exponent_bitlen >= 1 && exponent_bitlen <= 131072 ? MODULI_STATUS_OK : MODULI_STATUS_PARAMETER;
}

/* Frees the memory of a table, once, whatever moduli_mpz_fpowm_init returned; as gmpmee_fpowm_clear. */
static inline void moduli_mpz_fpowm_clear(moduli_mpz_fpowm_tab table) {
    mpz_clear(table->modulus);
    mpz_clear(table->basis);
    moduli_fixed_base_free(table->table);
    table->table = NULL;
}

/* Fills the table with the powers of a basis, and replaces those of another basis; as
 * gmpmee_fpowm_precomp. */
static inline moduli_status moduli_mpz_fpowm_precomp(moduli_mpz_fpowm_tab table, mpz_srcptr basis) {
    moduli_modulus *modulus;
    moduli_status status;
    moduli_fixed_base_free(table->table);
    table->table = NULL;
    if (mpz_sgn(table->modulus) == 0) {
        return MODULI_STATUS_MODULUS;
    }
    mpz_mod(table->basis, basis, table->modulus);
    if (!moduli_mpz_is_served(table->modulus) || mpz_sgn(table->basis) == 0) {
        return MODULI_STATUS_OK;
    }
    status = moduli_mpz_modulus(&modulus, table->modulus);
    if (status != MODULI_STATUS_OK) {
        return status;
    }
    moduli_mpz_buffer x = moduli_mpz_bytes(table->basis);
    status = moduli_fixed_base_build(modulus, &table->table, x.bytes, x.length, NULL, 0, table->exponent_bitlen, table->budget,
                                     MODULI_SECRECY_PUBLIC);
    moduli_mpz_buffer_free(x);
    moduli_modulus_free(modulus);
    return status;
}

/* Both in one call, as gmpmee_fpowm_init_precomp. */
static inline moduli_status moduli_mpz_fpowm_init_precomp(moduli_mpz_fpowm_tab table, mpz_srcptr basis, mpz_srcptr modulus,
                                                          size_t block_width, size_t exponent_bitlen) {
    moduli_status status = moduli_mpz_fpowm_init(table, modulus, block_width, exponent_bitlen);
    return status == MODULI_STATUS_OK ? moduli_mpz_fpowm_precomp(table, basis) : status;
}

static inline moduli_status moduli_mpz_fpowm_with(mpz_ptr rop, moduli_mpz_fpowm_tab table, mpz_srcptr exponent, int secret) {
    if (secret && (table->table == NULL || mpz_sgn(exponent) < 0)) {
        mpz_set_ui(rop, 0);
        return table->table == NULL ? MODULI_STATUS_MODULUS : MODULI_STATUS_PARAMETER;
    }
    if (!secret && (table->table == NULL || mpz_sgn(exponent) < 0 || !moduli_mpz_fits(exponent))) {
        return moduli_mpz_powm(rop, table->basis, exponent, table->modulus);
    }
    moduli_mpz_buffer e = moduli_mpz_bytes(exponent), out = moduli_mpz_buffer_new(moduli_fixed_base_size(table->table));
    moduli_status status = secret ? moduli_fixed_base_pow_long(table->table, out.bytes, out.length, e.bytes, e.length)
                                  : moduli_fixed_base_pow_long_vartime(table->table, out.bytes, out.length, e.bytes, e.length);
    moduli_mpz_buffer_free(e);
    return moduli_mpz_take(rop, status, out);
}

/* rop = basis^exponent, as gmpmee_fpowm; the exponent may be longer than exponent_bitlen, or negative. VARIABLE-TIME. */
static inline moduli_status moduli_mpz_fpowm(mpz_ptr rop, moduli_mpz_fpowm_tab table, mpz_srcptr exponent) {
    return moduli_mpz_fpowm_with(rop, table, exponent, 0);
}

/* rop = basis^exponent for a secret exponent. Constant-time except for its number of limbs. MODULI_STATUS_MODULUS for a
 * modulus that libmoduli does not support or a basis that is 0 modulo it, MODULI_STATUS_PARAMETER for a negative
 * exponent, MODULI_STATUS_LENGTH for one that is too long. */
static inline moduli_status moduli_mpz_fpowm_sec(mpz_ptr rop, moduli_mpz_fpowm_tab table, mpz_srcptr exponent) {
    return moduli_mpz_fpowm_with(rop, table, exponent, 1);
}

#endif /* MODULI_GMP_H */

/* A caller may have changed how its thread rounds: the kernel on doubles is exact in every mode, and results stay the same. */

#include "check.h"

#ifdef __SSE__
#include <xmmintrin.h>

/* All exceptions masked; the four modes of rounding; and numbers that are denormal taken for 0, as fast arithmetic may want
 * it. */
static const unsigned int MODES[] = {0x1f80, 0x3f80, 0x5f80, 0x7f80, 0x9fc0, 0xffc0};
#define COUNT (sizeof MODES / sizeof *MODES)

/* Powers, an inverse and powers by a table, one after the other. */
static void work(const moduli_modulus *modulus, const moduli_fixed_base *table, const uint8_t *x, const uint8_t *e, size_t size,
                 uint8_t *out) {
    EXPECT(MODULI_STATUS_OK, moduli_pow(modulus, out, size, x, size, e, 32));
    EXPECT(MODULI_STATUS_OK, moduli_pow_vartime(modulus, out + size, size, x, size, e, 32));
    EXPECT(MODULI_STATUS_OK, moduli_mul(modulus, out + 2 * size, size, x, size, out, size));
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow(table, out + 3 * size, size, e, 32));
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_pow_vartime(table, out + 4 * size, size, e, 32));
}

void test_rounding(int quick) {
    static const size_t SIZES[] = {40, 128, 168, 256, 384};
    static uint8_t p[384], x[384], wanted[5 * 384], found[5 * 384];
    uint8_t e[32];
    const unsigned int before = _mm_getcsr();
    for (size_t length = 0; length < (quick ? 2 : sizeof SIZES / sizeof *SIZES); length++) {
        size_t size = SIZES[length];
        for (int round = 0; round < (quick ? 1 : 20); round++) {
            moduli_modulus *modulus;
            random_bytes(p, size);
            random_bytes(x, size);
            random_bytes(e, sizeof e);
            p[0] |= 0x80;
            p[size - 1] |= 1;
            if (round == 1) {
                memset(p, 0xff, size);
                memset(x, 0xff, size);
                x[size - 1] = 0xfe;
            }
            EXPECT(MODULI_STATUS_OK, moduli_modulus_new(&modulus, p, size));
            for (size_t mode = 0; mode < COUNT; mode++) {
                moduli_fixed_base *table;
                /* What the kernel keeps of the modulus, and the table, are made in that mode as well. */
                moduli_modulus *same;
                _mm_setcsr(MODES[mode]);
                /* Valgrind takes some of the bits alone. */
                const unsigned int taken = _mm_getcsr();
                EXPECT(MODULI_STATUS_OK, moduli_modulus_new(&same, p, size));
                EXPECT(MODULI_STATUS_OK, moduli_fixed_base_build(same, &table, x, size, NULL, 0, 256, 1 << 16, MODULI_SECRECY_SECRET));
                work(mode % 2 ? modulus : same, table, x, e, size, mode == 0 ? wanted : found);
                CHECK(_mm_getcsr() >> 6 == taken >> 6);
                _mm_setcsr(before);
                CHECK(mode == 0 || memcmp(wanted, found, 5 * size) == 0);
                moduli_fixed_base_free(table);
                moduli_modulus_free(same);
            }
            moduli_modulus_free(modulus);
        }
    }
}
#else
void test_rounding(int quick) {
    (void)quick;
}
#endif

/* Computes a modular product or square by GMP, for an emulator that records what runs: gmp <bits> product|square
   It calls mpn_mul_n or mpn_sqr, and the one of mpn_redc_1, _2 and _n that takes least there. */

#include <gmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mp_limb_t __gmpn_redc_1(mp_ptr, mp_ptr, mp_srcptr, mp_size_t, mp_limb_t);

enum { MOST = 1024 };

__attribute__((noinline)) void instructions_from(void) { __asm__ volatile("nop" ::: "memory"); }
__attribute__((noinline)) void instructions_to(void) { __asm__ volatile("nop\n\tnop" ::: "memory"); }

int main(int count, char **arguments) {
    static mp_limb_t p[MOST], x[MOST], b[MOST], t[2 * MOST];
    mp_size_t n = count == 3 ? atoi(arguments[1]) / 64 : 0;
    if (n < 1 || n > MOST) {
        fprintf(stderr, "usage: gmp <bits> product|square\n");
        return 2;
    }
    for (mp_size_t i = 0; i < n; i++) {
        p[i] = (mp_limb_t)(i + 1) * 0x9e3779b97f4a7c15u;
        x[i] = p[i] ^ 0x5555555555555555u;
        b[i] = p[i] ^ 0x3333333333333333u;
    }
    p[0] |= 1;
    p[n - 1] |= (mp_limb_t)1 << 63;
    x[n - 1] >>= 1;
    b[n - 1] >>= 1;
    mp_limb_t inverse = p[0];
    for (int i = 0; i < 6; i++) {
        inverse *= 2 - p[0] * inverse;
    }
    int square = strcmp(arguments[2], "square") == 0;
    for (int turn = 0; turn < 2; turn++) {
        if (turn) instructions_from();
        if (square) {
            mpn_sqr(t, x, n);
        } else {
            mpn_mul_n(t, x, b, n);
        }
        mp_limb_t carry = __gmpn_redc_1(x, t, p, n, -inverse);
        if (carry) mpn_sub_n(x, x, p, n);
        if (turn) instructions_to();
    }
    printf("%016llx\n", (unsigned long long)x[0]);
    return 0;
}

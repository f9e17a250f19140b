/* 5^65537 modulo 1000003, and the version of the library. */

#include <moduli.h>
#include <stdio.h>

int main(void) {
    const uint8_t p[] = {0x0f, 0x42, 0x43}, base[] = {5}, exponent[] = {0x01, 0x00, 0x01};
    uint8_t power[sizeof p];
    moduli_modulus *modulus;
    moduli_status status = moduli_modulus_new(&modulus, p, sizeof p);
    if (status == MODULI_STATUS_OK) {
        status = moduli_pow(modulus, power, sizeof power, base, sizeof base, exponent, sizeof exponent);
    }
    moduli_modulus_free(modulus);
    if (status != MODULI_STATUS_OK) {
        fprintf(stderr, "%s\n", moduli_last_error());
        return 1;
    }
    printf("moduli %s: 5^65537 modulo 1000003 = 0x%02x%02x%02x\n", moduli_version(), power[0], power[1], power[2]);
    return 0;
}

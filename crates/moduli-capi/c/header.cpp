// The header is C++ as well.

#include <moduli.h>

#include <cstdio>
#include <vector>

int main() {
    const unsigned char p[] = {0x0f, 0x42, 0x43}, x[] = {5}, e[] = {1, 0};
    moduli_modulus *modulus = nullptr;
    moduli_status status = moduli_modulus_new(&modulus, p, sizeof p);
    std::vector<unsigned char> out(moduli_modulus_size(modulus));
    if (status == MODULI_STATUS_OK) {
        status = moduli_pow(modulus, out.data(), out.size(), x, sizeof x, e, sizeof e);
    }
    moduli_fixed_base *table = nullptr;
    if (status == MODULI_STATUS_OK) {
        status = moduli_fixed_base_build(modulus, &table, x, sizeof x, nullptr, 0, 16, 4096, MODULI_SECRECY_PUBLIC);
    }
    moduli_fixed_base_free(table);
    moduli_modulus_free(modulus);
    // 5^256 modulo 1000003
    unsigned long power = 1;
    for (int i = 0; i < 256; i++) {
        power = power * 5 % 1000003;
    }
    const unsigned long found = out.size() == 3 ? (out[0] * 256UL + out[1]) * 256UL + out[2] : 0;
    std::printf("%s: %lu, expected %lu\n", moduli_status_message(status), found, power);
    return found == power && status == MODULI_STATUS_OK ? 0 : 1;
}

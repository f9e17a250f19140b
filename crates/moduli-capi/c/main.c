/* Runs all tests, or those that are named: `main FOLDER [quick] [NAME...]`. FOLDER has the keys of run.py, and room for tables;
 * quick does less, for valgrind. */

#include <time.h>

#include "check.h"

void expect(const char *file, int line, const char *function, const char *text, moduli_status wanted, moduli_status found) {
    if (found != wanted) {
        fprintf(stderr, "%s:%d: %s: %s\ngives: %s; expected: %s\nlast error: %s\n", file, line, function, text,
                moduli_status_message(found), moduli_status_message(wanted), moduli_last_error());
        exit(1);
    }
}

void random_bytes(uint8_t *out, size_t length) {
    static uint64_t state = 0x9e3779b97f4a7c15;
    for (size_t i = 0; i < length; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        out[i] = (uint8_t)(state >> 32);
    }
}

int is_zero(const uint8_t *bytes, size_t length) {
    uint8_t all = 0;
    for (size_t i = 0; i < length; i++) {
        all |= bytes[i];
    }
    return all == 0;
}

BIGNUM *number_of(const uint8_t *bytes, size_t length) {
    BIGNUM *number = BN_bin2bn(bytes, (int)length, NULL);
    CHECK(number != NULL);
    return number;
}

int equals(const uint8_t *bytes, size_t length, const BIGNUM *number) {
    BIGNUM *found = number_of(bytes, length);
    int same = BN_cmp(found, number) == 0;
    BN_free(found);
    return same;
}

void operand(uint8_t *out, size_t length, int i, const BIGNUM *p) {
    BIGNUM *number = BN_dup(p);
    CHECK(number != NULL);
    switch (i) {
    case 0:
    case 1:
        CHECK(BN_set_word(number, (BN_ULONG)i));
        break;
    case 2:
        CHECK(BN_sub_word(number, 1));
        break;
    case 3:
        break;
    case 4:
        CHECK(BN_add_word(number, 1));
        break;
    default:
        if (i == 5) {
            memset(out, 0xff, length);
        } else {
            random_bytes(out, length);
        }
        BN_free(number);
        return;
    }
    if (BN_bn2binpad(number, out, (int)length) < 0) {
        memset(out, 0, length);
    }
    BN_free(number);
}

char *file_text(const char *folder, const char *name, size_t *length) {
    char path[512];
    CHECK(snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path);
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    char *text = malloc(65536);
    CHECK(text != NULL);
    *length = fread(text, 1, 65536, file);
    CHECK(*length > 0 && *length < 65536);
    fclose(file);
    return text;
}

moduli_fixed_base *group_table(const char *group, moduli_modulus **modulus, uint64_t budget, BIGNUM *p, BIGNUM *g) {
    uint8_t p_bytes[MAX_BYTES], g_bytes[MAX_BYTES];
    size_t size;
    uint32_t bits;
    EXPECT(MODULI_STATUS_OK, moduli_group_sizes(group, &size, NULL, &bits));
    CHECK(size <= MAX_BYTES);
    EXPECT(MODULI_STATUS_OK, moduli_group_numbers(group, p_bytes, size, NULL, 0, g_bytes, size));
    EXPECT(MODULI_STATUS_OK, moduli_modulus_new(modulus, p_bytes, size));
    moduli_fixed_base *table;
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_build(*modulus, &table, g_bytes, size, NULL, 0, bits, budget,
                                                     MODULI_SECRECY_SECRET));
    CHECK(BN_bin2bn(p_bytes, (int)size, p) != NULL && BN_bin2bn(g_bytes, (int)size, g) != NULL);
    return table;
}

double seconds(void) {
    struct timespec time;
    CHECK(clock_gettime(CLOCK_MONOTONIC, &time) == 0);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Whether a name is among the arguments, or none is. */
static int is_wanted(const char *name, int count, char **arguments) {
    int all = 1;
    for (int i = 2; i < count; i++) {
        if (strcmp(arguments[i], name) == 0) {
            return 1;
        }
        all &= strcmp(arguments[i], "quick") == 0;
    }
    return all;
}

int main(int count, char **arguments) {
    if (count < 2) {
        fprintf(stderr, "main FOLDER [quick] [NAME...]\n");
        return 2;
    }
    const char *folder = arguments[1];
    int quick = count > 2 && strcmp(arguments[2], "quick") == 0;
    CHECK(strcmp(moduli_last_error(), "") == 0);
    CHECK(strlen(moduli_version()) > 0);
#define RUN(name, call)                                                                                      \
    if (is_wanted(name, count, arguments)) {                                                                 \
        call;                                                                                                \
    }
    RUN("errors", test_errors());
    RUN("arithmetic", test_arithmetic(quick));
    RUN("crt", test_crt(quick));
    RUN("rounding", test_rounding(quick));
    RUN("tables", test_tables(quick));
    RUN("files", test_files(folder, quick));
    RUN("secrets", test_secrets());
    RUN("schemes", test_schemes(folder, quick));
    RUN("threads", test_threads(folder, quick));
    printf("libmoduli %s: passed%s\n", moduli_version(), quick ? " (quick)" : "");
    return 0;
}

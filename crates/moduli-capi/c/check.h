/* What the tests of the C library share. The oracle is the BIGNUM of OpenSSL. */

#ifndef CHECK_H
#define CHECK_H

/* The tests ask what NULL gives. */
#define MODULI_NONNULL(...)

#include <moduli.h>
#include <openssl/bn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "condition.h"

/* Stops unless a call gives this status. */
#define EXPECT(status, call) expect(__FILE__, __LINE__, __func__, #call, status, call)

#define MAX_BYTES 1024

void expect(const char *file, int line, const char *function, const char *text, moduli_status wanted, moduli_status found);

/* Bytes that look random and are the same in each run. */
void random_bytes(uint8_t *out, size_t length);

int is_zero(const uint8_t *bytes, size_t length);

/* Whether the big-endian bytes are this number. */
int equals(const uint8_t *bytes, size_t length, const BIGNUM *number);

BIGNUM *number_of(const uint8_t *bytes, size_t length);

/* Number i of those that are worth trying modulo p, in `length` bytes: 0, 1, p - 1, p, p + 1, all ones, then random ones. */
void operand(uint8_t *out, size_t length, int i, const BIGNUM *p);

/* The text of a file; the caller frees it. */
char *file_text(const char *folder, const char *name, size_t *length);

/* A group's table for its generator; p and g are written to buffers of MAX_BYTES if they are not NULL. */
moduli_fixed_base *group_table(const char *group, moduli_modulus **modulus, uint64_t budget, BIGNUM *p, BIGNUM *g);

/* Since some moment. */
double seconds(void);

void test_arithmetic(int quick);
void test_crt(int quick);
void test_tables(int quick);
void test_files(const char *folder, int quick);
void test_rounding(int quick);
void test_errors(void);
void test_secrets(void);
void test_schemes(const char *folder, int quick);
void test_threads(const char *folder, int quick);

#endif

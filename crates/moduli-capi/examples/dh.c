/* Diffie-Hellman in the group ffdhe3072 (RFC 7919), with whoever else speaks it: the openssl command, for instance.
 *
 *     dh THEIRS.der OURS.der SECRET
 *
 * reads a public key (DER, SubjectPublicKeyInfo), draws a key of its own, writes the public half to OURS.der in the same form and
 * the shared secret, 384 bytes, to SECRET. The other side may be:
 *
 *     openssl genpkey -algorithm DH -pkeyopt group:ffdhe3072 -out theirs.pem
 *     openssl pkey -in theirs.pem -pubout -outform DER -out theirs.der
 *     ./dh theirs.der ours.der secret
 *     openssl pkeyutl -derive -inkey theirs.pem -peerkey ours.der -peerform DER -pkeyopt pad:1 -out the-same-secret
 *
 * Compile with: cc dh.c $(pkg-config --cflags --libs moduli)
 */

#include <moduli.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 384, LONGEST = 2048, EXPONENT_BYTES = 35 };

static void check(moduli_status status) {
    if (status != MODULI_STATUS_OK) {
        fprintf(stderr, "dh: %s: %s\n", moduli_status_message(status), moduli_last_error());
        exit(1);
    }
}

static void stop(const char *reason) {
    fprintf(stderr, "dh: %s\n", reason);
    exit(1);
}

/* Bytes that are being read. */
typedef struct {
    const uint8_t *start;
    size_t length;
} span;

/* Takes one DER element with this tag off the front of `from`, and gives its contents. */
static span take(span *from, uint8_t tag) {
    size_t header = 2, length;
    if (from->length < 2 || from->start[0] != tag) {
        stop("not a Diffie-Hellman key");
    }
    length = from->start[1];
    if (length >= 0x80) {
        size_t bytes = length & 0x7f;
        if (bytes == 0 || bytes > 2 || from->length < 2 + bytes) {
            stop("not a Diffie-Hellman key");
        }
        for (length = 0; header < 2 + bytes; header++) {
            length = length << 8 | from->start[header];
        }
    }
    if (from->length - header < length) {
        stop("the key is cut short");
    }
    span contents = {from->start + header, length};
    from->start += header + length;
    from->length -= header + length;
    return contents;
}

/* Writes a DER header for so many bytes of contents in front of `end`, and gives the new end. */
static uint8_t *put_header(uint8_t *end, uint8_t tag, size_t length) {
    if (length >= 0x100) {
        *--end = (uint8_t)length;
        *--end = (uint8_t)(length >> 8);
        *--end = 0x82;
    } else {
        *--end = (uint8_t)length;
        if (length >= 0x80) {
            *--end = 0x81;
        }
    }
    *--end = tag;
    return end;
}

static span read_file(const char *path, uint8_t *buffer) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        stop("the other side's key cannot be read");
    }
    span all = {buffer, fread(buffer, 1, LONGEST, file)};
    fclose(file);
    return all;
}

static void write_file(const char *path, const uint8_t *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) {
        stop("a result cannot be written");
    }
}

/* Whether a DER integer, which may have a zero byte in front, is this number. */
static int is_number(span integer, const uint8_t *number, size_t size) {
    while (integer.length > size && integer.start[0] == 0) {
        integer.start++;
        integer.length--;
    }
    return integer.length == size && memcmp(integer.start, number, size) == 0;
}

int main(int count, char **arguments) {
    static uint8_t file[LONGEST], ours_file[LONGEST];
    uint8_t p[SIZE], q[SIZE], g[SIZE], exponent[EXPONENT_BYTES], ours[SIZE], secret[SIZE];
    uint32_t exponent_bits;
    if (count != 4) {
        stop("usage: dh THEIRS.der OURS.der SECRET");
    }

    /* The group, and a table for the powers of its generator. A server builds it once. */
    moduli_modulus *modulus;
    moduli_fixed_base *generator;
    check(moduli_group_sizes("ffdhe3072", NULL, NULL, &exponent_bits));
    check(moduli_group_numbers("ffdhe3072", p, SIZE, q, SIZE, g, SIZE));
    check(moduli_modulus_new(&modulus, p, SIZE));
    check(moduli_fixed_base_build(modulus, &generator, g, SIZE, NULL, 0, 8 * EXPONENT_BYTES, 1 << 20, MODULI_SECRECY_SECRET));
    if (exponent_bits > 8 * EXPONENT_BYTES) {
        stop("the exponent is too short for the group");
    }

    /* SEQUENCE { algorithm SEQUENCE { OID, SEQUENCE { p, g, ... } }, BIT STRING { INTEGER y } } */
    span rest = read_file(arguments[1], file);
    span key = take(&rest, 0x30);
    const uint8_t *algorithm = key.start;
    span inner = take(&key, 0x30);
    size_t algorithm_length = (size_t)(key.start - algorithm);
    take(&inner, 0x06);
    span parameters = take(&inner, 0x30);
    if (!is_number(take(&parameters, 0x02), p, SIZE)) {
        stop("the key is in another group than ffdhe3072");
    }
    span bits = take(&key, 0x03);
    if (rest.length != 0 || key.length != 0 || bits.length == 0 || bits.start[0] != 0) {
        stop("not a Diffie-Hellman key");
    }
    bits.start++;
    bits.length--;
    span theirs = take(&bits, 0x02);

    /* Never compute with an untrusted number that is not a member of the group. */
    check(moduli_validate_public_value_vartime(modulus, q, SIZE, theirs.start, theirs.length));

    /* Our key, and the secret: both powers take the same time whatever the exponent is. */
    if (getentropy(exponent, sizeof exponent) != 0) {
        stop("no random bytes");
    }
    check(moduli_fixed_base_pow(generator, ours, SIZE, exponent, sizeof exponent));
    check(moduli_pow(modulus, secret, SIZE, theirs.start, theirs.length, exponent, sizeof exponent));

    /* Our public key, from its end to its beginning: the integer without leading zeros, then what is around it. */
    size_t zeros = 0;
    while (ours[zeros] == 0) {
        zeros++;
    }
    uint8_t *end = ours_file + LONGEST, *start = end - (SIZE - zeros);
    memcpy(start, ours + zeros, SIZE - zeros);
    if (*start >= 0x80) {
        *--start = 0;
    }
    start = put_header(start, 0x02, (size_t)(end - start));
    *--start = 0;
    start = put_header(start, 0x03, (size_t)(end - start));
    start -= algorithm_length;
    memcpy(start, algorithm, algorithm_length);
    start = put_header(start, 0x30, (size_t)(end - start));
    write_file(arguments[2], start, (size_t)(end - start));
    write_file(arguments[3], secret, SIZE);

    explicit_bzero(exponent, sizeof exponent);
    explicit_bzero(secret, sizeof secret);
    moduli_fixed_base_free(generator);
    moduli_modulus_free(modulus);
    return 0;
}

/* DSA and RSA, beside OpenSSL's: what one signs the other verifies, and what one encrypts the other decrypts. */

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "check.h"

static const uint8_t message[] = "a message", another[] = "a massage";
enum { LENGTH = sizeof message - 1 };

static EVP_PKEY *openssl_key(const char *pem, size_t length) {
    BIO *memory = BIO_new_mem_buf(pem, (int)length);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(memory, NULL, NULL, NULL);
    CHECK(key != NULL);
    BIO_free(memory);
    return key;
}

static void set_pss(EVP_PKEY_CTX *context, int pss) {
    if (pss) {
        CHECK(EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) > 0);
        CHECK(EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) > 0);
    }
}

static int openssl_verifies(EVP_PKEY *key, int pss, const uint8_t *signature, size_t length) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *options;
    CHECK(EVP_DigestVerifyInit(context, &options, EVP_sha256(), NULL, key) == 1);
    set_pss(options, pss);
    int right = EVP_DigestVerify(context, signature, length, message, LENGTH) == 1;
    EVP_MD_CTX_free(context);
    return right;
}

static size_t openssl_signs(EVP_PKEY *key, int pss, uint8_t *signature, size_t room) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *options;
    CHECK(EVP_DigestSignInit(context, &options, EVP_sha256(), NULL, key) == 1);
    set_pss(options, pss);
    CHECK(EVP_DigestSign(context, signature, &room, message, LENGTH) == 1);
    EVP_MD_CTX_free(context);
    return room;
}

static void digest_of(uint8_t *digest) {
    unsigned length;
    CHECK(EVP_Digest(message, LENGTH, digest, &length, EVP_sha256(), NULL) && length == 32);
}

static void dsa_signatures(const moduli_dsa_signer *signer, const moduli_dsa_verifier *verifier, EVP_PKEY *openssl) {
    uint8_t signature[256], again[256], digest[32];
    size_t room = moduli_dsa_signer_size(signer), written, rewritten;
    CHECK(room > 40 && room < sizeof signature);
    digest_of(digest);
    for (int form = 0; form < 3; form++) {
        if (form == 0) {
            EXPECT(MODULI_STATUS_OK, moduli_dsa_sign(signer, signature, room, &written, message, LENGTH));
        } else if (form == 1) {
            EXPECT(MODULI_STATUS_OK, moduli_dsa_sign_digest(signer, signature, room, &written, digest, 32));
        } else {
            EXPECT(MODULI_STATUS_OK,
                   moduli_dsa_sign_deterministic(signer, signature, room, &written, message, LENGTH));
        }
        CHECK(written <= room && is_zero(signature + written, room - written));
        CHECK(openssl_verifies(openssl, 0, signature, written));
        EXPECT(MODULI_STATUS_OK, moduli_dsa_verify(verifier, signature, written, message, LENGTH));
        EXPECT(MODULI_STATUS_OK, moduli_dsa_verify_digest(verifier, signature, written, digest, 32));
        EXPECT(MODULI_STATUS_SIGNATURE, moduli_dsa_verify(verifier, signature, written, another, LENGTH));
        EXPECT(MODULI_STATUS_SIGNATURE, moduli_dsa_verify(verifier, signature, written - 1, message, LENGTH));
    }
    EXPECT(MODULI_STATUS_OK, moduli_dsa_sign_deterministic(signer, again, room, &rewritten, message, LENGTH));
    CHECK(rewritten == written && memcmp(again, signature, written) == 0);
    EXPECT(MODULI_STATUS_OK, moduli_dsa_sign(signer, again, room, &rewritten, message, LENGTH));
    CHECK(rewritten != written || memcmp(again, signature, written) != 0);
    written = openssl_signs(openssl, 0, signature, sizeof signature);
    EXPECT(MODULI_STATUS_OK, moduli_dsa_verify(verifier, signature, written, message, LENGTH));

    EXPECT(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_dsa_sign(signer, again, room - 1, &written, message, LENGTH));
    CHECK(is_zero(again, room - 1) && written == 0);
    EXPECT(MODULI_STATUS_LENGTH, moduli_dsa_sign(signer, again, SIZE_MAX, &written, message, LENGTH));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_dsa_sign(NULL, again, room, &written, message, LENGTH));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_dsa_sign(signer, again, room, NULL, message, LENGTH));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_dsa_sign(signer, NULL, room, &written, message, LENGTH));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_dsa_sign(signer, again, room, &written, NULL, LENGTH));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_dsa_sign_digest(signer, again, room, &written, digest, 31));
    EXPECT(MODULI_STATUS_OK, moduli_dsa_sign(signer, signature, room, &written, message, LENGTH));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_dsa_verify_digest(verifier, signature, written, digest, 31));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_dsa_verify(NULL, signature, 8, message, LENGTH));
    EXPECT(MODULI_STATUS_SIGNATURE, moduli_dsa_verify(verifier, NULL, 0, message, LENGTH));
}

/* The least of many: few are disturbed on a busy machine. */
static double signing_time(const moduli_dsa_signer *signer) {
    uint8_t signature[256];
    size_t written;
    double least = 1e9;
    for (int i = 0; i < 100; i++) {
        double begun = seconds();
        EXPECT(MODULI_STATUS_OK,
               moduli_dsa_sign_deterministic(signer, signature, sizeof signature, &written, message, LENGTH));
        double time = seconds() - begun;
        least = time < least ? time : least;
    }
    return least;
}

static void dsa(const char *folder, int quick) {
    size_t length, public_length;
    char *pem = file_text(folder, "dsa.pem", &length), *public_pem = file_text(folder, "dsa-public.pem", &public_length);
    EVP_PKEY *openssl = openssl_key(pem, length);
    moduli_dsa_signer *signer;
    moduli_dsa_verifier *verifier;
    EXPECT(MODULI_STATUS_OK, moduli_dsa_verifier_new(&verifier, public_pem, public_length, "sha256"));
    if (!quick) {
        EXPECT(MODULI_STATUS_OK, moduli_dsa_verifier_validate(verifier));
    }
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_dsa_verifier_validate(NULL));
    double times[2] = {0, 1};
    for (uint32_t check = quick ? 2 : 0; check < 2; check++) {
        EXPECT(MODULI_STATUS_OK, moduli_dsa_signer_new(&signer, pem, length, "sha256", NULL, 65536,
                                                       check ? MODULI_FAULT_CHECK_VERIFY : MODULI_FAULT_CHECK_NONE));
        dsa_signatures(signer, verifier, openssl);
        times[check] = signing_time(signer);
        moduli_dsa_signer_free(signer);
    }
    /* Coarse, but it tells whether signatures are verified. */
    CHECK(times[1] > 2 * times[0]);
    /* With a table that was made elsewhere, which may go first; and one of another base. */
    BIGNUM *p = BN_new(), *g = BN_new();
    moduli_modulus *modulus;
    moduli_fixed_base *table = group_table("dsa-2048-256", &modulus, 65536, p, g), *other;
    EXPECT(MODULI_STATUS_OK, moduli_dsa_signer_new(&signer, pem, length, "sha256", table, 0, MODULI_FAULT_CHECK_NONE));
    moduli_fixed_base_free(table);
    dsa_signatures(signer, verifier, openssl);
    moduli_dsa_signer_free(signer);
    EXPECT(MODULI_STATUS_OK, moduli_fixed_base_build(modulus, &other, (const uint8_t *)"\2", 1, NULL, 0, 256, 65536,
                                                         MODULI_SECRECY_SECRET));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_dsa_signer_new(&signer, pem, length, "sha256", other, 0, MODULI_FAULT_CHECK_NONE));
    CHECK(signer == NULL);
    moduli_fixed_base_free(other);

    EXPECT(MODULI_STATUS_PARAMETER, moduli_dsa_signer_new(&signer, pem, length, "md5", NULL, 65536, MODULI_FAULT_CHECK_NONE));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_dsa_signer_new(&signer, pem, length, "sha1", NULL, 65536, MODULI_FAULT_CHECK_NONE));
    EXPECT(MODULI_STATUS_BUDGET_TOO_SMALL, moduli_dsa_signer_new(&signer, pem, length, "sha256", NULL, 1, MODULI_FAULT_CHECK_NONE));
    EXPECT(MODULI_STATUS_KEY, moduli_dsa_signer_new(&signer, pem, length / 2, "sha256", NULL, 65536, MODULI_FAULT_CHECK_NONE));
    EXPECT(MODULI_STATUS_KEY, moduli_dsa_signer_new(&signer, public_pem, public_length, "sha256", NULL, 65536, MODULI_FAULT_CHECK_NONE));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_dsa_signer_new(&signer, NULL, length, "sha256", NULL, 65536, MODULI_FAULT_CHECK_NONE));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_dsa_signer_new(&signer, pem, length, NULL, NULL, 65536, MODULI_FAULT_CHECK_NONE));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_dsa_signer_new(NULL, pem, length, "sha256", NULL, 65536, MODULI_FAULT_CHECK_NONE));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_dsa_signer_new(&signer, "\xff", 1, "sha256", NULL, 65536, MODULI_FAULT_CHECK_NONE));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_dsa_signer_new(&signer, pem, length, "sha256", NULL, 65536, (moduli_fault_check)2));
    moduli_dsa_verifier *none;
    EXPECT(MODULI_STATUS_KEY, moduli_dsa_verifier_new(&none, pem, length, "sha256"));
    CHECK(none == NULL && moduli_dsa_signer_size(NULL) == 0);
    moduli_dsa_signer_free(NULL);
    moduli_dsa_verifier_free(NULL);
    moduli_dsa_verifier_free(verifier);
    moduli_modulus_free(modulus);
    EVP_PKEY_free(openssl);
    BN_free(p);
    BN_free(g);
    free(pem);
    free(public_pem);
}

static void rsa_signatures(const moduli_rsa_private_key *key, const moduli_rsa_public_key *public_key, EVP_PKEY *openssl) {
    uint8_t signature[MAX_BYTES], digest[32];
    size_t size = moduli_rsa_private_key_size(key);
    digest_of(digest);
    for (int pss = 0; pss < 2; pss++) {
        const char *scheme = pss ? "pss-sha256" : "pkcs1-sha256", *wrong = pss ? "pkcs1-sha256" : "pss-sha256";
        for (int form = 0; form < 3; form++) {
            if (form == 0) {
                EXPECT(MODULI_STATUS_OK, moduli_rsa_sign(key, signature, sizeof signature, scheme, message, LENGTH));
                CHECK(is_zero(signature + size, sizeof signature - size));
            } else if (form == 1) {
                EXPECT(MODULI_STATUS_OK, moduli_rsa_sign_digest(key, signature, size, scheme, digest, 32));
            } else {
                CHECK(openssl_signs(openssl, pss, signature, sizeof signature) == size);
            }
            CHECK(openssl_verifies(openssl, pss, signature, size));
            EXPECT(MODULI_STATUS_OK, moduli_rsa_verify(public_key, signature, size, scheme, message, LENGTH));
            EXPECT(MODULI_STATUS_OK, moduli_rsa_verify_digest(public_key, signature, size, scheme, digest, 32));
            EXPECT(MODULI_STATUS_SIGNATURE,
                   moduli_rsa_verify(public_key, signature, size, scheme, another, LENGTH));
            EXPECT(MODULI_STATUS_SIGNATURE, moduli_rsa_verify(public_key, signature, size, wrong, message, LENGTH));
            EXPECT(MODULI_STATUS_SIGNATURE,
                   moduli_rsa_verify(public_key, signature, size - 1, scheme, message, LENGTH));
        }
    }
    EXPECT(MODULI_STATUS_OK, moduli_rsa_sign(key, signature, size, "pss-SHA256-20", message, LENGTH));
    EXPECT(MODULI_STATUS_OK, moduli_rsa_verify(public_key, signature, size, "pss-sha256-20", message, LENGTH));
    EXPECT(MODULI_STATUS_OK, moduli_rsa_verify(public_key, signature, size, "pss-sha256", message, LENGTH));
    EXPECT(MODULI_STATUS_SIGNATURE,
           moduli_rsa_verify(public_key, signature, size, "pss-sha256-32", message, LENGTH));
    const char *wrong_salts[] = {"pss-sha256-", "pss-sha256-x", "pss-sha256--1", "pss-sha256-100000", "pss-sha256-65535",
                                 "pkcs1-sha256-20"};
    for (size_t i = 0; i < sizeof wrong_salts / sizeof *wrong_salts; i++) {
        EXPECT(MODULI_STATUS_PARAMETER, moduli_rsa_sign(key, signature, size, wrong_salts[i], message, LENGTH));
    }
    EXPECT(MODULI_STATUS_PARAMETER, moduli_rsa_sign(key, signature, size, "oaep-sha256", message, LENGTH));
    CHECK(is_zero(signature, size));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_rsa_sign(key, signature, size, "pss-sha1", message, LENGTH));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_rsa_sign_digest(key, signature, size, "pss-sha256", digest, 33));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_rsa_sign(key, signature, size, NULL, message, LENGTH));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_rsa_sign(NULL, signature, size, "pss-sha256", message, LENGTH));
    EXPECT(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_rsa_sign(key, signature, size - 1, "pss-sha256", message, LENGTH));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_rsa_verify(NULL, signature, size, "pss-sha256", message, LENGTH));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_rsa_verify(public_key, signature, size, "pss", message, LENGTH));
    EXPECT(MODULI_STATUS_SIGNATURE, moduli_rsa_verify(public_key, NULL, 0, "pss-sha256", message, LENGTH));
}

static void rsa(const char *folder) {
    size_t length, public_length;
    char *pem = file_text(folder, "rsa.pem", &length), *public_pem = file_text(folder, "rsa-public.pem", &public_length);
    EVP_PKEY *openssl = openssl_key(pem, length);
    moduli_rsa_private_key *key, *none;
    moduli_rsa_public_key *public_key, *no_public;
    EXPECT(MODULI_STATUS_OK, moduli_rsa_private_key_new(&key, pem, length));
    EXPECT(MODULI_STATUS_OK, moduli_rsa_public_key_new(&public_key, public_pem, public_length));
    size_t size = moduli_rsa_private_key_size(key);
    CHECK(size == 256 && moduli_rsa_public_key_size(public_key) == size);
    rsa_signatures(key, public_key, openssl);

    uint8_t plain[256], c[256], back[256], all_ones[256];
    random_bytes(plain, size);
    plain[0] = 0;
    EXPECT(MODULI_STATUS_OK, moduli_rsa_encrypt_raw(public_key, c, size, plain, size));
    EXPECT(MODULI_STATUS_OK, moduli_rsa_decrypt_raw(key, back, size, c, size));
    CHECK(memcmp(back, plain, size) == 0);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(openssl, NULL);
    size_t room = size;
    CHECK(EVP_PKEY_decrypt_init(context) > 0 && EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) > 0);
    CHECK(EVP_PKEY_decrypt(context, back, &room, c, size) > 0 && memcmp(back, plain, size) == 0);
    EVP_PKEY_CTX_free(context);
    memset(all_ones, 0xff, sizeof all_ones);
    EXPECT(MODULI_STATUS_PARAMETER, moduli_rsa_decrypt_raw(key, back, size, all_ones, size));
    CHECK(is_zero(back, size));
    EXPECT(MODULI_STATUS_PARAMETER, moduli_rsa_encrypt_raw(public_key, back, size, all_ones, size));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_rsa_decrypt_raw(key, back, size, NULL, size));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_rsa_encrypt_raw(NULL, back, size, c, size));
    EXPECT(MODULI_STATUS_BUFFER_TOO_SMALL, moduli_rsa_decrypt_raw(key, back, size - 1, c, size));

    EXPECT(MODULI_STATUS_KEY, moduli_rsa_private_key_new(&none, public_pem, public_length));
    CHECK(none == NULL);
    EXPECT(MODULI_STATUS_KEY, moduli_rsa_private_key_new(&none, "", 0));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_rsa_private_key_new(NULL, pem, length));
    EXPECT(MODULI_STATUS_KEY, moduli_rsa_public_key_new(&no_public, pem, length));
    EXPECT(MODULI_STATUS_NULL_POINTER, moduli_rsa_public_key_new(&no_public, NULL, 4));
    CHECK(moduli_rsa_private_key_size(NULL) == 0 && moduli_rsa_public_key_size(NULL) == 0);
    moduli_rsa_private_key_free(NULL);
    moduli_rsa_public_key_free(NULL);
    moduli_rsa_private_key_free(key);
    moduli_rsa_public_key_free(public_key);
    EVP_PKEY_free(openssl);
    free(pem);
    free(public_pem);
}

void test_schemes(const char *folder, int quick) {
    dsa(folder, quick);
    rsa(folder);
}

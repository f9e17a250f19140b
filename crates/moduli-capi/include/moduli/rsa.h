#ifndef MODULI_RSA_H
#define MODULI_RSA_H

/* Made by cbindgen from crates/moduli-capi/src: do not edit. */

#include <stddef.h>
#include <stdint.h>
#include "attributes.h"
#include "status.h"

/**
 * An RSA private key. Threads may share it.
 */
typedef struct moduli_rsa_private_key moduli_rsa_private_key;

/**
 * An RSA public key. Immutable: threads may share it.
 */
typedef struct moduli_rsa_public_key moduli_rsa_public_key;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Reads an RSA private key of two primes, with 1024 to 16384 bits.
 *
 * out: receives the handle, or NULL if the call fails. moduli_rsa_private_key_free frees it and wipes the
 * key.
 * pem, pem_len: a text with a block PRIVATE KEY or RSA PRIVATE KEY, not encrypted, as OpenSSL writes it. The
 * caller wipes its copy.
 *
 * Not claimed constant-time. Cost: two divisions and an inversion.
 * Fails with MODULI_STATUS_KEY, MODULI_STATUS_PARAMETER, MODULI_STATUS_NULL_POINTER.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_rsa_private_key_new(moduli_rsa_private_key **out,
                                         const char *pem,
                                         size_t pem_len)
MODULI_NONNULL(1, 2);

/**
 * Frees a private key and wipes it. NULL is allowed.
 */
MODULI_API
void moduli_rsa_private_key_free(moduli_rsa_private_key *key);

/**
 * Bytes of n, and so of a signature and of a decrypted number; 0 for NULL.
 */
MODULI_API
size_t moduli_rsa_private_key_size(const moduli_rsa_private_key *key);

/**
 * out = c^d mod n: the private operation alone (RSADP of RFC 8017).
 *
 * out, out_len: at least moduli_rsa_private_key_size bytes. c: below n.
 *
 * The result is the padded message. If you remove the padding, reveal to nobody whether it was valid,
 * neither by an answer nor by timing: that breaks PKCS#1 v1.5 encryption.
 *
 * Constant-time in the key and c except for its length; blinded with random bytes of the system, and checked
 * before it is released. Cost: a power modulo each prime.
 * Fails with MODULI_STATUS_PARAMETER if c is not below n; MODULI_STATUS_RANDOM, MODULI_STATUS_FAULT,
 * MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_rsa_decrypt_raw(const moduli_rsa_private_key *key,
                                     uint8_t *out,
                                     size_t out_len,
                                     const uint8_t *c,
                                     size_t c_len)
MODULI_NONNULL(1, 2);

/**
 * Signs a message.
 *
 * signature, signature_len: at least moduli_rsa_private_key_size bytes; a signature has exactly that many,
 * and the rest of a longer buffer is filled with zeros.
 * scheme: "pss-sha256" (PSS with MGF1 of the same hash function and a salt as long as a digest),
 * "pss-sha256-20" (with a salt of that many bytes) or "pkcs1-sha256" (PKCS#1 v1.5), or with sha224, sha384
 * or sha512. message: of any length.
 *
 * Constant-time in the key; blinded and salted with random bytes of the system, and checked before it is
 * released. Cost: that of moduli_rsa_decrypt_raw, and the hash.
 * Fails with MODULI_STATUS_PARAMETER for a scheme that is unknown or for which n is too short;
 * MODULI_STATUS_RANDOM, MODULI_STATUS_FAULT, MODULI_STATUS_NULL_POINTER, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_rsa_sign(const moduli_rsa_private_key *key,
                              uint8_t *signature,
                              size_t signature_len,
                              const char *scheme,
                              const uint8_t *message,
                              size_t message_len)
MODULI_NONNULL(1, 2, 4);

/**
 * Signs the digest of a message that you hashed with the scheme's hash function: as moduli_rsa_sign.
 *
 * Fails as moduli_rsa_sign; with MODULI_STATUS_PARAMETER for a digest of another length.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_rsa_sign_digest(const moduli_rsa_private_key *key,
                                     uint8_t *signature,
                                     size_t signature_len,
                                     const char *scheme,
                                     const uint8_t *digest,
                                     size_t digest_len)
MODULI_NONNULL(1, 2, 4);

/**
 * Reads an RSA public key with 1024 to 16384 bits and an exponent of at most 256.
 *
 * out: receives the handle, or NULL if the call fails. moduli_rsa_public_key_free frees it.
 * pem, pem_len: a text with a block PUBLIC KEY or RSA PUBLIC KEY, as OpenSSL writes it.
 *
 * Fails with MODULI_STATUS_KEY, MODULI_STATUS_PARAMETER, MODULI_STATUS_NULL_POINTER.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_rsa_public_key_new(moduli_rsa_public_key **out,
                                        const char *pem,
                                        size_t pem_len)
MODULI_NONNULL(1, 2);

/**
 * Frees a public key. NULL is allowed.
 */
MODULI_API
void moduli_rsa_public_key_free(moduli_rsa_public_key *key);

/**
 * Bytes of n, and so of a signature and of an encrypted number; 0 for NULL.
 */
MODULI_API
size_t moduli_rsa_public_key_size(const moduli_rsa_public_key *key);

/**
 * out = m^e mod n: the public operation alone (RSAEP of RFC 8017), for a message that you have padded.
 *
 * out, out_len: at least moduli_rsa_public_key_size bytes. m: below n.
 *
 * Constant-time in m except for its length. Cost: a squaring for each bit of e.
 * Fails with MODULI_STATUS_PARAMETER if m is not below n; MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH,
 * MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_rsa_encrypt_raw(const moduli_rsa_public_key *key,
                                     uint8_t *out,
                                     size_t out_len,
                                     const uint8_t *m,
                                     size_t m_len)
MODULI_NONNULL(1, 2);

/**
 * Returns MODULI_STATUS_OK if this is a signature of the message.
 *
 * scheme: as for moduli_rsa_sign, and also sha1; "pss-sha256" accepts salts of any length.
 *
 * Variable-time: everything is public. Cost: that of moduli_rsa_encrypt_raw, and the hash.
 * Fails with MODULI_STATUS_SIGNATURE if it is not; MODULI_STATUS_PARAMETER for a scheme that is unknown;
 * MODULI_STATUS_NULL_POINTER.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_rsa_verify(const moduli_rsa_public_key *key,
                                const uint8_t *signature,
                                size_t signature_len,
                                const char *scheme,
                                const uint8_t *message,
                                size_t message_len)
MODULI_NONNULL(1, 4);

/**
 * Returns MODULI_STATUS_OK if this is a signature of the message with this digest: as moduli_rsa_verify.
 *
 * Fails as moduli_rsa_verify; with MODULI_STATUS_PARAMETER for a digest of another length than the hash
 * function's.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_rsa_verify_digest(const moduli_rsa_public_key *key,
                                       const uint8_t *signature,
                                       size_t signature_len,
                                       const char *scheme,
                                       const uint8_t *digest,
                                       size_t digest_len)
MODULI_NONNULL(1, 4);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MODULI_RSA_H */

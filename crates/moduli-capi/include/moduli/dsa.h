#ifndef MODULI_DSA_H
#define MODULI_DSA_H

/* Made by cbindgen from crates/moduli-capi/src: do not edit. */

#include <stddef.h>
#include <stdint.h>
#include "attributes.h"
#include "fixed_base.h"

/**
 * Whether results with a secret key are checked before they are released.
 */
typedef enum {
    /**
     * They are not.
     */
    MODULI_FAULT_CHECK_NONE = 0,
    /**
     * Each is verified with the public key; a wrong one is MODULI_STATUS_FAULT.
     */
    MODULI_FAULT_CHECK_VERIFY = 1,
} moduli_fault_check;

/**
 * A DSA private key and a hash function, with a table for the generator. Never changes: threads may share it.
 */
typedef struct moduli_dsa_signer moduli_dsa_signer;

/**
 * A DSA public key and a hash function. Never changes: threads may share it.
 */
typedef struct moduli_dsa_verifier moduli_dsa_verifier;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Prepares to sign with a DSA key.
 *
 * out: the handle, to be given to moduli_dsa_signer_free, which wipes the key; NULL if the call fails.
 * pem, pem_len: a text with a block PRIVATE KEY or DSA PRIVATE KEY, not encrypted, as OpenSSL writes it. The caller wipes
 * its copy.
 * hash: "sha224", "sha256", "sha384" or "sha512".
 * table, budget: a table for the generator of the key, with exponents as long as q, to be shared with other signers; or NULL
 * and the most bytes that a table may take that is built now.
 * check: MODULI_FAULT_CHECK_NONE, or MODULI_FAULT_CHECK_VERIFY against whoever can disturb the computation: each signature is
 * then verified before it is released, and signing takes some nine times as long.
 *
 * Reading the key is not claimed constant-time. Cost: some powers, and that of building the table.
 * Fails with MODULI_STATUS_KEY; MODULI_STATUS_PARAMETER for an unknown hash function or check, or a table of another base;
 * MODULI_STATUS_BUDGET_TOO_SMALL; MODULI_STATUS_NULL_POINTER.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_dsa_signer_new(moduli_dsa_signer **out,
                                    const char *pem,
                                    size_t pem_len,
                                    const char *hash,
                                    const moduli_fixed_base *table,
                                    uint64_t budget,
                                    moduli_fault_check check)
MODULI_NONNULL(1, 2, 4);

/**
 * Frees a signer and wipes its key. NULL is allowed.
 */
MODULI_API
void moduli_dsa_signer_free(moduli_dsa_signer *signer);

/**
 * The most bytes that a signature of this key has in DER; 0 for NULL.
 */
MODULI_API
size_t moduli_dsa_signer_size(const moduli_dsa_signer *signer);

/**
 * Signs a message: a DER sequence of r and s, as OpenSSL reads and writes it.
 *
 * signature, signature_len: moduli_dsa_signer_size bytes are enough; what is not used is zero. written: the bytes of the
 * signature, which differ from one to the next.
 * message: of any length.
 *
 * The nonce is that of RFC 6979 with random bytes of the system mixed in (section 3.6): a message has another signature each
 * time. Constant-time in the key and the nonce. Cost: a power from the table, the hash.
 * Fails with MODULI_STATUS_RANDOM, MODULI_STATUS_FAULT, MODULI_STATUS_NULL_POINTER, MODULI_STATUS_BUFFER_TOO_SMALL.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_dsa_sign(const moduli_dsa_signer *signer,
                              uint8_t *signature,
                              size_t signature_len,
                              size_t *written,
                              const uint8_t *message,
                              size_t message_len)
MODULI_NONNULL(1, 2, 4);

/**
 * Signs a message with the nonce of RFC 6979 alone: as moduli_dsa_sign, but a message always has the same signature.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_dsa_sign_deterministic(const moduli_dsa_signer *signer,
                                            uint8_t *signature,
                                            size_t signature_len,
                                            size_t *written,
                                            const uint8_t *message,
                                            size_t message_len)
MODULI_NONNULL(1, 2, 4);

/**
 * Signs the digest of a message that was hashed elsewhere, by the hash function of the signer: as moduli_dsa_sign.
 *
 * Fails as moduli_dsa_sign; with MODULI_STATUS_PARAMETER for a digest of another length.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_dsa_sign_digest(const moduli_dsa_signer *signer,
                                     uint8_t *signature,
                                     size_t signature_len,
                                     size_t *written,
                                     const uint8_t *digest,
                                     size_t digest_len)
MODULI_NONNULL(1, 2, 4);

/**
 * Prepares to verify with a DSA key.
 *
 * out: the handle, to be given to moduli_dsa_verifier_free; NULL if the call fails.
 * pem, pem_len: a text with a block PUBLIC KEY, as OpenSSL writes it. That its p is prime is taken on trust, and so is its q but for
 * one test of Fermat's: moduli_dsa_verifier_validate tests both.
 * hash: "sha1", "sha224", "sha256", "sha384" or "sha512".
 *
 * Variable-time: all is public. Cost: some powers.
 * Fails with MODULI_STATUS_KEY, MODULI_STATUS_PARAMETER, MODULI_STATUS_NULL_POINTER.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_dsa_verifier_new(moduli_dsa_verifier **out,
                                      const char *pem,
                                      size_t pem_len,
                                      const char *hash)
MODULI_NONNULL(1, 2, 4);

/**
 * MODULI_STATUS_OK if p and q of the key pass tests of primality, which moduli_dsa_verifier_new takes on trust: for keys whose group
 * a stranger chose.
 *
 * Variable-time: all is public. Cost: dozens of powers with exponents as long as p.
 * Fails with MODULI_STATUS_KEY and the first thing that is wrong; MODULI_STATUS_NULL_POINTER.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_dsa_verifier_validate(const moduli_dsa_verifier *verifier)
MODULI_NONNULL(1);

/**
 * Frees a verifier. NULL is allowed.
 */
MODULI_API
void moduli_dsa_verifier_free(moduli_dsa_verifier *verifier);

/**
 * MODULI_STATUS_OK if this is, in strict DER, a signature of the message.
 *
 * Variable-time: all is public. Cost: two powers with exponents as long as q.
 * Fails with MODULI_STATUS_SIGNATURE if it is none; MODULI_STATUS_NULL_POINTER.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_dsa_verify(const moduli_dsa_verifier *verifier,
                                const uint8_t *signature,
                                size_t signature_len,
                                const uint8_t *message,
                                size_t message_len)
MODULI_NONNULL(1);

/**
 * MODULI_STATUS_OK if this is, in strict DER, a signature of the message with this digest: as moduli_dsa_verify.
 *
 * Fails as moduli_dsa_verify; with MODULI_STATUS_PARAMETER for a digest of another length than the hash function's.
 */
MODULI_API
MODULI_MUST_USE
moduli_status moduli_dsa_verify_digest(const moduli_dsa_verifier *verifier,
                                       const uint8_t *signature,
                                       size_t signature_len,
                                       const uint8_t *digest,
                                       size_t digest_len)
MODULI_NONNULL(1);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MODULI_DSA_H */

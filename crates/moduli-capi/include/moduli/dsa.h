#ifndef MODULI_DSA_H
#define MODULI_DSA_H

/* Made by cbindgen from crates/moduli-capi/src: do not edit. */

#include <stddef.h>
#include <stdint.h>
#include "attributes.h"
#include "fixed_base.h"

/**
 * Whether results of a secret key are checked before they are released.
 */
typedef enum {
    /**
     * Results are not checked.
     */
    MODULI_FAULT_CHECK_NONE = 0,
    /**
     * Each result is verified with the public key; a wrong one gives MODULI_STATUS_FAULT.
     */
    MODULI_FAULT_CHECK_VERIFY = 1,
} moduli_fault_check;

/**
 * A DSA private key and a hash function, with a table for the generator. Immutable: threads may share it.
 */
typedef struct moduli_dsa_signer moduli_dsa_signer;

/**
 * A DSA public key and a hash function. Immutable: threads may share it.
 */
typedef struct moduli_dsa_verifier moduli_dsa_verifier;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Prepares to sign with a DSA key.
 *
 * out: receives the handle, or NULL if the call fails. moduli_dsa_signer_free frees it and wipes the key.
 * pem, pem_len: a text with a block PRIVATE KEY or DSA PRIVATE KEY, not encrypted, as OpenSSL writes it. The
 * caller wipes its copy.
 * hash: "sha224", "sha256", "sha384" or "sha512".
 * table, budget: a table for the generator of the key, with exponents as long as q, which signers may share;
 * or NULL, and the most bytes that a new table may take.
 * check: MODULI_FAULT_CHECK_NONE; or, against attackers who can disturb the computation,
 * MODULI_FAULT_CHECK_VERIFY: each signature is then verified before it is released, and signing takes about
 * nine times as long.
 *
 * Reading the key is not claimed constant-time. Cost: a few powers, and building the table.
 * Fails with MODULI_STATUS_KEY; MODULI_STATUS_PARAMETER for an unknown hash function or check, or a table of
 * another base; MODULI_STATUS_BUDGET_TOO_SMALL; MODULI_STATUS_NULL_POINTER.
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
 * The maximum length of a signature by this key in DER, in bytes; 0 for NULL.
 */
MODULI_API
size_t moduli_dsa_signer_size(const moduli_dsa_signer *signer);

/**
 * Signs a message: a DER sequence of r and s, as OpenSSL reads and writes it.
 *
 * signature, signature_len: moduli_dsa_signer_size bytes are enough; unused bytes are zero. written:
 * receives the length of the signature in bytes, which varies.
 * message: of any length.
 *
 * The nonce is that of RFC 6979 with random bytes of the system mixed in (section 3.6), so each signature of
 * a message is different. Constant-time in the key and the nonce. Cost: a power from the table, the hash.
 * Fails with MODULI_STATUS_RANDOM, MODULI_STATUS_FAULT, MODULI_STATUS_NULL_POINTER,
 * MODULI_STATUS_BUFFER_TOO_SMALL.
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
 * Signs a message with the nonce of RFC 6979 alone: as moduli_dsa_sign, but a message always has the same
 * signature.
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
 * Signs the digest of a message that you hashed with the signer's hash function: as moduli_dsa_sign.
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
 * out: receives the handle, or NULL if the call fails. moduli_dsa_verifier_free frees it.
 * pem, pem_len: a text with a block PUBLIC KEY, as OpenSSL writes it. The call trusts that its p and q are
 * prime, except for one Fermat test of q; moduli_dsa_verifier_validate tests both.
 * hash: "sha1", "sha224", "sha256", "sha384" or "sha512".
 *
 * Variable-time: everything is public. Cost: a few powers.
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
 * Returns MODULI_STATUS_OK if p and q of the key pass primality tests; moduli_dsa_verifier_new trusts that
 * they are prime. Use this call for keys whose group comes from an untrusted source.
 *
 * Variable-time: everything is public. Cost: dozens of powers with exponents as long as p.
 * Fails with MODULI_STATUS_KEY and the first error found; MODULI_STATUS_NULL_POINTER.
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
 * Returns MODULI_STATUS_OK if this is, in strict DER, a signature of the message.
 *
 * Variable-time: everything is public. Cost: two powers with exponents as long as q.
 * Fails with MODULI_STATUS_SIGNATURE if it is not; MODULI_STATUS_NULL_POINTER.
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
 * Returns MODULI_STATUS_OK if this is, in strict DER, a signature of the message with this digest: as
 * moduli_dsa_verify.
 *
 * Fails as moduli_dsa_verify; with MODULI_STATUS_PARAMETER for a digest of another length than the hash
 * function's.
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

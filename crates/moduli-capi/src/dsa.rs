//! DSA.

use moduli::{
    MemorySize,
    scheme::dsa::{Hash, PrivateKey, PublicKey, Signature, Signer, Verifier, signature_from_der},
};
use signature::SignatureEncoding;
use std::ffi::c_char;

use crate::{
    call::{AnyFaultCheck, ask, call, free},
    failure::{Failure, given},
    fixed_base::FixedBaseHandle,
    input::{bytes, name, pem as pem_of},
    modulus::bytes_of,
    output::{Buffer, Slot},
    status::Status,
};

/// A DSA private key and a hash function, with a table for the generator. Immutable: threads may share it.
pub struct DsaSignerHandle {
    signer: Signer,
}

/// A DSA public key and a hash function. Immutable: threads may share it.
pub struct DsaVerifierHandle {
    verifier: Verifier,
}

/// Whether results of a secret key are checked before they are released.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum FaultCheck {
    /// Results are not checked.
    None = 0,
    /// Each result is verified with the public key; a wrong one gives MODULI_STATUS_FAULT.
    Verify = 1,
}

fn is_checked(value: AnyFaultCheck) -> Result<bool, Failure> {
    const NONE: AnyFaultCheck = FaultCheck::None as AnyFaultCheck;
    const VERIFY: AnyFaultCheck = FaultCheck::Verify as AnyFaultCheck;
    match value {
        NONE => Ok(false),
        VERIFY => Ok(true),
        _ => Err(Failure::parameter(
            "check",
            "is neither MODULI_FAULT_CHECK_NONE nor MODULI_FAULT_CHECK_VERIFY",
        )),
    }
}

/// Prepares to sign with a DSA key.
///
/// out: receives the handle, or NULL if the call fails. moduli_dsa_signer_free frees it and wipes the key.
/// pem, pem_len: a text with a block PRIVATE KEY or DSA PRIVATE KEY, not encrypted, as OpenSSL writes it. The
/// caller wipes its copy.
/// hash: "sha224", "sha256", "sha384" or "sha512".
/// table, budget: a table for the generator of the key, with exponents as long as q, which signers may share;
/// or NULL, and the most bytes that a new table may take.
/// check: MODULI_FAULT_CHECK_NONE; or, against attackers who can disturb the computation,
/// MODULI_FAULT_CHECK_VERIFY: each signature is then verified before it is released, and signing takes about
/// nine times as long.
///
/// Reading the key is not claimed constant-time. Cost: a few powers, and building the table.
/// Fails with MODULI_STATUS_KEY; MODULI_STATUS_PARAMETER for an unknown hash function or check, or a table of
/// another base; MODULI_STATUS_BUDGET_TOO_SMALL; MODULI_STATUS_NULL_POINTER.
/// cbindgen:postfix=MODULI_NONNULL(1, 2, 4)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_dsa_signer_new(
    out: *mut *mut DsaSignerHandle,
    pem: *const c_char,
    pem_len: usize,
    hash: *const c_char,
    table: Option<&FixedBaseHandle>,
    budget: u64,
    check: AnyFaultCheck,
) -> Status {
    // SAFETY: the header asks for a place that can be written.
    let out = unsafe { Slot::handle(out) };
    call([&out], || {
        out.check()?;
        // SAFETY: the header asks for so many bytes, and for a text that ends in a zero byte.
        let (pem, hash) = unsafe { (pem_of(pem, pem_len)?, name("hash", hash)?) };
        let check = is_checked(check)?;
        let (hash, key) = (Hash::named(hash)?, PrivateKey::from_pem(pem)?);
        let signer = match table {
            Some(table) => Signer::with_table(key, hash, table.table.clone())?,
            None => Signer::new(key, hash, MemorySize(budget))?,
        };
        out.put(DsaSignerHandle { signer: signer.with_fault_check(check) });
        Ok(())
    })
}

/// Frees a signer and wipes its key. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_dsa_signer_free(signer: *mut DsaSignerHandle) {
    // SAFETY: the header asks for NULL or a handle that is not used again.
    unsafe { free(signer) };
}

/// The maximum length of a signature by this key in DER, in bytes; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_dsa_signer_size(signer: Option<&DsaSignerHandle>) -> usize {
    ask(0, || {
        signer.map_or(0, |handle| {
            let q = bytes_of(handle.signer.public_key().parameters().q());
            // Two integers, each with a tag, a length and perhaps a zero byte in front.
            let integers = 2 * (3 + q);
            integers + if integers < 128 { 2 } else { 3 }
        })
    })
}

/// Signs a message: a DER sequence of r and s, as OpenSSL reads and writes it.
///
/// signature, signature_len: moduli_dsa_signer_size bytes are enough; unused bytes are zero. written:
/// receives the length of the signature in bytes, which varies.
/// message: of any length.
///
/// The nonce is that of RFC 6979 with random bytes of the system mixed in (section 3.6), so each signature of
/// a message is different. Constant-time in the key and the nonce. Cost: a power from the table, the hash.
/// Fails with MODULI_STATUS_RANDOM, MODULI_STATUS_FAULT, MODULI_STATUS_NULL_POINTER,
/// MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1, 2, 4)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_dsa_sign(
    signer: Option<&DsaSignerHandle>,
    signature: *mut u8,
    signature_len: usize,
    written: *mut usize,
    message: *const u8,
    message_len: usize,
) -> Status {
    // SAFETY: the header asks for what `sign` asks for.
    unsafe {
        sign(signer, (signature, signature_len), written, (message, message_len), |signer, message| {
            Ok(signer.sign_hedged(&mut getrandom::SysRng, message)?)
        })
    }
}

/// Signs a message with the nonce of RFC 6979 alone: as moduli_dsa_sign, but a message always has the same
/// signature.
/// cbindgen:postfix=MODULI_NONNULL(1, 2, 4)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_dsa_sign_deterministic(
    signer: Option<&DsaSignerHandle>,
    signature: *mut u8,
    signature_len: usize,
    written: *mut usize,
    message: *const u8,
    message_len: usize,
) -> Status {
    // SAFETY: the header asks for what `sign` asks for.
    unsafe {
        sign(signer, (signature, signature_len), written, (message, message_len), |signer, message| {
            Ok(signer.sign(message)?)
        })
    }
}

/// Signs the digest of a message that you hashed with the signer's hash function: as moduli_dsa_sign.
///
/// Fails as moduli_dsa_sign; with MODULI_STATUS_PARAMETER for a digest of another length.
/// cbindgen:postfix=MODULI_NONNULL(1, 2, 4)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_dsa_sign_digest(
    signer: Option<&DsaSignerHandle>,
    signature: *mut u8,
    signature_len: usize,
    written: *mut usize,
    digest: *const u8,
    digest_len: usize,
) -> Status {
    // SAFETY: the header asks for what `sign` asks for.
    unsafe {
        sign(signer, (signature, signature_len), written, (digest, digest_len), |signer, digest| {
            Ok(signer.sign_digest_hedged(&mut getrandom::SysRng, digest)?)
        })
    }
}

/// # Safety
/// Each pointer is NULL or leads to so many bytes, or to a size, those of `signature` and `written` to be
/// written.
unsafe fn sign(
    handle: Option<&DsaSignerHandle>,
    (signature, signature_len): (*mut u8, usize),
    written: *mut usize,
    (message, message_len): (*const u8, usize),
    work: impl FnOnce(&Signer, &[u8]) -> Result<Signature, Failure>,
) -> Status {
    // SAFETY: as the caller says.
    let (out, written) =
        unsafe { (Buffer::new("signature", signature, signature_len), Slot::new("written", written, 0)) };
    call([&out, &written], || {
        let handle = given("signer", handle)?;
        written.check()?;
        // Before the work and not by the signature itself, so that it does not depend on chance whether there
        // is room.
        out.check(moduli_dsa_signer_size(Some(handle)))?;
        // SAFETY: as the caller says; nothing is written before the work is done.
        let signature = work(&handle.signer, unsafe { bytes("message", message, message_len) }?)?.to_vec();
        out.write_front(&signature)?;
        written.write(signature.len());
        Ok(())
    })
}

/// Prepares to verify with a DSA key.
///
/// out: receives the handle, or NULL if the call fails. moduli_dsa_verifier_free frees it.
/// pem, pem_len: a text with a block PUBLIC KEY, as OpenSSL writes it. The call trusts that its p and q are
/// prime, except for one Fermat test of q; moduli_dsa_verifier_validate tests both.
/// hash: "sha1", "sha224", "sha256", "sha384" or "sha512".
///
/// Variable-time: everything is public. Cost: a few powers.
/// Fails with MODULI_STATUS_KEY, MODULI_STATUS_PARAMETER, MODULI_STATUS_NULL_POINTER.
/// cbindgen:postfix=MODULI_NONNULL(1, 2, 4)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_dsa_verifier_new(
    out: *mut *mut DsaVerifierHandle,
    pem: *const c_char,
    pem_len: usize,
    hash: *const c_char,
) -> Status {
    // SAFETY: the header asks for a place that can be written.
    let out = unsafe { Slot::handle(out) };
    call([&out], || {
        out.check()?;
        // SAFETY: the header asks for so many bytes, and for a text that ends in a zero byte.
        let (pem, hash) = unsafe { (pem_of(pem, pem_len)?, name("hash", hash)?) };
        let hash = Hash::named(hash)?;
        out.put(DsaVerifierHandle { verifier: Verifier::new(PublicKey::from_pem(pem)?, hash) });
        Ok(())
    })
}

/// Returns MODULI_STATUS_OK if p and q of the key pass primality tests; moduli_dsa_verifier_new trusts that
/// they are prime. Use this call for keys whose group comes from an untrusted source.
///
/// Variable-time: everything is public. Cost: dozens of powers with exponents as long as p.
/// Fails with MODULI_STATUS_KEY and the first error found; MODULI_STATUS_NULL_POINTER.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn moduli_dsa_verifier_validate(verifier: Option<&DsaVerifierHandle>) -> Status {
    call([], || Ok(given("verifier", verifier)?.verifier.public_key().parameters().validate()?))
}

/// Frees a verifier. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_dsa_verifier_free(verifier: *mut DsaVerifierHandle) {
    // SAFETY: the header asks for NULL or a handle that is not used again.
    unsafe { free(verifier) };
}

/// Returns MODULI_STATUS_OK if this is, in strict DER, a signature of the message.
///
/// Variable-time: everything is public. Cost: two powers with exponents as long as q.
/// Fails with MODULI_STATUS_SIGNATURE if it is not; MODULI_STATUS_NULL_POINTER.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_dsa_verify(
    verifier: Option<&DsaVerifierHandle>,
    signature: *const u8,
    signature_len: usize,
    message: *const u8,
    message_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe {
        verify(
            verifier,
            (signature, signature_len),
            (message, message_len),
            |verifier, message, signature| verifier.verify_der(message, signature),
        )
    }
}

/// Returns MODULI_STATUS_OK if this is, in strict DER, a signature of the message with this digest: as
/// moduli_dsa_verify.
///
/// Fails as moduli_dsa_verify; with MODULI_STATUS_PARAMETER for a digest of another length than the hash
/// function's.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_dsa_verify_digest(
    verifier: Option<&DsaVerifierHandle>,
    signature: *const u8,
    signature_len: usize,
    digest: *const u8,
    digest_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe {
        verify(verifier, (signature, signature_len), (digest, digest_len), |verifier, digest, signature| {
            verifier.verify_digest(digest, &signature_from_der(signature)?)
        })
    }
}

/// # Safety
/// Each pointer is NULL or leads to so many bytes.
unsafe fn verify(
    verifier: Option<&DsaVerifierHandle>,
    (signature, signature_len): (*const u8, usize),
    (message, message_len): (*const u8, usize),
    work: impl FnOnce(&Verifier, &[u8], &[u8]) -> Result<(), moduli::Error>,
) -> Status {
    call([], || {
        let verifier = &given("verifier", verifier)?.verifier;
        // SAFETY: as the caller says.
        let (signature, message) = unsafe {
            (bytes("signature", signature, signature_len)?, bytes("message", message, message_len)?)
        };
        Ok(work(verifier, message, signature)?)
    })
}

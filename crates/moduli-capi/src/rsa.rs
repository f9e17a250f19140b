//! RSA.

use moduli::scheme::rsa::{Hash, PrivateKey, PublicKey, Scheme, Signature, Signer, Verifier};
use std::{ffi::c_char, sync::Arc};

use crate::{
    call::{ask, call, call_for_number, free},
    failure::{Failure, given},
    input::{bytes, name, number, pem as pem_of},
    output::{Buffer, Slot},
    status::Status,
};

/// An RSA private key. Threads may share it.
pub struct RsaPrivateKeyHandle {
    key: Arc<PrivateKey>,
}

/// An RSA public key. Immutable: threads may share it.
pub struct RsaPublicKeyHandle {
    key: PublicKey,
}

/// The scheme of a name such as "pss-sha256", "pss-sha256-20" or "pkcs1-sha512".
fn scheme(text: &str) -> Result<Scheme, Failure> {
    let parts: Vec<&str> = text.split('-').collect();
    match parts[..] {
        ["pss", hash] => Ok(Scheme::pss(Hash::named(hash)?)),
        ["pss", hash, salt]
            if salt.bytes().all(|byte| byte.is_ascii_digit()) && (1..=5).contains(&salt.len()) =>
        {
            let hash = Hash::named(hash)?;
            // Five digits fit.
            Ok(Scheme::pss_with(hash, hash, salt.parse().unwrap_or(usize::MAX)))
        }
        ["pkcs1", hash] => Ok(Scheme::pkcs1(Hash::named(hash)?)),
        _ => Err(Failure::parameter(
            "scheme",
            format!(
                "{text:?} is not one of pss-HASH, pss-HASH-SALT with the bytes of the salt, and pkcs1-HASH"
            ),
        )),
    }
}

/// Reads an RSA private key of two primes, with 1024 to 16384 bits.
///
/// out: receives the handle, or NULL if the call fails. moduli_rsa_private_key_free frees it and wipes the
/// key.
/// pem, pem_len: a text with a block PRIVATE KEY or RSA PRIVATE KEY, not encrypted, as OpenSSL writes it. The
/// caller wipes its copy.
///
/// Not claimed constant-time. Cost: two divisions and an inversion.
/// Fails with MODULI_STATUS_KEY, MODULI_STATUS_PARAMETER, MODULI_STATUS_NULL_POINTER.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_rsa_private_key_new(
    out: *mut *mut RsaPrivateKeyHandle,
    pem: *const c_char,
    pem_len: usize,
) -> Status {
    // SAFETY: the header asks for a place that can be written.
    let out = unsafe { Slot::handle(out) };
    call([&out], || {
        out.check()?;
        // SAFETY: the header asks for so many bytes.
        let key = PrivateKey::from_pem(unsafe { pem_of(pem, pem_len) }?)?;
        out.put(RsaPrivateKeyHandle { key: Arc::new(key) });
        Ok(())
    })
}

/// Frees a private key and wipes it. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_rsa_private_key_free(key: *mut RsaPrivateKeyHandle) {
    // SAFETY: the header asks for NULL or a handle that is not used again.
    unsafe { free(key) };
}

/// Bytes of n, and so of a signature and of a decrypted number; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_rsa_private_key_size(key: Option<&RsaPrivateKeyHandle>) -> usize {
    ask(0, || key.map_or(0, |handle| handle.key.public_key().bytes()))
}

/// out = c^d mod n: the private operation alone (RSADP of RFC 8017).
///
/// out, out_len: at least moduli_rsa_private_key_size bytes. c: below n.
///
/// The result is the padded message. If you remove the padding, reveal to nobody whether it was valid,
/// neither by an answer nor by timing: that breaks PKCS#1 v1.5 encryption.
///
/// Constant-time in the key and c except for its length; blinded with random bytes of the system, and checked
/// before it is released. Cost: a power modulo each prime.
/// Fails with MODULI_STATUS_PARAMETER if c is not below n; MODULI_STATUS_RANDOM, MODULI_STATUS_FAULT,
/// MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_rsa_decrypt_raw(
    key: Option<&RsaPrivateKeyHandle>,
    out: *mut u8,
    out_len: usize,
    c: *const u8,
    c_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe {
        call_for_number((out, out_len), || {
            let key = &given("key", key)?.key;
            Ok((key.public_key().bytes(), || {
                Ok(key.decrypt_raw(&mut getrandom::SysRng, number("c", c, c_len)?.value())?)
            }))
        })
    }
}

/// Signs a message.
///
/// signature, signature_len: at least moduli_rsa_private_key_size bytes; a signature has exactly that many,
/// and the rest of a longer buffer is filled with zeros.
/// scheme: "pss-sha256" (PSS with MGF1 of the same hash function and a salt as long as a digest),
/// "pss-sha256-20" (with a salt of that many bytes) or "pkcs1-sha256" (PKCS#1 v1.5), or with sha224, sha384
/// or sha512. message: of any length.
///
/// Constant-time in the key; blinded and salted with random bytes of the system, and checked before it is
/// released. Cost: that of moduli_rsa_decrypt_raw, and the hash.
/// Fails with MODULI_STATUS_PARAMETER for a scheme that is unknown or for which n is too short;
/// MODULI_STATUS_RANDOM, MODULI_STATUS_FAULT, MODULI_STATUS_NULL_POINTER, MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1, 2, 4)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_rsa_sign(
    key: Option<&RsaPrivateKeyHandle>,
    signature: *mut u8,
    signature_len: usize,
    scheme: *const c_char,
    message: *const u8,
    message_len: usize,
) -> Status {
    // SAFETY: the header asks for what `sign` asks for.
    unsafe {
        sign(key, (signature, signature_len), scheme, (message, message_len), |signer, message| {
            signer.sign(&mut getrandom::SysRng, message)
        })
    }
}

/// Signs the digest of a message that you hashed with the scheme's hash function: as moduli_rsa_sign.
///
/// Fails as moduli_rsa_sign; with MODULI_STATUS_PARAMETER for a digest of another length.
/// cbindgen:postfix=MODULI_NONNULL(1, 2, 4)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_rsa_sign_digest(
    key: Option<&RsaPrivateKeyHandle>,
    signature: *mut u8,
    signature_len: usize,
    scheme: *const c_char,
    digest: *const u8,
    digest_len: usize,
) -> Status {
    // SAFETY: the header asks for what `sign` asks for.
    unsafe {
        sign(key, (signature, signature_len), scheme, (digest, digest_len), |signer, digest| {
            signer.sign_digest(&mut getrandom::SysRng, digest)
        })
    }
}

/// # Safety
/// Each pointer is NULL or leads to so many bytes, those of `signature` to be written; `scheme_name` is NULL
/// or ends in a zero byte.
unsafe fn sign(
    key: Option<&RsaPrivateKeyHandle>,
    (signature, signature_len): (*mut u8, usize),
    scheme_name: *const c_char,
    (message, message_len): (*const u8, usize),
    work: impl FnOnce(&Signer, &[u8]) -> Result<Signature, moduli::Error>,
) -> Status {
    // SAFETY: as the caller says.
    let out = unsafe { Buffer::new("signature", signature, signature_len) };
    call([&out], || {
        let key = &given("key", key)?.key;
        out.check(key.public_key().bytes())?;
        // SAFETY: as the caller says; nothing is written before the work is done.
        let (scheme_name, message) =
            unsafe { (name("scheme", scheme_name)?, bytes("message", message, message_len)?) };
        let signer = Signer::new(key.clone(), scheme(scheme_name)?)?;
        out.write_front(work(&signer, message)?.as_bytes())
    })
}

/// Reads an RSA public key with 1024 to 16384 bits and an exponent of at most 256.
///
/// out: receives the handle, or NULL if the call fails. moduli_rsa_public_key_free frees it.
/// pem, pem_len: a text with a block PUBLIC KEY or RSA PUBLIC KEY, as OpenSSL writes it.
///
/// Fails with MODULI_STATUS_KEY, MODULI_STATUS_PARAMETER, MODULI_STATUS_NULL_POINTER.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_rsa_public_key_new(
    out: *mut *mut RsaPublicKeyHandle,
    pem: *const c_char,
    pem_len: usize,
) -> Status {
    // SAFETY: the header asks for a place that can be written.
    let out = unsafe { Slot::handle(out) };
    call([&out], || {
        out.check()?;
        // SAFETY: the header asks for so many bytes.
        out.put(RsaPublicKeyHandle { key: PublicKey::from_pem(unsafe { pem_of(pem, pem_len) }?)? });
        Ok(())
    })
}

/// Frees a public key. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_rsa_public_key_free(key: *mut RsaPublicKeyHandle) {
    // SAFETY: the header asks for NULL or a handle that is not used again.
    unsafe { free(key) };
}

/// Bytes of n, and so of a signature and of an encrypted number; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_rsa_public_key_size(key: Option<&RsaPublicKeyHandle>) -> usize {
    ask(0, || key.map_or(0, |handle| handle.key.bytes()))
}

/// out = m^e mod n: the public operation alone (RSAEP of RFC 8017), for a message that you have padded.
///
/// out, out_len: at least moduli_rsa_public_key_size bytes. m: below n.
///
/// Constant-time in m except for its length. Cost: a squaring for each bit of e.
/// Fails with MODULI_STATUS_PARAMETER if m is not below n; MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH,
/// MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_rsa_encrypt_raw(
    key: Option<&RsaPublicKeyHandle>,
    out: *mut u8,
    out_len: usize,
    m: *const u8,
    m_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe {
        call_for_number((out, out_len), || {
            let key = &given("key", key)?.key;
            Ok((key.bytes(), || Ok(key.encrypt_raw(number("m", m, m_len)?.value())?)))
        })
    }
}

/// Returns MODULI_STATUS_OK if this is a signature of the message.
///
/// scheme: as for moduli_rsa_sign, and also sha1; "pss-sha256" accepts salts of any length.
///
/// Variable-time: everything is public. Cost: that of moduli_rsa_encrypt_raw, and the hash.
/// Fails with MODULI_STATUS_SIGNATURE if it is not; MODULI_STATUS_PARAMETER for a scheme that is unknown;
/// MODULI_STATUS_NULL_POINTER.
/// cbindgen:postfix=MODULI_NONNULL(1, 4)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_rsa_verify(
    key: Option<&RsaPublicKeyHandle>,
    signature: *const u8,
    signature_len: usize,
    scheme: *const c_char,
    message: *const u8,
    message_len: usize,
) -> Status {
    // SAFETY: the header asks for what `verify` asks for.
    unsafe {
        verify(
            key,
            (signature, signature_len),
            scheme,
            (message, message_len),
            |verifier, message, signature| verifier.verify(message, signature),
        )
    }
}

/// Returns MODULI_STATUS_OK if this is a signature of the message with this digest: as moduli_rsa_verify.
///
/// Fails as moduli_rsa_verify; with MODULI_STATUS_PARAMETER for a digest of another length than the hash
/// function's.
/// cbindgen:postfix=MODULI_NONNULL(1, 4)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_rsa_verify_digest(
    key: Option<&RsaPublicKeyHandle>,
    signature: *const u8,
    signature_len: usize,
    scheme: *const c_char,
    digest: *const u8,
    digest_len: usize,
) -> Status {
    // SAFETY: the header asks for what `verify` asks for.
    unsafe {
        verify(
            key,
            (signature, signature_len),
            scheme,
            (digest, digest_len),
            |verifier, digest, signature| verifier.verify_digest(digest, signature),
        )
    }
}

/// # Safety
/// Each pointer is NULL or leads to so many bytes; `scheme_name` is NULL or ends in a zero byte.
unsafe fn verify(
    key: Option<&RsaPublicKeyHandle>,
    (signature, signature_len): (*const u8, usize),
    scheme_name: *const c_char,
    (message, message_len): (*const u8, usize),
    work: impl FnOnce(&Verifier, &[u8], &Signature) -> Result<(), moduli::Error>,
) -> Status {
    call([], || {
        let key = &given("key", key)?.key;
        // SAFETY: as the caller says.
        let (signature, scheme_name, message) = unsafe {
            (
                bytes("signature", signature, signature_len)?,
                name("scheme", scheme_name)?,
                bytes("message", message, message_len)?,
            )
        };
        let verifier = Verifier::new(key.clone(), scheme(scheme_name)?);
        Ok(work(&verifier, message, &Signature::try_from(signature)?)?)
    })
}

//! What all keys share as text and bytes: PEM blocks, DER integers, and the errors of both.

use alloc::{borrow::Cow, format, vec::Vec};
use crypto_bigint::BoxedUint;
use der::{asn1::UintRef, pem};
use zeroize::Zeroizing;

use crate::{
    error::{Error, KeyError},
    modulus::Modulus,
};

/// PEM label of a PKCS#8 private key.
pub(crate) const PKCS8: &str = "PRIVATE KEY";
/// PEM label of a SubjectPublicKeyInfo.
pub(crate) const SPKI: &str = "PUBLIC KEY";
const ENCRYPTED: &str = "ENCRYPTED PRIVATE KEY";

/// No key that is served comes near this; it bounds what a foreign one can make us allocate.
const MAX_DER_BYTES: usize = 1 << 16;

/// Numbers of a key that are out of range or do not belong together.
pub(crate) fn invalid(reason: impl Into<Cow<'static, str>>) -> Error {
    Error::Key(KeyError::Invalid(reason.into()))
}

/// Text or bytes that are no key.
pub(crate) fn malformed(reason: impl Into<Cow<'static, str>>) -> Error {
    Error::Key(KeyError::Malformed(reason.into()))
}

/// The modulus of that name in a key. That a kernel is not to be had is no fault of the key.
pub(crate) fn modulus(name: &str, value: &BoxedUint) -> Result<Modulus, Error> {
    Modulus::new(value).map_err(|error| match error {
        Error::Kernel(_) => error,
        error => invalid(format!("{name}: {error}")),
    })
}

pub(crate) fn unreadable<E: core::fmt::Display>(what: &'static str) -> impl FnOnce(E) -> Error {
    move |error| malformed(format!("malformed {what}: {error}"))
}

pub(crate) fn unwritable(error: impl core::fmt::Display) -> Error {
    malformed(format!("cannot be written: {error}"))
}

pub(crate) fn check_length(bytes: &[u8]) -> Result<(), Error> {
    if bytes.len() <= MAX_DER_BYTES {
        return Ok(());
    }
    Err(malformed(format!("{} bytes; no key has more than {MAX_DER_BYTES}", bytes.len())))
}

pub(crate) fn number(integer: &UintRef<'_>) -> BoxedUint {
    BoxedUint::from_be_slice_vartime(integer.as_bytes())
}

/// The label and the bytes of the first block of `text` that has one of `labels`: OpenSSL writes the parameters
/// in front of a key, and others remarks. White space and header lines within the block are ignored, as by OpenSSL.
pub(crate) fn read_pem(
    text: &str,
    labels: &[&'static str],
) -> Result<(&'static str, Zeroizing<Vec<u8>>), Error> {
    let boundary = |label: &str| text.find(&format!("-----BEGIN {label}-----"));
    let first = labels.iter().filter_map(|&label| Some((boundary(label)?, label))).min();
    let Some((start, label)) = first else {
        if boundary(ENCRYPTED).is_some() {
            return Err(Error::Key(KeyError::Encrypted));
        }
        let wanted = format!("no PEM block labelled {}", labels.join(" or "));
        return Err(malformed(match labels_of(text).as_slice() {
            [] => wanted,
            found => format!("{wanted}; there is {}", found.join(", ")),
        }));
    };
    let (first, last) = (format!("-----BEGIN {label}-----\n"), format!("\n-----END {label}-----"));
    let body = &text[start + first.len() - 1..];
    let end = body.find(&last[1..]).ok_or_else(|| malformed("the PEM block has no end"))?;
    let body = &body[..end];
    if body.contains("Proc-Type:") {
        return Err(Error::Key(KeyError::Encrypted));
    }
    // In one line, as the decoder wants all lines but the last of one length. All at once: nothing is left behind in another allocation.
    let mut block = Zeroizing::new(Vec::with_capacity(first.len() + body.len() + last.len()));
    block.extend_from_slice(first.as_bytes());
    let lines = body.lines().filter(|line| !line.contains(':'));
    block.extend(lines.flat_map(str::bytes).filter(|byte| !byte.is_ascii_whitespace() && *byte != 0x0b));
    if block.len() == first.len() {
        return Err(malformed("the PEM block is empty"));
    }
    block.extend_from_slice(last.as_bytes());
    let mut decoder = pem::Decoder::new_detect_wrap(&block).map_err(unreadable("PEM block"))?;
    let mut bytes = Zeroizing::new(Vec::with_capacity(decoder.remaining_len()));
    decoder.decode_to_end(&mut bytes).map_err(unreadable("PEM block"))?;
    Ok((label, bytes))
}

/// The labels of the first PEM blocks of `text`, as far as they are ones.
fn labels_of(text: &str) -> Vec<&str> {
    let labels = text.split("-----BEGIN ").skip(1).filter_map(|rest| Some(rest.split_once("-----")?.0));
    let is_label = |label: &&str| {
        label.len() <= 40
            && label.bytes().all(|byte| byte.is_ascii_uppercase() || b"0123456789 ".contains(&byte))
    };
    labels.filter(is_label).take(3).collect()
}

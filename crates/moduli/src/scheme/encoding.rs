//! Encodings common to all keys: PEM blocks, DER integers, and their errors.

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

/// An upper bound: supported keys are much shorter. It limits the memory that an untrusted key can
/// occupy.
const MAX_DER_BYTES: usize = 1 << 16;

/// The error for numbers of a key that are out of range or do not match.
pub(crate) fn invalid(reason: impl Into<Cow<'static, str>>) -> Error {
    Error::Key(KeyError::Invalid(reason.into()))
}

/// The error for text or bytes that are not a key.
pub(crate) fn malformed(reason: impl Into<Cow<'static, str>>) -> Error {
    Error::Key(KeyError::Malformed(reason.into()))
}

/// The modulus with this name in a key. An unavailable kernel is not reported as an error of the
/// key.
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

/// Returns the label and the bytes of the first block of `text` that has one of `labels`. Other
/// blocks and text may come before it: OpenSSL writes the parameters in front of a key. Ignores
/// white space and header lines within the block, as OpenSSL does.
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
    // On one line, because the decoder requires that all lines but the last have the same length.
    // Allocated once, so that no copy remains elsewhere.
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

/// The labels of the first PEM blocks of `text`, if they are valid labels.
fn labels_of(text: &str) -> Vec<&str> {
    let labels = text.split("-----BEGIN ").skip(1).filter_map(|rest| Some(rest.split_once("-----")?.0));
    let is_label = |label: &&str| {
        label.len() <= 40
            && label.bytes().all(|byte| byte.is_ascii_uppercase() || b"0123456789 ".contains(&byte))
    };
    labels.filter(is_label).take(3).collect()
}

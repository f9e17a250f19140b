//! Keys as DER and PEM: PKCS#1 (RFC 8017, appendix A.1), alone and inside PKCS#8 (RFC 5958) and
//! SubjectPublicKeyInfo (RFC 5280).

use alloc::{string::String, vec::Vec};
use crypto_bigint::BoxedUint;
use der::{
    Decode, Encode,
    asn1::{AnyRef, BitStringRef, UintRef},
    pem::{self, LineEnding},
};
use pkcs1::{RsaPrivateKeyRef, RsaPublicKeyRef};
use pkcs8::{AlgorithmIdentifierRef, ObjectIdentifier, PrivateKeyInfoRef, SubjectPublicKeyInfoRef};
use zeroize::Zeroizing;

use super::{private_key::PrivateKey, public_key::PublicKey};
use crate::{
    error::{Error, KeyError},
    scheme::encoding::{PKCS8, SPKI, check_length, malformed, number, read_pem, unreadable, unwritable},
};

/// rsaEncryption (RFC 8017, appendix A.1).
const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");

/// id-RSASSA-PSS (RFC 8017, appendix A.2.3).
const RSA_PSS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.10");

const PKCS1_PRIVATE: &str = "RSA PRIVATE KEY";
const PKCS1_PUBLIC: &str = "RSA PUBLIC KEY";

impl PublicKey {
    /// Reads a DER SubjectPublicKeyInfo and checks the key as [`new`](Self::new) does. Strict DER;
    /// variable-time.
    ///
    /// # Errors
    /// [`Error::Key`]: malformed, not an RSA key, or one of those checks.
    pub fn from_spki_der(bytes: &[u8]) -> Result<Self, Error> {
        check_length(bytes)?;
        let info = SubjectPublicKeyInfoRef::from_der(bytes).map_err(unreadable("public key"))?;
        check_algorithm(&info.algorithm)?;
        let key = info.subject_public_key.as_bytes();
        Self::from_pkcs1_der(key.ok_or_else(|| malformed("the public key is not whole bytes"))?)
    }

    /// Reads a DER `RSAPublicKey` of PKCS#1, with the same checks.
    ///
    /// # Errors
    /// [`Error::Key`].
    pub fn from_pkcs1_der(bytes: &[u8]) -> Result<Self, Error> {
        check_length(bytes)?;
        let key = RsaPublicKeyRef::from_der(bytes).map_err(unreadable("RSA public key"))?;
        Self::new(&number(&key.modulus), &number(&key.public_exponent))
    }

    /// Reads the first `PUBLIC KEY` or `RSA PUBLIC KEY` block of a PEM text, and ignores the text around it.
    ///
    /// # Errors
    /// [`Error::Key`], also if there is no such block.
    pub fn from_pem(text: &str) -> Result<Self, Error> {
        let (label, bytes) = read_pem(text, &[SPKI, PKCS1_PUBLIC])?;
        if label == SPKI { Self::from_spki_der(&bytes) } else { Self::from_pkcs1_der(&bytes) }
    }

    /// The key as a DER SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// Only errors of the encoder, as [`Error::Key`]; no key causes one.
    pub fn to_spki_der(&self) -> Result<Vec<u8>, Error> {
        let [n, e] = [self.n().value().as_ref(), self.e()].map(BoxedUint::to_be_bytes);
        let integer = |bytes| UintRef::new(bytes).map_err(unwritable);
        let key = RsaPublicKeyRef { modulus: integer(&n)?, public_exponent: integer(&e)? };
        let key = key.to_der().map_err(unwritable)?;
        SubjectPublicKeyInfoRef {
            algorithm: AlgorithmIdentifierRef { oid: RSA, parameters: Some(AnyRef::NULL) },
            subject_public_key: BitStringRef::from_bytes(&key).map_err(unwritable)?,
        }
        .to_der()
        .map_err(unwritable)
    }

    /// The key as a PEM `PUBLIC KEY` block.
    ///
    /// # Errors
    /// As for [`to_spki_der`](Self::to_spki_der).
    pub fn to_pem(&self) -> Result<String, Error> {
        pem::encode_string(SPKI, LineEnding::LF, &self.to_spki_der()?).map_err(unwritable)
    }
}

impl PrivateKey {
    /// Reads a DER PKCS#8 key and checks it as [`from_components`](Self::from_components) does; its
    /// CRT values must match its other numbers. Strict DER; not claimed constant-time.
    ///
    /// # Errors
    /// [`Error::Key`]: malformed, not an RSA key, more than two primes, or one of those checks.
    pub fn from_pkcs8_der(bytes: &[u8]) -> Result<Self, Error> {
        check_length(bytes)?;
        let info = PrivateKeyInfoRef::from_der(bytes).map_err(unreadable("PKCS#8 private key"))?;
        check_algorithm(&info.algorithm)?;
        Self::from_pkcs1_der(info.private_key.as_bytes())
    }

    /// Reads a DER `RSAPrivateKey` of PKCS#1, with the same checks.
    ///
    /// # Errors
    /// [`Error::Key`].
    pub fn from_pkcs1_der(bytes: &[u8]) -> Result<Self, Error> {
        check_length(bytes)?;
        let key = RsaPrivateKeyRef::from_der(bytes).map_err(unreadable("RSA private key"))?;
        if key.other_prime_infos.is_some() {
            return Err(malformed("more than two primes; only keys with two are supported"));
        }
        let secret = |integer: &UintRef<'_>| Zeroizing::new(number(integer));
        let (n, e) = (number(&key.modulus), number(&key.public_exponent));
        let (d, p, q) = (secret(&key.private_exponent), secret(&key.prime1), secret(&key.prime2));
        let (dp, dq) = (secret(&key.exponent1), secret(&key.exponent2));
        Self::from_all([&n, &e, &d, &p, &q], [&dp, &dq], &secret(&key.coefficient))
    }

    /// Reads the first `PRIVATE KEY` or `RSA PRIVATE KEY` block of a PEM text, and ignores the text around
    /// it.
    ///
    /// # Errors
    /// [`Error::Key`], also if there is no such block or it is encrypted.
    pub fn from_pem(text: &str) -> Result<Self, Error> {
        let (label, bytes) = read_pem(text, &[PKCS8, PKCS1_PRIVATE])?;
        if label == PKCS8 { Self::from_pkcs8_der(&bytes) } else { Self::from_pkcs1_der(&bytes) }
    }
}

/// Accepts only rsaEncryption. A key for RSASSA-PSS has parameters that restrict its use, and this
/// library ignores them. The algorithm's parameters are NULL, as RFC 8017 requires, or missing, as
/// some programs write them.
fn check_algorithm(algorithm: &AlgorithmIdentifierRef<'_>) -> Result<(), Error> {
    if algorithm.oid == RSA_PSS {
        return Err(malformed(
            "a key for RSASSA-PSS alone (1.2.840.113549.1.1.10), which is not supported; keys of rsaEncryption sign by RSASSA-PSS as well",
        ));
    }
    if algorithm.oid != RSA {
        let oid = algorithm.oid;
        return Err(Error::Key(KeyError::Algorithm { expected: "an RSA key", found: oid.to_string() }));
    }
    if algorithm.parameters.is_some_and(|parameters| parameters != AnyRef::NULL) {
        return Err(malformed("an RSA key has no parameters"));
    }
    Ok(())
}

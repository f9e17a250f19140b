//! Keys as DER and PEM: PKCS#8 (RFC 5958), SubjectPublicKeyInfo (RFC 5280, with parameters as in
//! RFC 3279) and, read-only, the `DSA PRIVATE KEY` of OpenSSL before 3.0.

use alloc::{format, string::String, vec, vec::Vec};
use crypto_bigint::BoxedUint;
use der::{
    Decode, Encode,
    asn1::{AnyRef, BitStringRef, OctetStringRef, UintRef},
    pem::{self, LineEnding},
};
use pkcs8::{AlgorithmIdentifierRef, PrivateKeyInfoRef, SubjectPublicKeyInfoRef};
use zeroize::Zeroizing;

use super::{
    domain::DomainParameters,
    key::{PrivateKey, PublicKey},
};
use crate::{
    error::{Error, KeyError},
    scheme::encoding::{PKCS8, SPKI, check_length, malformed, number, read_pem, unreadable, unwritable},
};

const TRADITIONAL: &str = "DSA PRIVATE KEY";

impl PublicKey {
    /// Reads a DER SubjectPublicKeyInfo and checks the key as [`DomainParameters::new`] and
    /// [`PublicKey::new`] do. Strict DER; variable-time.
    ///
    /// # Errors
    /// [`Error::Key`]: malformed, not a DSA key, parameters missing, or one of those checks.
    pub fn from_spki_der(bytes: &[u8]) -> Result<Self, Error> {
        check_length(bytes)?;
        let info = SubjectPublicKeyInfoRef::from_der(bytes).map_err(unreadable("public key"))?;
        let parameters = read_algorithm(&info.algorithm)?;
        let y = info.subject_public_key.as_bytes().ok_or_else(|| malformed("y is not whole bytes"))?;
        Self::new(&parameters, &read_integer(y, "y")?)
    }

    /// Reads the first `PUBLIC KEY` block of a PEM text, as [`from_spki_der`](Self::from_spki_der).
    ///
    /// # Errors
    /// [`Error::Key`], also if there is no such block.
    pub fn from_pem(text: &str) -> Result<Self, Error> {
        let (_, bytes) = read_pem(text, &[SPKI])?;
        Self::from_spki_der(&bytes)
    }

    /// The key as a DER SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// Only errors of the encoder, as [`Error::Key`]; no key causes one.
    pub fn to_spki_der(&self) -> Result<Vec<u8>, Error> {
        let parameters = write_parameters(self.parameters())?;
        let y = write_integer(self.y())?;
        SubjectPublicKeyInfoRef {
            algorithm: algorithm(&parameters)?,
            subject_public_key: BitStringRef::from_bytes(&y).map_err(unwritable)?,
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
    /// Reads a DER PKCS#8 key and checks it as [`DomainParameters::new`] and [`PrivateKey::new`] do; if the
    /// key contains its y, that must be g^x. Strict DER. Variable-time in the length of x.
    ///
    /// # Errors
    /// [`Error::Key`]: malformed, not a DSA key, parameters missing, or one of those checks.
    pub fn from_pkcs8_der(bytes: &[u8]) -> Result<Self, Error> {
        check_length(bytes)?;
        let info = PrivateKeyInfoRef::from_der(bytes).map_err(unreadable("PKCS#8 private key"))?;
        let parameters = read_algorithm(&info.algorithm)?;
        let x = Zeroizing::new(read_integer(info.private_key.as_bytes(), "x")?);
        match info.public_key {
            None => Self::new(&parameters, &x),
            Some(y) => {
                let y = y.as_bytes().ok_or_else(|| malformed("y is not whole bytes"))?;
                Self::from_pair(&parameters, &x, &read_integer(y, "y")?)
            }
        }
    }

    /// Reads the older DER form, a sequence of 0, p, q, g, y and x, with the same checks.
    ///
    /// # Errors
    /// [`Error::Key`].
    pub fn from_traditional_der(bytes: &[u8]) -> Result<Self, Error> {
        check_length(bytes)?;
        let fields = Vec::<UintRef<'_>>::from_der(bytes).map_err(unreadable("DSA private key"))?;
        let [version, p, q, g, y, x] = fields.as_slice() else {
            return Err(malformed(format!("{} integers; a DSA private key has 6", fields.len())));
        };
        if version.as_bytes().iter().any(|&byte| byte != 0) {
            return Err(malformed("version is not 0"));
        }
        let parameters = DomainParameters::new(&number(p), &number(q), &number(g))?;
        Self::from_pair(&parameters, &Zeroizing::new(number(x)), &number(y))
    }

    /// Reads the first `PRIVATE KEY` or `DSA PRIVATE KEY` block of a PEM text, and ignores the text around
    /// it.
    ///
    /// # Errors
    /// [`Error::Key`], also if there is no such block or it is encrypted.
    pub fn from_pem(text: &str) -> Result<Self, Error> {
        let (label, bytes) = read_pem(text, &[PKCS8, TRADITIONAL])?;
        if label == PKCS8 { Self::from_pkcs8_der(&bytes) } else { Self::from_traditional_der(&bytes) }
    }

    /// The key as DER PKCS#8, version 1, as OpenSSL writes it. Wiped on drop.
    ///
    /// # Errors
    /// Only errors of the encoder, as [`Error::Key`]; no key causes one.
    pub fn to_pkcs8_der(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let parameters = write_parameters(self.parameters())?;
        let x = write_integer(self.secret())?;
        let x = OctetStringRef::new(&x).map_err(unwritable)?;
        PrivateKeyInfoRef::new(algorithm(&parameters)?, x).to_der().map(Zeroizing::new).map_err(unwritable)
    }

    /// The key as a PEM `PRIVATE KEY` block. Wiped on drop.
    ///
    /// # Errors
    /// As for [`to_pkcs8_der`](Self::to_pkcs8_der).
    pub fn to_pem(&self) -> Result<Zeroizing<String>, Error> {
        pem::encode_string(PKCS8, LineEnding::LF, &self.to_pkcs8_der()?)
            .map(Zeroizing::new)
            .map_err(unwritable)
    }
}

fn read_integer(bytes: &[u8], name: &'static str) -> Result<BoxedUint, Error> {
    UintRef::from_der(bytes).map(|integer| number(&integer)).map_err(unreadable(name))
}

fn write_integer(value: &BoxedUint) -> Result<Zeroizing<Vec<u8>>, Error> {
    let bytes = Zeroizing::new(value.to_be_bytes());
    UintRef::new(&bytes).and_then(|integer| integer.to_der()).map(Zeroizing::new).map_err(unwritable)
}

fn read_algorithm(algorithm: &AlgorithmIdentifierRef<'_>) -> Result<DomainParameters, Error> {
    if algorithm.oid != ::dsa::OID {
        return Err(Error::Key(KeyError::Algorithm {
            expected: "a DSA key",
            found: algorithm.oid.to_string(),
        }));
    }
    let parameters =
        algorithm.parameters.ok_or_else(|| malformed("the parameters p, q and g are missing"))?;
    let fields = parameters.decode_as::<Vec<UintRef<'_>>>().map_err(unreadable("parameters"))?;
    let [p, q, g] = fields.as_slice() else {
        return Err(malformed(format!("{} parameters; DSA has p, q and g", fields.len())));
    };
    DomainParameters::new(&number(p), &number(q), &number(g))
}

/// Encodes p, q and g as a SEQUENCE.
fn write_parameters(parameters: &DomainParameters) -> Result<Vec<u8>, Error> {
    let [p, q, g] = [parameters.p().value().as_ref(), parameters.q().value().as_ref(), parameters.g()]
        .map(BoxedUint::to_be_bytes);
    let integer = |bytes| UintRef::new(bytes).map_err(unwritable);
    vec![integer(&p)?, integer(&q)?, integer(&g)?].to_der().map_err(unwritable)
}

fn algorithm(parameters: &[u8]) -> Result<AlgorithmIdentifierRef<'_>, Error> {
    let parameters = AnyRef::from_der(parameters).map_err(unwritable)?;
    Ok(AlgorithmIdentifierRef { oid: ::dsa::OID, parameters: Some(parameters) })
}

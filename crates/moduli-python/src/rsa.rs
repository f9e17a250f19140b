//! RSA keys, signatures and private operations.

use moduli::{Error, scheme::rsa};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyType},
};
use std::sync::Arc;
use zeroize::Zeroizing;

use crate::{
    dsa::{hash, not_pickled, reading_pem},
    error::{exception, invalid},
    groups::hash_of,
    integer,
    text::{bytes_of, messages_of, pem_of},
    work,
};

fn scheme(padding: &str, name: &str, salt_bytes: Option<&Bound<'_, PyAny>>) -> PyResult<rsa::Scheme> {
    let (hash, salt_bytes) = (hash(name)?, integer::small::<u32>(salt_bytes, "salt_bytes")?);
    match (padding, salt_bytes) {
        ("pss", None) => Ok(rsa::Scheme::pss(hash)),
        ("pss", Some(salt_bytes)) => Ok(rsa::Scheme::pss_with(hash, hash, salt_bytes as usize)),
        ("pkcs1", None) => Ok(rsa::Scheme::pkcs1(hash)),
        ("pkcs1", Some(_)) => Err(PyValueError::new_err("salt_bytes: \"pkcs1\" has no salt")),
        _ => Err(PyValueError::new_err(format!("padding: {padding:?} is neither \"pss\" nor \"pkcs1\""))),
    }
}

/// An RSA public key, which consists of n and e.
///
/// Create a key by PrivateKey.public_key or from_pem. The key is public, and all functions except encrypt_raw
/// are variable-time.
#[pyclass(frozen, module = "moduli.rsa", name = "PublicKey")]
pub struct PublicKey(rsa::PublicKey);

impl PublicKey {
    /// The result of the check, or an exception if the arguments are wrong.
    fn verified(
        &self,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        (padding, hash, salt_bytes): (&str, &str, Option<&Bound<'_, PyAny>>),
    ) -> PyResult<Result<(), Error>> {
        let (message, signature) = (bytes_of(message, "message")?, bytes_of(signature, "signature")?);
        let verifier = rsa::Verifier::new(self.0.clone(), scheme(padding, hash, salt_bytes)?);
        Ok(rsa::Signature::try_from(&signature[..])
            .and_then(|signature| verifier.verify(&message, &signature)))
    }
}

#[pymethods]
impl PublicKey {
    /// Reads a key from a PEM text ("PUBLIC KEY" or "RSA PUBLIC KEY"). Raises ValueError.
    #[staticmethod]
    fn from_pem(text: &Bound<'_, PyAny>) -> PyResult<Self> {
        rsa::PublicKey::from_pem(&pem_of(text)?).map(Self).map_err(exception)
    }

    /// Returns the PEM text of the key ("PUBLIC KEY", SubjectPublicKeyInfo).
    fn to_pem(&self) -> PyResult<String> {
        self.0.to_pem().map_err(exception)
    }

    /// The modulus n.
    #[getter]
    fn n<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, self.0.n().value().as_ref())
    }

    /// The public exponent e.
    #[getter]
    fn e<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, self.0.e())
    }

    /// Returns None if this is a signature of the message under this key. Raises InvalidSignature, a
    /// ValueError, for all other bytes. padding is "pss" or "pkcs1". For "pss", salt_bytes is the length
    /// of the salt; without it, any length is accepted. hash is "sha1" (for old signatures), "sha224",
    /// "sha256", "sha384" or "sha512". Other names raise ValueError. Cost: one squaring for each bit of
    /// e.
    #[pyo3(signature = (message, signature, *, padding="pss", hash="sha256", salt_bytes=None))]
    fn verify(
        &self,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        padding: &str,
        hash: &str,
        salt_bytes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.verified(message, signature, (padding, hash, salt_bytes))?.map_err(invalid)
    }

    /// Returns whether this is a signature of the message under this key. The arguments are those of verify.
    #[pyo3(signature = (message, signature, *, padding="pss", hash="sha256", salt_bytes=None))]
    fn is_valid(
        &self,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        padding: &str,
        hash: &str,
        salt_bytes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        Ok(self.verified(message, signature, (padding, hash, salt_bytes))?.is_ok())
    }

    /// Computes m**e modulo n, without any padding (RSAEP of RFC 8017). Constant-time in m except for its
    /// length. Raises ValueError unless m is at least 0 and below n.
    fn encrypt_raw<'py>(&self, m: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = m.py();
        let m = integer::read(m, "m")?;
        if m.negative {
            return Err(PyValueError::new_err("m: is negative"));
        }
        integer::write(py, &self.0.encrypt_raw(&m.magnitude).map_err(exception)?)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __hash__(&self) -> u64 {
        hash_of(self.0.n().value().as_ref())
    }

    /// By its PEM text.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyType>,))> {
        reading_pem(slf.as_any(), &slf.get().to_pem()?)
    }

    fn __repr__(&self) -> String {
        format!("<rsa.PublicKey: n of {} bits>", self.0.n().bits())
    }
}

/// An RSA private key with two primes. The library wipes its own copies of the secrets. It cannot wipe
/// Python's copy of a PEM text.
///
/// Create a key by from_pem; the package does not generate RSA keys. Private operations are constant-time in
/// the key and the operand, blinded, and checked before anything is released. Many threads may use a key at
/// once.
#[pyclass(frozen, module = "moduli.rsa", name = "PrivateKey")]
pub struct PrivateKey(Arc<rsa::PrivateKey>);

impl PrivateKey {
    /// The approximate time of a private operation, in nanoseconds: two exponentiations of half the length.
    fn nanoseconds(&self) -> f64 {
        let n = self.0.public_key().n();
        work::power(n, n.bits()) / 4.0
    }
}

#[pymethods]
impl PrivateKey {
    /// Reads and checks a key from a PEM text ("PRIVATE KEY" or "RSA PRIVATE KEY", not encrypted). Raises
    /// ValueError.
    #[staticmethod]
    fn from_pem(text: &Bound<'_, PyAny>) -> PyResult<Self> {
        rsa::PrivateKey::from_pem(&pem_of(text)?).map(|key| Self(Arc::new(key))).map_err(exception)
    }

    /// Returns the public key of this private key.
    fn public_key(&self) -> PublicKey {
        PublicKey(self.0.public_key().clone())
    }

    /// Returns the signature of a message, which has as many bytes as n. padding is "pss" or "pkcs1". For
    /// "pss", salt_bytes is the length of the salt, by default that of a digest. hash is "sha224",
    /// "sha256", "sha384" or "sha512".
    ///
    /// Raises ValueError for an unknown padding or hash, or if n is too short; RuntimeError if the result
    /// fails the check.
    #[pyo3(signature = (message, *, padding="pss", hash="sha256", salt_bytes=None))]
    fn sign<'py>(
        &self,
        message: &Bound<'py, PyAny>,
        padding: &str,
        hash: &str,
        salt_bytes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (py, message) = (message.py(), bytes_of(message, "message")?);
        let signer =
            rsa::Signer::new(self.0.clone(), scheme(padding, hash, salt_bytes)?).map_err(exception)?;
        let sign = || signer.sign(&mut getrandom::SysRng, &message);
        let signature = work::run(py, self.nanoseconds(), sign).map_err(exception)?;
        Ok(PyBytes::new(py, signature.as_bytes()))
    }

    /// Returns the signatures of many messages, in order. Runs on all cores and uses their vector registers.
    /// The other arguments are those of sign. Ctrl-C interrupts.
    #[pyo3(signature = (messages, *, padding="pss", hash="sha256", salt_bytes=None))]
    fn sign_batch<'py>(
        &self,
        py: Python<'py>,
        messages: Vec<Bound<'py, PyAny>>,
        padding: &str,
        hash: &str,
        salt_bytes: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let messages = messages_of(&messages)?;
        let signer =
            rsa::Signer::new(self.0.clone(), scheme(padding, hash, salt_bytes)?).map_err(exception)?;
        let mut signatures = Vec::with_capacity(messages.len());
        work::in_pieces(py, messages.len(), self.nanoseconds(), |range| {
            let sign = || signer.sign_batch(&mut getrandom::SysRng, &messages[range]);
            let piece = work::on_all_cores(py, sign).map_err(exception)?;
            signatures.extend(piece.iter().map(|signature| PyBytes::new(py, signature.as_bytes())));
            Ok(())
        })?;
        Ok(signatures)
    }

    /// Computes c**d modulo n, without any padding (RSADP of RFC 8017). If you remove a padding from the
    /// result, do not reveal to anybody whether the padding was valid.
    ///
    /// Raises ValueError unless c is at least 0 and below n; RuntimeError if the result fails the check.
    fn decrypt_raw<'py>(&self, c: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = c.py();
        let c = integer::read(c, "c")?;
        if c.negative {
            return Err(PyValueError::new_err("c: is negative"));
        }
        let decrypt = || self.0.decrypt_raw(&mut getrandom::SysRng, &c.magnitude).map(Zeroizing::new);
        let m = work::run(py, self.nanoseconds(), decrypt).map_err(exception)?;
        integer::write(py, &m)
    }

    fn __repr__(&self) -> String {
        format!("<rsa.PrivateKey: n of {} bits>", self.0.public_key().n().bits())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("a private key"))
    }
}

//! DSA keys and signatures.

use moduli::{Error, MemorySize, scheme::dsa};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBytes, PyType},
};
use signature::SignatureEncoding;
use std::sync::Arc;
use zeroize::Zeroizing;

use crate::{
    error::{exception, invalid},
    groups::{Group, hash_of},
    integer, plan,
    text::{bytes_of, messages_of, pem_of},
    work,
};

/// The exception for an object that cannot be pickled.
pub fn not_pickled(what: &str) -> PyErr {
    PyTypeError::new_err(format!("{what} cannot be pickled: write it as PEM, and mind who reads it"))
}

/// The result of `__reduce__` for a public key: its class, which reads this text.
pub fn reading_pem<'py>(
    key: &Bound<'py, PyAny>,
    pem: &str,
) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyType>,))> {
    let read = key.py().import("operator")?.call_method1("methodcaller", ("from_pem", pem))?;
    Ok((read, (key.get_type(),)))
}

/// The hash function with this name.
pub fn hash(name: &str) -> PyResult<dsa::Hash> {
    dsa::Hash::named(name).map_err(exception)
}

/// A DSA public key: a group, and y = g**x.
///
/// Create a key by PrivateKey.public_key or from_pem. from_pem assumes that p and q are prime, except for one
/// Fermat test of q; validate tests both. Everything is public, and all functions are variable-time.
#[pyclass(frozen, module = "moduli.dsa", name = "PublicKey")]
pub struct PublicKey(dsa::PublicKey);

impl PublicKey {
    /// The result of the check, or an exception if the arguments are wrong.
    fn verified(
        &self,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        hash: &str,
    ) -> PyResult<Result<(), Error>> {
        let (py, message, signature) =
            (message.py(), bytes_of(message, "message")?, bytes_of(signature, "signature")?);
        let verifier = dsa::Verifier::new(self.0.clone(), self::hash(hash)?);
        let time = 2.0 * work::power(self.0.parameters().p(), self.0.parameters().q().bits());
        Ok(work::run(py, time, || verifier.verify_der(&message, &signature)))
    }
}

#[pymethods]
impl PublicKey {
    /// Reads a key from a PEM text ("PUBLIC KEY"). Checks that y**q is 1, but not that p and q are prime (see
    /// validate). Raises ValueError.
    #[staticmethod]
    fn from_pem(text: &Bound<'_, PyAny>) -> PyResult<Self> {
        dsa::PublicKey::from_pem(&pem_of(text)?).map(Self).map_err(exception)
    }

    /// Returns the PEM text of the key ("PUBLIC KEY", SubjectPublicKeyInfo).
    fn to_pem(&self) -> PyResult<String> {
        self.0.to_pem().map_err(exception)
    }

    /// The modulus p.
    #[getter]
    fn p<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, self.0.parameters().p().value().as_ref())
    }

    /// The order q of the generator.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, self.0.parameters().q().value().as_ref())
    }

    /// The generator g.
    #[getter]
    fn g<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, self.0.parameters().g())
    }

    /// The value y = g**x.
    #[getter]
    fn y<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, self.0.y())
    }

    /// Tests that p and q are prime, of which from_pem only tests q, by one Fermat test. Call this for keys
    /// whose group comes from an untrusted source. Raises ValueError with the first error found. Cost: dozens
    /// of exponentiations with exponents as long as p.
    fn validate(&self, py: Python<'_>) -> PyResult<()> {
        let parameters = self.0.parameters();
        let time = 64.0 * work::power(parameters.p(), parameters.p().bits());
        work::run(py, time, || parameters.validate()).map_err(exception)
    }

    /// Returns None if this is a DER signature of the message under this key. Raises InvalidSignature, a
    /// ValueError, for all other bytes, including malformed ones. hash is "sha1" (for old signatures),
    /// "sha224", "sha256", "sha384" or "sha512"; other names raise ValueError. Cost: two exponentiations.
    #[pyo3(signature = (message, signature, *, hash="sha256"))]
    fn verify(&self, message: &Bound<'_, PyAny>, signature: &Bound<'_, PyAny>, hash: &str) -> PyResult<()> {
        self.verified(message, signature, hash)?.map_err(invalid)
    }

    /// Returns whether this is a DER signature of the message under this key. The arguments are those of
    /// verify.
    #[pyo3(signature = (message, signature, *, hash="sha256"))]
    fn is_valid(
        &self,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        hash: &str,
    ) -> PyResult<bool> {
        Ok(self.verified(message, signature, hash)?.is_ok())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __hash__(&self) -> u64 {
        hash_of(self.0.y())
    }

    /// By its PEM text.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyType>,))> {
        reading_pem(slf.as_any(), &slf.get().to_pem()?)
    }

    fn __repr__(&self) -> String {
        let parameters = self.0.parameters();
        format!("<dsa.PublicKey: p of {} bits, q of {}>", parameters.p().bits(), parameters.q().bits())
    }
}

/// A DSA private key. The library wipes its own copies of the secret. It cannot wipe Python's copies of a PEM
/// text.
///
/// Create a key by generate or from_pem. from_pem assumes that p and q are prime, except for one Fermat test
/// of q; public_key().validate() tests both. To sign, create a Signer from the key.
///
/// >>> key = moduli.dsa.PrivateKey.generate(moduli.group("dsa-2048-256"))
/// >>> signature = moduli.dsa.Signer(key).sign(b"message")
/// >>> key.public_key().is_valid(b"message", signature)
/// True
#[pyclass(frozen, module = "moduli.dsa", name = "PrivateKey")]
pub struct PrivateKey(dsa::PrivateKey);

#[pymethods]
impl PrivateKey {
    /// Generates a new key in a group, with random numbers of the operating system. Raises ValueError for a
    /// group whose lengths DSA does not allow.
    #[staticmethod]
    fn generate(group: &Group) -> PyResult<Self> {
        let group = &group.0;
        let parameters = dsa::DomainParameters::new(group.modulus(), group.order(), group.generator());
        let key = dsa::PrivateKey::generate(&parameters.map_err(exception)?, &mut getrandom::SysRng);
        key.map(Self).map_err(exception)
    }

    /// Reads a key from a PEM text ("PRIVATE KEY" or "DSA PRIVATE KEY", not encrypted). Checks that its
    /// numbers fit together, but not that p and q are prime (see PublicKey.validate). Raises ValueError.
    #[staticmethod]
    fn from_pem(text: &Bound<'_, PyAny>) -> PyResult<Self> {
        dsa::PrivateKey::from_pem(&pem_of(text)?).map(Self).map_err(exception)
    }

    /// Returns the PEM text of the key ("PRIVATE KEY", PKCS#8), not encrypted.
    fn to_pem(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let text: Zeroizing<String> = self.0.to_pem().map_err(exception)?;
        Ok(text.as_str().into_pyobject(py)?.into_any().unbind())
    }

    /// Returns the public key of this private key.
    fn public_key(&self) -> PublicKey {
        PublicKey(self.0.public_key().clone())
    }

    fn __repr__(&self) -> String {
        let parameters = self.0.parameters();
        format!("<dsa.PrivateKey: p of {} bits, q of {}>", parameters.p().bits(), parameters.q().bits())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("a private key"))
    }
}

/// Signs messages with one DSA key, by a table of powers of g.
///
/// hash: "sha224", "sha256", "sha384" or "sha512".
/// budget: the most bytes that the table may take.
/// check: whether each signature is verified before it is released, as a protection against faults of the
/// machine. Signing then takes eight times as long.
///
/// Nonces are deterministic (RFC 6979). Signing is constant-time in the key and the nonces. Many threads may
/// use a signer at once.
///
/// Raises ValueError for an unknown hash function and for a budget that is too small for any table.
#[pyclass(frozen, module = "moduli.dsa", name = "Signer")]
pub struct Signer(Arc<dsa::Signer>);

#[pymethods]
impl Signer {
    #[new]
    #[pyo3(signature = (key, *, hash="sha256", budget=None, check=false))]
    fn new(
        py: Python<'_>,
        key: &PrivateKey,
        hash: &str,
        budget: Option<&Bound<'_, PyAny>>,
        check: bool,
    ) -> PyResult<Self> {
        let budget = budget.map_or(Ok(MemorySize::mib(1)), plan::bytes)?;
        let hash = self::hash(hash)?;
        let signer = work::on_all_cores(py, || {
            let key = dsa::PrivateKey::new(key.0.parameters(), key.0.secret())?;
            Ok(dsa::Signer::new(key, hash, budget)?.with_fault_check(check))
        });
        signer.map(|signer| Self(Arc::new(signer))).map_err(exception)
    }

    /// Returns the DER signature of a message. Raises RuntimeError if the signature fails the check against
    /// faults.
    fn sign<'py>(&self, message: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let (py, message) = (message.py(), bytes_of(message, "message")?);
        let parameters = self.0.public_key().parameters();
        let time = work::power(parameters.p(), parameters.q().bits());
        let signature = work::run(py, time, || self.0.sign(&message)).map_err(exception)?;
        der(py, &signature)
    }

    /// Returns the DER signatures of many messages, in order. Runs on all cores. Ctrl-C interrupts.
    fn sign_batch<'py>(
        &self,
        py: Python<'py>,
        messages: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let messages = messages_of(&messages)?;
        let parameters = self.0.public_key().parameters();
        let mut signatures = Vec::with_capacity(messages.len());
        work::in_pieces(py, messages.len(), work::power(parameters.p(), parameters.q().bits()), |range| {
            let piece = work::on_all_cores(py, || self.0.sign_batch(&messages[range])).map_err(exception)?;
            for signature in &piece {
                signatures.push(der(py, signature)?);
            }
            Ok(())
        })?;
        Ok(signatures)
    }

    /// Returns the public key of the private key.
    fn public_key(&self) -> PublicKey {
        PublicKey(self.0.public_key().clone())
    }

    fn __repr__(&self) -> String {
        let parameters = self.0.public_key().parameters();
        format!("<dsa.Signer: p of {} bits, q of {}>", parameters.p().bits(), parameters.q().bits())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a signer cannot be pickled: make one of the key where it is needed"))
    }
}

fn der<'py>(py: Python<'py>, signature: &dsa::Signature) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = signature.to_vec();
    Ok(PyBytes::new(py, &bytes))
}

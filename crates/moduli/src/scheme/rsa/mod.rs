//! RSA (RFC 8017): the primitives, and signatures by PKCS#1 v1.5 and PSS.
//!
//! A [`PrivateKey`] computes [`decrypt_raw`](PrivateKey::decrypt_raw) (RSADP) and
//! [`sign_raw`](PrivateKey::sign_raw) (RSASP1), a [`PublicKey`] [`encrypt_raw`](PublicKey::encrypt_raw)
//! (RSAEP, RSAVP1). A [`Signer`] and a [`Verifier`] add a [`Scheme`]. Keys are read from PKCS#1, PKCS#8 and
//! SubjectPublicKeyInfo, DER or PEM. Keys have two primes, each with at least a quarter of the bits of n.
//!
//! # What is constant-time
//! The private operation: the sequence of operations, the branches and the addresses depend on the lengths of
//! n, p and q, on e, and on the number of earlier operations. It also reveals whether a value was below n,
//! and whether the check against e failed. Reading and checking a private key happens once and is not claimed
//! constant-time. The library wipes all its copies of p, q, d, the blinding and the powers.
//!
//! # Blinding and faults
//! The library exponentiates c·r^e for a random r, and multiplies the result by r^(−1), so time, power and
//! radiation depend on a number that nobody chose. The pair of r^e and r^(−1) is squared from one operation
//! to the next. It is drawn anew only after 32 operations, because the inversion is expensive. Before a
//! result is released, it is raised to e and compared with the input, because a fault in one of the two
//! exponentiations would reveal the factors of n. A wrong result gives [`Error::Fault`](crate::Error::Fault),
//! and nothing else.
//!
//! ```
//! use moduli::scheme::rsa::{Hash, PrivateKey, Scheme, Signer, Verifier};
//! # fn main() -> Result<(), moduli::Error> {
//! # const PEM: &str = include_str!("example.pem");
//! let key = PrivateKey::from_pem(PEM)?; // `PRIVATE KEY` or `RSA PRIVATE KEY`
//! let verifier = Verifier::new(key.public_key().clone(), Scheme::pss(Hash::Sha256));
//! let signer = Signer::new(key, Scheme::pss(Hash::Sha256))?;
//! let signature = signer.sign(&mut getrandom::SysRng, b"message")?;
//! verifier.verify(b"message", &signature)?;
//! # Ok(())
//! # }
//! ```

mod batch;
mod blinding;
#[cfg(all(test, target_arch = "x86_64"))]
mod checkmem;
mod emsa;
mod encoding;
#[cfg(test)]
mod faults;
mod half;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod private_key;
mod public_key;
mod scheme;
mod sign;
mod signature;
mod verify;

pub use self::signature::Signature;
pub use super::hash::Hash;
pub use private_key::PrivateKey;
pub use public_key::PublicKey;
pub use scheme::Scheme;
pub use sign::Signer;
pub use verify::Verifier;

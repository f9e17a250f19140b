//! The Digital Signature Algorithm (FIPS 186-4), with a fixed-base table for its exponentiations.
//!
//! A [`Signer`] owns a [`PrivateKey`] and a table for g as large as a byte budget allows; a [`Verifier`] owns
//! a [`PublicKey`] and, for many signatures over the same group, a table too. Keys are read and written as
//! PKCS#8 and SubjectPublicKeyInfo, DER or PEM, and read in OpenSSL's older `DSA PRIVATE KEY` form. Nonces
//! are deterministic (RFC 6979), or hedged with fresh randomness (section 3.6 there). [`Signature`] is the
//! type of the `dsa` crate, and both ends implement the traits of the `signature` crate.
//!
//! # What is constant-time
//! Everything that handles x, k or values derived from them: the sequence of operations, the
//! branches and the addresses depend only on the lengths of p and q. Two things are revealed: how
//! many candidates the RFC 6979 generator drew, and whether r or s was 0, so that another k was
//! drawn. Neither reveals anything about the k used. Verification, the checks of public keys, and
//! reading and writing of keys (whose DER form has the length of x) work on public data, or once
//! per key, and are variable-time.
//!
//! The library wipes its copies of x, k and their products, but not the data that the hash functions leave on
//! the stack.
//!
//! # Cost
//! A signature costs one fixed-base exponentiation with an exponent as long as q; in addition, modulo q, an
//! inversion and four products, and about thirty hash compressions for the nonce. A verification costs two
//! exponentiations, or one and the table's part.
//!
//! ```
//! use moduli::scheme::dsa::{DomainParameters, Hash, PrivateKey, Signer, Verifier};
//! # fn main() -> Result<(), moduli::Error> {
//! # let number = |hex: &str| crypto_bigint::BoxedUint::from_str_radix_vartime(hex, 16).unwrap();
//! # let p = number("86F5CA03DCFEB225063FF830A0C769B9DD9D6153AD91D7CE27F787C43278B447E6533B86B18BED6E8A48B784A1\
//! #     4C252C5BE0DBF60B86D6385BD2F12FB763ED8873ABFD3F5BA2E0A8C0A59082EAC056935E529DAF7C610467899C77ADEDFC846C\
//! #     881870B7B19B2B58F9BE0521A17002E3BDD6B86685EE90B3D9A1B02B782B1779");
//! # let q = number("996F967F6C8E388D9E28D01E205FBA957A5698B1");
//! # let g = number("07B0F92546150B62514BB771E2A0C0CE387F03BDA6C56B505209FF25FD3C133D89BBCD97E904E09114D9A7DEFD\
//! #     EADFC9078EA544D2E401AEECC40BB9FBBF78FD87995A10A1C27CB7789B594BA7EFB5C4326A9FE59A070E136DB77175464ADCA4\
//! #     17BE5DCE2F40D10A46A3A3943F26AB7FD9C0398FF8C76EE0A56826A8A88F1DBD");
//! let group = DomainParameters::new(&p, &q, &g)?; // here the 1024-bit group of RFC 6979
//! let key = PrivateKey::generate(&group, &mut getrandom::SysRng)?;
//! let verifier = Verifier::new(key.public_key().clone(), Hash::Sha256);
//! let signer = Signer::new(key, Hash::Sha256, moduli::MemorySize::kib(64))?;
//! let signature = signer.sign(b"message")?;
//! verifier.verify(b"message", &signature)?;
//! # Ok(())
//! # }
//! ```

mod bits2int;
#[cfg(all(test, target_arch = "x86_64"))]
mod checkmem;
mod domain;
mod encoding;
#[cfg(test)]
mod faults;
mod key;
mod nonce;
mod sign;
mod signature_format;
mod table;
mod verify;

pub use super::hash::Hash;
pub use ::dsa::Signature;
pub use domain::DomainParameters;
pub use key::{PrivateKey, PublicKey};
pub use sign::Signer;
pub use signature_format::{signature_from_der, signature_from_fixed, signature_to_fixed};
pub use verify::Verifier;

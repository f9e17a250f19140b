//! Signature schemes. Thin: key formats, hashes and nonces use the RustCrypto crates.

#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
pub mod batch;
#[cfg(feature = "dsa")]
pub mod dsa;
#[cfg(any(feature = "dsa", feature = "rsa"))]
mod encoding;
#[cfg(any(feature = "dsa", feature = "rsa"))]
mod hash;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
pub mod parameters;
#[cfg(any(feature = "dsa", feature = "rsa"))]
mod random;
#[cfg(feature = "rsa")]
pub mod rsa;

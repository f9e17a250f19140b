//! Schemes over the arithmetic: thin, with key formats, hashes and nonces from the RustCrypto crates.

#[cfg(feature = "dsa")]
pub mod dsa;
pub mod parameters;

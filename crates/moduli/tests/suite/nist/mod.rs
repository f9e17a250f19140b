//! NIST's CAVP vectors, as the Python package `cryptography-vectors` carries them.
//!
//! `MODULI_VECTORS` names the directory of that package.
#![cfg(any(feature = "dsa", feature = "rsa"))]

mod cases;
#[cfg(feature = "dsa")]
mod dsa;
#[cfg(feature = "rsa")]
mod rsa;

//! NIST's CAVP vectors, as the Python package `cryptography-vectors` carries them.
//!
//! `MODULI_VECTORS` names the directory of that package.

mod cases;
mod dsa;
mod rsa;

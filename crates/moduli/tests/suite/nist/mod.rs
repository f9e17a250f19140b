//! NIST's CAVP vectors, as contained in the Python package `cryptography-vectors`.
//!
//! `MODULI_VECTORS` names the directory of that package.

mod cases;
mod dsa;
mod rsa;

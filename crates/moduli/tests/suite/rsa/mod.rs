//! RSA: keys, primitives, signatures, published vectors, bad input.

mod bad_keys;
mod keys;
mod primitives;
mod signatures;
pub mod support;
mod wycheproof;

//! RSA: keys, primitives, signatures, published vectors, bad input.
#![cfg(feature = "rsa")]

mod bad_keys;
#[path = "../common/mod.rs"]
mod common;
mod keys;
mod primitives;
mod signatures;
mod support;
mod wycheproof;

//! The residue number system: bases, the Cox, Montgomery products, and modular inversion that stays in residues.
//!
//! Between entry and exit every value exists only as a vector of residues ([`channels`]). What an algorithm costs is
//! told to an [`observe::Observer`] by the operations themselves.

#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[allow(unsafe_code)]
mod avx2;
pub mod base;
pub mod channels;
pub mod cox;
pub mod fields;
pub mod inverse;
pub mod montgomery;
pub mod observe;
mod schedule;
mod search;
mod word;

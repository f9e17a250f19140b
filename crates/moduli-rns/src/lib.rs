//! Arithmetic in a residue number system: bases, the Cox, Montgomery products, and modular inversion of
//! residues.
//!
//! A residue number system represents an integer by its residues modulo n pairwise coprime moduli, the
//! *channels* ([`channels`]). During a computation, every value exists only as a vector of residues. The
//! operations report their costs to an [`observe::ChannelObserver`].
//!
//! The Cox–Rower core in SystemVerilog is generated from this crate, and its results are compared with those
//! of this crate.
//!
//! ```
//! use crypto_bigint::BoxedUint;
//! use moduli_rns::{base::BaseShape, fields::Field, inverse::Jump};
//!
//! # fn main() -> Result<(), moduli::Error> {
//! let p = Field::named("P-256")?.prime();
//! let jump = Jump::new(&p, BaseShape::new(5, 64), 32)?;
//! let x = BoxedUint::from(3u64);
//! let inverse = jump.invert(&x)?; // constant-time
//! assert_eq!(moduli::Modulus::new(&p)?.mul(&x, &inverse), BoxedUint::one());
//! # Ok(())
//! # }
//! ```
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[allow(unsafe_code)]
mod avx2;
pub mod base;
pub mod channels;
pub mod cox;
pub mod curves;
pub mod endomorphism;
pub mod fields;
pub mod inverse;
pub mod montgomery;
pub mod observe;
pub mod program;
pub mod redundant;
mod schedule;
mod search;
mod word;

/// The snippets of the page on plus-minus inversion compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/plus-minus.md")]
pub struct PlusMinusPage;

/// The snippets of the page on the lattice jump compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/lattice-jump.md")]
pub struct LatticeJumpPage;

/// The snippets of the page on division steps compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/division-steps.md")]
pub struct DivisionStepsPage;

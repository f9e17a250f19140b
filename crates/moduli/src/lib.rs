//! Arithmetic modulo big odd numbers for people who exponentiate all day.
//!
//! *Spend memory on what is known in advance*: name a budget, and the planner picks the table.
//!
//! ```
//! use crypto_bigint::BoxedUint;
//! use moduli::Modulus;
//!
//! # fn main() -> Result<(), moduli::Error> {
//! let p = Modulus::new(&BoxedUint::from(1_000_003u64))?;
//! let y = p.pow(&BoxedUint::from(5u64), &BoxedUint::from(3u64))?;
//! assert_eq!(y, BoxedUint::from(125u64));
//! # Ok(())
//! # }
//! ```
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

mod element;
mod error;
mod exponent;
pub mod fixed;
pub mod groups;
pub mod kernel;
mod limbs;
mod modulus;
pub mod paper;
mod power;
pub mod primality;
pub mod scheme;
pub mod subgroup;

pub use element::Element;
pub use error::Error;
pub use exponent::Exponent;
pub use fixed::{Bytes, FixedBase, Method, Plan, Planner, Product, Secrecy};
#[cfg(feature = "std")]
pub use fixed::{Expected, TableInfo};
pub use kernel::KernelChoice;
pub use modulus::{MAX_MODULUS_BITS, Modulus};

/// The snippets of the page on m0m1 compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/m0m1.md")]
pub struct M0m1Page;

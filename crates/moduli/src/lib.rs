//! Fast constant-time modular arithmetic for large odd moduli: exponentiation, inversion, DSA and RSA.
//!
//! For a base that is used often, name a memory budget, and the planner chooses the fastest table within it.
//!
//! ```
//! use crypto_bigint::BoxedUint;
//! use moduli::{MemorySize, FixedBase, Modulus, MultiExponentiation};
//!
//! # fn main() -> Result<(), moduli::Error> {
//! let p = Modulus::new(&BoxedUint::from(1_000_003u64))?; // odd, prime or not, any length
//! let (g, h) = (BoxedUint::from(5u64), BoxedUint::from(7u64));
//! let (a, b) = (BoxedUint::from(123_456u64), BoxedUint::from(654_321u64));
//!
//! let g = FixedBase::builder(&p, &g).exponent_bits(64).budget(MemorySize::kib(64)).build()?;
//! let h = FixedBase::builder(&p, &h).exponent_bits(64).budget(MemorySize::kib(16)).build()?;
//! let power = g.pow(&a)?; // constant-time: nothing depends on a
//! assert_eq!(power, p.pow(g.base(), &a));
//!
//! let product = MultiExponentiation::new([&g, &h])?.pow([&a, &b])?; // g^a·h^b
//! assert_eq!(product, p.mul(&power, &h.pow_vartime(&b)?));
//! # Ok(())
//! # }
//! ```
//!
//! With the feature `rayon` (on by default), batches, tables and searches use all cores, in rayon's pool. If
//! only one thread is available (`RAYON_NUM_THREADS=1`, one core, or a system that cannot start more), the
//! calling thread does all the work.
//!
//! Other features: `mmap` (on by default) shares tables between processes; `dsa` and `rsa` sign and verify;
//! `num-bigint`, `num-bigint-04` and `serde` convert; `std` (on by default) adds files, timing and the choice
//! of a kernel at run time.
//!
//! The pages under `docs/` explain the methods (`m0m1.md`, `common-operand.md`, `inversion.md`,
//! `plus-minus.md`), what is constant-time (`secrecy.md`), the table file (`table-file.md`) and the structure
//! of the library (`architecture.md`).
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]
// A division's time depends on its operands. Modules that divide lengths or public numbers allow it
// explicitly.
#![cfg_attr(not(test), deny(clippy::integer_division_remainder_used))]

extern crate alloc;

mod access;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod batch_inverse;
#[cfg(all(test, feature = "std", target_arch = "x86_64", target_os = "linux"))]
#[allow(unsafe_code)]
mod checkmem;
pub mod common_operand;
#[cfg(any(feature = "num-bigint", feature = "num-bigint-04"))]
pub mod convert;
mod crt;
mod element;
pub mod error;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod even;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod exponent;
pub mod fixed;
pub mod groups;
#[cfg(feature = "internals")]
mod internals;
#[allow(clippy::integer_division_remainder_used, reason = "of public numbers")]
mod inverse;
mod modulus;
#[cfg(feature = "std")]
mod modulus_cache;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod parallel;
pub mod power;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
pub mod primality;
mod running;
pub mod scheme;
#[cfg(feature = "serde")]
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod serial;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
pub mod subgroup;

/// The crate whose numbers this library takes and returns.
pub use crypto_bigint;

pub use crt::CrtModulus;
pub use element::Element;
pub use error::Error;
pub use even::EvenModulus;
pub use exponent::{Exponent, SignedExponent};
#[cfg(feature = "std")]
pub use fixed::{Expected, TableInfo};
pub use fixed::{FixedBase, MemorySize, Method, MultiExponentiation, Plan, Planner, Secrecy};
pub use inverse::invert_vartime;
pub use moduli_kernel::{Costs, Error as KernelError, KernelChoice, Maker};
pub use modulus::{MAX_MODULUS_BITS, Modulus};
#[cfg(feature = "std")]
pub use modulus_cache::ModulusCache;

/// Compiles and runs the examples in the page on inversion.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/inversion.md")]
pub struct InversionPage;

/// Compiles and runs the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct FrontPage;

/// Compiles and runs the examples in the page for users of num-bigint.
#[cfg(all(doctest, feature = "num-bigint"))]
#[doc = include_str!("../../../docs/rust.md")]
pub struct RustPage;

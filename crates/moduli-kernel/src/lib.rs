//! Word-level arithmetic modulo one odd number, on which [moduli](https://crates.io/crates/moduli) is built.
//! Use that crate; the interface of this one is not stable.
//!
//! [`Arithmetic`] prepares a modulus for the kernel that [`KernelChoice`] names. Its sessions compute on
//! *residues*, in a form that only the kernel knows: [`Session`] on one modulus, [`LaneSession`] on several
//! residues side by side, [`DualSession`] on two moduli at a time. A session owns the scratch space and
//! reports to an [`Observer`] if there is one.
//!
//! All operations are constant-time unless their names say `_vartime`: branches and addresses depend on sizes
//! alone.
//!
//! The crate is compiled optimised in every profile of its workspace, so that tests link the code that ships.
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]
// A division takes variable time, which depends on its operands. Modules that divide lengths or public
// numbers state it.
#![cfg_attr(not(test), deny(clippy::integer_division_remainder_used))]

extern crate alloc;

#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod aarch64;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod adx;
mod arithmetic;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod assembly;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod barrett;
#[cfg(feature = "std")]
#[cfg_attr(target_arch = "wasm32", allow(unsafe_code))]
mod clock;
mod contract;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod cost;
mod counting;
mod dimensions;
mod dual;
mod error;
#[cfg_attr(not(seeded_faults), doc(hidden))]
pub mod faults;
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "relaxed-simd")))]
#[allow(unsafe_code)]
mod fma50;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod ifma52;
#[cfg(feature = "internals")]
pub mod internals;
mod inverse;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod karatsuba;
mod lanes;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
pub mod limbs;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
pub mod mask;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod montgomery;
mod observer;
mod one_by_one;
mod places;
mod portable;
mod prefetch;
#[doc(hidden)]
pub mod proofs;
mod rows;
mod session;
mod short;
mod table;
#[cfg(feature = "std")]
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod timing;
#[cfg(feature = "std")]
mod tracing;
mod words;

pub use arithmetic::Arithmetic;
pub use cost::{Costs, PRIVATE, maker::Maker};
pub use counting::{Counts, count};
pub use dimensions::Dimensions;
pub use error::Error;
pub use inverse::invert_vartime;
pub use observer::{Observer, Operation};
pub use prefetch::{prefetch_all, prefetch_vartime};
pub use session::{DualSession, LaneSession, Session};
pub use table::KernelChoice;
#[cfg(feature = "std")]
pub use tracing::{Step, Trace};
pub use words::Words;

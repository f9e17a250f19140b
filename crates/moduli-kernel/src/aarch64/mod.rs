//! 64-bit limbs by `mul`, `umulh` and `adcs`, for 64-bit ARM processors.
//!
//! The arithmetic is that of the portable kernel and so are its residues, word for word; only the passes over words
//! differ. A factor and a reduction are worked off in blocks of eight words (`rows.rs`).
//!
//! Constant-time on processors where `mul` and `umulh` take the same time for all operands: Arm's Cortex-A and Neoverse cores
//! by their optimisation guides, and all that promise it under PSTATE.DIT, which lists every instruction used here. A core
//! whose multiplier ends early, as some microcontrollers' do, would leak; no 64-bit one is known to.

// First, for its macros.
#[macro_use]
mod steps;
#[macro_use]
mod chains;

#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod halves;
mod passes;
mod rows;
mod squares;

pub use passes::Aarch64;

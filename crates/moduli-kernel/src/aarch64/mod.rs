//! 64-bit limbs with `mul`, `umulh` and `adcs`, for 64-bit ARM processors.
//!
//! The arithmetic and the residues are those of the portable kernel, word for word; only the passes over
//! words differ. They process a factor or a reduction in blocks of eight words (`rows.rs`).
//!
//! The kernel is constant-time on processors where `mul` and `umulh` take the same time for all operands.
//! These are Arm's Cortex-A and Neoverse cores, according to their optimisation guides, and all processors
//! that guarantee this under PSTATE.DIT, which covers every instruction used here. A core with a multiplier
//! that terminates early, as in some microcontrollers, would leak; no such 64-bit core is known.

// First, because the other modules use its macros.
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

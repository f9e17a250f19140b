//! Proofs that the compiled code of the kernels is right, for all operands and all moduli.
//!
//! The code is constant-time: for moduli of one length, the same instructions are executed whatever the
//! operands are. So the record that an interpreter (`moduli-checkmem`) makes of one run is the program for
//! all inputs, without branches. [`lift`] turns the record into integers, each with one exact equation. The
//! operands, the modulus, its constants and the contents of scratch space become symbols. [`prover`] looks
//! for multiples of the equations that add up to what [`specification`] says, and writes them down as a
//! [`certificate`]. [`checker`], which does not know how they were found, adds them up again.
//!
//! [`arm`] records and lifts code for 64-bit ARM processors, with an interpreter and rules of its own. All
//! other steps are the same.
//!
//! docs/proof.md says what is proved and what is trusted. The crate is empty except on Linux on x86-64.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

pub mod arm;
pub mod certificate;
pub mod checker;
pub mod doubles;
pub mod elimination;
pub mod failure;
pub mod integers;
pub mod inversion;
pub mod jobs;
pub mod lanes;
mod layout;
pub mod lift;
pub mod program;
pub mod proof;
pub mod prover;
pub mod queue;
pub mod reduction;
pub mod rows;
pub mod shipped;
pub mod specification;
pub mod subject;
pub mod system;
pub mod two;
pub mod zeros;

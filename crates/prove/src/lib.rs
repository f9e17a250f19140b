//! Proofs that the compiled code of the kernels is right, for all operands and all moduli.
//!
//! The code is constant-time: for one length of the modulus the same instructions are executed whatever the operands are. So
//! what an interpreter (`moduli-checkmem`) records of one run is the program for all inputs, without branches. [`lift`] turns it
//! into integers, each with one exact equation, where the operands, the modulus, its constants and all scratch contents are
//! symbols. [`prover`] looks for multiples of the equations that add up to what [`specification`] says, and writes them down as a
//! [`certificate`]. [`checker`], which knows nothing of how they were found, adds them up again.
//!
//! [`arm`] does the first two for code of 64-bit ARM processors, with an interpreter and rules of its own; the rest is the same.
//!
//! docs/proof.md says what is proved and what is trusted. Empty on other systems than Linux on x86-64.

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

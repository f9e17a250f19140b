//! Proofs of code for 64-bit ARM processors, on a machine of another kind. A program that was compiled for
//! ARM is interpreted, and the record of its run is lifted. From there on, everything is as for x86-64.

mod decoder;
mod functions;
pub mod instruction;
pub mod library;
pub mod lift;
pub mod machine;
pub mod memory;
pub mod operation;
pub mod program;
pub mod subject;
pub mod trace;

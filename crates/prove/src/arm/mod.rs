//! Proofs of code for 64-bit ARM processors, on a machine of another kind: a program that was compiled for them is interpreted, what it
//! executed is lifted, and from there on all is the same.

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

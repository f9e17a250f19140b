//! Tests code for 64-bit ARM processors: the interpreter and the lifter's rules, on pieces of code that were
//! assembled in advance. If `MODULI_AARCH64` names the program with the kernel's operations, that program is
//! compared with an emulator, and changed.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod emulator;
#[path = "../rules/evaluation.rs"]
mod evaluation;
mod mutants;
mod pieces;
mod rules;

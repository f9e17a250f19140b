//! Compares the equations of instructions with what the processor does.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod common;
mod doubles;
mod evaluation;
mod halves;
mod signed;
mod vectors;
mod words;

//! The C library: `include/moduli.h` documents the functions and their rules; start with `docs/c.md`.
//!
//! Each function checks its arguments, converts them, calls the crate `moduli`, and writes the results; it
//! computes nothing itself. There is a file for each subject. They use `call`, which prevents panics from
//! crossing into C and clears the outputs of calls that failed, and `input` and `output`, which alone
//! dereference a caller's pointers.
//!
//! The comments of exported items are the text of the header, which `crates/header` generates: they are
//! written for readers of C.

mod call;
mod crt;
mod divisor;
mod dsa;
mod even;
mod failure;
mod fixed_base;
mod fixed_power;
mod group;
mod input;
mod inverse;
mod last_error;
mod modulus;
mod multi_power;
mod output;
mod power;
mod product;
mod rsa;
mod status;
mod table_file;

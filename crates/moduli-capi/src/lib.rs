//! The C library: `include/moduli.h` is what it offers and how to use it, `docs/c.md` the way in.
//!
//! Each function checks what it is given, converts it, calls the crate `moduli`, and writes what came out: nothing is
//! computed here. A file per subject; below them `call`, which keeps panics from crossing into C and clears outputs of
//! calls that failed, and `input` and `output`, which are the only ones to follow a caller's pointers.
//!
//! The comments of exported items are the text of the header, which `crates/header` makes: they are written for
//! people who read C.

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

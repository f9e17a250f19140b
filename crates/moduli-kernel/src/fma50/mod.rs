//! Digits of 50 bits in doubles: the kernel `fma50` with AVX2 and FMA, four digits to a vector, and the
//! kernel `wasm` with the relaxed SIMD of WebAssembly, two digits to a vector (`wasm/`).
//!
//! A product of two digits has 100 bits. `h = fma(x, y, c)` with a large constant c rounds it to a multiple
//! of 2^50, and `fma(x, y, c' − h)` is exactly the remainder. The bit patterns of both are integers plus a
//! constant. Therefore they are summed as 64-bit integers, column by column, and carries are resolved once
//! for a whole product.
//!
//! The reduction does not loop over quotient digits. It multiplies the low half of a product, in digits t_j,
//! by a matrix that is precomputed for the modulus, and adds this to the high half. The rows of the matrix
//! are 2^(50·(j − D)) mod N. Products by a known vector use pairs of digits (Winograd 1968): x_1·y_1 +
//! x_2·y_2 = (x_1 + y_2)(x_2 + y_1) − x_1·x_2 − y_1·y_2. Of the last two products, the first is the same for
//! all columns and the second is precomputed.
//!
//! An operand prepared in the maximum number of pieces is such a matrix itself, so a product by it needs no
//! reduction.
//!
//! `docs/fma50.md` proves that no double loses a bit and no sum overflows; `docs/table-file.md` defines
//! residues and prepared operands bit by bit.

#[cfg(feature = "internals")]
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod checks;
#[cfg(target_arch = "x86_64")]
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod columns;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod constants;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod digits;
#[cfg(target_arch = "x86_64")]
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod lanes;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod layout;
#[cfg(target_arch = "x86_64")]
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
pub(crate) mod look_up;
#[cfg(target_arch = "x86_64")]
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod matrix;
mod named;
#[cfg(target_arch = "x86_64")]
mod operations;
#[cfg(target_arch = "x86_64")]
mod own;
mod parts;
#[cfg(target_arch = "x86_64")]
mod product;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod residue;
#[cfg(target_arch = "x86_64")]
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod rows;
#[cfg(any(target_arch = "x86_64", target_arch = "wasm32"))]
mod task;
#[cfg(target_arch = "x86_64")]
mod vector;
#[cfg(target_arch = "wasm32")]
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod wasm;

pub use constants::Fma50;

/// Checks for the tests.
#[cfg(feature = "internals")]
pub mod all_checks {
    pub use super::{checks::*, digits::checks::*};
}

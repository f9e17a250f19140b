//! Digits of 50 bits in doubles: the kernel `fma50` on AVX2 and FMA, four to a vector, and the kernel `wasm` on WebAssembly with relaxed
//! SIMD, two to a vector (`wasm/`).
//!
//! A product of two digits has 100 bits. `h = fma(x, y, c)` with a large constant c rounds it to a multiple of 2^50;
//! `fma(x, y, c' − h)` is what is missing, exactly. The bit patterns of both are integers plus a constant, so that they are
//! summed as 64-bit integers, column by column, and carries are resolved once for a whole product.
//!
//! Reduction is no loop over quotient digits. The low half of a product, in digits t_j, is multiplied by a matrix that was
//! computed once for the modulus, whose rows are 2^(50·(j − D)) mod N, and added to the high half. Products by a
//! vector known in advance pair the digits (Winograd 1968): x_1·y_1 + x_2·y_2 = (x_1 + y_2)(x_2 + y_1) − x_1·x_2 − y_1·y_2,
//! of which the last two products are shared by all columns or known.
//!
//! An operand prepared in the most pieces is such a matrix itself: a product by it needs no reduction at all.
//!
//! `docs/fma50.md` derives why no double loses a bit and no sum overflows; `docs/table-file.md` describes residues and
//! prepared operands to the bit.

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

/// What tests call.
#[cfg(feature = "internals")]
pub mod all_checks {
    pub use super::{checks::*, digits::checks::*};
}

//! The same residues and sums on WebAssembly, with relaxed SIMD: two digits to a vector.
//!
//! `f64x2.relaxed_madd` rounds once if the engine fuses it, and twice if it does not. Only the fused form is
//! exact, so the kernel tests for it before use. Everything else in `docs/fma50.md` applies: WebAssembly
//! rounds to nearest, and a column is the same sum, of two classes instead of four.

mod columns;
mod look_up;
mod matrix;
mod operations;
mod product;
mod vector;

pub(super) use self::vector::is_fused;

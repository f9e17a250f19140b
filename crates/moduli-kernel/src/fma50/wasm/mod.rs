//! The same residues and the same sums on WebAssembly, by relaxed SIMD: two digits to a vector.
//!
//! `f64x2.relaxed_madd` rounds once where the engine fuses it and twice where it does not; only the first is exact, so that the
//! kernel asks before it serves. All else of `docs/fma50.md` holds as it stands: WebAssembly rounds to nearest, and a column is the
//! same sum, of two classes instead of four.

mod columns;
mod look_up;
mod matrix;
mod operations;
mod product;
mod vector;

pub(super) use self::vector::is_fused;

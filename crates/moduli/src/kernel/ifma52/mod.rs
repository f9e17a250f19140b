//! AVX-512 IFMA: 52-bit digits, eight to a vector.
//!
//! With V vectors and R = 2^(416·V) ≥ 16·N, residues are x·R modulo N, below 3N. A product takes V blocks, one for
//! each eight digits X of the multiplier:
//! - t ← t + X·b, then q = t mod 2^416 and t ← (t − q)/2^416 + q·H. Here H = (M + 1)/2^416 for the multiple
//!   M = k·N ≡ −1 (mod 2^416), so that the quotient digits are simply the lowest vector of the running sum, its
//!   carries resolved: no multiplication stands in the chain from block to block.
//! - The last block reduces by N itself, q = −t/N mod 2^416, or the result would be as long as M.
//!
//! A factor shifted by s < 8 digits is an unaligned load (b) or a prepared copy (H and N). The sum of a block is
//! worked off vector by vector from the lowest, which all that follows depends on; the others are pure throughput.
//!
//! `docs/table-file.md` describes residues and prepared operands to the bit.
//!
//! Bounds, for factors below 3N: before the last block t < 3N + 2^416·N, and the result is below
//! 2N + 3N·(3N/R + 2^−416) < 3N. A lane of a sum collects at most 4 parts below 2^52 for each digit of the factors,
//! and there are at most 1000 digits, so that 64 bits never overflow (longer moduli are left to other kernels).
//! Carries are resolved exactly at the end of each operation: `vpmadd52` reads 52 bits.

mod carries;
mod column;
mod constants;
mod digits;
mod lanes;
mod look_up;
mod product;
mod residue;

pub use constants::Ifma52;

//! AVX-512 IFMA: 52-bit digits in strips.
//!
//! A residue has G lanes, eight or for short moduli four, of K digits each: lane l is the strip of digits
//! from K·l on, and digit v of all strips is vector v. With R = 2^(52·r) ≥ 256·N, residues are x·R modulo N,
//! below 12N. r is G·K, or K − L less where the K − L highest digits are 0: 30 of 32 for moduli of 1241 to
//! 1552 bits (1536), and 60 of 64 for those of 2905 to 3112 (3072).
//!
//! A product by digit r of a strip i adds to column v + r, for all v: the strips stay where they are, and the
//! sum moves by a lane only once in a block of K digits. So all loads are of whole vectors, and no lane is
//! idle. A product takes G blocks, one for each strip X of a factor:
//! - t ← t + X·b, then q = t mod 2^(52·K) and t ← (t − q)/2^(52·K) + q·H. Here H = (M + 1)/2^(52·K) for the
//!   multiple M = k·N ≡ −1 (mod 2^(52·K)), so the quotient digits are simply the lowest lane of the running
//!   sum with its carries resolved: the dependency chain from block to block contains no multiplication.
//! - The last but one block of quotients has L digits, and the sum moves down by as many. The last strip of
//!   X, of which L digits are used, and the quotients are multiplied in columns that are higher by K − L. (In
//!   the first block of quotients, this would move all other products up; in the last one, M would remain,
//!   which is K digits longer than N.)
//! - The last block must reduce by N itself, or the result would be as long as M. Its K digits are cleared
//!   one after the other: all except the last by M₁ ≡ −1 (mod 2^52), which is one digit longer than N, and
//!   the last one by N, with q = −t/N mod 2^52. So that chain contains only one multiplication.
//!
//! For powers, alone or of two moduli at a time, strips have two spare bits (`spare.rs`): they overlap by
//! these, so a strip has 52·K − 2 bits, and its highest digit can hold what is carried into it. The end of a
//! product then resolves carries once, and not between strips. The form has R = 2^(52·r − 2·G), no rows and
//! no prepared operands. No table contains such residues, so r depends on the length of the modulus alone: it
//! is 22 of 24 for moduli of 1033 to 1120 bits, and 43 of 48 for those of 2073 to 2212. The last digit of a
//! quotient clears two bits more than the strip has, and the others of the last block are as long, so
//! products are below 10N.
//!
//! With more than ten digits in a strip, the sum would not fit in the registers. Such long residues have
//! their digits in order, in G vectors of K = 8. The blocks of quotients are the same, but a product is
//! computed column by column (`long.rs`).
//!
//! `docs/table-file.md` describes residues and prepared operands to the bit.
//!
//! Bounds: multiples of M below R/2^(52·K)·M ≤ R·N are added in all blocks but the last, in the last one
//! multiples of M₁ below 2^(52·(K−1))·M₁ ≤ 2^(52·K)·N and one of N below 2^(52·K)·N; R, or in the last block
//! 2^(52·K), is divided out. So for factors below 12N, and where one factor is any number of r digits (of as
//! many as 12N has, if they are in order) and the other below N, the result is below 144N²/R + 3N < 4N. A
//! product by an operand in s ≤ 8 pieces, each below N, is below (s + 3)·N ≤ 11N. (For residues in order, the
//! last block reduces by N alone: results are below 3N and (s + 2)·N.) Sums and differences are reduced below
//! 12N. A lane of a sum collects at most 4 parts below 2^52 for each digit of the factors that is not 0, and
//! there are at most 1000 of them, so 64 bits never overflow (other kernels process longer moduli). Carries
//! are resolved exactly at the end of each operation: `vpmadd52` reads 52 bits.

#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod barrett;
mod bottom;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod carries;
#[cfg(feature = "internals")]
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod checks;
mod constants;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod digits;
mod divisor;
mod dual;
mod in_order;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod lanes;
mod long;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod look_up;
mod named;
mod operations;
mod pair;
mod product;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod products_x2;
mod residue;
mod spare;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod squares;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod sum;
mod vector;

pub use constants::Ifma52;

/// Functions for tests.
#[cfg(feature = "internals")]
pub mod all_checks {
    pub use super::{
        carries::checks::{
            carries_run_as_far_as_they_must as carries_of_vectors, one_vector_keeps_what_it_carries_out,
        },
        checks::*,
        lanes::sums_of_halves_keep_their_sign,
        squares::checks::every_pair_of_lanes_is_taken_once,
        sum::checks::carries_run_as_far_as_they_must as carries_of_sums,
    };
}

//! The papers' algorithms, implemented literally: an oracle for the fast code and the source of the
//! cost tables.
//!
//! Everything is for public values and variable-time, except the constant-time forms of `curve`.
//!
//! *m0m1*, in this module: Plantard and Robert, *Enhanced Digital Signature using RNS Digit
//! Exponent Representation*, WAIFI 2016, with its misprints corrected (`docs/m0m1.md` lists them).
//! It computes with exponents, without a modulus: a value modulo p is represented by the power of g
//! that it is ([`Power`]). So a run of an algorithm shows which table entries it reads, how many
//! products and squarings it performs, and which exponent results.
//!
//! *Curves*, in `curve` behind the feature `edwards`: the fixed-base methods over points.
//!
//! *Common operand*, in [`common_operand`]: Negre, Plantard and Robert, ARITH 2015, word by word.
//!
//! [`printed`] contains the numbers printed in these two papers, and in a third on inversion in
//! residues, beside numbers computed anew.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod classical;
pub mod common_operand;
mod complexity;
#[cfg(feature = "edwards")]
pub mod curve;
mod m0m1;
mod power;
pub mod printed;
mod random;
mod table3;

pub use classical::{comb, radix, square_multiply, square_multiply_vartime};
pub use complexity::{Complexity, SQUARING, hamming_sum};
pub use m0m1::{M0m1, Recoding};
pub use power::{Power, Run};
pub use table3::{Cell, Choice, Comparison, Row, table3, table3_text};

/// Compiles and runs the examples in the page on m0m1.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/m0m1.md")]
pub struct M0m1Page;

/// Compiles and runs the examples in the page on products by a common operand.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/common-operand.md")]
pub struct CommonOperandPage;

/// Compiles and runs the examples in the page on Edwards curves.
#[cfg(all(doctest, feature = "edwards"))]
#[doc = include_str!("../../../docs/edwards.md")]
pub struct EdwardsPage;

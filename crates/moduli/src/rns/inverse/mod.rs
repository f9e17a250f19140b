//! Modular inversion that stays in residues.
//!
//! | method | type | divides by | modulus |
//! | --- | --- | --- | --- |
//! | binary plus-minus (BMI) | [`Binary`] | 2, 4 | odd |
//! | binary-ternary plus-minus (BTMI) | [`BinaryTernary`] | 2, 3, 4, 6, 12 | coprime to 6 |
//!
//! All are variable-time: they loop as the operand has it, and say so by `_vartime`. A composite modulus is welcome; an
//! operand that shares a factor with it is refused with the factor.

pub mod binary;
pub mod binary_ternary;
pub mod constants;
pub mod jump;
pub mod plus_minus;

pub use binary::Binary;
pub use binary_ternary::BinaryTernary;
pub use jump::Jump;
pub use plus_minus::{Offset, Options, Stop};

//! Modular inversion of values that are stored as residues.
//!
//! | method | type | divides by | modulus |
//! | --- | --- | --- | --- |
//! | binary plus-minus (BMI) | [`Binary`] | 2, 4 | odd |
//! | binary-ternary plus-minus (BTMI) | [`BinaryTernary`] | 2, 3, 4, 6, 12 | coprime to 6 |
//! | wide plus-minus | [`Wide`] | the divisors of a constant Q | coprime to Q |
//! | lattice jump | [`Jump`] | 2^k | odd |
//! | division steps | [`DivisionSteps`] | 2^k | odd |
//! | Fermat | [`Fermat`] | — | prime |
//!
//! The plus-minus methods are variable-time, because the number of steps depends on the operand; the names of
//! their functions end in `_vartime`. Division steps and Fermat's method are constant-time. The lattice jump
//! has a constant-time and a variable-time form. All methods except Fermat's accept a composite modulus. They
//! return an error for an operand that has a common factor with the modulus. The variable-time methods
//! include the factor in the error.

pub mod batch;
pub mod binary;
pub mod binary_ternary;
pub mod constants;
pub mod division_steps;
pub mod fermat;
pub mod jump;
mod level;
pub mod plus_minus;
pub mod wide;

pub use batch::Batch;
pub use binary::Binary;
pub use binary_ternary::BinaryTernary;
pub use division_steps::DivisionSteps;
pub use fermat::Fermat;
pub use jump::Jump;
pub use plus_minus::{Offset, Options, Stop};
pub use wide::{DEFAULT_WIDE_MODULUS, Wide};

//! Algorithms 1 to 10 of the paper on products by a common operand, word by word, with a counter in
//! every word operation.
//!
//! Words have W bits, 2 ≤ W ≤ 64. With words of 4 bits, a modulus of 8 bits has three of them, so
//! the algorithms can be tested exhaustively. This module is an oracle and the source of the tables
//! in `docs/common-operand.md`; it is not fast. It is for public values only: the sequence of
//! operations is regular, but the addresses depend on the exponent, and operands are not wiped.
//!
//! Source: Negre, Plantard and Robert, *Efficient Modular Exponentiation Based on Multiple
//! Multiplications by a Common Operand*, ARITH 2015, with its misprints corrected
//! (`docs/common-operand.md` lists them).
//!
//! ```
//! use crypto_bigint::BoxedUint;
//! use moduli_papers::common_operand::{Exponentiation, Form, Meter, CountedMontgomery};
//!
//! # fn main() -> Result<(), moduli::Error> {
//! let modulus = CountedMontgomery::<8>::new(&BoxedUint::from(1_000_003u64))?; // words of 8 bits
//! let (base, exponent) = (BoxedUint::from(5u64), BoxedUint::from(77u64));
//! let mut meter = Meter::recording();
//! let method = Exponentiation::LeftToRight { t: 2 };
//! let power = modulus.exponentiate(&mut meter, method, Form::CommonOperand, &base, &exponent, 8)?;
//! assert_eq!(power, BoxedUint::from(67_239u64));
//! println!("{:?}: {:?}", meter.counts(), meter.trace());
//! # Ok(())
//! # }
//! ```

mod exponentiation;
mod formulas;
mod montgomery;
mod number;
mod products;
mod recoding;
mod reduction;
mod tables;
mod word;

pub use exponentiation::{Exponentiation, Form};
pub use formulas::Formulas;
pub use montgomery::{CountedMontgomery, Prepared};
pub use number::Number;
pub use recoding::regular_digits;
pub use tables::{
    Line, Saving, Size, Slip, TABLE_9, TABLE_9_IMPROVEMENTS, TABLE_9_PRINTED, TABLE_10_IMPROVEMENTS,
    TABLE_10_PRINTED, Table, best_window, common_operand_text, savings, slip, stored_words, tables,
};
pub(crate) use tables::{Sample, exponentiations, name};
pub use word::{Meter, Operation, WordCounts};

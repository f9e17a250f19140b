//! Exponentiation of a variable base, over residues of any kernel.

mod left_to_right;
mod square_multiply;
mod variable_base;

pub(crate) use left_to_right::{WindowTable, fixed_width, sliding_width, sliding_window_vartime};
#[cfg(feature = "rsa")]
pub(crate) use square_multiply::square_multiply_vartime;

//! Exponentiation of a variable base, over residues of any kernel.

mod left_to_right;
mod square_multiply;

pub(crate) use left_to_right::{WindowTable, fixed_window, sliding_window_vartime};
pub(crate) use square_multiply::square_multiply_vartime;

//! Exponentiation of a variable base, over residues of any kernel.

mod batch;
mod dual;
mod ladder;
mod left_to_right;
mod look_up;
mod method;
mod multi;
mod planner;
mod recode;
mod right_to_left;
#[cfg(feature = "rsa")]
mod square_multiply;
mod variable_base;

#[cfg(feature = "rsa")]
pub(crate) use batch::pow_rows;
pub(crate) use dual::pow_x2;
pub(crate) use left_to_right::{WindowTable, regular_width, sliding_width, sliding_window_vartime};
pub(crate) use look_up::LookUp;
pub use method::{Algorithm, MAX_TABLE_BYTES, MAX_WINDOW, PowerMethod};
pub use planner::PowerPlanner;
pub(crate) use planner::nanoseconds;
#[cfg(feature = "rsa")]
pub(crate) use square_multiply::square_multiply_vartime;

//! Exponentiation of a variable base, over residues of any kernel.

mod batch;
mod dual;
mod ladder;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod left_to_right;
mod method;
mod multi;
mod planner;
mod recode;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod right_to_left;
mod room;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod sliding;
#[cfg(feature = "rsa")]
mod square_multiply;
mod variable_base;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod windows;

#[cfg(feature = "rsa")]
pub(crate) use batch::pow_rows;
pub(crate) use dual::pow_x2;
pub use method::{Algorithm, MAX_TABLE_BYTES, MAX_WINDOW, PowerMethod};
pub use planner::PowerPlanner;
pub(crate) use planner::nanoseconds;
pub(crate) use sliding::{SlidingWindows, sliding_width, sliding_window_vartime};
#[cfg(feature = "rsa")]
pub(crate) use square_multiply::square_multiply_vartime;
#[cfg(all(feature = "rsa", feature = "rayon"))]
pub(crate) use windows::pow;
pub(crate) use windows::{Windows, window_width};

//! Exponentiation of a variable base, over residues of any kernel.

mod batch;
mod dual;
mod ladder;
mod left_to_right;
mod method;
mod multi;
mod planner;
mod recode;
mod right_to_left;
mod sliding;
#[cfg(feature = "rsa")]
mod square_multiply;
mod variable_base;
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
pub(crate) use windows::{Windows, pow, window_width};

use alloc::format;
use moduli_kernel::Words;

use crate::error::Error;

/// `entries` entries of `size` words.
///
/// # Errors
/// [`Error::Parameter`] if there is not that much memory.
fn entries(entries: usize, size: usize) -> Result<Words, Error> {
    entries.checked_mul(size).and_then(Words::try_zero).ok_or_else(|| {
        let reason = format!("{entries} entries of {size} words need more memory than there is");
        Error::parameter("window", reason)
    })
}

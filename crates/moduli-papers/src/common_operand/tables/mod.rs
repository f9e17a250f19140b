//! Every table of the paper, counted, by formula and as printed.

mod claims;
mod sample;
mod steps;
mod text;
mod totals;

use alloc::{vec, vec::Vec};

pub use claims::{Saving, best_window, savings, stored_words};
use sample::Sample;
pub use sample::{Line, Size, Table};
pub use text::common_operand_text;
pub use totals::{TABLE_9, TABLE_9_PRINTED, TABLE_10_PRINTED};

use moduli::Error;

/// Tables I to VIII at one size, and the lines of Algorithm 4 after Table I. All counters run.
///
/// # Errors
/// Those of [`Montgomery::new`](super::Montgomery::new) for n words, and [`Error::Parameter`] for digits of no bit
/// or more than 8.
pub fn tables(size: Size) -> Result<Vec<Table>, Error> {
    let sample = Sample::new(size.n)?;
    Ok(vec![
        steps::table_1(&sample),
        steps::algorithm_4(&sample),
        totals::table_2(&sample),
        steps::table_3(&sample),
        steps::table_4(&sample),
        totals::table_5(&sample),
        steps::table_6(&sample, size)?,
        steps::table_7(&sample, size)?,
        totals::table_8(&sample, size)?,
    ])
}

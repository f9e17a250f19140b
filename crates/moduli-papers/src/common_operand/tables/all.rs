//! All tables for one size.

use alloc::{vec, vec::Vec};

use moduli::Error;

use super::{
    sample::{Sample, Size, Table},
    steps, totals,
};

/// Tables I to VIII for one size, and the lines of Algorithm 4 after Table I. All values are
/// counted.
///
/// # Errors
/// Those of [`CountedMontgomery::new`](crate::common_operand::CountedMontgomery::new) for n words, and
/// [`Error::Parameter`] for digits of no bit or more than 8.
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

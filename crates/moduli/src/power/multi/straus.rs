//! Interleaved windows (Straus 1964): every base has a table of its own, and all of them share the squarings.

use super::running::Running;
use crate::power::left_to_right::WindowTable;
use moduli_kernel::Session;

/// Multiplies the powers that the tables stand for into `product`, which holds nothing yet. Constant-time if the windows of all are
/// regular and looked up under masks.
pub(super) fn interleave(session: &mut Session<'_>, tables: &[WindowTable], product: &mut Running) {
    let positions = tables.iter().map(WindowTable::positions).max().unwrap_or(0);
    let mut place = session.residue();
    for position in (0..positions).rev() {
        product.square(session);
        for table in tables {
            if let Some(factor) = table.factor(session, position, &mut place) {
                product.multiply(session, factor);
            }
        }
    }
}

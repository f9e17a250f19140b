//! Running a method over its table: columns of a comb, and what takes no squarings.

use super::{accumulator::Accumulator, table::Table, workspace::Workspace};
use crate::fixed::{comb::Block, layout::Layout, secrecy::Secrecy};
use moduli_kernel::prefetch_vartime;

/// Entries of radix methods that are asked for ahead of their use.
const AHEAD: usize = 3;

impl<'a> Table<'a> {
    /// Makes ready for the highest column of a comb; nothing for other methods.
    pub(crate) fn start_columns(&self, secrecy: Secrecy, exponent: &[u64], workspace: &mut Workspace<'_>) {
        let columns = self.layout.columns();
        for (block, digit) in self.blocks().iter().zip(workspace.digits.iter_mut()) {
            *digit = self.teeth_at(secrecy, block, exponent, columns - 1);
        }
    }

    /// The teeth of column `k` of a block, 0 if it has none; a public entry is asked for.
    fn teeth_at(&self, secrecy: Secrecy, block: &Block, exponent: &[u64], k: u32) -> u64 {
        if k >= block.columns {
            return 0;
        }
        let teeth = block.teeth_at(exponent, k);
        if secrecy == Secrecy::Public && teeth > 0 {
            prefetch_vartime(self.entries(block.first_entry + teeth as usize - 1, 1));
        }
        teeth
    }

    /// Multiplies column `k` of a comb in, after [`Table::start_columns`] and the columns above it; nothing for other
    /// methods.
    pub(crate) fn multiply_column(
        &self,
        secrecy: Secrecy,
        accumulator: &mut Accumulator<'_>,
        exponent: &[u64],
        k: u32,
        workspace: &mut Workspace<'_>,
    ) {
        for (i, block) in self.blocks().iter().enumerate() {
            let teeth = workspace.digits[i];
            if k > 0 {
                workspace.digits[i] = self.teeth_at(secrecy, block, exponent, k - 1);
            }
            if k < block.columns {
                let row = self.entries(block.first_entry, block.entries());
                self.multiply_entry(secrecy, accumulator, row, teeth, workspace);
            }
        }
    }

    /// `accumulator *= row[index − 1]`, or nothing for index 0. In constant-time mode the whole row is read, and 0 is
    /// a product by 1.
    fn multiply_entry(
        &self,
        secrecy: Secrecy,
        accumulator: &mut Accumulator<'_>,
        row: &[u64],
        index: u64,
        workspace: &mut Workspace<'_>,
    ) {
        let Workspace { session, entry, .. } = workspace;
        match secrecy {
            Secrecy::Secret => {
                session.select(entry, self.one, row, index);
                accumulator.multiply_prepared(session, entry, self.split);
            }
            Secrecy::Public if index > 0 => {
                let size = self.one.len();
                let entry = &row[(index as usize - 1) * size..][..size];
                accumulator.multiply_prepared(session, entry, self.split);
            }
            Secrecy::Public => {}
        }
    }

    fn blocks(&self) -> &'a [Block] {
        match self.layout {
            Layout::Comb { blocks, .. } => blocks,
            _ => &[],
        }
    }

    /// Multiplies in what takes no squarings: everything but the columns of a comb.
    pub(crate) fn multiply_digits(
        &self,
        secrecy: Secrecy,
        accumulator: &mut Accumulator<'_>,
        exponent: &[u64],
        workspace: &mut Workspace<'_>,
    ) {
        match self.layout {
            Layout::Comb { .. } => {}
            Layout::Radix { digits, row } => {
                digits.cut(&mut workspace.digits, exponent, &mut workspace.rest);
                for i in 0..digits.count() {
                    if secrecy == Secrecy::Public {
                        // Those of the first digits are asked for with the first one.
                        let ahead = if i == 0 { 0..AHEAD + 1 } else { i + AHEAD..i + AHEAD + 1 };
                        for i in ahead {
                            if let Some(&digit @ 1..) = workspace.digits.get(i) {
                                prefetch_vartime(self.entries(i * row + digit as usize - 1, 1));
                            }
                        }
                    }
                    let (entries, digit) = (self.entries(i * row, *row), workspace.digits[i]);
                    self.multiply_entry(secrecy, accumulator, entries, digit, workspace);
                }
            }
            Layout::ResidueDigits { recoder, m0, m1 } => {
                let run = match secrecy {
                    Secrecy::Secret => Self::residue_digits,
                    Secrecy::Public => Self::residue_digits_vartime,
                };
                run(self, accumulator, exponent, recoder, *m0, *m1, workspace);
            }
            Layout::M0m1 { recoder, m0, m1 } => {
                let run = match secrecy {
                    Secrecy::Secret => Self::m0m1,
                    Secrecy::Public => Self::m0m1_vartime,
                };
                run(self, accumulator, exponent, recoder, *m0, *m1, workspace);
            }
        }
    }
}

//! Evaluates a method: first the columns of a comb, then the parts without squarings.

use core::{marker::PhantomData, ops::DerefMut};

use super::{
    buckets::Residues,
    m0m1::{m0m1, m0m1_vartime},
    residue_digits::{residue_digits, residue_digits_vartime},
    table::Table,
    workspace::Workspace,
};
use crate::{
    access::{Access, Indexed, Masked},
    exponent::Magnitude,
    fixed::{comb::Block, layout::Layout},
    running::{Columns, Work},
};

/// How many entries ahead the radix methods prefetch.
const AHEAD: usize = 3;

/// The methods whose two forms differ in more than the look-up of an entry.
pub(crate) trait Evaluate: Access {
    /// Whether exponents are secret, so that the table must be trusted.
    const SECRET: bool;

    /// The published m0m1 method.
    fn m0m1<V: DerefMut<Target = [u64]>>(work: &mut Work<'_, '_, V>, residues: Residues<'_>);

    /// The repaired m0m1 method.
    fn residue_digits<V: DerefMut<Target = [u64]>>(work: &mut Work<'_, '_, V>, residues: Residues<'_>);
}

impl Evaluate for Masked {
    const SECRET: bool = true;

    fn m0m1<V: DerefMut<Target = [u64]>>(work: &mut Work<'_, '_, V>, residues: Residues<'_>) {
        m0m1(work, residues);
    }

    fn residue_digits<V: DerefMut<Target = [u64]>>(work: &mut Work<'_, '_, V>, residues: Residues<'_>) {
        residue_digits(work, residues);
    }
}

impl Evaluate for Indexed {
    const SECRET: bool = false;

    fn m0m1<V: DerefMut<Target = [u64]>>(work: &mut Work<'_, '_, V>, residues: Residues<'_>) {
        m0m1_vartime(work, residues);
    }

    fn residue_digits<V: DerefMut<Target = [u64]>>(work: &mut Work<'_, '_, V>, residues: Residues<'_>) {
        residue_digits_vartime(work, residues);
    }
}

/// The evaluation of a table for one exponent: the columns of a comb, then the parts without
/// squarings.
pub(crate) struct Evaluation<'a, A> {
    table: Table<'a>,
    exponent: &'a Magnitude,
    workspace: &'a mut Workspace,
    access: PhantomData<A>,
}

impl<'a, A: Evaluate> Evaluation<'a, A> {
    /// Looks up the teeth of the highest column.
    pub(crate) fn new(table: Table<'a>, exponent: &'a Magnitude, workspace: &'a mut Workspace) -> Self {
        let columns = table.layout.columns();
        for (i, block) in table.blocks().iter().enumerate() {
            workspace.digits[i] = table.teeth_at::<A>(block, exponent, columns - 1);
        }
        Self { table, exponent, workspace, access: PhantomData }
    }

    /// Multiplies by all factors that need no squarings, which are all but the columns of a comb.
    pub(crate) fn multiply_digits<V: DerefMut<Target = [u64]>>(&mut self, work: &mut Work<'_, '_, V>) {
        let (table, exponent) = (self.table, self.exponent);
        match table.layout {
            Layout::Comb { .. } => {}
            Layout::Radix { digits, row } => {
                digits.cut(&mut self.workspace.digits, exponent.limbs(), &mut self.workspace.rest);
                for i in 0..digits.count() {
                    // The first digit prefetches several entries, each later digit one.
                    let ahead = if i == 0 { 0..AHEAD + 1 } else { i + AHEAD..i + AHEAD + 1 };
                    for i in ahead {
                        if let Some(&digit) = self.workspace.digits.get(i) {
                            A::ask(table.entries(i * row, *row), table.one.len(), digit);
                        }
                    }
                    let digit = self.workspace.digits[i];
                    self.multiply_entry(work, table.entries(i * row, *row), digit);
                }
            }
            Layout::ResidueDigits { recoder, m0, m1 } => {
                let workspace = &mut *self.workspace;
                A::residue_digits(work, Residues { table, exponent, recoder, m0: *m0, m1: *m1, workspace });
            }
            Layout::M0m1 { recoder, m0, m1 } => {
                let workspace = &mut *self.workspace;
                A::m0m1(work, Residues { table, exponent, recoder, m0: *m0, m1: *m1, workspace });
            }
        }
    }

    /// Multiplies by `b` if the mask is all ones.
    pub(crate) fn multiply_if<V: DerefMut<Target = [u64]>>(
        &mut self,
        work: &mut Work<'_, '_, V>,
        mask: u64,
        b: &[u64],
    ) {
        moduli_kernel::fault!(
            "a branch on the sign of an exponent",
            "moduli checkmem::powers::powers_of_fixed_bases",
            {
                moduli_kernel::faults::branch_on(mask);
            }
        );
        if !A::skips(mask & 1) {
            let one = work.session.one();
            let factor = A::entry(work.session, &mut self.workspace.residue, one, b, mask & 1);
            work.product.multiply(work.session, factor);
        }
    }

    /// Multiplies by `row[index − 1]`, or by 1 for index 0.
    fn multiply_entry<V: DerefMut<Target = [u64]>>(
        &mut self,
        work: &mut Work<'_, '_, V>,
        row: &[u64],
        index: u64,
    ) {
        if !A::skips(index) {
            let entry = A::entry(work.session, &mut self.workspace.entry, self.table.one, row, index);
            work.product.multiply_prepared(work.session, entry, self.table.split);
        }
    }
}

impl<A: Evaluate, V: DerefMut<Target = [u64]>> Columns<Work<'_, '_, V>> for Evaluation<'_, A> {
    fn columns(&self) -> u32 {
        self.table.layout.columns()
    }

    fn multiply_column(&mut self, work: &mut Work<'_, '_, V>, k: u32) {
        let table = self.table;
        for (i, block) in table.blocks().iter().enumerate() {
            let teeth = self.workspace.digits[i];
            if k > 0 {
                self.workspace.digits[i] = table.teeth_at::<A>(block, self.exponent, k - 1);
            }
            if k < block.columns {
                self.multiply_entry(work, table.entries(block.first_entry, block.entries()), teeth);
            }
        }
    }
}

impl<'a> Table<'a> {
    /// The bits of the teeth in column `k` of a block, or 0 if it has no such column. Prefetches
    /// their entry.
    fn teeth_at<A: Access>(&self, block: &Block, exponent: &Magnitude, k: u32) -> u64 {
        if k >= block.columns {
            return 0;
        }
        let teeth = block.teeth_at(exponent.limbs(), k);
        A::ask(self.entries(block.first_entry, block.entries()), self.one.len(), teeth);
        teeth
    }

    fn blocks(&self) -> &'a [Block] {
        match self.layout {
            Layout::Comb { blocks, .. } => blocks,
            _ => &[],
        }
    }
}

//! Many exponents at once: side by side where the kernel has lanes, and on all cores.

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;

use super::{
    digits::RadixDigits,
    fixed_base::{FixedBase, State},
    layout::Layout,
    secrecy::Secrecy,
};
use crate::{error::Error, exponent::Exponent, parallel};
use moduli_kernel::{LaneSession, Session, Words, limbs, prefetch_vartime};

impl FixedBase {
    /// [`FixedBase::pow`] of every exponent, in order, on all cores with the feature `rayon`. Constant-time.
    ///
    /// Cost: combs and radix tables in one piece serve as many exponents at once as the kernel has lanes (eight with
    /// AVX-512 IFMA, four with AVX2 and FMA): one masked look-up for all, and products side by side. Each row of the table is read for up
    /// to eight times as many before the next one. Batches too small to
    /// keep all cores busy so, and other tables, take an exponent at a time.
    ///
    /// # Errors
    /// At the index of an exponent that fails stands the error of [`FixedBase::pow`], and the others are delivered all the
    /// same; which of them fail is public. `collect::<Result<Vec<_>, _>>()` makes one result of all.
    pub fn pow_batch<'e, E: Into<Exponent<'e>>>(
        &self,
        exponents: impl IntoIterator<Item = E>,
    ) -> Vec<Result<BoxedUint, Error>> {
        self.run_batch(Secrecy::Secret, exponents)
    }

    /// [`FixedBase::pow_vartime`] of every exponent, in order, on all cores with the feature `rayon`; side by side as
    /// [`FixedBase::pow_batch`].
    ///
    /// # Errors
    /// As for [`FixedBase::pow_batch`].
    pub fn pow_batch_vartime<'e, E: Into<Exponent<'e>>>(
        &self,
        exponents: impl IntoIterator<Item = E>,
    ) -> Vec<Result<BoxedUint, Error>> {
        self.run_batch(Secrecy::Public, exponents)
    }

    /// How many lanes the kernel has for this table: 1 if it cannot use them.
    fn lanes(&self) -> usize {
        if self.shape().serves_lanes() { self.modulus().arithmetic().lanes() } else { 1 }
    }

    fn run_batch<'e, E: Into<Exponent<'e>>>(
        &self,
        secrecy: Secrecy,
        exponents: impl IntoIterator<Item = E>,
    ) -> Vec<Result<BoxedUint, Error>> {
        let exponents: Vec<Exponent<'e>> = exponents.into_iter().map(Into::into).collect();
        let lanes = self.lanes();
        let count = exponents.len();
        let [group, rows] = match parallel::fills(count, lanes) {
            true => [lanes * parallel::rows(count, lanes), parallel::rows(count, lanes)],
            false => [1, 1],
        };
        let run = |state: &mut BatchState<'_>, group: &[Exponent<'e>]| self.run_group(secrecy, group, state);
        let groups = exponents.chunks(group).collect();
        parallel::map_init(groups, || BatchState::new(self, rows), run).into_iter().flatten().collect()
    }

    /// The powers of one group, side by side where that pays and none fails.
    fn run_group(
        &self,
        secrecy: Secrecy,
        group: &[Exponent<'_>],
        state: &mut BatchState<'_>,
    ) -> Vec<Result<BoxedUint, Error>> {
        let BatchState { alone, rows } = state;
        let alone = &mut |e| self.run(secrecy, e, alone);
        let Some(rows) = rows else { return group.iter().map(alone).collect() };
        let lanes = rows.lanes.lanes();
        let left = group.len() % lanes;
        let (together, rest) =
            group.split_at(if left < rows.lanes.enough() { group.len() - left } else { group.len() });
        let mut results = Vec::with_capacity(group.len());
        match self.run_lanes(secrecy, together, rows) {
            Ok(powers) => results.extend(powers.into_iter().map(Ok)),
            // Whoever fails slows down the row that it stands in.
            Err(_) => {
                for row in together.chunks(lanes) {
                    match self.run_lanes(secrecy, row, rows) {
                        Ok(powers) => results.extend(powers.into_iter().map(Ok)),
                        Err(_) => results.extend(row.iter().map(&mut *alone)),
                    }
                }
            }
        }
        results.extend(rest.iter().map(alone));
        results
    }

    /// At most as many powers as the rows have lanes. Lanes without an exponent multiply by 1.
    fn run_lanes(
        &self,
        secrecy: Secrecy,
        group: &[Exponent<'_>],
        rows: &mut LaneState<'_>,
    ) -> Result<Vec<BoxedUint>, Error> {
        self.check_trust(secrecy)?;
        let exponents = group.iter().map(|e| self.exponent(e)).collect::<Result<Vec<_>, _>>()?;
        let signed = group.iter().any(Exponent::is_signed);
        let complement = if signed { self.complement()? } else { &[] };
        let (words, size) = (self.words(), rows.session.residue_words());
        let used = group.len().div_ceil(rows.lanes.lanes());
        let mut product = RowProduct { secrecy, rows, used, started: false };
        match self.layout() {
            Layout::Comb { blocks, columns } => {
                for k in (0..*columns).rev() {
                    let row = |i: usize| &words[blocks[i].first_entry * size..][..blocks[i].entries() * size];
                    for (i, block) in blocks.iter().enumerate().filter(|(_, block)| k < block.columns) {
                        for (place, exponent) in exponents.iter().enumerate() {
                            product.name(i, place, block.teeth_at(exponent, k));
                        }
                        product.ask(i, row(i));
                    }
                    product.square();
                    for i in (0..blocks.len()).filter(|&i| k < blocks[i].columns) {
                        product.multiply(i, row(i));
                    }
                }
            }
            Layout::Radix { digits, row } => {
                let row = |i: usize| &words[i * row * size..][..row * size];
                for (place, exponent) in exponents.iter().enumerate() {
                    product.cut(digits, place, exponent);
                }
                product.ask(0, row(0));
                for i in 0..digits.count() {
                    if i + 1 < digits.count() {
                        product.ask(i + 1, row(i + 1));
                    }
                    product.multiply(i, row(i));
                }
            }
            // `FixedBase::lanes` has refused them.
            Layout::M0m1 { .. } | Layout::ResidueDigits { .. } => {}
        }
        if signed {
            for (place, e) in group.iter().enumerate() {
                product.name(0, place, e.negative_mask() & 1);
            }
            product.multiply(0, complement);
        }
        Ok((0..group.len()).map(|place| product.leave(place)).collect())
    }
}

/// What a thread writes to: one exponent at a time, or rows of them.
struct BatchState<'a> {
    alone: State<'a>,
    rows: Option<LaneState<'a>>,
}

/// Some rows of lanes at work and what they write to; place p of a group is lane p % lanes of row p / lanes. Wiped on drop.
struct LaneState<'a> {
    lanes: LaneSession<'a>,
    session: Session<'a>,
    powers: Vec<Words>,
    /// A factor for each row, one after the other.
    factors: Words,
    residue: Words,
    value: Words,
    /// Which entries of row i of the table are wanted: those of place p at word i·rows·lanes + p.
    indices: Words,
    /// Digits of one exponent, and what is left of it while they are cut.
    digits: Words,
    rest: Words,
}

impl<'a> BatchState<'a> {
    fn new(base: &'a FixedBase, rows: usize) -> Self {
        let lanes = if base.lanes() > 1 { base.modulus().lane_session() } else { None };
        let state = lanes.map(|lanes| {
            let session = base.modulus().session();
            let (table_rows, digits) = match base.layout() {
                Layout::Comb { blocks, .. } => (blocks.len(), 0),
                Layout::Radix { digits, .. } => (digits.count(), digits.count()),
                _ => (0, 0),
            };
            LaneState {
                powers: (0..rows).map(|_| lanes.row()).collect(),
                factors: Words::zero(rows * lanes.row_words()),
                residue: session.residue(),
                value: session.value(),
                indices: Words::zero(table_rows.max(1) * rows * lanes.lanes()),
                digits: Words::zero(digits),
                rest: Words::zero(base.shape().exponent_bits().div_ceil(64) as usize),
                lanes,
                session,
            }
        });
        Self { alone: base.state(), rows: state }
    }
}

impl LaneState<'_> {
    /// Which entries of row `i` of the table are wanted.
    fn indices(&mut self, i: usize) -> &mut [u64] {
        let places = self.powers.len() * self.lanes.lanes();
        &mut self.indices[i * places..][..places]
    }
}

/// A running product in every lane.
struct RowProduct<'a, 'k> {
    secrecy: Secrecy,
    rows: &'a mut LaneState<'k>,
    /// How many of the rows.
    used: usize,
    /// Whether anything was multiplied in: public, it depends on the sequence alone.
    started: bool,
}

impl RowProduct<'_, '_> {
    /// Place `place` will want entry `index − 1` of row `i` of the table, nothing for index 0.
    fn name(&mut self, i: usize, place: usize, index: u64) {
        self.rows.indices(i)[place] = index;
    }

    /// [`RowProduct::name`] for all radix digits of an exponent.
    fn cut(&mut self, digits: &RadixDigits, place: usize, exponent: &[u64]) {
        digits.cut(&mut self.rows.digits, exponent, &mut self.rows.rest);
        for i in 0..digits.count() {
            self.name(i, place, self.rows.digits[i]);
        }
    }

    /// Asks for what was named for row `i`, if it is public.
    fn ask(&mut self, i: usize, row: &[u64]) {
        if self.secrecy == Secrecy::Public {
            let size = self.rows.residue.len();
            let indices = self.rows.indices(i);
            for &mut index in indices.iter_mut().filter(|index| **index > 0) {
                prefetch_vartime(&row[(index as usize - 1) * size..][..size]);
            }
        }
    }

    fn square(&mut self) {
        if self.started {
            for power in &mut self.rows.powers[..self.used] {
                self.rows.lanes.square(power);
            }
        }
    }

    /// Multiplies by what was named for row `i`. In constant-time mode the whole row is read, once for all rows of lanes.
    fn multiply(&mut self, i: usize, row: &[u64]) {
        let LaneState { lanes, session, powers, factors, indices, residue, .. } = &mut *self.rows;
        let (count, size, length) = (lanes.lanes(), residue.len(), lanes.row_words());
        let indices = &mut indices[i * powers.len() * count..][..self.used * count];
        let factors = &mut factors[..self.used * length];
        if self.secrecy == Secrecy::Secret {
            lanes.look_up(factors, session.one(), row, indices);
        }
        let rows =
            powers.iter_mut().zip(factors.chunks_exact_mut(length)).zip(indices.chunks_exact_mut(count));
        for ((power, factor), indices) in rows {
            if self.secrecy == Secrecy::Public {
                if self.started && indices.iter().all(|&index| index == 0) {
                    continue;
                }
                for (lane, &index) in indices.iter().enumerate() {
                    let entry = match index {
                        0 => session.one(),
                        _ => &row[(index as usize - 1) * size..][..size],
                    };
                    lanes.put(factor, lane, entry);
                }
            }
            indices.fill(0);
            if self.started {
                lanes.mul(power, factor);
            } else {
                power.copy_from_slice(factor);
            }
        }
        self.started = true;
    }

    /// The value at a place.
    fn leave(&mut self, place: usize) -> BoxedUint {
        let LaneState { lanes, session, powers, residue, value, .. } = &mut *self.rows;
        if self.started {
            lanes.take(residue, &powers[place / lanes.lanes()], place % lanes.lanes());
        } else {
            residue.copy_from_slice(session.one());
        }
        session.leave(value, residue);
        limbs::from_limbs(value)
    }
}

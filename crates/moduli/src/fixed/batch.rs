//! Powers to many exponents: side by side if the kernel has lanes, and on all cores.

use alloc::vec::Vec;
use core::marker::PhantomData;
use crypto_bigint::BoxedUint;

use super::{
    comb::Block,
    digits::RadixDigits,
    evaluate::Evaluate,
    fixed_base::{FixedBase, State},
    layout::Layout,
};
use crate::{
    access::{Access, Indexed, Masked},
    error::Error,
    exponent::{Given, Magnitude, SignedExponent},
    parallel,
    running::{Columns, Square, walk},
};
use moduli_kernel::{LaneSession, Session, Words, limbs};

impl FixedBase {
    /// Computes [`FixedBase::pow`] of every exponent, in order, on all cores with the feature `rayon`.
    /// Constant-time.
    ///
    /// Cost: with combs and radix tables that are not split, as many exponents are processed at once as the
    /// kernel has lanes (eight with AVX-512 IFMA, four with AVX2 and FMA), with one masked look-up for all,
    /// and products in all lanes. Each row of the table is read once for up to eight times as many exponents.
    /// Other tables, and batches that are too small to keep all cores busy this way, process one exponent at
    /// a time.
    ///
    /// # Errors
    /// An exponent that fails gets the error of [`FixedBase::pow`] at its index; the others get their powers.
    /// Which of them fail is public. `collect::<Result<Vec<_>, _>>()` turns them into one result.
    pub fn pow_batch<'e, E: Into<SignedExponent<'e>>>(
        &self,
        exponents: impl IntoIterator<Item = E>,
    ) -> Vec<Result<BoxedUint, Error>> {
        self.run_batch::<Masked, _>(exponents)
    }

    /// Computes [`FixedBase::pow_vartime`] of every exponent, in order, on all cores with the
    /// feature `rayon`, and in lanes as [`FixedBase::pow_batch`] does.
    ///
    /// # Errors
    /// As for [`FixedBase::pow_batch`].
    pub fn pow_batch_vartime<'e, E: Into<SignedExponent<'e>>>(
        &self,
        exponents: impl IntoIterator<Item = E>,
    ) -> Vec<Result<BoxedUint, Error>> {
        self.run_batch::<Indexed, _>(exponents)
    }

    /// The number of the kernel's lanes, or 1 if this table cannot use them.
    fn lanes(&self) -> usize {
        if self.shape().serves_lanes() { self.modulus().arithmetic().lanes() } else { 1 }
    }

    fn run_batch<'e, A: Evaluate, E: Into<SignedExponent<'e>>>(
        &self,
        exponents: impl IntoIterator<Item = E>,
    ) -> Vec<Result<BoxedUint, Error>> {
        let exponents: Given<SignedExponent<'e>> = Given::collect(exponents.into_iter().map(Into::into));
        let lanes = self.lanes();
        let count = exponents.len();
        let [group, rows] = match parallel::fills(count, lanes) {
            true => [lanes * parallel::rows(count, lanes), parallel::rows(count, lanes)],
            false => [1, 1],
        };
        let run =
            |state: &mut BatchState<'_>, group: &[SignedExponent<'e>]| self.run_group::<A>(group, state);
        let groups = exponents.chunks(group).collect();
        parallel::map_init(groups, || BatchState::new(self, rows), run).into_iter().flatten().collect()
    }

    /// The powers of one group: side by side if that pays, otherwise one by one.
    fn run_group<A: Evaluate>(
        &self,
        group: &[SignedExponent<'_>],
        state: &mut BatchState<'_>,
    ) -> Vec<Result<BoxedUint, Error>> {
        let BatchState { alone, rows } = state;
        let alone = &mut |e| self.run::<A>(e, alone);
        let Some(rows) = rows else { return group.iter().map(alone).collect() };
        let lanes = rows.lanes.lanes();
        let left = group.len() % lanes;
        let (together, rest) =
            group.split_at(if left < rows.lanes.enough() { group.len() - left } else { group.len() });
        let mut results = Vec::with_capacity(group.len());
        match self.run_lanes::<A>(together, rows) {
            Ok(powers) => results.extend(powers.into_iter().map(Ok)),
            // If an exponent fails, those of its row are computed one by one.
            Err(_) => {
                for row in together.chunks(lanes) {
                    match self.run_lanes::<A>(row, rows) {
                        Ok(powers) => results.extend(powers.into_iter().map(Ok)),
                        Err(_) => results.extend(row.iter().map(&mut *alone)),
                    }
                }
            }
        }
        results.extend(rest.iter().map(alone));
        results
    }

    /// Computes at most one power per lane of all rows. Lanes without an exponent multiply by 1.
    fn run_lanes<A: Evaluate>(
        &self,
        group: &[SignedExponent<'_>],
        rows: &mut LaneState<'_>,
    ) -> Result<Vec<BoxedUint>, Error> {
        self.check_trust::<A>()?;
        let exponents = group.iter().map(|e| self.exponent::<A>(e)).collect::<Result<Vec<_>, _>>()?;
        let signed = group.iter().any(SignedExponent::is_signed);
        let complement = if signed { self.complement()? } else { &[] };
        let (words, size) = (self.words(), rows.session.residue_words());
        let used = group.len().div_ceil(rows.lanes.lanes());
        let is_large = words.len() > SMALL_TABLE;
        let mut product = RowProduct::<A> { rows, used, is_large, started: false, access: PhantomData };
        match self.layout() {
            Layout::Comb { blocks, columns } => {
                let mut comb = RowComb { blocks, columns: *columns, words, size, exponents: &exponents };
                A::ask_all(comb.row(0));
                comb.name(&mut product, columns - 1);
                walk(&mut product, &mut comb);
            }
            Layout::Radix { digits, row } => {
                let row = |i: usize| &words[i * row * size..][..row * size];
                A::ask_all(row(0));
                for (place, exponent) in exponents.iter().enumerate() {
                    product.cut(digits, place, exponent.limbs());
                }
                product.ask(0, row(0));
                for i in 0..digits.count() {
                    let mut next = &words[..0];
                    if i + 1 < digits.count() {
                        next = row(i + 1);
                        product.ask(i + 1, next);
                    }
                    product.multiply(i, row(i), next);
                }
            }
            Layout::M0m1 { .. } | Layout::ResidueDigits { .. } => {
                unreachable!("`Shape::serves_lanes` refuses these")
            }
        }
        if signed {
            for (place, e) in group.iter().enumerate() {
                product.name(0, place, e.negative_mask() & 1);
            }
            product.multiply(0, complement, &[]);
        }
        Ok((0..group.len()).map(|place| product.leave(place)).collect())
    }
}

/// Evaluates a comb for one exponent per lane.
struct RowComb<'a> {
    blocks: &'a [Block],
    columns: u32,
    words: &'a [u64],
    size: usize,
    exponents: &'a [Magnitude],
}

impl RowComb<'_> {
    fn row(&self, i: usize) -> &[u64] {
        let Block { first_entry, .. } = self.blocks[i];
        &self.words[first_entry * self.size..][..self.blocks[i].entries() * self.size]
    }

    /// Computes the indices of the entries for column `k`, and prefetches the entries if that may
    /// be visible.
    fn name<A: Access>(&self, product: &mut RowProduct<'_, '_, A>, k: u32) {
        for (i, block) in self.blocks.iter().enumerate().filter(|(_, block)| k < block.columns) {
            for (place, exponent) in self.exponents.iter().enumerate() {
                product.name(i, place, block.teeth_at(exponent.limbs(), k));
            }
            product.ask(i, self.row(i));
        }
    }
}

impl<A: Access> Columns<RowProduct<'_, '_, A>> for RowComb<'_> {
    fn columns(&self) -> u32 {
        self.columns
    }

    fn multiply_column(&mut self, product: &mut RowProduct<'_, '_, A>, k: u32) {
        for i in (0..self.blocks.len()).filter(|&i| k < self.blocks[i].columns) {
            // After the last block comes the first one, in the next column.
            let next = if i + 1 < self.blocks.len() { i + 1 } else { 0 };
            product.multiply(i, self.row(i), self.row(next));
        }
        if k > 0 {
            self.name(product, k - 1);
        }
    }
}

/// A thread's buffers: for one exponent at a time, and for rows of exponents.
struct BatchState<'a> {
    alone: State<'a>,
    rows: Option<LaneState<'a>>,
}

/// Sessions and buffers for some rows of lanes. Place p of a group is lane p % lanes of row p /
/// lanes. Wiped on drop.
struct LaneState<'a> {
    lanes: LaneSession<'a>,
    session: Session<'a>,
    powers: Vec<Words>,
    /// A factor for each row, consecutive in memory.
    factors: Words,
    residue: Words,
    value: Words,
    /// The index of the entry that place p needs from row i of the table, at word i·rows·lanes + p.
    indices: Words,
    /// The digits of one exponent, and the rest of it during the division into digits.
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
                Layout::M0m1 { .. } | Layout::ResidueDigits { .. } => (0, 0),
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
    /// The indices of the entries needed from row `i` of the table.
    fn indices(&mut self, i: usize) -> &mut [u64] {
        let places = self.powers.len() * self.lanes.lanes();
        &mut self.indices[i * places..][..places]
    }
}

/// A table of at most so many words (256 KiB) leaves room in a second-level cache of 512 KiB. Prefetching its
/// rows would only cost time: a tenth with products of 1024 bits.
const SMALL_TABLE: usize = 1 << 15;

/// A running product in every lane.
struct RowProduct<'a, 'k, A> {
    rows: &'a mut LaneState<'k>,
    /// How many rows are used.
    used: usize,
    /// Whether the table may not be in the second-level cache.
    is_large: bool,
    /// Whether the product has a factor. This is public: it depends only on the sequence of
    /// operations.
    started: bool,
    access: PhantomData<A>,
}

impl<A: Access> RowProduct<'_, '_, A> {
    /// Records that place `place` needs entry `index − 1` of row `i` of the table, or 1 if the
    /// index is 0.
    fn name(&mut self, i: usize, place: usize, index: u64) {
        self.rows.indices(i)[place] = index;
    }

    /// Calls [`RowProduct::name`] for all radix digits of an exponent.
    fn cut(&mut self, digits: &RadixDigits, place: usize, exponent: &[u64]) {
        digits.cut(&mut self.rows.digits, exponent, &mut self.rows.rest);
        for i in 0..digits.count() {
            self.name(i, place, self.rows.digits[i]);
        }
    }

    /// Prefetches the recorded entries of row `i`, if the addresses may be visible.
    fn ask(&mut self, i: usize, row: &[u64]) {
        let size = self.rows.residue.len();
        for &mut index in self.rows.indices(i) {
            A::ask(row, size, index);
        }
    }

    /// Multiplies by the recorded entries of row `i`. The constant-time form reads the whole row,
    /// once for all rows of lanes, and prefetches the next row of a large table, a part of it before each
    /// product.
    fn multiply(&mut self, i: usize, row: &[u64], next: &[u64]) {
        let LaneState { lanes, session, powers, factors, indices, .. } = &mut *self.rows;
        let (count, length) = (lanes.lanes(), lanes.row_words());
        let indices = &mut indices[i * powers.len() * count..][..self.used * count];
        let factors = &mut factors[..self.used * length];
        A::look_up(lanes, factors, session.one(), row, indices, self.started);
        let next = if self.is_large { next } else { &[] };
        let mut next = next.chunks(8 * next.len().div_ceil(8 * self.used.max(1)).max(1));
        let rows =
            powers.iter_mut().zip(factors.chunks_exact_mut(length)).zip(indices.chunks_exact_mut(count));
        for ((power, factor), indices) in rows {
            if self.started && indices.iter().all(|&index| A::skips(index)) {
                continue;
            }
            indices.fill(0);
            A::ask_all(next.next().unwrap_or_default());
            if self.started {
                lanes.mul(power, factor);
            } else {
                power.copy_from_slice(factor);
            }
        }
        self.started = true;
    }

    /// Returns the value at a place.
    fn leave(&mut self, place: usize) -> BoxedUint {
        let LaneState { lanes, session, powers, residue, value, .. } = &mut *self.rows;
        if self.started {
            lanes.take(residue, &powers[place / lanes.lanes()], place % lanes.lanes());
        } else {
            residue.copy_from_slice(session.one());
        }
        session.from_montgomery(value, residue);
        limbs::from_limbs(value)
    }
}

impl<A: Access> Square for RowProduct<'_, '_, A> {
    fn square(&mut self) {
        if self.started {
            for power in &mut self.rows.powers[..self.used] {
                self.rows.lanes.square(power);
            }
        }
    }
}

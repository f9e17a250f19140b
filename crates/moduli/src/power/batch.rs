//! Many powers modulo one number: side by side if the kernel has lanes, and on all cores.

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;
use zeroize::Zeroizing;

use super::{
    room::entries,
    windows::{Power, Table, copied, fill, run_windows, window_width_of_rows},
};
use crate::{
    element::Element,
    error::Error,
    exponent::{Given, Magnitude, SignedExponent},
    modulus::Modulus,
    parallel::{fills, for_each},
};
use moduli_kernel::{LaneSession, Words};

impl Modulus {
    /// Computes [`Modulus::pow_signed`] of every base and its exponent, in order, on all cores with the
    /// feature `rayon`. Constant-time; which of them fail is public.
    ///
    /// Cost: if the kernel has lanes (eight with AVX-512 IFMA, four with AVX2 and FMA), a group of
    /// as many powers takes the time of its longest declared exponent. With eight lanes this is
    /// about a third (256 bits), a half (1024 bits) or four fifths (2048 bits and more) of the time
    /// of as many single powers; with four lanes, between a half and 95 %. The table of a group has
    /// 2^w rows, w ≤ 8, with one residue per lane. Batches that are too small to keep all cores
    /// busy with groups are computed one by one.
    ///
    /// # Errors
    /// A pair that fails gets the error of [`Modulus::pow_signed`] at its index; the others get their powers.
    /// `collect::<Result<Vec<_>, _>>()` turns them into one result.
    ///
    /// ```
    /// # use crypto_bigint::BoxedUint;
    /// # let p = moduli::Modulus::new(&BoxedUint::from(1_000_003u64))?;
    /// let bases: Vec<_> = (2..30u64).map(BoxedUint::from).collect();
    /// let e = BoxedUint::from(65_537u64);
    /// let powers = p.pow_batch(bases.iter().map(|x| (x, &e)));
    /// assert_eq!(powers[3], Ok(p.pow(&bases[3], &e)));
    /// # Ok::<(), moduli::Error>(())
    /// ```
    pub fn pow_batch<'e, E: Into<SignedExponent<'e>>>(
        &self,
        pairs: impl IntoIterator<Item = (&'e BoxedUint, E)>,
    ) -> Vec<Result<BoxedUint, Error>> {
        let pairs = Given::collect(pairs.into_iter().map(|(x, e)| (x, e.into())));
        let lanes = self.arithmetic().lanes();
        let group = if fills(pairs.len(), lanes) { lanes } else { 1 };
        let mut results: Vec<Vec<Result<BoxedUint, Error>>> = Vec::new();
        results.resize_with(pairs.len().div_ceil(group), Vec::new);
        let work = results.iter_mut().zip(pairs.chunks(group)).collect();
        for_each(work, |(result, pairs): (&mut Vec<_>, &[_])| *result = self.pow_group(pairs));
        results.into_iter().flatten().collect()
    }

    /// The powers of one group: side by side if that pays and no pair fails, otherwise one by one.
    fn pow_group(&self, pairs: &[(&BoxedUint, SignedExponent<'_>)]) -> Vec<Result<BoxedUint, Error>> {
        if self.arithmetic().enough_for_lanes().is_some_and(|enough| pairs.len() >= enough)
            && let Some(mut lanes) = self.lane_session()
            && let Ok(powers) = self.pow_lanes(&mut lanes, pairs)
        {
            return powers.into_iter().map(Ok).collect();
        }
        pairs.iter().map(|&(x, e)| self.pow_signed(x, e)).collect()
    }

    /// The powers of at most as many pairs as there are lanes.
    fn pow_lanes(
        &self,
        lanes: &mut LaneSession<'_>,
        pairs: &[(&BoxedUint, SignedExponent<'_>)],
    ) -> Result<Vec<BoxedUint>, Error> {
        let bits = pairs.iter().map(|(_, e)| e.bits()).max().unwrap_or(0);
        let (mut bases, mut exponents) = (Vec::with_capacity(pairs.len()), Vec::with_capacity(pairs.len()));
        for (x, e) in pairs {
            exponents.push(e.below(bits)?);
            bases.push(self.element(x).signed(e)?);
        }
        let bases = bases.iter().map(Element::residue);
        let powers = pow_rows(lanes, self.arithmetic().one(), bases, &exponents)?;
        Ok(powers.into_iter().map(|power| Element::from_residue(self, power).to_uint()).collect())
    }
}

/// One power per lane.
struct InLanes<'a, 's> {
    lanes: &'a mut LaneSession<'s>,
    exponents: &'a [Magnitude],
    width: u32,
    table: Words,
    found: Words,
    indices: Zeroizing<Vec<u64>>,
    power: Words,
}

impl Table for InLanes<'_, '_> {
    fn square_entry(&mut self, from: usize, to: usize) {
        let (row, _) = copied(&mut self.table, self.found.len(), from, to);
        self.lanes.square(row);
    }

    fn multiply_entry(&mut self, from: usize, to: usize) {
        let (row, base) = copied(&mut self.table, self.found.len(), from, to);
        self.lanes.mul(row, base);
    }
}

impl InLanes<'_, '_> {
    /// Sets the index of the entry that each lane looks up.
    fn ask(&mut self, window: u32) {
        for (index, exponent) in self.indices.iter_mut().zip(self.exponents) {
            *index = exponent.digit(window, self.width);
        }
    }
}

impl Power for InLanes<'_, '_> {
    fn select(&mut self, window: u32) {
        self.ask(window);
        self.lanes.select(&mut self.found, &self.table, &self.indices);
    }

    fn start(&mut self) {
        self.power.copy_from_slice(&self.found);
    }

    fn square_and_select(&mut self, times: u32, window: u32) {
        self.ask(window);
        let wanted = (&mut *self.found, &*self.table, &self.indices[..]);
        self.lanes.square_and_select((&mut self.power, times), wanted);
    }

    fn multiply(&mut self) {
        self.lanes.mul(&mut self.power, &self.found);
    }
}

/// The powers of residues, at most one per lane. Each has its own exponent, and all exponents have
/// the same length. Fixed windows over a table of powers; `one` is the residue of 1. Constant-time.
///
/// # Errors
/// [`Error::Parameter`] if there is not enough memory for the table.
pub(crate) fn pow_rows<'r>(
    lanes: &mut LaneSession<'_>,
    one: &[u64],
    bases: impl Iterator<Item = &'r [u64]>,
    exponents: &[Magnitude],
) -> Result<Vec<Words>, Error> {
    let bits = exponents.first().map_or(0, Magnitude::bits);
    let (size, count) = (lanes.row_words(), lanes.lanes());
    let width = window_width_of_rows(one.len(), bits, lanes.looked_at());
    let mut table = entries(1 << width, size)?;
    // x^0, x^1, x^2 …; lanes without a base contain 1.
    for lane in 0..count {
        lanes.put(&mut table[..size], lane, one);
        lanes.put(&mut table[size..2 * size], lane, one);
    }
    for (lane, base) in bases.enumerate() {
        lanes.put(&mut table[size..2 * size], lane, base);
    }
    let (found, power) = (lanes.row(), Words::copy_of(&table[..size]));
    let indices = Zeroizing::new(alloc::vec![0; count]);
    let mut rows = InLanes { lanes, exponents, width, table, found, indices, power };
    if bits > 0 {
        fill(&mut rows, 1 << width);
        run_windows(&mut rows, bits, width);
    }
    let taken = (0..exponents.len()).map(|lane| {
        let mut residue = Words::zero(one.len());
        rows.lanes.take(&mut residue, &rows.power, lane);
        residue
    });
    Ok(taken.collect())
}

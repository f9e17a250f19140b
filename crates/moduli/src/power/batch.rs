//! Many powers to one modulus: side by side where the kernel has lanes, and on all cores.

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;
use zeroize::Zeroizing;

use super::{left_to_right::regular_width_of_rows, look_up::entries, recode::regular_digits};
use crate::{
    element::Element,
    error::Error,
    exponent::Exponent,
    modulus::Modulus,
    parallel::{fills, for_each},
};
use moduli_kernel::{LaneSession, Words};

impl Modulus {
    /// [`Modulus::pow`] of every base and its exponent, in order, on all cores with the feature `rayon`. Constant-time; which
    /// of them fails is public.
    ///
    /// Cost: where the kernel has lanes (eight with AVX-512 IFMA, four with AVX2 and FMA) a group of as many powers takes
    /// the time of the longest declared exponent among them: with eight lanes about a third (256 bits), a half (1024
    /// bits) or four fifths (2048 bits and more) of the time of so many single ones, with four between a half and 95 %. The table of a group
    /// has 2^w + 1 rows, w ≤ 8, one residue in each lane. Batches too small to keep all cores busy with groups are
    /// computed one by one.
    ///
    /// # Errors
    /// At the index of a pair that fails stands the error of [`Modulus::pow`], and the others are delivered all the same.
    /// `collect::<Result<Vec<_>, _>>()` makes one result of all.
    ///
    /// ```
    /// # use crypto_bigint::BoxedUint;
    /// # let p = moduli::Modulus::new(&BoxedUint::from(1_000_003u64))?;
    /// let bases: Vec<_> = (2..30u64).map(BoxedUint::from).collect();
    /// let e = BoxedUint::from(65_537u64);
    /// let powers = p.pow_batch(bases.iter().map(|x| (x, &e)));
    /// assert_eq!(powers[3], p.pow(&bases[3], &e));
    /// # Ok::<(), moduli::Error>(())
    /// ```
    pub fn pow_batch<'e, E: Into<Exponent<'e>>>(
        &self,
        pairs: impl IntoIterator<Item = (&'e BoxedUint, E)>,
    ) -> Vec<Result<BoxedUint, Error>> {
        let pairs: Vec<(&BoxedUint, Exponent<'e>)> = pairs.into_iter().map(|(x, e)| (x, e.into())).collect();
        let lanes = self.arithmetic().lanes();
        let group = if fills(pairs.len(), lanes) { lanes } else { 1 };
        let mut results: Vec<Vec<Result<BoxedUint, Error>>> = Vec::new();
        results.resize_with(pairs.len().div_ceil(group), Vec::new);
        let work = results.iter_mut().zip(pairs.chunks(group)).collect();
        for_each(work, |(result, pairs): (&mut Vec<_>, &[_])| *result = self.pow_group(pairs));
        results.into_iter().flatten().collect()
    }

    /// The powers of one group, side by side if that pays and none fails.
    fn pow_group(&self, pairs: &[(&BoxedUint, Exponent<'_>)]) -> Vec<Result<BoxedUint, Error>> {
        if self.arithmetic().enough_for_lanes().is_some_and(|enough| pairs.len() >= enough)
            && let Some(mut lanes) = self.lane_session()
            && let Ok(powers) = self.pow_lanes(&mut lanes, pairs)
        {
            return powers.into_iter().map(Ok).collect();
        }
        pairs.iter().map(|&(x, e)| self.pow(x, e)).collect()
    }

    /// The powers of at most as many pairs as there are lanes.
    fn pow_lanes(
        &self,
        lanes: &mut LaneSession<'_>,
        pairs: &[(&BoxedUint, Exponent<'_>)],
    ) -> Result<Vec<BoxedUint>, Error> {
        let bits = pairs.iter().map(|(_, e)| e.bits()).max().unwrap_or(0);
        let (mut bases, mut exponents) = (Vec::with_capacity(pairs.len()), Vec::with_capacity(pairs.len()));
        for (x, e) in pairs {
            exponents.push(e.limbs(bits.max(e.bits()))?);
            bases.push(self.element(x).signed(e)?);
        }
        let bases = bases.iter().map(Element::residue);
        let powers = pow_rows(lanes, self.arithmetic().one(), bases, &exponents, bits)?;
        Ok(powers.into_iter().map(|power| Element::from_residue(self, power).to_uint()).collect())
    }
}

/// The powers of residues, each with its own exponent of `bits` public bits, for at most as many as there are lanes:
/// left-to-right with regular windows over a table of powers. `one` is the residue of 1. Constant-time.
///
/// # Errors
/// [`Error::Parameter`] if there is not enough memory for the table.
pub(crate) fn pow_rows<'r>(
    lanes: &mut LaneSession<'_>,
    one: &[u64],
    bases: impl Iterator<Item = &'r [u64]>,
    exponents: &[Zeroizing<Vec<u64>>],
    bits: u32,
) -> Result<Vec<Words>, Error> {
    let size = lanes.row_words();
    let window = regular_width_of_rows(one.len(), bits);
    let mut table = entries((1 << window) + 1, size)?;
    // x^0, x^1, x^2 …; lanes without a base hold 1.
    for lane in 0..lanes.lanes() {
        lanes.put(&mut table[..size], lane, one);
        lanes.put(&mut table[size..2 * size], lane, one);
    }
    for (lane, base) in bases.enumerate() {
        lanes.put(&mut table[size..2 * size], lane, base);
    }
    for i in 2..table.len() / size {
        let (known, new) = table.split_at_mut(size * i);
        let row = &mut new[..size];
        if i % 2 == 0 {
            row.copy_from_slice(&known[size * (i / 2)..][..size]);
            lanes.square(row);
        } else {
            row.copy_from_slice(&known[size * (i - 1)..]);
            lanes.mul(row, &known[size..2 * size]);
        }
    }

    let digits: Vec<_> = exponents.iter().map(|e| regular_digits(e, bits, window)).collect();
    let mut power = Words::copy_of(&table[..size]);
    let mut factor = lanes.row();
    let mut indices = Zeroizing::new(alloc::vec![0; lanes.lanes()]);
    let count = bits.div_ceil(window) as usize;
    for i in (0..count).rev() {
        if i + 1 < count {
            for _ in 0..window {
                lanes.square(&mut power);
            }
        }
        for (index, digits) in indices.iter_mut().zip(&digits) {
            *index = digits[i];
        }
        lanes.select(&mut factor, &table, &indices);
        lanes.mul(&mut power, &factor);
    }

    let taken = (0..exponents.len()).map(|lane| {
        let mut residue = Words::zero(one.len());
        lanes.take(&mut residue, &power, lane);
        residue
    });
    Ok(taken.collect())
}

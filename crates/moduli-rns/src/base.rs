//! The bases of a residue number system with pseudo-Mersenne moduli, and conversions into and out of
//! residues.

use alloc::{format, vec::Vec};
use crypto_bigint::BoxedUint;
use zeroize::Zeroizing;

use super::{
    channels::{Channels, Instructions, Residues},
    search, word,
};
use moduli::Error;
use moduli_kernel::limbs;

pub use super::search::{BaseShape, Family, MAX_CHANNELS};

/// A base of a residue number system: n pairwise coprime odd moduli m_i = 2^w − r_i with r_i < 2^⌊w/2⌋, and
/// its constants.
///
/// An integer X with 0 ≤ X < M = ∏ m_i is represented by its residues X mod m_i. With M_i = M/m_i and T_i =
/// M_i mod m_i, X = Σ ξ_i·M_i − q·M, where the *digits* are ξ_i = X·T_i^(−1) mod m_i and the *quotient* is q
/// = ⌊Σ ξ_i/m_i⌋.
#[derive(Clone, Debug)]
pub struct Base {
    channels: Channels,
    product: BoxedUint,
    /// M, with as many limbs as n·M needs.
    product_limbs: Vec<u64>,
    /// M_i, each with as many limbs as M.
    quotients: Vec<u64>,
    /// T_i.
    cofactors: Vec<u64>,
    /// T_i^(−1) mod m_i.
    cofactor_inverses: Vec<u64>,
}

impl Base {
    /// Makes the base of a shape with the smallest r_i of the family. Cost: a search among small numbers,
    /// then O(n²).
    ///
    /// # Errors
    /// [`Error::Parameter`] if the width has too few moduli. The error gives their number and the smallest
    /// width that has enough.
    pub fn new(shape: BaseShape, family: &Family<'_>) -> Result<Self, Error> {
        Self::holding(shape, family, &BoxedUint::one())
    }

    /// Makes the base as [`Base::new`] does, with a product M that exceeds `room`.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no such base. The error gives the smallest number of channels for
    /// this width, and the smallest width for this number of channels.
    pub fn holding(shape: BaseShape, family: &Family<'_>, room: &BoxedUint) -> Result<Self, Error> {
        shape.check()?;
        match search::find(shape, family) {
            Some(moduli) if search::exceeds(&moduli, room) => Ok(Self::build(shape.width, &moduli)),
            _ => Err(search::shortage(shape, family, room)),
        }
    }

    /// Makes two bases of one shape for base extension. All 2n moduli are pairwise coprime, and each product
    /// exceeds `room`. The first base gets the smaller r_i.
    ///
    /// # Errors
    /// As for [`Base::holding`], for 2n moduli of the family.
    pub fn pair(shape: BaseShape, family: &Family<'_>, room: &BoxedUint) -> Result<(Self, Self), Error> {
        shape.check()?;
        let both = BaseShape { channels: 2 * shape.channels, ..shape };
        match search::find(both, family) {
            Some(moduli) if search::exceeds(&moduli[shape.channels..], room) => {
                let (first, second) = moduli.split_at(shape.channels);
                Ok((Self::build(shape.width, first), Self::build(shape.width, second)))
            }
            _ => Err(search::shortage_of_pair(shape, family, room)),
        }
    }

    /// Makes the base of these moduli, in this order.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless they are 1 to [`MAX_CHANNELS`] pairwise coprime odd numbers 2^w − r, 8 ≤ w
    /// ≤ 64, 0 < r < 2^⌊w/2⌋.
    pub fn from_moduli(width: u32, moduli: &[u64]) -> Result<Self, Error> {
        BaseShape { channels: moduli.len(), width }.check()?;
        for (i, &m) in moduli.iter().enumerate() {
            let complement = (1u128 << width).checked_sub(u128::from(m));
            if m % 2 == 0 || complement.is_none_or(|r| r == 0 || r >= 1 << (width / 2)) {
                return Err(Error::parameter(
                    "modulus",
                    format!("{m} is not an odd number 2^{width} − r with 0 < r < 2^{}", width / 2),
                ));
            }
            if let Some(other) = moduli[..i].iter().find(|&&other| word::gcd(other, m) != 1) {
                return Err(Error::parameter("modulus", format!("{other} and {m} are not coprime")));
            }
        }
        Ok(Self::build(width, moduli))
    }

    /// Returns the base of the first `count` moduli, 1 ≤ `count` ≤ n, which has a smaller range.
    ///
    /// # Errors
    /// [`Error::Parameter`] for any other count.
    pub fn prefix(&self, count: usize) -> Result<Self, Error> {
        match self.moduli().get(..count) {
            Some(moduli) if count > 0 => Ok(Self::build(self.width(), moduli)),
            _ => Err(Error::parameter("channels", format!("{count} of {} moduli", self.count()))),
        }
    }

    fn build(width: u32, moduli: &[u64]) -> Self {
        let mut product = search::product(moduli);
        let length = product.len();
        let mut quotients = Vec::with_capacity(moduli.len() * length);
        let mut cofactors = Vec::with_capacity(moduli.len());
        for &m in moduli {
            let mut quotient = product.clone();
            word::divide(&mut quotient, m);
            cofactors.push(word::remainder(&quotient, m));
            quotients.extend(quotient);
        }
        // The moduli are coprime, so every cofactor is invertible.
        let cofactor_inverses =
            cofactors.iter().zip(moduli).map(|(&t, &m)| word::inverse(t, m).unwrap_or(0)).collect();
        let value = limbs::from_limbs(&product);
        product.push(0);
        Self {
            channels: Channels::new(width, moduli),
            product: value,
            product_limbs: product,
            quotients,
            cofactors,
            cofactor_inverses,
        }
    }

    /// Returns the word arithmetic of this base.
    pub fn channels(&self) -> &Channels {
        &self.channels
    }

    /// Returns the same base with this choice of instructions for its channels.
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Self {
        Self { channels: self.channels.with_instructions(instructions), ..self }
    }

    /// Returns the shape: the number of channels n and the width w.
    pub fn shape(&self) -> BaseShape {
        BaseShape { channels: self.count(), width: self.width() }
    }

    /// Returns n, the number of moduli.
    pub fn count(&self) -> usize {
        self.channels.count()
    }

    /// Returns w, the number of bits of a modulus.
    pub fn width(&self) -> u32 {
        self.channels.width()
    }

    /// Returns the moduli m_i.
    pub fn moduli(&self) -> &[u64] {
        self.channels.moduli()
    }

    /// Returns M, the product of the moduli.
    pub fn product(&self) -> &BoxedUint {
        &self.product
    }

    /// Returns T_i = M/m_i mod m_i for every modulus.
    pub fn cofactors(&self) -> &[u64] {
        &self.cofactors
    }

    /// Returns T_i^(−1) mod m_i for every modulus.
    pub fn cofactor_inverses(&self) -> &[u64] {
        &self.cofactor_inverses
    }

    /// Returns M_i = M/m_i for every modulus, at the precision of M.
    pub fn quotients(&self) -> impl Iterator<Item = BoxedUint> {
        self.quotients.chunks_exact(self.product_limbs.len() - 1).map(limbs::from_limbs)
    }

    /// Returns M modulo `q`, or 0 for `q = 0`. Variable-time; M and `q` are public.
    pub fn product_modulo(&self, q: u64) -> u64 {
        if q == 0 { 0 } else { word::remainder(&self.product_limbs, q) }
    }

    /// Returns the weights M_i modulo `q` > 0, where `None` means 2^64.
    pub fn weights(&self, q: Option<u64>) -> Vec<u64> {
        let quotients = self.quotients.chunks_exact(self.product_limbs.len() - 1);
        match q {
            Some(0) => alloc::vec![0; self.count()],
            Some(q) => quotients.map(|quotient| word::remainder(quotient, q)).collect(),
            None => quotients.map(|quotient| quotient[0]).collect(),
        }
    }

    /// Returns the residues of `value`, which may exceed M. Constant-time in the value; the cost depends on
    /// its precision.
    pub fn to_residues(&self, value: &BoxedUint) -> Residues {
        let limbs = limbs::to_limbs(value, 1);
        let width = self.width();
        let mut residues = self.channels.zeros();
        for digit in (0..(64 * limbs.len() as u32).div_ceil(width)).rev() {
            self.channels.append(&mut residues, digit_at(&limbs, digit * width, width));
        }
        residues
    }

    /// Returns the lowest `count` digits of a number in radix 2^w, lowest first.
    pub fn digits(&self, value: &BoxedUint, count: usize) -> Vec<u64> {
        let limbs = limbs::to_limbs(value, 1);
        (0..count as u32)
            .map(|digit| digit_at(&limbs, digit.saturating_mul(self.width()), self.width()))
            .collect()
    }

    /// Returns the residues of 2^(w·k) for every k below `count`. The digits of an operand in radix 2^w are
    /// multiplied by them to convert it into residues.
    pub fn radix_powers(&self, count: usize) -> Vec<Residues> {
        let mut power = self.word_to_residues(1);
        (0..count)
            .map(|_| {
                let this = power.clone();
                self.channels.append(&mut power, 0);
                this
            })
            .collect()
    }

    /// Returns the digits ξ_i of `value`, which are its residues times T_i^(−1).
    pub fn to_scaled_residues(&self, value: &BoxedUint) -> Residues {
        let mut residues = self.to_residues(value);
        self.channels.multiply(&mut residues, &self.cofactor_inverses, &mut ());
        residues
    }

    /// Returns the residues of a number of one word, for constants.
    pub fn word_to_residues(&self, value: u64) -> Residues {
        Zeroizing::new(self.moduli().iter().map(|m| value % m).collect())
    }

    /// Returns the X with 0 ≤ X < M that has these residues, at the precision of M. Constant-time. Cost: n
    /// word products per limb.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are not n residues, each below its modulus.
    pub fn from_residues(&self, residues: &[u64]) -> Result<BoxedUint, Error> {
        if residues.len() != self.count() {
            return Err(Error::parameter(
                "residues",
                format!("{} where the base has {} channels", residues.len(), self.count()),
            ));
        }
        if residues.iter().zip(self.moduli()).fold(false, |above, (residue, m)| above | (residue >= m)) {
            return Err(Error::parameter("residues", "one is not below its modulus"));
        }
        let mut scaled = Zeroizing::new(residues.to_vec());
        self.channels.multiply(&mut scaled, &self.cofactor_inverses, &mut ());
        let length = self.product_limbs.len();
        let mut sum = Zeroizing::new(alloc::vec![0u64; length]);
        for (&digit, quotient) in scaled.iter().zip(self.quotients.chunks_exact(length - 1)) {
            add_multiple(&mut sum, digit, quotient);
        }
        // n distinct odd r are below 2^⌊w/2⌋, so Σ ξ_i/2^w is smaller than Σ ξ_i/m_i by at most n·r/2^w <
        // 1/2. So its integer part is q or q − 1.
        let estimate = scaled.iter().map(|&digit| u128::from(digit)).sum::<u128>() >> self.width();
        subtract_multiple(&mut sum, estimate as u64, &self.product_limbs);
        let mut less = sum.clone();
        let borrow = subtract_multiple(&mut less, 1, &self.product_limbs);
        let keep = core::hint::black_box(borrow.wrapping_neg());
        for (sum, &less) in sum.iter_mut().zip(less.iter()) {
            *sum = less ^ (keep & (*sum ^ less));
        }
        Ok(limbs::from_limbs(&sum[..length - 1]))
    }
}

/// Bits `start..start + width` of a number, for a width of at most 64.
fn digit_at(limbs: &[u64], start: u32, width: u32) -> u64 {
    let (limb, shift) = (start as usize / 64, start % 64);
    let word = |i: usize| u128::from(limbs.get(i).copied().unwrap_or(0));
    ((word(limb) | word(limb + 1) << 64) >> shift) as u64 & (u64::MAX >> (64 - width))
}

/// `sum += factor·value`. `sum` is one limb longer, and does not overflow.
fn add_multiple(sum: &mut [u64], factor: u64, value: &[u64]) {
    let mut carry = 0u128;
    for (i, sum) in sum.iter_mut().enumerate() {
        let limb = value.get(i).copied().unwrap_or(0);
        let total = u128::from(factor) * u128::from(limb) + u128::from(*sum) + carry;
        (*sum, carry) = (total as u64, total >> 64);
    }
}

/// `sum −= factor·value` modulo 2^(64·length). Returns the borrow, which is 0 or 1 for `factor` ≤ 1.
fn subtract_multiple(sum: &mut [u64], factor: u64, value: &[u64]) -> u64 {
    let mut borrow = 0u64;
    for (sum, &limb) in sum.iter_mut().zip(value) {
        let product = u128::from(factor) * u128::from(limb) + u128::from(borrow);
        let (difference, under) = sum.overflowing_sub(product as u64);
        (*sum, borrow) = (difference, (product >> 64) as u64 + u64::from(under));
    }
    borrow
}

#[cfg(test)]
mod tests {
    use super::*;
    use crypto_bigint::Resize;

    /// Compares with the definition of a residue, and converts both ways, at the limits of every width.
    #[test]
    fn numbers_enter_and_leave() {
        for width in 8..=64 {
            for channels in [1, 2, 3, 8] {
                let family = Family { coprime_to: 6, ..Family::default() };
                let Ok(base) = Base::new(BaseShape { channels, width }, &family) else { continue };
                let one = BoxedUint::one();
                let top = base.product().wrapping_sub(&one);
                let half = base.product().shr(1);
                for value in [BoxedUint::zero(), one.clone(), half.wrapping_sub(&one), half, top] {
                    let residues = base.to_residues(&value);
                    for (&residue, &m) in residues.iter().zip(base.moduli()) {
                        assert_eq!(residue, word::remainder(&limbs::to_limbs(&value, 1), m));
                    }
                    assert_eq!(base.from_residues(&residues).unwrap(), value, "{channels} × {width}");
                }
                // M itself and 2^k are reduced.
                assert!(base.to_residues(base.product()).iter().all(|&residue| residue == 0));
                let power = BoxedUint::one().resize(1024).shl(1023);
                for (&residue, &m) in base.to_residues(&power).iter().zip(base.moduli()) {
                    assert_eq!(residue, word::remainder(&limbs::to_limbs(&power, 1), m));
                }
                for (i, &m) in base.moduli().iter().enumerate() {
                    assert_eq!(word::product(base.cofactors()[i], base.cofactor_inverses()[i], m), 1);
                }
            }
        }
    }
}

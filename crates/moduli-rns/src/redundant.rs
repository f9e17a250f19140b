//! A redundant channel, by which Montgomery products in residues notice faults.
//!
//! Beside its residues in two bases every value X carries X modulo m_r = 2^w − 1, which is coprime to all moduli and
//! above them. A product computes it with the second base, from the same digits and quotient of the first extension,
//! r = x·y·M^(−1) + Σ ξ_i·P·m_i^(−1) − q·P, and a second time in the extension back, e = Σ ξ'_j·M'_j − q'·M'. Without a
//! fault e ≡ r modulo m_r. On the way out the digits of the result are summed up, which is X modulo m_r once more, and the
//! result must be below P.
//!
//! *Which faults are found.* Any fault of one channel, in either base or in this one, and of the exact quotient: if a digit
//! of Q̂ is wrong by δ, |δ| < m_i, what the second base and m_r hold together is W ≡ R + δ·P·m_i^(−1) modulo M'·m_r. The check
//! passes only if W is as small as values of the second base are, |W| < M'. But then W·m_i − R·m_i − δ·P, which is a multiple
//! of M'·m_r, is smaller than that: it is 0, so that m_i divides δ·P, and δ = 0. If a digit of the result is wrong, the two
//! values differ by a multiple of M'/m'_j, and of m_r if they agree modulo m_r, which is a multiple of M'·m_r/m'_j > M': they
//! are the same. Faults of several channels pass with probability 1/m_r. A wrong short quotient changes R by a multiple of
//! P: that is no fault modulo P, and the way out tells if R has left its range. What is wrong in all channels alike, another
//! operand or a product that is left out, is not found.

use alloc::vec::Vec;
use core::slice;
use crypto_bigint::{BoxedUint, CtLt, Resize};
use zeroize::{Zeroize, Zeroizing};

use super::{
    base::{BaseShape, Family},
    montgomery::{LEAST_ROOM, RnsElement, RnsMontgomery},
    word,
};
use moduli::Error;
use moduli_kernel::{limbs, mask};

/// Arithmetic modulo one odd P over two bases and a redundant channel.
#[derive(Clone)]
pub struct Redundant {
    field: RnsMontgomery,
    /// w.
    width: u32,
    /// M^(−1).
    over_product: u64,
    /// P·m_i^(−1).
    forth: Vec<u64>,
    /// −P.
    forth_excess: u64,
    /// M'_j.
    back: Vec<u64>,
    /// −M'.
    back_excess: u64,
    /// M² modulo P.
    square: u64,
}

/// A residue modulo P in Montgomery form with its residue modulo m_r. Below 3P, not unique. Wiped when dropped.
#[derive(Clone)]
pub struct RedundantElement {
    element: RnsElement,
    /// From 0 to m_r, which are the same.
    residue: u64,
}

impl RedundantElement {
    /// The residues in both bases.
    pub fn element(&self) -> &RnsElement {
        &self.element
    }

    /// The residue modulo m_r, from 0 to m_r: both stand for 0.
    pub fn residue(&self) -> u64 {
        self.residue
    }
}

impl Drop for RedundantElement {
    fn drop(&mut self) {
        self.residue.zeroize();
    }
}

/// What of a product has just been computed: where a model of faults may change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The digits of Q̂, in the first base.
    Digits,
    /// Their quotient, short by 0 or 1: one word.
    ShortQuotient,
    /// The digits of the result, in the second base.
    Result,
    /// The residue of the result modulo m_r: one word.
    Residue,
    /// The exact quotient of the result: one word.
    ExactQuotient,
    /// The residue that the extension back makes: one word.
    Again,
    /// The residues of the result in the first base.
    Back,
}

impl Redundant {
    /// For an odd `p` > 1, prime or not, over two bases of the given shape whose moduli are coprime to 2^w − 1 too.
    ///
    /// # Errors
    /// As for [`RnsMontgomery::new`].
    pub fn new(p: &BoxedUint, shape: BaseShape) -> Result<Self, Error> {
        shape.check()?;
        let modulus = u64::MAX >> (64 - shape.width);
        let family = Family { coprime_to: modulus, ..Family::default() };
        let field = RnsMontgomery::with_family(p, shape, &family, LEAST_ROOM)?;
        let [first, second] = field.bases();
        let inverse = |value: u64| word::inverse(value % modulus, modulus).unwrap_or(0);
        let prime = word::remainder(&limbs::to_limbs(field.modulus(), 1), modulus);
        let over_product = inverse(first.product_modulo(modulus));
        let forth = first.moduli().iter().map(|&m| fold(wide(prime, inverse(m)), shape.width)).collect();
        let (forth_excess, back_excess) = (modulus - prime, modulus - second.product_modulo(modulus));
        let back = second.weights(Some(modulus));
        let mut this = Self {
            width: shape.width,
            over_product,
            forth,
            forth_excess,
            back,
            back_excess,
            square: 0,
            field,
        };
        this.square = this.residue(&this.power_of_product(2));
        Ok(this)
    }

    /// The arithmetic underneath.
    pub fn field(&self) -> &RnsMontgomery {
        &self.field
    }

    /// m_r = 2^w − 1.
    pub fn modulus(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// M^(−1) modulo m_r: from a product of two residues to one divided by M.
    pub fn over_product(&self) -> u64 {
        self.over_product
    }

    /// P·m_i^(−1) modulo m_r for every modulus of the first base.
    pub fn forth(&self) -> &[u64] {
        &self.forth
    }

    /// −P modulo m_r: what the quotient of the first extension multiplies.
    pub fn forth_excess(&self) -> u64 {
        self.forth_excess
    }

    /// M'_j modulo m_r for every modulus of the second base.
    pub fn back(&self) -> &[u64] {
        &self.back
    }

    /// −M' modulo m_r: what the quotient of the extension back multiplies.
    pub fn back_excess(&self) -> u64 {
        self.back_excess
    }

    /// M^k modulo P: k = 1 is the residue 1, 2 enters Montgomery form, 3 takes the inverse of an element to that of the inverse.
    pub fn power_of_product(&self, k: u32) -> BoxedUint {
        let [first, _] = self.field.bases();
        let Some(p) = self.field.modulus().as_nz_vartime() else { return BoxedUint::zero() };
        let residue = first.product().rem_vartime(p);
        (1..k).fold(residue.clone(), |power, _| power.mul_mod(&residue, p))
    }

    /// `value` modulo m_r, from 0 to m_r: the sum of its digits in radix 2^w. Constant-time; the cost depends on its
    /// precision.
    pub fn residue(&self, value: &BoxedUint) -> u64 {
        let digits = value.bits_precision().div_ceil(self.width) as usize;
        let digits = Zeroizing::new(self.field.bases()[0].digits(value, digits));
        digits.iter().fold(0, |sum, &digit| fold(u128::from(sum) + u128::from(digit), self.width))
    }

    /// `x` modulo P in Montgomery form. Constant-time: the cost depends on the precision of `x`.
    ///
    /// # Errors
    /// [`Error::Fault`] if the check of the product fails.
    pub fn to_montgomery(&self, x: &BoxedUint) -> Result<RedundantElement, Error> {
        let reduced = match self.field.modulus().as_nz_vartime() {
            Some(p) => limbs::remainder(x, p),
            None => Zeroizing::new(BoxedUint::zero()),
        };
        let mut element = self.split(&reduced);
        let square =
            RedundantElement { element: self.field.square_of_product().clone(), residue: self.square };
        self.multiply(&mut element, &square)?;
        Ok(element)
    }

    /// The value below P of an element. Constant-time. A product, and the reduction of a value below 3P.
    ///
    /// # Errors
    /// [`Error::Fault`] if a check fails: that of the product, or of the residue or the range of the result.
    pub fn from_montgomery(&self, x: &RedundantElement) -> Result<BoxedUint, Error> {
        let mut plain = x.clone();
        self.multiply(&mut plain, &self.split(&BoxedUint::one()))?;
        self.leave(&plain)
    }

    /// The value below P of an element as it is. Constant-time.
    ///
    /// # Errors
    /// As for [`Redundant::from_montgomery`].
    pub fn leave(&self, x: &RedundantElement) -> Result<BoxedUint, Error> {
        let [first, _] = self.field.bases();
        let value = Zeroizing::new(first.from_residues(&x.element.first).map_err(|_| Error::Fault)?);
        let prime = self.field.modulus();
        let wide = |value: &BoxedUint| {
            value.resize(first.product().bits_precision().max(prime.bits_precision() + 2))
        };
        let three = wide(prime).wrapping_add(wide(prime).shl(1));
        let right = self.same(self.residue(&value), x.residue)
            & bool::from(Zeroizing::new(wide(&value)).ct_lt(&three));
        match prime.as_nz_vartime() {
            Some(p) if right => Ok((&*limbs::remainder(&value, p)).resize(prime.bits_precision())),
            _ => Err(Error::Fault),
        }
    }

    /// A value below 3P in both bases and modulo m_r, as it is.
    pub fn split(&self, x: &BoxedUint) -> RedundantElement {
        RedundantElement { element: self.field.split(x, &mut ()), residue: self.residue(x) }
    }

    /// `x ← x·y`. Constant-time. 2n² + 6n EMM, and 2n + 4 in the redundant channel.
    ///
    /// # Errors
    /// [`Error::Fault`] if the result does not pass its check; `x` is then of no use.
    pub fn multiply(&self, x: &mut RedundantElement, y: &RedundantElement) -> Result<(), Error> {
        self.multiply_disturbed(x, y, |_, _| ())
    }

    /// The same with a model of faults, which is shown every [`Stage`] and may change its words: of the bases one below
    /// each modulus, of the others below 2^w.
    ///
    /// # Errors
    /// As for [`Redundant::multiply`].
    pub fn multiply_disturbed(
        &self,
        x: &mut RedundantElement,
        y: &RedundantElement,
        mut disturb: impl FnMut(Stage, &mut [u64]),
    ) -> Result<(), Error> {
        let [first, second] = self.field.bases().map(|base| base.channels());
        let RedundantElement { element: RnsElement { first: digits, second: result }, residue } = x;
        first.multiply(digits, &y.element.first, &mut ());
        first.multiply(digits, self.field.reduce_first(), &mut ());
        disturb(Stage::Digits, digits);
        let mut quotient = self.field.short_cox().quotient(digits, &mut ());
        disturb(Stage::ShortQuotient, slice::from_mut(&mut quotient));
        second.multiply(result, &y.element.second, &mut ());
        second.multiply(result, self.field.reduce_second(), &mut ());
        *residue =
            self.sum(self.times(self.times(*residue, y.residue), self.over_product), digits, &self.forth);
        *residue = self.sum(*residue, &[quotient], &[self.forth_excess]);
        for (&digit, row) in digits.iter().zip(self.field.forth()) {
            second.add_scaled(result, digit, row, &mut ());
        }
        second.add_scaled(result, quotient, self.field.forth_excess(), &mut ());
        disturb(Stage::Result, result);
        disturb(Stage::Residue, slice::from_mut(residue));
        let mut quotient = self.field.exact_cox().quotient(result, &mut ());
        disturb(Stage::ExactQuotient, slice::from_mut(&mut quotient));
        let mut again = self.sum(0, result, &self.back);
        again = self.sum(again, &[quotient], &[self.back_excess]);
        disturb(Stage::Again, slice::from_mut(&mut again));
        digits.fill(0);
        for (&digit, row) in result.iter().zip(self.field.back()) {
            first.add_scaled(digits, digit, row, &mut ());
        }
        first.add_scaled(digits, quotient, self.field.back_excess(), &mut ());
        disturb(Stage::Back, digits);
        if self.same(again, *residue) { Ok(()) } else { Err(Error::Fault) }
    }

    /// x·y modulo m_r.
    fn times(&self, x: u64, y: u64) -> u64 {
        fold(wide(x, y), self.width)
    }

    /// `start` + Σ x_i·y_i modulo m_r.
    fn sum(&self, start: u64, x: &[u64], y: &[u64]) -> u64 {
        x.iter().zip(y).fold(start, |sum, (&x, &y)| fold(wide(x, y) + u128::from(sum), self.width))
    }

    /// Whether two words stand for one residue: 0 and m_r do.
    fn same(&self, x: u64, y: u64) -> bool {
        let least = |word: u64| word & !mask::equal(word, self.modulus());
        least(x) == least(y)
    }
}

fn wide(x: u64, y: u64) -> u128 {
    u128::from(x) * u128::from(y)
}

/// A number below 2^(2w), or the largest product of two words and a word more, to one below 2^w that is the same modulo 2^w − 1.
fn fold(value: u128, width: u32) -> u64 {
    let below = u128::from(u64::MAX >> (64 - width));
    let once = (value & below) + (value >> width);
    ((once & below) + (once >> width)) as u64
}

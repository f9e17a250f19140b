//! A redundant channel, which detects faults in Montgomery products of residues.
//!
//! In addition to its residues in two bases ([`crate::montgomery`]), every value X has a residue modulo m_r =
//! 2^w − 1. This number is coprime to all moduli, and larger than each of them. The moduli of the first base
//! are m_i, with the product M, and those of the second are m'_j, with the product M'. M'_j is M'/m'_j. A
//! product computes the residue of its result twice:
//!
//! - as in the second base, from the digits ξ_i of Q̂ and the quotient q of the first extension: r =
//!   x·y·M^(−1) + Σ ξ_i·P·m_i^(−1) − q·P;
//! - from the digits ξ'_j of the result, with the quotient q' of the extension back to the first base: e = Σ
//!   ξ'_j·M'_j − q'·M'.
//!
//! Without a fault, e ≡ r modulo m_r. When a result is converted into an integer, the integer is reduced
//! modulo m_r and compared with the residue, and its range is checked.
//!
//! # Detected faults
//!
//! In one product, any fault of a single channel, in either base or in the redundant channel, is detected. So
//! is a fault of the exact quotient q'.
//!
//! - *A digit of Q̂ is wrong by δ*, with |δ| < m_i. The second base and m_r together then hold W ≡ R +
//!   δ·P·m_i^(−1) modulo M'·m_r, where R is the correct result. The check passes only if W is as small as the
//!   values of the second base, |W| < M'. In this case W·m_i − R·m_i − δ·P, which is a multiple of M'·m_r,
//!   has a smaller absolute value than M'·m_r, so it is 0. So m_i divides δ·P. All moduli are coprime to P,
//!   so m_i divides δ, and δ = 0.
//! - *A digit of the result is wrong.* The wrong and the correct value differ by a multiple of M'/m'_j. If
//!   they agree modulo m_r, the difference is also a multiple of M'·m_r/m'_j > M', so the values are equal.
//!
//! # Other faults
//!
//! - Faults of several channels pass with probability 1/m_r if the errors are random. Chosen errors can
//!   always pass.
//! - A wrong short quotient q changes R by a multiple of P. The result is still correct modulo P. The check
//!   of the range detects it if the result is too large.
//! - A fault that affects all channels in the same way is not detected, such as another operand or an omitted
//!   product.

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

/// Montgomery arithmetic modulo an odd P over two bases and a redundant channel.
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

/// A residue modulo P in Montgomery form, with its residue modulo m_r = 2^w − 1. The value is below 3P, so it
/// is not unique. Wiped on drop.
#[derive(Clone)]
pub struct RedundantElement {
    element: RnsElement,
    /// From 0 to m_r, where both represent 0.
    residue: u64,
}

impl RedundantElement {
    /// Returns the residues in both bases.
    pub fn element(&self) -> &RnsElement {
        &self.element
    }

    /// Returns the residue modulo m_r, from 0 to m_r. Both 0 and m_r represent the residue 0.
    pub fn residue(&self) -> u64 {
        self.residue
    }
}

impl Drop for RedundantElement {
    fn drop(&mut self) {
        self.residue.zeroize();
    }
}

/// A part of a product that has just been computed, for [`Redundant::multiply_disturbed`]. A model of faults
/// may change its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The digits of Q̂ in the first base.
    Digits,
    /// The quotient of these digits, which may be too small by 1. One word.
    ShortQuotient,
    /// The digits of the result in the second base.
    Result,
    /// The residue of the result modulo m_r. One word.
    Residue,
    /// The exact quotient of the result. One word.
    ExactQuotient,
    /// The second residue of the result modulo m_r, from the extension back. One word.
    Again,
    /// The residues of the result in the first base.
    Back,
}

impl Redundant {
    /// Makes the arithmetic for an odd `p` > 1, prime or not, over two bases of the given shape. Their moduli
    /// are coprime to 2^w − 1.
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

    /// Returns the Montgomery arithmetic without the redundant channel.
    pub fn field(&self) -> &RnsMontgomery {
        &self.field
    }

    /// Returns m_r = 2^w − 1.
    pub fn modulus(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// Returns M^(−1) modulo m_r, which divides the product of two residues by M.
    pub fn over_product(&self) -> u64 {
        self.over_product
    }

    /// Returns P·m_i^(−1) modulo m_r for every modulus m_i of the first base.
    pub fn forth(&self) -> &[u64] {
        &self.forth
    }

    /// Returns −P modulo m_r, by which the quotient of the first extension is multiplied.
    pub fn forth_excess(&self) -> u64 {
        self.forth_excess
    }

    /// Returns M'_j = M'/m'_j modulo m_r for every modulus m'_j of the second base.
    pub fn back(&self) -> &[u64] {
        &self.back
    }

    /// Returns −M' modulo m_r, by which the quotient of the extension back is multiplied.
    pub fn back_excess(&self) -> u64 {
        self.back_excess
    }

    /// Returns M^k modulo P. The power k = 1 is the Montgomery form of 1. A product by the power k = 2
    /// converts into Montgomery form. A product by the power k = 3 converts the inverse of an element into
    /// the element of the inverse.
    pub fn power_of_product(&self, k: u32) -> BoxedUint {
        let [first, _] = self.field.bases();
        let Some(p) = self.field.modulus().as_nz_vartime() else { return BoxedUint::zero() };
        let residue = first.product().rem_vartime(p);
        (1..k).fold(residue.clone(), |power, _| power.mul_mod(&residue, p))
    }

    /// Returns `value` modulo m_r, from 0 to m_r, as the sum of its digits in radix 2^w modulo m_r.
    /// Constant-time; the cost depends on the precision of `value`.
    pub fn residue(&self, value: &BoxedUint) -> u64 {
        let digits = value.bits_precision().div_ceil(self.width) as usize;
        let digits = Zeroizing::new(self.field.bases()[0].digits(value, digits));
        digits.iter().fold(0, |sum, &digit| fold(u128::from(sum) + u128::from(digit), self.width))
    }

    /// Converts `x` modulo P into Montgomery form. Constant-time; the cost depends on the precision of `x`.
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

    /// Converts an element out of Montgomery form, into a number below P. Constant-time. Cost: one product,
    /// and the reduction of a value below 3P.
    ///
    /// # Errors
    /// [`Error::Fault`] if the check of the product, of the residue or of the range fails.
    pub fn from_montgomery(&self, x: &RedundantElement) -> Result<BoxedUint, Error> {
        let mut plain = x.clone();
        self.multiply(&mut plain, &self.split(&BoxedUint::one()))?;
        self.leave(&plain)
    }

    /// Returns the value of an element as a number below P, without a conversion out of Montgomery form.
    /// Constant-time.
    ///
    /// # Errors
    /// [`Error::Fault`] if the check of the residue or of the range fails.
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

    /// Returns the residues of a value below 3P in both bases and modulo m_r, without a conversion into
    /// Montgomery form.
    pub fn split(&self, x: &BoxedUint) -> RedundantElement {
        RedundantElement { element: self.field.split(x, &mut ()), residue: self.residue(x) }
    }

    /// Computes `x ← x·y` in Montgomery form. Constant-time. Cost: 2n² + 6n elementary multiplications (EMM),
    /// and 2n + 4 multiplications in the redundant channel.
    ///
    /// # Errors
    /// [`Error::Fault`] if the check fails. `x` is then not usable.
    pub fn multiply(&self, x: &mut RedundantElement, y: &RedundantElement) -> Result<(), Error> {
        self.multiply_disturbed(x, y, |_, _| ())
    }

    /// Multiplies as [`Redundant::multiply`] does, and calls a model of faults after every [`Stage`].
    ///
    /// The model may change the words of the stage. Words of a base must stay below their modulus, and other
    /// words below 2^w.
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

    /// Whether two words represent the same residue; 0 and m_r do.
    fn same(&self, x: u64, y: u64) -> bool {
        let least = |word: u64| word & !mask::equal(word, self.modulus());
        least(x) == least(y)
    }
}

fn wide(x: u64, y: u64) -> u128 {
    u128::from(x) * u128::from(y)
}

/// Reduces a number to one below 2^w that is congruent modulo 2^w − 1. The number is below 2^(2w), or at most
/// the product of two words plus a word.
fn fold(value: u128, width: u32) -> u64 {
    let below = u128::from(u64::MAX >> (64 - width));
    let once = (value & below) + (value >> width);
    ((once & below) + (once >> width)) as u64
}

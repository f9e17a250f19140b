//! The public interface of the algorithms, which checks the operands.

use alloc::{format, vec, vec::Vec};

use crypto_bigint::BoxedUint;

use super::{
    number::{Number, subtract_once},
    reduction::Reduction,
    word::{Meter, Word},
};
use moduli::{Error, MAX_MODULUS_BITS, error::ModulusError};
use moduli_kernel::limbs;

/// An odd modulus N in n words of W bits, and the paper's algorithms modulo N.
#[derive(Clone, Debug)]
pub struct CountedMontgomery<const W: u32> {
    pub(super) reduction: Reduction<W>,
    /// For R = 2^(wn): Algorithms 3 and 4.
    pub(super) plain: FormConstants<W>,
    /// For R = 2^(w(n+1)): Algorithms 5 to 10.
    pub(super) common_operand: FormConstants<W>,
    /// Whether N < 2^(wn−2).
    pub(super) two_spare_bits: bool,
}

/// The constants for conversion to and from Montgomery form. The two forms must not be mixed,
/// because their R differ.
#[derive(Clone, Debug)]
pub(super) struct FormConstants<const W: u32> {
    /// R mod N.
    pub(super) one: Vec<Word<W>>,
    /// R² mod N.
    pub(super) square: Vec<Word<W>>,
}

impl<const W: u32> CountedMontgomery<W> {
    /// A modulus in the least number of words with N < 2^(wn−2). A modulus of exactly wn bits takes
    /// n + 1 words.
    ///
    /// # Errors
    /// [`Error::Modulus`];
    /// [`Error::Parameter`] for more than 2^(w−2) words, see [`with_words`](Self::with_words).
    pub fn new(modulus: &BoxedUint) -> Result<Self, Error> {
        let bits = limbs::bit_length_vartime(&limbs::to_limbs(modulus, 1));
        Self::with_words(modulus, (bits as usize + 2).div_ceil(W as usize))
    }

    /// A modulus in n words, where N < 2^(wn−1). This suffices for Algorithms 5 to 8; everything
    /// else needs N < 2^(wn−2).
    ///
    /// Two SmallReds reduce a sum of n products b_j·A^(j) below N·(1 + 2n/2^w). With n ≤ 2^(w−2)
    /// this is at most 3N/2: below 2N, and small enough for Algorithm 4. The paper, which assumes
    /// words of 64 bits, does not mention this condition.
    ///
    /// # Errors
    /// As for [`new`](Self::new), and [`Error::Parameter`] for too few words.
    pub fn with_words(modulus: &BoxedUint, n: usize) -> Result<Self, Error> {
        let limbs = limbs::to_limbs(modulus, 1);
        let bits = limbs::bit_length_vartime(&limbs);
        if limbs[0] & 1 == 0 {
            return Err(if bits == 0 {
                Error::Modulus(ModulusError::TooSmall)
            } else {
                Error::Modulus(ModulusError::Even)
            });
        }
        if bits == 1 {
            return Err(Error::Modulus(ModulusError::TooSmall));
        }
        if bits > MAX_MODULUS_BITS {
            return Err(Error::Modulus(ModulusError::TooLarge { bits, max: MAX_MODULUS_BITS }));
        }
        let (w, n_bits) = (u64::from(W), u64::from(W).saturating_mul(n as u64));
        if u64::from(bits) + 1 > n_bits {
            return Err(Error::parameter(
                "words",
                format!("a modulus of {bits} bits needs {} bits", bits + 1),
            ));
        }
        if n as u64 > 1 << (w - 2).min(32) || n_bits > 2 * u64::from(MAX_MODULUS_BITS) {
            return Err(Error::parameter("words", format!("{n} words of {w} bits are too many")));
        }
        let words = Number::new(modulus, n)?.0;
        let n_prime = Word::new(limbs::inverse_of_word(limbs[0]).wrapping_neg());
        let one = |exponent: u32| power_of_two(&words, exponent);
        let constants = |exponent| FormConstants { one: one(exponent), square: one(2 * exponent) };
        Ok(Self {
            plain: constants(n_bits as u32),
            common_operand: constants(n_bits as u32 + W),
            two_spare_bits: u64::from(bits) + 2 <= n_bits,
            reduction: Reduction { modulus: words, n_prime },
        })
    }

    /// The number of words n.
    pub fn words(&self) -> usize {
        self.reduction.words()
    }

    /// Algorithm 2, SmallRed: X·2^(−w) mod N for X of any length n'. max(n', n+1) + n ADD and n + 1 MUL.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an X of more than n words whose top bit is set, because the sum X +
    /// q·N might not fit.
    pub fn small_reduction(&self, meter: &mut Meter, x: &Number<W>) -> Result<Number<W>, Error> {
        let top = x.0.last().map_or(0, |word| word.value() >> (W - 1));
        if x.words() == 0 || x.words() > self.words() && top != 0 {
            return Err(Error::parameter("X", "must have words, and beyond n of them a top bit of zero"));
        }
        Ok(Number(self.reduction.small_reduction(meter, &x.0)))
    }

    /// Algorithm 3, MontMul: A·B·2^(−wn) mod N, below N. 4n² + 2n − 1 ADD and 2n² + n MUL.
    ///
    /// # Errors
    /// [`Error::Parameter`] for operands that are not below 2N in n words, and for a modulus
    /// without two spare bits.
    pub fn multiply(&self, meter: &mut Meter, a: &Number<W>, b: &Number<W>) -> Result<Number<W>, Error> {
        self.two_spare_bits()?;
        Ok(Number(self.reduction.multiply(meter, self.check(a)?, self.check(b)?)))
    }

    /// Algorithm 4, MontSqu: A²·2^(−wn) mod N, below N. 3n² + 5n − 2 ADD and (3n² + 3n)/2 MUL.
    ///
    /// # Errors
    /// As for [`multiply`](Self::multiply), and [`Error::Parameter`] if 2A + N > 2^(wn), because
    /// Algorithm 4 would overflow.
    pub fn square(&self, meter: &mut Meter, a: &Number<W>) -> Result<Number<W>, Error> {
        self.two_spare_bits()?;
        let a = self.check(a)?;
        if !self.reduction.can_square(a) {
            return Err(Error::parameter("A", "2A + N must not exceed 2^(wn)"));
        }
        Ok(Number(self.reduction.square(meter, a)))
    }

    /// Algorithm 5, CombinedMontMul: A·B·2^(−w(n+1)) and A·C·2^(−w(n+1)) mod N, both below 2N. 6n² + 9n + 1
    /// ADD and 3n² + 4n + 3 MUL.
    ///
    /// # Errors
    /// [`Error::Parameter`] for operands that are not below 2N in n words.
    pub fn combined(
        &self,
        meter: &mut Meter,
        a: &Number<W>,
        b: &Number<W>,
        c: &Number<W>,
    ) -> Result<[Number<W>; 2], Error> {
        Ok(self.reduction.combined(meter, self.check(a)?, self.check(b)?, self.check(c)?).map(Number))
    }

    /// Algorithm 6, PrecompMultByComOp: prepares A for products by it. n² words; 2n² − 1 ADD and n²
    /// − 1 MUL.
    ///
    /// # Errors
    /// As for [`combined`](Self::combined).
    pub fn prepare(&self, meter: &mut Meter, a: &Number<W>) -> Result<Prepared<W>, Error> {
        Ok(Prepared(self.reduction.prepare(meter, self.check(a)?)))
    }

    /// Algorithm 7, MultByComOp: A·B·2^(−w(n+1)) mod N, below 2N. 2n² + 5n + 1 ADD and n² + 2n + 2 MUL.
    ///
    /// # Errors
    /// As for [`combined`](Self::combined), and [`Error::Modulus`] if A was visibly prepared for
    /// another modulus.
    pub fn multiply_prepared(
        &self,
        meter: &mut Meter,
        b: &Number<W>,
        a: &Prepared<W>,
    ) -> Result<Number<W>, Error> {
        let fits = |row: &Vec<_>| row.len() == self.words() && self.reduction.is_below_2n(row);
        if a.0.len() != self.words() || !a.0.iter().all(fits) {
            return Err(Error::Modulus(ModulusError::Mismatch));
        }
        Ok(Number(self.reduction.multiply_prepared(meter, self.check(b)?, &a.0)))
    }

    /// The words of an operand below 2N.
    fn check<'a>(&self, x: &'a Number<W>) -> Result<&'a [Word<W>], Error> {
        if x.words() != self.words() || !self.reduction.is_below_2n(&x.0) {
            return Err(Error::parameter("operand", "must lie below 2N, in as many words as N"));
        }
        Ok(&x.0)
    }

    pub(super) fn two_spare_bits(&self) -> Result<(), Error> {
        if self.two_spare_bits {
            return Ok(());
        }
        Err(Error::parameter("words", "N must lie below 2^(wn−2): give it one word more"))
    }

    /// `value` mod N, in n words.
    pub(super) fn reduce(&self, value: &BoxedUint) -> Vec<Word<W>> {
        let limbs = limbs::to_limbs(value, 1);
        let mut x = vec![Word::ZERO; self.words()];
        for i in (0..limbs::bit_length_vartime(&limbs)).rev() {
            double_plus(&mut x, limbs::bit(&limbs, i), &self.reduction.modulus);
        }
        x
    }
}

/// An operand A prepared by Algorithm 6: A^(0), …, A^(n−1), each of n words and below 2N.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared<const W: u32>(Vec<Vec<Word<W>>>);

impl<const W: u32> Prepared<W> {
    /// A^(0), …, A^(n−1).
    pub fn rows(&self) -> impl Iterator<Item = Number<W>> {
        self.0.iter().cloned().map(Number)
    }
}

/// 2^exponent mod N.
fn power_of_two<const W: u32>(modulus: &[Word<W>], exponent: u32) -> Vec<Word<W>> {
    let mut x = vec![Word::ZERO; modulus.len()];
    x[0] = Word::new(1);
    (0..exponent).for_each(|_| double_plus(&mut x, 0, modulus));
    x
}

/// x ← 2x + bit mod N, for x below N. Used for constants, not in any algorithm, so nothing is
/// counted.
fn double_plus<const W: u32>(x: &mut Vec<Word<W>>, bit: u64, modulus: &[Word<W>]) {
    let mut unseen = Meter::new();
    let mut carry = bit != 0;
    x.iter_mut().for_each(|x| *x = unseen.add(*x, *x, &mut carry));
    *x = subtract_once(&mut unseen, x, modulus);
}

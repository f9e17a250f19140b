//! Algorithms 8, 9 and 10, and the three exponentiations without a common operand.

use alloc::{vec, vec::Vec};

use crypto_bigint::BoxedUint;

use super::{
    montgomery::CountedMontgomery,
    number::{Number, choose},
    recoding::regular_digits,
    word::{Meter, Operation, Word},
};
use moduli::{Error, Exponent};
use moduli_kernel::limbs;

/// A regular exponentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exponentiation {
    /// Montgomery's ladder.
    Ladder,
    /// Right-to-left, 2^t-ary.
    RightToLeft {
        /// Bits of a digit.
        t: u32,
    },
    /// Left-to-right, 2^t-ary.
    LeftToRight {
        /// Bits of a digit.
        t: u32,
    },
}

/// The kind of products in an exponentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// MontMul and MontSqu: R = 2^(wn).
    Plain,
    /// Products by common operands, as in Algorithms 8, 9 and 10: R = 2^(w(n+1)).
    CommonOperand,
}

impl<const W: u32> CountedMontgomery<W> {
    /// G^e mod N, for e below 2^bits. A base of N or more is first reduced, which is not counted.
    ///
    /// The sequence of operations depends only on n, the method, the form and `bits`. The exponent
    /// determines which operands they read: the exponentiation is regular, not constant-time.
    ///
    /// # Errors
    /// [`Error::ExponentTooLong`]; [`Error::Parameter`] for digits of no bit or more than 8, and
    /// for a modulus without two spare bits, unless Algorithm 8 runs.
    pub fn exponentiate(
        &self,
        meter: &mut Meter,
        method: Exponentiation,
        form: Form,
        base: &BoxedUint,
        exponent: &BoxedUint,
        bits: u32,
    ) -> Result<BoxedUint, Error> {
        let base = self.reduce(base);
        let result = match method {
            Exponentiation::Ladder => {
                let exponent = limbs::to_limbs(Exponent::from(exponent).with_bits(bits)?.magnitude(), 1);
                let bits = (0..bits).rev().map(|i| limbs::bit(&exponent, i) as usize);
                match form {
                    Form::Plain => {
                        self.two_spare_bits()?;
                        self.ladder(meter, &base, bits)
                    }
                    Form::CommonOperand => self.ladder_combined(meter, &base, bits),
                }
            }
            Exponentiation::RightToLeft { t } | Exponentiation::LeftToRight { t } => {
                self.two_spare_bits()?;
                if !(1..=8).contains(&t) {
                    return Err(Error::parameter("t", "a window has 1 to 8 bits here"));
                }
                let digits = regular_digits(exponent, bits, t)?;
                match (method, form) {
                    (Exponentiation::RightToLeft { .. }, Form::Plain) => {
                        self.right_to_left(meter, &base, &digits, t)
                    }
                    (Exponentiation::RightToLeft { .. }, Form::CommonOperand) => {
                        self.right_to_left_combined(meter, &base, &digits, t)
                    }
                    (_, Form::Plain) => self.left_to_right(meter, &base, &digits, t),
                    (_, Form::CommonOperand) => self.left_to_right_prepared(meter, &base, &digits, t),
                }
            }
        };
        Ok(Number(result).value())
    }

    /// MontMul and SmallRed: A·B·2^(−w(n+1)).
    fn multiply_extended(
        &self,
        meter: &mut Meter,
        steps: [&'static str; 2],
        a: &[Word<W>],
        b: &[Word<W>],
    ) -> Vec<Word<W>> {
        let x = meter.step(steps[0], |meter| self.reduction.multiply(meter, a, b));
        meter.step(steps[1], |meter| self.reduction.small_reduction(meter, &x))
    }

    /// MontSqu and SmallRed: A²·2^(−w(n+1)).
    fn square_extended(&self, meter: &mut Meter, steps: [&'static str; 2], a: &[Word<W>]) -> Vec<Word<W>> {
        let x = meter.step(steps[0], |meter| self.reduction.square(meter, a));
        meter.step(steps[1], |meter| self.reduction.small_reduction(meter, &x))
    }

    /// 1, not in Montgomery form.
    fn unit(&self) -> Vec<Word<W>> {
        let mut unit = vec![Word::ZERO; self.words()];
        unit[0] = Word::new(1);
        unit
    }

    fn ladder(&self, meter: &mut Meter, base: &[Word<W>], bits: impl Iterator<Item = usize>) -> Vec<Word<W>> {
        let reduction = &self.reduction;
        let mut x = [self.plain.one.clone(), reduction.multiply(meter, base, &self.plain.square)];
        for e_i in bits {
            x[1 - e_i] = reduction.multiply(meter, &x[0], &x[1]);
            x[e_i] = reduction.square(meter, &x[e_i]);
        }
        reduction.multiply(meter, &x[0], &self.unit())
    }

    /// Algorithm 8.
    fn ladder_combined(
        &self,
        meter: &mut Meter,
        base: &[Word<W>],
        bits: impl Iterator<Item = usize>,
    ) -> Vec<Word<W>> {
        let constants = &self.common_operand;
        let x_1 = self.multiply_extended(meter, ["3", "4"], base, &constants.square); // lines 3 and 4
        let mut x = [constants.one.clone(), x_1]; // line 1
        for e_i in bits {
            let products =
                meter.step("6", |meter| self.reduction.combined(meter, &x[e_i], &x[1 - e_i], &x[e_i]));
            let [product, square] = products;
            (x[1 - e_i], x[e_i]) = (product, square); // line 6
        }
        self.multiply_extended(meter, ["8, MM", "8, SR"], &x[0], &self.unit()) // line 8
    }

    fn right_to_left(&self, meter: &mut Meter, base: &[Word<W>], digits: &[u64], t: u32) -> Vec<Word<W>> {
        let reduction = &self.reduction;
        let mut x = reduction.multiply(meter, base, &self.plain.square);
        let mut y = vec![self.plain.one.clone(); 1 << t]; // y[i − 1] is Y_i
        for &digit in digits {
            let (index, missing) = entry(digit);
            let product = reduction.multiply(meter, &y[index], &x);
            y[index] = select(meter, missing, &y[index], &product);
            for _ in 0..t {
                x = reduction.square(meter, &x);
            }
        }
        let top = y.len() - 1;
        let mut z = y[top].clone();
        for i in (0..top).rev() {
            y[i] = reduction.multiply(meter, &y[i], &y[i + 1]);
            z = reduction.multiply(meter, &z, &y[i]);
        }
        reduction.multiply(meter, &z, &self.unit())
    }

    /// Algorithm 9.
    fn right_to_left_combined(
        &self,
        meter: &mut Meter,
        base: &[Word<W>],
        digits: &[u64],
        t: u32,
    ) -> Vec<Word<W>> {
        let constants = &self.common_operand;
        let mut x = self.multiply_extended(meter, ["2, MM", "2, SR"], base, &constants.square); // line 2
        let mut y = vec![constants.one.clone(); 1 << t]; // lines 3 and 4; y[i − 1] is Y_i
        for &digit in digits {
            let (index, missing) = entry(digit);
            let products = meter.step("6", |meter| self.reduction.combined(meter, &x, &y[index], &x));
            let [product, square] = products;
            y[index] = select(meter, missing, &y[index], &product);
            x = square; // line 6
            for _ in 1..t {
                x = self.square_extended(meter, ["8, MS", "8, SR"], &x); // line 8
            }
        }
        let top = y.len() - 1;
        let mut z = y[top].clone(); // line 10
        y[top - 1] = self.multiply_extended(meter, ["11", "12"], &y[top - 1], &y[top]); // lines 11 and 12
        for i in (1..top).rev() {
            let products = meter.step("14", |meter| self.reduction.combined(meter, &y[i], &z, &y[i - 1]));
            [z, y[i - 1]] = products; // line 14
        }
        z = self.multiply_extended(meter, ["15, MM", "15, SR"], &z, &y[0]); // line 15
        self.multiply_extended(meter, ["16, MM", "16, SR"], &z, &self.unit()) // line 16
    }

    fn left_to_right(&self, meter: &mut Meter, base: &[Word<W>], digits: &[u64], t: u32) -> Vec<Word<W>> {
        let reduction = &self.reduction;
        let mut table = vec![reduction.multiply(meter, base, &self.plain.square)]; // table[i − 1] is G_i
        for i in 1..1 << t {
            table.push(reduction.multiply(meter, &table[i - 1], &table[0]));
        }
        let mut x = self.plain.one.clone();
        for &digit in digits.iter().rev() {
            let (index, missing) = entry(digit);
            for _ in 0..t {
                x = reduction.square(meter, &x);
            }
            let product = reduction.multiply(meter, &x, &table[index]);
            x = select(meter, missing, &x, &product);
        }
        reduction.multiply(meter, &x, &self.unit())
    }

    /// Algorithm 10.
    fn left_to_right_prepared(
        &self,
        meter: &mut Meter,
        base: &[Word<W>],
        digits: &[u64],
        t: u32,
    ) -> Vec<Word<W>> {
        let (reduction, constants) = (&self.reduction, &self.common_operand);
        let mut g_i = self.multiply_extended(meter, ["2", "3"], base, &constants.square); // lines 2 and 3
        let mut x = constants.one.clone(); // line 4
        let mut table = vec![meter.step("5", |meter| reduction.prepare(meter, &g_i))]; // line 5; table[i − 1] is G_i
        for _ in 1..1 << t {
            g_i = meter.step("7", |meter| reduction.multiply_prepared(meter, &g_i, &table[0])); // line 7
            table.push(meter.step("8", |meter| reduction.prepare(meter, &g_i))); // line 8
        }
        meter.store(table.iter().flatten().map(Vec::len).sum());
        for &digit in digits.iter().rev() {
            let (index, missing) = entry(digit);
            for _ in 0..t {
                x = self.square_extended(meter, ["12, MS", "12, SR"], &x); // line 12
            }
            let product = meter.step("13", |meter| reduction.multiply_prepared(meter, &x, &table[index]));
            x = select(meter, missing, &x, &product); // line 13
        }
        self.multiply_extended(meter, ["15, MM", "15, SR"], &x, &self.unit()) // line 15
    }
}

/// The index of a digit's entry, and whether the digit is missing. For a missing digit, entry 1 is
/// used and the product is discarded.
fn entry(digit: u64) -> (usize, bool) {
    let missing = digit == 0;
    (digit as usize + usize::from(missing) - 1, missing)
}

/// Keeps the value before the product if the digit is missing. Selects n words in either case.
fn select<const W: u32>(
    meter: &mut Meter,
    missing: bool,
    before: &[Word<W>],
    product: &[Word<W>],
) -> Vec<Word<W>> {
    meter.operation(Operation::Select, |meter| choose(meter, missing, before, product))
}

//! Batch inversion of residues by Montgomery's trick, which needs three products per value and one inversion.
//!
//! Let M be the product of the first base, X ∘ Y = X·Y·M^(−1) a Montgomery product, and C_k = C_(k−1) ∘ A_k
//! the products of the values A_k. From the inverse I_k of C_k follow A_k^(−1) = I_k ∘ C_(k−1) and I_(k−1) =
//! I_k ∘ A_k. The powers of M cancel, so no value is converted to or from Montgomery form. The last C_k is
//! below 3P. A wide plus-minus inversion over the first base inverts it, and its result, which is below 2P,
//! is extended to the second base.

use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, Resize};

use super::{
    super::{
        base::BaseShape,
        channels::{Instructions, Residues},
        cox::{Alpha, Cox},
        montgomery::{RnsElement, RnsMontgomery},
        observe::{ChannelObserver, Phase},
        word,
    },
    plus_minus::{Options, PlusMinus},
    wide::{DEFAULT_WIDE_MODULUS, Wide, WideRules},
};
use moduli::Error;
use moduli_kernel::limbs;

/// Inversion of many values modulo one odd P over two bases. Variable-time.
#[derive(Clone)]
pub struct Batch {
    field: RnsMontgomery,
    inverter: Wide,
    /// A Cox that is exact for values below 2P in the first base.
    cox: Cox,
    /// M_i·T'^(−1) in the second base, one row for every modulus of the first.
    rows: Vec<Residues>,
    /// −M·T'^(−1) in the second base.
    excess: Residues,
}

/// Values that are inverted together.
type Items<'a> = &'a [(usize, RnsElement)];

impl Batch {
    /// Makes the inversion for an odd `p` > 1, prime or not, over two bases of the given shape. The
    /// plus-minus steps divide by the divisors of 144, or of 16 if 3 divides `p`.
    ///
    /// # Errors
    /// [`Error::Modulus`] if `p` is not suitable. [`Error::Parameter`] if there are no two bases of this
    /// shape, with 2n moduli that are coprime to each other, to 6 and to `p`, and products of at least 30·P.
    /// The error names shapes that are suitable.
    pub fn new(p: &BoxedUint, shape: BaseShape) -> Result<Self, Error> {
        let by_three = word::remainder(&limbs::to_limbs(p, 1), 3) == 0;
        let q = if by_three { 16 } else { DEFAULT_WIDE_MODULUS };
        let field = RnsMontgomery::for_residues_modulo(p, shape, q, 30)?;
        let [first, second] = field.bases();
        let (rules, divisors) = WideRules::new(q);
        let inverter = PlusMinus::build_on(first.clone(), rules, p, 3, &Options::default(), &divisors)?;
        let high = p.resize(p.bits_vartime() + 8).shl(1);
        let low = BoxedUint::zero();
        let bits = Cox::least_bits(first, Alpha::HALF, &low, &high).unwrap_or(1);
        let cox = Cox::exact(first, bits, Alpha::HALF, &low, &high)?;
        let channels = second.channels();
        let columns: Vec<Vec<u64>> = second.moduli().iter().map(|&m| first.weights(Some(m))).collect();
        let rows = (0..first.count()).map(|i| {
            let mut row = Residues::new(columns.iter().filter_map(|column| column.get(i).copied()).collect());
            channels.multiply(&mut row, second.cofactor_inverses(), &mut ());
            row
        });
        let rows = rows.collect();
        let mut excess = channels.zeros();
        channels.subtract(&mut excess, &second.to_residues(first.product()), &mut ());
        channels.multiply(&mut excess, second.cofactor_inverses(), &mut ());
        Ok(Self { inverter, cox, rows, excess, field })
    }

    /// Returns the same inversion with this choice of instructions for its channels.
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Self {
        let field = self.field.with_instructions(instructions);
        let inverter = self.inverter.with_instructions(instructions);
        let cox = self.cox.on(inverter.base().channels());
        Self { field, inverter, cox, ..self }
    }

    /// Returns the inverse of each value modulo P, in the same order. Variable-time.
    ///
    /// If a value has no inverse, its entry is the error [`Error::NotInvertible`] with the common factor. All
    /// other values are still inverted. Cost: three products of 2n² + 6n elementary multiplications (EMM) per
    /// value, and one inversion with a base extension. Each value without an inverse adds about log2 of the
    /// number of values further inversions, and products.
    pub fn invert_vartime(&self, values: &[BoxedUint]) -> Vec<Result<BoxedUint, Error>> {
        self.invert_observed_vartime(values, &mut ())
    }

    /// Inverts as [`Batch::invert_vartime`] does, and reports all operations to an observer. All of them
    /// belong to the phase of the loop, except for the conversions at the start and the end of the plus-minus
    /// inversion.
    pub fn invert_observed_vartime(
        &self,
        values: &[BoxedUint],
        observer: &mut impl ChannelObserver,
    ) -> Vec<Result<BoxedUint, Error>> {
        let mut results: Vec<Result<BoxedUint, Error>> =
            values.iter().map(|_| Err(Error::NotInvertible { gcd: None })).collect();
        let Some(p) = self.field.modulus().as_nz_vartime() else { return results };
        let items: Vec<(usize, RnsElement)> =
            values.iter().map(|value| self.field.split(&value.rem_vartime(p), &mut ())).enumerate().collect();
        self.solve(&items, &mut results, observer);
        results
    }

    /// Inverts the items together. If there is no inverse, splits them into halves.
    fn solve(
        &self,
        items: Items<'_>,
        results: &mut [Result<BoxedUint, Error>],
        observer: &mut impl ChannelObserver,
    ) {
        let Some((_, first)) = items.first() else { return };
        observer.phase(Phase::Loop);
        let mut products = Vec::with_capacity(items.len());
        let mut product = first.clone();
        for (_, value) in items.iter().skip(1) {
            products.push(product.clone());
            self.field.multiply(&mut product, value, observer);
        }
        let inverse = self.inverter.invert_residues(product.first.clone(), observer);
        observer.phase(Phase::Loop);
        match inverse {
            Ok(inverse) => {
                self.distribute(items, products, self.extend(inverse, observer), results, observer)
            }
            Err(error) => match items {
                [(index, _)] => {
                    if let Some(result) = results.get_mut(*index) {
                        *result = Err(error);
                    }
                }
                _ => {
                    let (left, right) = items.split_at(items.len() / 2);
                    self.solve(left, results, observer);
                    self.solve(right, results, observer);
                }
            },
        }
    }

    /// Computes the inverse of each item from that of the product of all. `products` contains the partial
    /// products without the last one.
    fn distribute(
        &self,
        items: Items<'_>,
        products: Vec<RnsElement>,
        mut inverse: RnsElement,
        results: &mut [Result<BoxedUint, Error>],
        observer: &mut impl ChannelObserver,
    ) {
        for ((index, value), mut before) in items.iter().skip(1).zip(products).rev() {
            self.field.multiply(&mut before, &inverse, observer);
            self.field.multiply(&mut inverse, value, observer);
            if let Some(result) = results.get_mut(*index) {
                *result = self.field.join(&before);
            }
        }
        if let Some(result) = items.first().and_then(|(index, _)| results.get_mut(*index)) {
            *result = self.field.join(&inverse);
        }
    }

    /// The element of a value below 2P, from its residues in the first base. n² + 2n EMM.
    fn extend(&self, first: Residues, observer: &mut impl ChannelObserver) -> RnsElement {
        let [in_first, in_second] = self.field.bases();
        let mut digits = first.clone();
        in_first.channels().multiply(&mut digits, in_first.cofactor_inverses(), observer);
        let quotient = self.cox.quotient(&digits, observer);
        let mut second = in_second.channels().zeros();
        for (&digit, row) in digits.iter().zip(&self.rows) {
            in_second.channels().add_scaled(&mut second, digit, row, observer);
        }
        in_second.channels().add_scaled(&mut second, quotient, &self.excess, observer);
        RnsElement { first, second }
    }
}

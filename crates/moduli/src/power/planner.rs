//! Chooses the fastest exponentiation, by the cost table of the kernel.

use alloc::borrow::Cow;

use super::method::{Algorithm, MAX_WINDOW, PowerMethod};
use crate::{error::Error, modulus::Modulus};
use moduli_kernel::{Costs, Dimensions};

/// Finds the fastest [`PowerMethod`] for a modulus and a length of exponents, by the cost table of the
/// running kernel, among all methods or those that you allow.
///
/// ```
/// use crypto_bigint::BoxedUint;
/// use moduli::{Modulus, power::{Algorithm, PowerPlanner}};
///
/// # fn main() -> Result<(), moduli::Error> {
/// let p = Modulus::new(&BoxedUint::from(1_000_003u64))?;
/// let (x, e) = (BoxedUint::from(5u64), BoxedUint::from(123_456u64));
/// let method = PowerPlanner::new(&p).exponent_bits(64).algorithm(Algorithm::RightToLeft).plan()?;
/// assert_eq!(p.pow_with(&x, &e, method)?, p.pow(&x, &e));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct PowerPlanner<'a> {
    modulus: &'a Modulus,
    costs: Option<&'a Costs>,
    bits: u32,
    masked: bool,
    algorithm: Option<Algorithm>,
    common_operand: Option<bool>,
    window: Option<u32>,
    split: Option<u32>,
}

impl<'a> PowerPlanner<'a> {
    /// Creates a planner for exponents as long as the modulus, run in constant time ([`Modulus::pow_with`]).
    pub fn new(modulus: &'a Modulus) -> Self {
        Self {
            modulus,
            costs: None,
            bits: modulus.bits(),
            masked: true,
            algorithm: None,
            common_operand: None,
            window: None,
            split: None,
        }
    }

    /// Sets the declared precision of exponents.
    pub fn exponent_bits(self, bits: u32) -> Self {
        Self { bits, ..self }
    }

    /// Plans for [`Element::pow_regular_vartime`](crate::Element::pow_regular_vartime), without masks.
    pub fn regular(self) -> Self {
        Self { masked: false, ..self }
    }

    /// Allows only this algorithm.
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm: Some(algorithm), ..self }
    }

    /// Allows only methods in which products with a common operand share work, or only the others.
    pub fn common_operand(self, common_operand: bool) -> Self {
        Self { common_operand: Some(common_operand), ..self }
    }

    /// Sets the bits of a digit.
    pub fn window(self, window: u32) -> Self {
        Self { window: Some(window), ..self }
    }

    /// Sets the number of pieces in which powers are prepared, and so selects the left-to-right
    /// algorithm. 1 means not prepared.
    pub fn split(self, split: u32) -> Self {
        Self { split: Some(split), ..self }
    }

    /// Sets the costs to use instead of the built-in ones, such as [`Modulus::measured_costs`] on this
    /// machine.
    pub fn costs(self, costs: &'a Costs) -> Self {
        Self { costs: Some(costs), ..self }
    }

    /// Returns the method. It is always the same for the same choices, kernel and costs, and without costs on
    /// all machines of one maker.
    ///
    /// # Errors
    /// [`Error::Parameter`] for choices that are out of range or contradict each other.
    pub fn plan(&self) -> Result<PowerMethod, Error> {
        let kernel = self.modulus.dimensions();
        self.costs.map_or(Ok(()), |costs| costs.check(kernel))?;
        let costs = self.costs.map_or_else(|| Cow::Owned(self.modulus.costs()), Cow::Borrowed);
        let mut best: Option<(f64, PowerMethod)> = None;
        let mut refusal = None;
        for method in self.candidates(kernel) {
            let bytes = match method.bytes(kernel) {
                Ok(bytes) => bytes,
                Err(error) => {
                    refusal.get_or_insert(error);
                    continue;
                }
            };
            let time = nanoseconds(&costs, kernel, method, self.bits, self.masked, bytes);
            if best.is_none_or(|(least, _)| time < least) {
                best = Some((time, method));
            }
        }
        match (best, refusal) {
            (Some((_, method)), _) => Ok(method),
            (None, Some(error)) => Err(error),
            (None, None) => Err(self.contradiction()),
        }
    }

    /// All methods that satisfy the caller's choices, in range or not.
    fn candidates(&self, kernel: &Dimensions) -> impl Iterator<Item = PowerMethod> {
        let max_split = kernel.max_split as u32;
        // Longer windows pay only for longer exponents: 2^t entries for bits/t digits.
        let usual = 1..=MAX_WINDOW.min(self.bits.max(2).ilog2());
        let windows = self.window.map_or(usual, |window| window..=window);
        let ladders = [false, true].map(|common_operand| PowerMethod::Ladder { common_operand });
        let ladders = ladders.into_iter().filter(|_| self.window.is_none() && self.split.is_none());
        let right_to_left = windows.clone().flat_map(|window| {
            [false, true].map(|common_operand| PowerMethod::RightToLeft { window, common_operand })
        });
        let right_to_left = right_to_left.filter(|_| self.split.is_none());
        let splits = self.split.map_or(1..=max_split, |split| split..=split);
        // Large numbers of pieces that differ little cost nearly the same, so only some are tried.
        let is_round = |split: u32| split.trailing_zeros() + 3 > split.ilog2();
        let splits =
            splits.filter(move |&split| self.split.is_some() || split == max_split || is_round(split));
        let left_to_right = windows.flat_map(move |window| {
            splits.clone().map(move |split| PowerMethod::LeftToRight { window, split })
        });
        ladders.chain(right_to_left).chain(left_to_right).filter(|method| {
            self.algorithm.is_none_or(|algorithm| algorithm == method.algorithm())
                && self.common_operand.is_none_or(|common_operand| common_operand == method.common_operand())
        })
    }

    /// The reason why no method is left.
    fn contradiction(&self) -> Error {
        match (self.algorithm, self.split) {
            (Some(Algorithm::Ladder), _) if self.window.is_some() => {
                Error::parameter("window", "the ladder has none; right-to-left and left-to-right do")
            }
            (Some(Algorithm::Ladder | Algorithm::RightToLeft), Some(_)) => {
                Error::parameter("split", "only left-to-right multiplies by prepared operands")
            }
            _ => {
                let reason = "left-to-right prepares it in two or more pieces, so the modulus needs at least two words";
                Error::parameter("common operand", reason)
            }
        }
    }
}

/// The predicted time of one exponentiation, without the conversions. `bytes` is the size of its
/// table.
pub(crate) fn nanoseconds(
    costs: &Costs,
    kernel: &Dimensions,
    method: PowerMethod,
    bits: u32,
    masked: bool,
    bytes: u64,
) -> f64 {
    let (product, squaring) = (costs.product(), costs.squaring());
    let pair = |common_operand: bool, plain: f64| if common_operand { costs.pair() } else { plain };
    let digits = |window: u32| f64::from(bits.div_ceil(window));
    let squarings = |window: u32| f64::from(window * bits.div_ceil(window).saturating_sub(1));
    match method {
        PowerMethod::Ladder { common_operand } => f64::from(bits) * pair(common_operand, product + squaring),
        PowerMethod::RightToLeft { window, common_operand } => {
            let digits = digits(window);
            let step = pair(common_operand, product + squaring) - squaring;
            let masks = match masked {
                true => costs.scan(bytes, bytes) + costs.update(bytes),
                false => 0.0,
            };
            let gathering =
                f64::from((1 << window) - 2) * pair(common_operand, 2.0 * product) + 2.0 * product;
            squarings(window) * squaring + digits * (step + masks) + gathering
        }
        PowerMethod::LeftToRight { window, split } => {
            let (entries, split) = (f64::from(1 << window), split as usize);
            let table = if split == 1 {
                entries / 2.0 * (squaring + product)
            } else {
                entries * (costs.prepared(split) + costs.preparation(split))
            };
            let find = match masked {
                true => costs.scan(bytes, bytes),
                false => costs.fetch(8 * kernel.prepared_words(split) as u64, bytes, 0.0),
            };
            squarings(window) * squaring + digits(window) * (costs.prepared(split) + find) + table
        }
    }
}

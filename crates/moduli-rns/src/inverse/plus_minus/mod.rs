//! The loop of plus-minus inversion, which is the same for every set of divisors.
//!
//! An inversion of A modulo P has four values: (U3, V3) starts as (P, A), and (U1, V1) as (0, 1). V3 ≡ V1·A
//! and U3 ≡ U1·A modulo P hold at all times. Q is a constant whose divisors the method divides by. There are
//! two kinds of steps:
//!
//! - A *division*: while V3 has a common factor D with Q, V3 and V1 are divided by D modulo P.
//! - A *plus-minus step*: otherwise, V3 + U3 or V3 − U3 has such a factor D. (V3 ± U3)/D replaces V3, and (V1
//!   ± U1)/D replaces V1. Before that, the old V3 and V1 replace U3 and U1 if the counters show that V3 is
//!   smaller.
//!
//! The counters u and v replace comparisons: |U3| ≤ P·2^(−u) and |V3| ≤ P·2^(−v). A division by D increases
//! the counter of V3 by at most log2 D. A plus-minus step increases the smaller counter by at most log2(D/2).
//!
//! *Termination.* Let ℓ be the number of bits of P. A non-zero V3 has v < ℓ. So v ≥ ℓ means that V3 = 0, and
//! that U3 is plus or minus the greatest common divisor. Every step adds at least one bit to u + v, and both
//! are below ℓ before the last step. So there are at most 2ℓ steps.
//!
//! *Range.* Every value X that the Cox reads has |X| ≤ P. If |U1|, |V1| ≤ P, a division gives at most (P +
//! P·D/2)/D ≤ P for D ≥ 2, and a plus-minus step at most (2P + P·D/2)/D ≤ P for D ≥ 4.

mod build;
mod parts;

use crypto_bigint::{BoxedUint, Resize};

use super::{
    super::{
        base::Base,
        channels::Residues,
        cox::{Cox, SmallResidue},
        observe::{Action, ChannelObserver, InversionStep, Phase},
    },
    constants::{Combination, UpdateConstants},
};
use moduli::{Error, error::ModulusError};

/// The condition that ends the loop of a plus-minus inversion. U3 and V3 are its values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stop {
    /// V3 = ±1, tested after every division and every plus-minus step. U3 needs no test, because it only
    /// receives values that were tested as V3.
    #[default]
    EveryStep,
    /// U3 or V3 = ±1, tested once per iteration of the outer loop, as in the published algorithm. For three
    /// of four operands, this ends about one step later.
    OuterLoop,
}

/// The offset C0, which makes values positive for the Cox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Offset {
    /// 12·P, as published. The product M of the moduli must exceed 26·P.
    #[default]
    TwelveP,
    /// 12·⌈P/12⌉, the smallest suitable multiple of 12. The product M of the moduli must exceed 4·P.
    Least,
}

/// The options of a plus-minus inversion, which have defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The condition that ends the loop.
    pub stop: Stop,
    /// The offset C0.
    pub offset: Offset,
    /// The number of top bits that the Cox reads. By default, it is the smallest for which the Cox is exact.
    pub top_bits: Option<u32>,
}

/// The rules that select the divisor of each step. The trait is sealed; the types in
/// [`binary`](super::binary), [`binary_ternary`](super::binary_ternary) and [`wide`](super::wide) implement
/// it.
pub trait Rules: sealed::Sealed + Send + Sync {
    /// Returns Q, modulo which the values of the loop are known.
    fn modulus(&self) -> u64;
    /// Returns whether values are always stored with the offset C0. Otherwise, it is added only before the
    /// Cox reads a value.
    fn affine(&self) -> bool;
    /// Returns the divisor of V3, given V3 modulo Q, or 1 if V3 alone is not divided.
    fn alone(&self, v3: u64) -> u64;
    /// Returns whether the next step uses V3 − U3 (and not V3 + U3), and the divisor of that value. V3 and U3
    /// are given modulo Q, and are coprime to Q.
    fn combined(&self, v3: u64, u3: u64) -> (bool, u64);
    /// Returns a value modulo Q after a division by `divisor`. `before` is the value modulo Q before the
    /// division, and `now` is the value that the Cox computed after it.
    fn divided(&self, before: u64, divisor: u64, now: u64) -> u64 {
        let _ = (before, divisor);
        now
    }
}

pub(super) mod sealed {
    pub trait Sealed {}
}

/// Plus-minus inversion modulo one P over one base.
///
/// It is made by the function `new` of [`super::Binary`], [`super::BinaryTernary`] or [`super::Wide`]. A box
/// of any of them can be converted into a box of `PlusMinus<dyn Rules>`, whose rules are selected at run
/// time.
#[derive(Debug)]
pub struct PlusMinus<R: ?Sized> {
    prime: BoxedUint,
    /// ℓ.
    bits: u32,
    /// A value of the counter, in half bits, that only V3 = 0 can reach: 2ℓ, or slightly more if operands
    /// exceed P.
    limit: u32,
    stop: Stop,
    base: Base,
    /// C0.
    offset: BoxedUint,
    cox: Cox,
    small: SmallResidue,
    constants: UpdateConstants,
    /// P, in residues.
    prime_residues: Residues,
    /// C1 = C0·T^(−1).
    shift: Residues,
    /// The inner forms of 0, 1, −1 and P.
    zero: Residues,
    one: Residues,
    minus_one: Residues,
    scaled_prime: Residues,
    /// P modulo Q.
    prime_small: u64,
    /// The last field, because the type may be unsized.
    rules: R,
}

/// The four values of the loop in inner form, their residues modulo Q, and the counters in half bits.
struct State {
    u1: Residues,
    v1: Residues,
    u3: Residues,
    v3: Residues,
    small: Small,
    u: u32,
    v: u32,
}

/// Values modulo Q.
#[derive(Clone, Copy)]
struct Small {
    u1: u64,
    v1: u64,
    u3: u64,
    v3: u64,
}

impl<R: Rules + ?Sized> PlusMinus<R> {
    /// Returns A^(−1) modulo P for any A, which need not be below P. Variable-time. The cost is that of the
    /// method.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] with the common factor.
    pub fn invert_vartime(&self, a: &BoxedUint) -> Result<BoxedUint, Error> {
        self.invert_observed_vartime(a, &mut ())
    }

    /// Inverts as [`PlusMinus::invert_vartime`] does, and reports every operation, and the state after every
    /// step, to an observer.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] with the common factor.
    pub fn invert_observed_vartime(
        &self,
        a: &BoxedUint,
        observer: &mut impl ChannelObserver,
    ) -> Result<BoxedUint, Error> {
        let Some(p) = self.prime.as_nz_vartime() else { return Err(Error::Modulus(ModulusError::TooSmall)) };
        let residues = self.base.to_residues(&a.rem_vartime(p));
        let inverse = self.invert_residues(residues, observer)?;
        // The value is below 2P.
        let inverse = self.base.from_residues(&inverse)?;
        Ok(inverse.rem_vartime(p).resize(self.bits))
    }

    /// Converts the residues of A into those of an S ≡ A^(−1) modulo P with 0 < S < 2P. A is below P, or
    /// below the limit for which this inversion was built.
    pub(super) fn invert_residues(
        &self,
        a: Residues,
        observer: &mut impl ChannelObserver,
    ) -> Result<Residues, Error> {
        observer.phase(Phase::Enter);
        let v3 = self.enter(a, observer);
        observer.phase(Phase::Loop);
        let mut state = State {
            u1: self.zero.clone(),
            v1: self.one.clone(),
            u3: self.scaled_prime.clone(),
            small: Small { u1: 0, v1: 1, u3: self.prime_small, v3: self.evaluate(&v3, observer) },
            v3,
            u: 0,
            v: 0,
        };
        self.show(&state, Action::Load, observer);
        let found = self.run(&mut state, observer);
        observer.phase(Phase::Leave);
        match found {
            Some((residues, minus)) => Ok(self.leave(residues, minus, observer)),
            None => Err(self.common_factor(state.u3)),
        }
    }

    /// Runs the loop until a value is ±1. Returns the inner form of the corresponding value, and whether the
    /// sign is minus. Returns `None` if V3 became zero.
    fn run(&self, state: &mut State, observer: &mut impl ChannelObserver) -> Option<(Residues, bool)> {
        let every_step = self.stop == Stop::EveryStep;
        if every_step && let Some(minus) = self.sign_of_unit(&state.v3) {
            return Some((state.v1.clone(), minus));
        }
        loop {
            if !every_step {
                for (unit, result) in [(&state.v3, &state.v1), (&state.u3, &state.u1)] {
                    if let Some(minus) = self.sign_of_unit(unit) {
                        return Some((result.clone(), minus));
                    }
                }
            }
            loop {
                let divisor = self.rules.alone(state.small.v3);
                if divisor == 1 {
                    break;
                }
                observer.inner();
                self.divide(state, divisor, observer);
                if every_step && let Some(minus) = self.sign_of_unit(&state.v3) {
                    return Some((state.v1.clone(), minus));
                }
                if state.v >= self.limit {
                    return None;
                }
            }
            observer.outer();
            self.combine(state, observer);
            if every_step && let Some(minus) = self.sign_of_unit(&state.v3) {
                return Some((state.v1.clone(), minus));
            }
            if state.v >= self.limit {
                return None;
            }
        }
    }

    /// Divides V3 and V1 by D.
    fn divide(&self, state: &mut State, divisor: u64, observer: &mut impl ChannelObserver) {
        for (value, small) in [(&mut state.v3, &mut state.small.v3), (&mut state.v1, &mut state.small.v1)] {
            self.constants.divide(&self.base, value, (Combination::Alone, divisor, *small), observer);
            *small = self.rules.divided(*small, divisor, self.evaluate(value, observer));
        }
        state.v += half_bits(divisor);
        self.show(state, Action::Divide { divisor }, observer);
    }

    /// Replaces V3 and V1 by (V3 ± U3)/D and (V1 ± U1)/D, and, if v > u, U3 and U1 by the old V3 and V1.
    fn combine(&self, state: &mut State, observer: &mut impl ChannelObserver) {
        let (minus, divisor) = self.rules.combined(state.small.v3, state.small.u3);
        let swapped = state.v > state.u;
        let Small { u1, v1, u3, v3 } = state.small;
        let mut sides = [(&mut state.v3, &mut state.u3, v3, u3), (&mut state.v1, &mut state.u1, v1, u1)];
        let [small_v3, small_v1] = sides.each_mut().map(|(v, u, small_v, small_u)| {
            if swapped {
                core::mem::swap(*v, *u);
            }
            let (v, u) = (&mut ***v, &**u);
            let channels = self.base.channels();
            let q = self.rules.modulus();
            let (combination, small) = match (minus, swapped) {
                (false, _) => {
                    channels.add(v, u, observer);
                    (Combination::Plus, (*small_v + *small_u) % q)
                }
                (true, false) => {
                    channels.subtract(v, u, observer);
                    (Combination::Minus, (*small_v + q - *small_u) % q)
                }
                (true, true) => {
                    channels.subtract_from(v, u, observer);
                    (Combination::Minus, (*small_v + q - *small_u) % q)
                }
            };
            self.constants.divide(&self.base, v, (combination, divisor, small), observer);
            self.evaluate(v, observer)
        });
        if swapped {
            core::mem::swap(&mut state.u, &mut state.v);
            state.small = Small { u1: v1, v1: small_v1, u3: v3, v3: small_v3 };
        } else {
            state.small = Small { u1, v1: small_v1, u3, v3: small_v3 };
        }
        state.v += half_bits(divisor) - 2;
        self.show(state, Action::PlusMinus { minus, divisor, swapped }, observer);
    }

    /// X modulo Q, from its inner form.
    fn evaluate(&self, x: &[u64], observer: &mut impl ChannelObserver) -> u64 {
        if self.rules.affine() {
            let quotient = self.cox.quotient(x, observer);
            return self.small.of(x, quotient, observer);
        }
        let mut positive = Residues::new(x.to_vec());
        self.base.channels().add(&mut positive, &self.shift, observer);
        let quotient = self.cox.quotient(&positive, observer);
        self.small.of(&positive, quotient, observer)
    }

    /// `None` unless the value is 1 or −1; otherwise whether it is −1.
    fn sign_of_unit(&self, x: &Residues) -> Option<bool> {
        if **x == *self.one {
            return Some(false);
        }
        (**x == *self.minus_one).then_some(true)
    }

    /// The inner form of residues: n EMM, and n EMA if values are stored with the offset.
    fn enter(&self, mut x: Residues, observer: &mut impl ChannelObserver) -> Residues {
        let channels = self.base.channels();
        if self.rules.affine() {
            channels.multiply_add(&mut x, self.base.cofactor_inverses(), &self.shift, observer);
        } else {
            channels.multiply(&mut x, self.base.cofactor_inverses(), observer);
        }
        x
    }

    /// The residues of P + X or P − X, from the inner form of X.
    fn leave(&self, mut x: Residues, minus: bool, observer: &mut impl ChannelObserver) -> Residues {
        let channels = self.base.channels();
        if self.rules.affine() {
            channels.subtract(&mut x, &self.shift, observer);
        }
        channels.multiply(&mut x, self.base.cofactors(), observer);
        if minus {
            channels.subtract_from(&mut x, &self.prime_residues, observer);
        } else {
            channels.add(&mut x, &self.prime_residues, observer);
        }
        x
    }

    /// The error for V3 = 0, where U3 is plus or minus the common factor.
    fn common_factor(&self, u3: Residues) -> Error {
        let sum = match self.base.from_residues(&self.leave(u3, false, &mut ())) {
            Ok(sum) => sum,
            Err(error) => return error,
        };
        let factor =
            if sum >= self.prime { sum.wrapping_sub(&self.prime) } else { self.prime.wrapping_sub(&sum) };
        Error::NotInvertible { gcd: Some(factor.to_string_radix_vartime(16)) }
    }

    fn show(&self, state: &State, action: Action, observer: &mut impl ChannelObserver) {
        let Small { u1, v1, u3, v3 } = state.small;
        observer.step(&InversionStep {
            action,
            u1: &state.u1,
            v1: &state.v1,
            u3: &state.u3,
            v3: &state.v3,
            small: [u1, v1, u3, v3],
            counters: [state.u, state.v],
        });
    }
}

/// Returns the largest number of half bits h with 2^(h/2) ≤ D, for D < 2^32 (so log2 3 counts as 1.5 bits). A
/// division by D adds h to the counter of V3. A plus-minus step with the divisor D adds h − 2 to the smaller
/// counter.
pub fn half_bits(divisor: u64) -> u32 {
    divisor.saturating_mul(divisor).max(1).ilog2()
}

//! The plus-minus loop: one loop for every set of divisors.
//!
//! V3 ≡ V1·A and U3 ≡ U1·A modulo P throughout. V3 is divided while it shares a factor with Q; then V3 + U3 or V3 − U3
//! does, and replaces V3, while the old V3 takes the place of U3 if the counters say that it is the smaller one. The
//! counters u and v stand for comparisons: |U3| ≤ P·2^(−u) and |V3| ≤ P·2^(−v), because every division by D adds at
//! most log2 D, and a plus-minus step at most log2(D/2) to the smaller counter.
//!
//! *Termination.* A non-zero V3 has v < ℓ, ℓ the bits of P, so v ≥ ℓ says that V3 = 0, hence that U3 is ± the greatest
//! common divisor. Every step adds at least a bit to u + v, and both stay below ℓ before the last: at most 2ℓ steps.
//!
//! *Room.* Every value X that the Cox sees has |X| ≤ P: with |U1|, |V1| ≤ P a division gives at most (P + P·D/2)/D ≤ P
//! for D ≥ 2, a plus-minus step (2P + P·D/2)/D ≤ P for D ≥ 4.

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

/// When the loop is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stop {
    /// When V3 = ±1, tested after every division. U3 only ever receives values that were tested.
    #[default]
    EveryStep,
    /// When U3 or V3 = ±1, tested once a turn of the outer loop as the published algorithm has it: about one step later
    /// on three operands of four.
    OuterLoop,
}

/// The offset C0 that makes values positive for the Cox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Offset {
    /// 12·P as published: wants M > 26·P.
    #[default]
    TwelveP,
    /// 12·⌈P/12⌉, the least multiple of 12 that serves: wants M > 4·P.
    Least,
}

/// Choices that have a good default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The stopping rule.
    pub stop: Stop,
    /// The offset C0.
    pub offset: Offset,
    /// t, the top bits that the Cox reads; the least that is exact by default.
    pub top_bits: Option<u32>,
}

/// Which divisors are used when. Sealed: the sets of this module's siblings.
pub trait Rules: sealed::Sealed + Send + Sync {
    /// Q: what values are known modulo.
    fn modulus(&self) -> u64;
    /// Whether values carry the offset C0 always, or only on their way to the Cox.
    fn affine(&self) -> bool;
    /// What V3 is divided by, from V3 modulo Q; 1 for not at all.
    fn alone(&self, v3: u64) -> u64;
    /// Whether V3 − U3 (or V3 + U3) comes next, and what it is divided by; from V3, U3 modulo Q, both coprime to Q.
    fn combined(&self, v3: u64, u3: u64) -> (bool, u64);
    /// A value modulo Q after division by `divisor`, given what it was before and what the Cox says of it now.
    fn divided(&self, before: u64, divisor: u64, now: u64) -> u64 {
        let _ = (before, divisor);
        now
    }
}

pub(super) mod sealed {
    pub trait Sealed {}
}

/// Plus-minus inversion modulo one P over one base. Make it by the `new` of its aliases ([`super::Binary`] and the
/// like). `PlusMinus<dyn Rules>`, which a box of any of them turns into, is one whose rules are known when it runs.
#[derive(Debug)]
pub struct PlusMinus<R: ?Sized> {
    prime: BoxedUint,
    /// ℓ.
    bits: u32,
    /// A counter in half bits that only V3 = 0 can reach: 2ℓ, a little more if operands exceed P.
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
    /// Last, for they may be of a type without a size.
    rules: R,
}

/// The four values of the loop in inner form, what they are modulo Q, and the counters in half bits.
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
    /// A^(−1) modulo P, for any A, which is reduced. Variable-time. Cost: see the method.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] with the common factor.
    pub fn invert_vartime(&self, a: &BoxedUint) -> Result<BoxedUint, Error> {
        self.invert_observed_vartime(a, &mut ())
    }

    /// The same with an observer, which hears of every operation and sees the state after every step.
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
        // Below 2P.
        let inverse = self.base.from_residues(&inverse)?;
        Ok(inverse.rem_vartime(p).resize(self.bits))
    }

    /// From the residues of an A ≥ 0 below P, or as far as this inverter was built for, to those of an S ≡ A^(−1) modulo
    /// P, 0 < S < 2P.
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

    /// The loop, until a value is ±1: the inner form that belongs to it and whether the sign is minus. `None` if V3 came
    /// to zero.
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

    /// V3 and V1 divided by D.
    fn divide(&self, state: &mut State, divisor: u64, observer: &mut impl ChannelObserver) {
        for (value, small) in [(&mut state.v3, &mut state.small.v3), (&mut state.v1, &mut state.small.v1)] {
            self.constants.divide(&self.base, value, (Combination::Alone, divisor, *small), observer);
            *small = self.rules.divided(*small, divisor, self.evaluate(value, observer));
        }
        state.v += half_bits(divisor);
        self.show(state, Action::Divide { divisor }, observer);
    }

    /// V3 and V1 replaced by (V3 ± U3)/D and (V1 ± U1)/D; U3 and U1 by the old V3 and V1 where v > u.
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

    /// Whether a value is 1 or −1, and then whether it is −1.
    fn sign_of_unit(&self, x: &Residues) -> Option<bool> {
        if **x == *self.one {
            return Some(false);
        }
        (**x == *self.minus_one).then_some(true)
    }

    /// The inner form of residues: n EMM, and n EMA if it carries the offset.
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

    /// The error for V3 = 0: U3 is ± the common factor.
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

/// The largest number of half bits h with 2^(h/2) ≤ D, for D < 2^32: 1.5 bits stand for log2 3. What a division by D
/// adds to the counter of V3, and 2 more than what a plus-minus step adds.
pub fn half_bits(divisor: u64) -> u32 {
    divisor.saturating_mul(divisor).max(1).ilog2()
}

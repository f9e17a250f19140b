//! Division steps: constant-time inversion modulo an odd P by jumps of k steps, as executed by a Cox–Rower
//! core.
//!
//! A division step replaces two integers f (odd) and g by (g, (g − f)/2) if g is odd and a counter δ is
//! positive, and otherwise by (f, g/2) or (f, (g + f)/2), whichever is an integer. δ becomes 1 − δ in the
//! first case, and 1 + δ otherwise.
//!
//! An inversion of A has four values in residues. (f, g) starts as (P, A), and (d, e) as (0, 2^k). d·A ≡
//! 2^k·f and e·A ≡ 2^k·g modulo P hold at all times. A *jump* consists of three parts:
//!
//! 1. It computes the k low bits of all four values, with four evaluations of the Cox ([`crate::cox`]).
//! 2. It computes the matrix of k division steps in one-word arithmetic.
//! 3. It replaces (f, g) by the matrix times (f, g)/2^k, which are integers. It replaces (d, e) by
//!    (matrix·(d, e) + c·P)/2^k, where −2^(k−1) ≤ c < 2^(k−1) is chosen for each row so that the quotient is
//!    an integer.
//!
//! After a number of jumps that depends only on the length of P, g is 0, and f is plus or minus the greatest
//! common divisor of A and P. One more division of d by 2^k removes the factor 2^k, and for k ≥ 3 makes |d| <
//! P. If f is ±1, the inverse is ±d. The algorithm needs no comparisons of large numbers, and no signs of
//! them.
//!
//! Throughout, |f|, |g| ≤ P and |d|, |e| < 4·P. `docs/division-steps.md` has the proofs, the costs and the
//! prior art. The core in `hdl/` executes the same jumps.

mod matrix;

use alloc::format;
use crypto_bigint::{BoxedUint, Resize};
use zeroize::Zeroizing;

use super::{
    super::{
        base::{Base, BaseShape, Family},
        channels::Residues,
        observe::{ChannelObserver, Phase},
    },
    level::{Level, Scales},
};
use matrix::Matrix;
use moduli::{Error, error::ModulusError};
use moduli_kernel::{limbs, mask};

/// The maximum number of steps per jump, 62. The entries of a matrix are at most 2^k in absolute value, and
/// their sums fit a signed word.
pub const MAX_JUMP_STEPS: u32 = 62;

/// Returns a number of division steps after which g is 0, for every odd f and every g with 0 ≤ g ≤ f <
/// 2^`bits`, if the counter δ is 1/2 at the start.
///
/// The number is ⌊(45907·b + 26313)/19929⌋ for b bits (P. Wuille, "safegcd-bounds", by convex hulls). It
/// exceeds the result of the hulls, which the tests compute again, by at most one. At 256 bits, 590 steps
/// would suffice in place of 591.
pub const fn steps_for(bits: u32) -> u64 {
    (45_907 * bits as u64 + 26_313) / 19_929
}

/// Inversion modulo an odd P over one base by division steps, k steps per jump.
///
/// Constant-time: all operands need the same operations on channels and words. There is no division
/// instruction.
#[derive(Clone, Debug)]
pub struct DivisionSteps {
    prime: BoxedUint,
    base: Base,
    /// k.
    bits: u32,
    jumps: usize,
    level: Level,
    /// P as ξ.
    prime_scaled: Residues,
    /// 2^k mod P as ξ.
    start: Residues,
    /// 2^(−k), and P·2^(−k) as ξ.
    inverse_power: Residues,
    prime_divided: Residues,
    /// −1/P modulo 2^64.
    negative_inverse: u64,
    /// 4·P in residues, which makes the result positive.
    positive: Residues,
}

/// The values of the loop, as ξ.
struct State {
    f: Residues,
    g: Residues,
    d: Residues,
    e: Residues,
    twice_delta: Zeroizing<i64>,
}

impl State {
    fn vectors(&self) -> [&[u64]; 4] {
        [&self.f, &self.g, &self.d, &self.e].map(|vector| vector.as_slice())
    }
}

impl DivisionSteps {
    /// Makes the inversion for an odd `p` > 1, prime or not, over a base of the given shape, with
    /// `jump_steps` steps per jump.
    ///
    /// P may be divisible by 3 and by moduli of the base. The number of jumps is
    /// ⌈[`steps_for`]\(b)/`jump_steps`⌉ for P of b bits. Variable-time in P. Cost: O(n³) word operations for
    /// n channels.
    ///
    /// # Errors
    /// [`Error::Modulus`] if `p` is not suitable. [`Error::Parameter`] if `jump_steps` is not 1 to the
    /// minimum of w − 1 (w is the width of a channel) and [`MAX_JUMP_STEPS`], or if the product of the moduli
    /// is not above 2^(b + 4). The second error names shapes that are suitable.
    pub fn new(p: &BoxedUint, shape: BaseShape, jump_steps: u32) -> Result<Self, Error> {
        let prime = Self::checked(p, shape.width, jump_steps)?;
        let bits = prime.bits_vartime();
        let base = Base::holding(shape, &Family::default(), &Self::room(bits))?;
        Self::build(prime, base, jump_steps)
    }

    /// Makes the inversion over a given base, for example the base in which a core multiplies.
    ///
    /// # Errors
    /// As for [`DivisionSteps::new`], and if M is not above 2^(b + 4).
    pub fn over(base: &Base, p: &BoxedUint, jump_steps: u32) -> Result<Self, Error> {
        let prime = Self::checked(p, base.width(), jump_steps)?;
        let bits = prime.bits_vartime();
        if base.product().bits_vartime() < bits + 5 {
            let reason =
                format!("M of {} bits; P of {bits} takes {}", base.product().bits_vartime(), bits + 5);
            return Err(Error::parameter("channels", reason));
        }
        Self::build(prime, base.clone(), jump_steps)
    }

    /// P without leading zeros, if P and the length of a jump are suitable.
    fn checked(p: &BoxedUint, width: u32, jump_steps: u32) -> Result<BoxedUint, Error> {
        let bits = p.bits_vartime();
        if limbs::to_limbs(p, 1)[0] & 1 == 0 {
            return Err(Error::Modulus(ModulusError::Even));
        }
        if bits < 2 {
            return Err(Error::Modulus(ModulusError::TooSmall));
        }
        // The smallest width, 8 bits, allows 7 steps. The shape itself is checked when the base is made.
        let most = width.saturating_sub(1).clamp(7, MAX_JUMP_STEPS);
        if !(1..=most).contains(&jump_steps) {
            return Err(Error::parameter(
                "jump bits",
                format!("{jump_steps}; 1 to {most} are supported at this width"),
            ));
        }
        Ok(p.resize(bits))
    }

    /// M must exceed this. Then a level can read numbers of absolute value up to 2^(bits + 2), which is more
    /// than 4·P.
    fn room(bits: u32) -> BoxedUint {
        BoxedUint::one().resize(bits + 5).shl(bits + 4)
    }

    fn build(prime: BoxedUint, base: Base, jump_steps: u32) -> Result<Self, Error> {
        let (bits, low) = (prime.bits_vartime(), limbs::to_limbs(&prime, 1)[0]);
        let jumps = steps_for(bits).div_ceil(u64::from(jump_steps)) as usize;
        let level = Level::new(&base, base.count(), jump_steps)?;
        let prime_scaled = base.to_scaled_residues(&prime);
        let inverse_power =
            Residues::new(Scales::new(&base, jump_steps, 0).between(base.count(), base.count()).to_vec());
        let mut prime_divided = prime_scaled.clone();
        base.channels().multiply(&mut prime_divided, &inverse_power, &mut ());
        let start = BoxedUint::one().resize(jump_steps + 1).shl(jump_steps);
        let start = base.to_scaled_residues(&limbs::remainder(
            &start,
            prime.as_nz_vartime().ok_or(Error::Modulus(ModulusError::TooSmall))?,
        ));
        Ok(Self {
            bits: jump_steps,
            jumps,
            level,
            start,
            prime_scaled,
            inverse_power,
            prime_divided,
            negative_inverse: limbs::inverse_of_word(low).wrapping_neg(),
            positive: base.to_residues(&prime.clone().resize(bits + 2).shl(2)),
            base,
            prime,
        })
    }

    /// Returns P.
    pub fn modulus(&self) -> &BoxedUint {
        &self.prime
    }

    /// Returns the base.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// Returns the number of jumps of every inversion.
    pub fn jumps(&self) -> usize {
        self.jumps
    }

    /// Returns k, the number of division steps per jump.
    pub fn jump_steps(&self) -> u32 {
        self.bits
    }

    /// Returns A^(−1) modulo P for any A, which need not be below P.
    ///
    /// Constant-time: operations, branches and addresses depend only on P, the shape and the precision of
    /// `a`. Only an error reveals something about the operand: that it has no inverse. Cost per jump: 14n
    /// elementary multiplications (EMM) and 4n small multiply-accumulates (MAC) for n channels.
    ///
    /// # Errors
    /// [`Error::NotInvertible`], at the end. It does not contain the common factor, because `a` may be
    /// secret.
    pub fn invert(&self, a: &BoxedUint) -> Result<BoxedUint, Error> {
        self.invert_observed(a, &mut ())
    }

    /// Inverts as [`DivisionSteps::invert`] does, and reports every operation on channels, every jump
    /// (`outer`) and every division step (`inner`) to an observer.
    ///
    /// # Errors
    /// As for [`DivisionSteps::invert`].
    pub fn invert_observed(
        &self,
        a: &BoxedUint,
        observer: &mut impl ChannelObserver,
    ) -> Result<BoxedUint, Error> {
        let mut state = self.enter(a, observer)?;
        observer.jump(state.vectors());
        for _ in 0..self.jumps {
            self.jump(&mut state, observer);
            observer.jump(state.vectors());
        }
        observer.phase(Phase::Leave);
        self.divide(&mut state.d, observer);
        self.leave(state, observer)
    }

    /// Computes the initial values (P, A) and (0, 2^k), with δ = 1/2. n EMM.
    fn enter(&self, a: &BoxedUint, observer: &mut impl ChannelObserver) -> Result<State, Error> {
        observer.phase(Phase::Enter);
        let Some(p) = self.prime.as_nz_vartime() else { return Err(Error::Modulus(ModulusError::TooSmall)) };
        let mut g = self.base.to_residues(&limbs::remainder(a, p));
        self.level.scale(&self.base, &mut g, observer);
        observer.phase(Phase::Loop);
        Ok(State {
            f: self.prime_scaled.clone(),
            g,
            d: self.base.channels().zeros(),
            e: self.start.clone(),
            twice_delta: Zeroizing::new(1),
        })
    }

    /// Performs k division steps on all values.
    fn jump(&self, state: &mut State, observer: &mut impl ChannelObserver) {
        observer.outer();
        let State { f, g, d, e, twice_delta } = state;
        let [low_f, low_g, low_d, low_e] =
            [&*f, &*g, &*d, &*e].map(|x| self.level.read(&self.base, x, observer));
        let matrix = Zeroizing::new(matrix::steps(self.bits, twice_delta, [low_f, low_g], observer));
        let Matrix { first, second } = *matrix;
        let [(new_f, new_d), (new_g, new_e)] = [first, second].map(|row| {
            let entries = row.map(|entry| self.expand(entry, &self.inverse_power, observer));
            let multiple = self.expand(self.multiple(row, [low_d, low_e]), &self.prime_divided, observer);
            let channels = self.base.channels();
            let [mut new, mut cofactor] = [entries[0].clone(), entries[0].clone()];
            channels.multiply(&mut new, f, observer);
            channels.multiply(&mut cofactor, d, observer);
            channels.add(&mut cofactor, &multiple, observer);
            let [mut with_g, mut with_e] = [entries[1].clone(), entries[1].clone()];
            channels.multiply_add(&mut with_g, g, &new, observer);
            channels.multiply_add(&mut with_e, e, &cofactor, observer);
            (with_g, with_e)
        });
        (*f, *g, *d, *e) = (new_f, new_g, new_d, new_e);
    }

    /// (d + c·P)/2^k. Its absolute value is below P if that of d is below 4·P and k is at least 3. 2n EMM,
    /// and one reading.
    fn divide(&self, d: &mut Residues, observer: &mut impl ChannelObserver) {
        let low = self.level.read(&self.base, d, observer);
        let multiple = self.expand(self.multiple([1, 0], [low, 0]), &self.prime_divided, observer);
        let channels = self.base.channels();
        channels.multiply(d, &self.inverse_power, observer);
        channels.add(d, &multiple, observer);
    }

    /// The c with −2^(k−1) ≤ c < 2^(k−1) for which 2^k divides row·(d, e) + c·P.
    fn multiple(&self, [a, b]: [i64; 2], [d, e]: [u64; 2]) -> i64 {
        let sum = (a as u64).wrapping_mul(d).wrapping_add((b as u64).wrapping_mul(e));
        let above = 64 - self.bits;
        (sum.wrapping_mul(self.negative_inverse) << above) as i64 >> above
    }

    /// The product of a number and a vector. The absolute value of the number is below 2^w. n EMM and n EMA.
    fn expand(&self, word: i64, vector: &[u64], observer: &mut impl ChannelObserver) -> Residues {
        let channels = self.base.channels();
        let mut x = channels.zeros();
        x.fill(word.unsigned_abs());
        channels.multiply(&mut x, vector, observer);
        let mut negative = x.clone();
        channels.subtract_from(&mut negative, &channels.zeros(), observer);
        mask::assign(&mut x, &negative, mask::equal(word as u64 >> 63, 1));
        x
    }

    /// ±d modulo P after the last division, where f is ±1. n EMM and 2n EMA.
    fn leave(&self, state: State, observer: &mut impl ChannelObserver) -> Result<BoxedUint, Error> {
        let Some(p) = self.prime.as_nz_vartime() else { return Err(Error::Modulus(ModulusError::TooSmall)) };
        let [_, one, minus_one] =
            self.level.distances(&self.base, &state.f).map(|distance| mask::equal(distance, 0));
        let channels = self.base.channels();
        let mut result = state.d;
        channels.multiply(&mut result, self.base.cofactors(), observer);
        let mut negative = result.clone();
        channels.subtract_from(&mut negative, &channels.zeros(), observer);
        mask::assign(&mut result, &negative, minus_one);
        channels.add(&mut result, &self.positive, observer);
        let inverse = limbs::remainder(&Zeroizing::new(self.base.from_residues(&result)?), p);
        if one | minus_one == 0 {
            return Err(Error::NotInvertible { gcd: None });
        }
        Ok(BoxedUint::clone(&inverse).resize(self.prime.bits_precision()))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::super::fields::Field, *};
    use num_bigint::{BigInt, BigUint};
    use testing::{Random, big, boxed};

    impl DivisionSteps {
        /// The integer that ξ represents, if it is not below −4·P.
        fn integer(&self, x: &Residues) -> BigInt {
            let mut residues = x.clone();
            self.base.channels().multiply(&mut residues, self.base.cofactors(), &mut ());
            self.base.channels().add(&mut residues, &self.positive, &mut ());
            BigInt::from(big(&self.base.from_residues(&residues).unwrap()))
                - BigInt::from(big(&self.prime)) * 4
        }
    }

    /// Checks after every jump that the congruences hold, that |f|, |g| ≤ P, and that |d|, |e| are below the
    /// bound that the page proves, or 4·P. Returns the largest |d| or |e| in units of P.
    fn follow(method: &DivisionSteps, a: &BigUint) -> f64 {
        let p = BigInt::from(big(&method.prime));
        let (a, mut largest) = (boxed(a), BigInt::ZERO);
        let mut state = method.enter(&a, &mut ()).unwrap();
        let a = BigInt::from(big(&a));
        for _ in 0..method.jumps {
            method.jump(&mut state, &mut ());
            for (value, cofactor) in [(&state.f, &state.d), (&state.g, &state.e)] {
                let [value, cofactor] = [value, cofactor].map(|x| method.integer(x));
                assert_eq!((&cofactor * &a - (&value << method.bits)) % &p, BigInt::ZERO);
                assert!(value.magnitude() <= p.magnitude());
                let most = if method.bits < 4 { &p * 304 } else { &p * 208 };
                let size = BigInt::from(cofactor.magnitude().clone());
                assert!(&size * 100 < most, "{cofactor}, P = {p}");
                largest = largest.max(size);
            }
        }
        assert_eq!(method.integer(&state.g), BigInt::ZERO, "1/{a} modulo {p}");
        let f = method.integer(&state.f);
        method.divide(&mut state.d, &mut ());
        let d = method.integer(&state.d);
        assert_eq!((&d * &a - f) % &p, BigInt::ZERO);
        assert!(method.bits < 3 || d.magnitude() < p.magnitude(), "{d}, P = {p}");
        f64::from(u32::try_from(largest * 1000 / p).unwrap()) / 1000.0
    }

    #[test]
    fn the_numbers_stay_where_they_should() {
        let prime = Field::named("P-256").unwrap().prime();
        let p = big(&prime);
        let mut random = Random(12);
        let mut largest = [0f64; 3];
        for (i, (shape, k)) in
            [(BaseShape::new(8, 33), 32), (BaseShape::new(18, 17), 16), (BaseShape::new(8, 34), 1)]
                .into_iter()
                .enumerate()
        {
            let method = DivisionSteps::new(&prime, shape, k).unwrap();
            let powers = (0..256u32).step_by(15).map(|bit| BigUint::from(1u32) << bit);
            let edges = powers.chain((0u32..3).map(BigUint::from)).chain((1u32..4).map(|x| &p - x));
            for a in edges.chain((0..60).map(|_| random.below(256) % &p)) {
                largest[i] = largest[i].max(follow(&method, &(a % &p)));
            }
        }
        println!("|d|, |e| for k = 32, 16, 1: {largest:?} P");
        for p in (3u32..200).step_by(2) {
            for k in 1..=7 {
                let method = DivisionSteps::new(&BoxedUint::from(p), BaseShape::new(3, 8), k).unwrap();
                for a in 0..p {
                    follow(&method, &BigUint::from(a));
                }
            }
        }
    }
}

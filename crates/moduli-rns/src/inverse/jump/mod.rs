//! The lattice jump: inversion modulo an odd P, k bits at a time, without corrections by multiples of P.
//!
//! An inversion of A has four values in residues. (U3, V3) starts as (P, A), and (U1, V1) as (0, 1). A·U1 ≡
//! 2^s·U3 and A·V1 ≡ 2^s·V3 modulo P hold at all times, where s is the number of bits of all jumps so far. A
//! *jump* consists of three parts:
//!
//! 1. It computes the k low bits of U3 and V3, with two evaluations of the Cox ([`crate::cox`]).
//! 2. It computes a reduced basis of the lattice {(r, t): r·U3 + t·V3 ≡ 0 modulo 2^k} in one-word arithmetic.
//! 3. It replaces (U3, V3) by the basis times (U3, V3)/2^k, and (U1, V1) by the basis times (U1, V1).
//!
//! After ⌈log2 P²⌉ bits, one of U3 and V3 is 0, and the other is plus or minus the greatest common divisor of
//! A and P. If it is ±1, the corresponding value of U1 and V1 is ±A^(−1)·2^s.
//!
//! Because every basis is reduced, |U1| and |V1| stay below 8P without corrections by multiples of P. |U3|
//! and |V3| decrease according to a public schedule, and the number of channels decreases with them.
//! `docs/lattice-jump.md` has the proofs, the costs and the prior art.

mod constant_time;
mod lattice;
mod masked;
mod schedule;
mod state;
mod variable;
mod vector;

use alloc::{format, vec::Vec};
use crypto_bigint::{BoxedUint, Resize};

use super::{
    super::{
        base::{Base, BaseShape, Family},
        channels::Residues,
        observe::{ChannelObserver, Phase},
    },
    level::{Level, Scales},
};
use moduli::{Error, error::ModulusError};
use moduli_kernel::limbs;
use schedule::Schedule;

/// The maximum number of bits per jump, 64, which is the size of a word.
pub const MAX_JUMP_BITS: u32 = 64;

/// Inversion modulo an odd P over one base by lattice jumps, k bits at a time.
///
/// [`Jump::invert`] is constant-time: all operands need the same operations on channels and words, and there
/// is no division instruction. [`Jump::invert_vartime`] ends as soon as the operand allows it.
#[derive(Clone, Debug)]
pub struct Jump {
    prime: BoxedUint,
    base: Base,
    schedule: Schedule,
    /// The levels of 1 to n channels.
    levels: Vec<Level>,
    /// The number of channels of U3 and V3 after each jump, according to the schedule.
    counts: Vec<usize>,
    /// The maximum number of channels that one jump drops.
    drop: usize,
    scales: Scales,
    last_scales: Scales,
    /// The number of digits of w bits in an entry of a matrix.
    digits: u32,
    /// P as ξ of the first level, and P modulo 2^k.
    start: Residues,
    start_low: u64,
    /// 8P in residues, which makes the result positive.
    positive: Residues,
    /// 2^(−s) modulo P, where s is the number of bits of 0, 1, … jumps.
    powers: Vec<BoxedUint>,
}

impl Jump {
    /// Makes the inversion for an odd `p` > 1, prime or not, over a base of the given shape, with jumps of at
    /// most `jump_bits` bits.
    ///
    /// P may be divisible by 3 and by moduli of the base. The number of jumps is ⌈⌈log2 P²⌉/`jump_bits`⌉, and
    /// all but the last have the same number of bits. If `jump_bits` is below the width w of a channel, the
    /// entries of a matrix fit in one residue. Each further w bits cost four elementary multiplications (EMM)
    /// per channel and jump. Variable-time in P. Cost: O(n³) word operations for n channels.
    ///
    /// # Errors
    /// [`Error::Modulus`] if `p` is not suitable. [`Error::Parameter`] if `jump_bits` is not 1 to
    /// [`MAX_JUMP_BITS`], or if the product of the moduli is not above 16·P. The second error names shapes
    /// that are suitable.
    pub fn new(p: &BoxedUint, shape: BaseShape, jump_bits: u32) -> Result<Self, Error> {
        let bits = p.bits_vartime();
        if limbs::to_limbs(p, 1)[0] & 1 == 0 {
            return Err(Error::Modulus(ModulusError::Even));
        }
        if bits < 2 {
            return Err(Error::Modulus(ModulusError::TooSmall));
        }
        if !(1..=MAX_JUMP_BITS).contains(&jump_bits) {
            return Err(Error::parameter(
                "jump bits",
                format!("{jump_bits}; 1 to {MAX_JUMP_BITS} are supported"),
            ));
        }
        let prime = p.resize(bits);
        let room = p.resize(bits + 4).shl(4);
        let base = Base::holding(shape, &Family::default(), &room)?;
        let schedule = Schedule::new(&prime, jump_bits);
        let levels = (1..=base.count())
            .map(|count| Level::new(&base, count, schedule.bits))
            .collect::<Result<Vec<_>, _>>()?;
        let drop = schedule.bits.div_ceil(base.width()) as usize + 1;
        let counts = count_channels(&schedule, &levels, drop);
        let mut start = base.to_residues(&prime);
        start.truncate(counts[0]);
        let first = base.prefix(counts[0])?;
        base.channels().multiply(&mut start, first.cofactor_inverses(), &mut ());
        Ok(Self {
            scales: Scales::new(&base, schedule.bits, drop),
            last_scales: Scales::new(&base, schedule.last_bits, drop),
            digits: (schedule.bits + 1).div_ceil(base.width()),
            start_low: limbs::to_limbs(&prime, 1)[0] & (u64::MAX >> (64 - schedule.bits)),
            drop,
            positive: base.to_residues(&p.resize(bits + 3).shl(3)),
            start,
            counts,
            levels,
            powers: inverse_powers_of_two(&prime, &schedule),
            schedule,
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

    /// Returns the number of jumps of [`Jump::invert`], which is the maximum for [`Jump::invert_vartime`].
    pub fn jumps(&self) -> usize {
        self.schedule.jumps()
    }

    /// Returns the number of bits per jump. The last jump may have fewer.
    pub fn jump_bits(&self) -> u32 {
        self.schedule.bits
    }

    /// Returns the number of channels of U3 and V3 at the start and after each jump of [`Jump::invert`].
    pub fn channel_schedule(&self) -> &[usize] {
        &self.counts
    }

    /// Returns A^(−1) modulo P for any A, which need not be below P.
    ///
    /// Constant-time: operations, branches and addresses depend only on P, the shape and the precision of
    /// `a`. Only an error reveals something about the operand: that it has no inverse.
    ///
    /// # Errors
    /// [`Error::NotInvertible`], at the end. It does not contain the common factor, because `a` may be
    /// secret.
    pub fn invert(&self, a: &BoxedUint) -> Result<BoxedUint, Error> {
        self.invert_observed(a, &mut ())
    }

    /// Inverts as [`Jump::invert`] does, and reports every operation on channels, every jump (`outer`) and
    /// every step of the word arithmetic (`inner`) to an observer.
    ///
    /// # Errors
    /// As for [`Jump::invert`].
    pub fn invert_observed(
        &self,
        a: &BoxedUint,
        observer: &mut impl ChannelObserver,
    ) -> Result<BoxedUint, Error> {
        constant_time::invert(self, a, observer)
    }

    /// Returns A^(−1) modulo P for any A, which need not be below P. Variable-time.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] with the common factor.
    pub fn invert_vartime(&self, a: &BoxedUint) -> Result<BoxedUint, Error> {
        self.invert_observed_vartime(a, &mut ())
    }

    /// Inverts as [`Jump::invert_vartime`] does, and reports all operations to an observer.
    ///
    /// # Errors
    /// As for [`Jump::invert_vartime`].
    pub fn invert_observed_vartime(
        &self,
        a: &BoxedUint,
        observer: &mut impl ChannelObserver,
    ) -> Result<BoxedUint, Error> {
        variable::invert(self, a, observer)
    }

    /// The level with this number of channels.
    fn level(&self, count: usize) -> &Level {
        &self.levels[count - 1]
    }

    /// The factors of jump `index` from one level to another.
    fn scale(&self, index: usize, from: usize, to: usize) -> &[u64] {
        let last = index + 1 == self.schedule.jumps();
        (if last { &self.last_scales } else { &self.scales }).between(from, to)
    }

    /// The ξ of the first level for a number below P. One EMM per channel of that level.
    fn enter(&self, a: &BoxedUint, observer: &mut impl ChannelObserver) -> Residues {
        observer.phase(Phase::Enter);
        let mut residues = self.base.to_residues(a);
        let level = self.level(self.counts[0]);
        residues.truncate(level.count);
        level.scale(&self.base, &mut residues, observer);
        observer.phase(Phase::Loop);
        residues
    }
}

/// The smallest numbers of channels that can hold the values of the schedule, with at most `drop` channels
/// fewer after each jump.
fn count_channels(schedule: &Schedule, levels: &[Level], drop: usize) -> Vec<usize> {
    let least =
        |size: u32| levels.iter().position(|level| level.size >= size).unwrap_or(levels.len() - 1) + 1;
    let mut counts = Vec::with_capacity(schedule.sizes.len());
    let mut count = least(schedule.sizes[0]);
    for &size in &schedule.sizes {
        count = least(size).max(count.saturating_sub(drop)).min(count);
        counts.push(count);
    }
    counts
}

/// 2^(−s) modulo an odd P > 1, with the precision of P, for the s before the first jump and after each jump.
/// For public numbers.
fn inverse_powers_of_two(p: &BoxedUint, schedule: &Schedule) -> Vec<BoxedUint> {
    let half = p.shr(1).wrapping_add(BoxedUint::one());
    let mut power = BoxedUint::one().resize(p.bits_precision());
    let mut powers = alloc::vec![power.clone()];
    for index in 0..schedule.jumps() {
        for _ in 0..schedule.bits_of(index) {
            let odd = limbs::to_limbs(&power, 1)[0] & 1 == 1;
            power = power.shr(1);
            if odd {
                power = power.wrapping_add(&half);
            }
        }
        powers.push(power.clone());
    }
    powers
}

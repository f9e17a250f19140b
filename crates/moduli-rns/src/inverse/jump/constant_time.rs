//! The constant-time variant: the sequence of operations is the same for every operand.

use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, ConcatenatingMul, Resize};
use zeroize::Zeroizing;

use super::{
    ChannelObserver, Jump, Phase,
    lattice::{self, Basis, Steps},
    masked::{choose, equal, less},
    vector::Vector,
};
use crate::channels::Residues;
use moduli::{Error, error::ModulusError};
use moduli_kernel::{limbs, mask};

/// The state of an inversion, as masks and numbers.
#[derive(Default)]
struct Progress {
    /// All ones once U3 or V3 is 0.
    done: u64,
    /// All ones if U3 was the value 0, so that V1 is the result.
    in_v: u64,
    /// All ones if the other value was −1.
    minus: u64,
    /// All ones if the other value was not ±1.
    refused: u64,
    /// The number of jumps until then.
    jumps: u64,
}

impl Progress {
    /// Examines U3 and V3 after `jumps` jumps.
    fn look(&mut self, jump: &Jump, [u, v]: &[Residues; 2], jumps: u64) {
        let level = jump.level(u.len());
        let (in_u, in_v) = (level.distances(&jump.base, u), level.distances(&jump.base, v));
        let (u_zero, v_zero) = (equal(in_u[0], 0), equal(in_v[0], 0));
        let [_, one, minus_one] = [0, 1, 2].map(|i| equal(choose(u_zero, in_v[i], in_u[i]), 0));
        let now = (u_zero | v_zero) & !self.done;
        self.in_v |= now & u_zero;
        self.minus |= now & minus_one;
        self.refused |= now & !(one | minus_one);
        self.jumps = choose(now, jumps, self.jumps);
        self.done |= now;
    }
}

pub(super) fn invert(
    jump: &Jump,
    a: &BoxedUint,
    observer: &mut impl ChannelObserver,
) -> Result<BoxedUint, Error> {
    let precision = jump.prime.bits_precision();
    let Some(p) = jump.prime.as_nz_vartime() else { return Err(Error::Modulus(ModulusError::TooSmall)) };
    // A or −A, whichever is below P/2.
    let reduced = limbs::remainder(a, p);
    let other = Zeroizing::new(jump.prime.wrapping_sub(&*reduced));
    let (mut centred, other) = (limbs::to_limbs(&reduced, 1), limbs::to_limbs(&other, 1));
    let negated = less_limbs(&other, &centred);
    mask::assign(&mut centred, &other, negated);
    let centred = Zeroizing::new(limbs::from_limbs(&centred));

    let mut values = [jump.start.clone(), jump.enter(&centred, observer)];
    let steps = Steps::constant_time(jump.schedule.bits);
    let mut vectors = Zeroizing::new([Vector::RIGHT, Vector::HALF_UP]);
    let mut progress = Progress::default();
    progress.look(jump, &values, 0);
    let mut cofactors: Option<[Residues; 2]> = None;
    let mut result = jump.base.channels().zeros();
    for index in 0..jump.schedule.jumps() {
        observer.outer();
        let rows = next_rows(jump, index, steps, &values, &mut vectors, observer);
        let to = jump.counts[index + 1];
        let last = index + 1 == jump.schedule.jumps();
        let was_done = progress.done;
        let width = if last { to } else { jump.base.count() };
        let mut spread = jump.spread_rows(&rows, |_| jump.digits, width, observer);
        jump.divide_rows(index, &spread, &mut values, to, observer);
        progress.look(jump, &values, index as u64 + 1);
        if last {
            // Only the row of the result is needed. If the inversion ended earlier, this row is (1, 0) or (0,
            // 1).
            let row = final_row(&rows, &progress, was_done);
            let entries = Zeroizing::new(row);
            let [r, t] =
                [0, 1].map(|i| jump.spread(entries[i], (jump.digits, i == 1), jump.base.count(), observer));
            result = match &cofactors {
                None => t,
                Some([u1, v1]) => jump.row([&r, &t], [u1, v1], observer),
            };
        } else {
            // After the end, the rows are (1, 0) and (0, 1), so the values do not change.
            for (i, row) in spread.iter_mut().enumerate() {
                for (j, entry) in row.iter_mut().enumerate() {
                    for word in entry.iter_mut() {
                        *word = choose(was_done, u64::from(i == j), *word);
                    }
                }
            }
            cofactors = Some(match &cofactors {
                // (U1, V1) was (0, 1).
                None => {
                    let [[_, first], [_, second]] = spread;
                    [first, second]
                }
                Some([u1, v1]) => [&spread[0], &spread[1]].map(|[r, t]| jump.row([r, t], [u1, v1], observer)),
            });
        }
    }
    observer.phase(Phase::Leave);
    let inverse = leave(jump, result, progress.minus ^ negated, progress.jumps, observer)?;
    if mask::equal(progress.refused | !progress.done, 0) == 0 {
        return Err(Error::NotInvertible { gcd: None });
    }
    Ok(limbs::from_limbs(&inverse).resize(precision))
}

/// The matrix of a jump, from the low bits of U3 and V3. For the first jump, the low bits of U3 = P are
/// precomputed.
fn next_rows(
    jump: &Jump,
    index: usize,
    steps: Steps,
    [u, v]: &[Residues; 2],
    vectors: &mut [Vector; 2],
    observer: &mut impl ChannelObserver,
) -> Zeroizing<Basis> {
    let bits = jump.schedule.bits_of(index);
    let low = u64::MAX >> (64 - bits);
    let level = jump.level(u.len());
    let u = if index == 0 { jump.start_low } else { level.read(&jump.base, u, observer) };
    let v = level.read(&jump.base, v, observer);
    Zeroizing::new(lattice::reduce(bits, steps, [u & low, v & low], vectors, observer))
}

/// The row of the last matrix whose product with (U1, V1) is the result.
fn final_row(rows: &Basis, progress: &Progress, was_done: u64) -> [i128; 2] {
    let (in_v, done) = (i128::from(progress.in_v as i64), i128::from(was_done as i64));
    let Basis([first, second]) = rows;
    core::array::from_fn(|i| {
        let [first, second] = [(first[i], i == 0), (second[i], i == 1)]
            .map(|(entry, one)| entry ^ (done & (entry ^ i128::from(one))));
        first ^ (in_v & (first ^ second))
    })
}

/// ±W·2^(−s) modulo P, in limbs with the precision of P. Uses a product of integers after the conversion from
/// residues.
fn leave(
    jump: &Jump,
    mut result: Residues,
    minus: u64,
    jumps: u64,
    observer: &mut impl ChannelObserver,
) -> Result<Zeroizing<Vec<u64>>, Error> {
    let Some(p) = jump.prime.as_nz_vartime() else { return Err(Error::Modulus(ModulusError::TooSmall)) };
    let channels = jump.base.channels();
    let mut negative = result.clone();
    channels.subtract_from(&mut negative, &channels.zeros(), observer);
    mask::assign(&mut result, &negative, minus);
    channels.add(&mut result, &jump.positive, observer);
    let shifted = limbs::remainder(&Zeroizing::new(jump.base.from_residues(&result)?), p);
    // Reads every power.
    let mut power =
        Zeroizing::new(limbs::to_limbs(&BoxedUint::zero(), limbs::to_limbs(&jump.prime, 1).len()).to_vec());
    for (count, entry) in jump.powers.iter().enumerate() {
        mask::assign(&mut power, &limbs::to_limbs(entry, 1), equal(count as u64, jumps));
    }
    let power = Zeroizing::new(limbs::from_limbs(&power));
    let product = Zeroizing::new(shifted.concatenating_mul(&*power));
    Ok(limbs::to_limbs(&limbs::remainder(&product, p), 1))
}

/// All ones if a < b, for numbers with the same number of limbs.
fn less_limbs(a: &[u64], b: &[u64]) -> u64 {
    let borrow =
        a.iter().zip(b).fold(0u128, |borrow, (&a, &b)| less(u128::from(a), u128::from(b) + (borrow & 1)));
    borrow as u64
}

//! The variable-time variant. It stops as soon as U3 or V3 is ±1, drops as many channels as the operand
//! allows, and processes only as many digits as an entry has.

use crypto_bigint::{BoxedUint, ConcatenatingMul, Gcd};

use super::{
    ChannelObserver, Jump, Phase,
    lattice::{self, Steps},
    vector::{MANTISSA, Vector},
};
use crate::channels::Residues;
use moduli::{Error, error::ModulusError};

pub(super) fn invert(
    jump: &Jump,
    a: &BoxedUint,
    observer: &mut impl ChannelObserver,
) -> Result<BoxedUint, Error> {
    let Some(p) = jump.prime.as_nz_vartime() else { return Err(Error::Modulus(ModulusError::TooSmall)) };
    let reduced = a.rem_vartime(p);
    let other = jump.prime.wrapping_sub(&reduced);
    let negated = other < reduced;
    let mut values = [jump.start.clone(), jump.enter(if negated { &other } else { &reduced }, observer)];
    let mut vectors = [Vector::RIGHT, Vector::HALF_UP];
    let mut cofactors: Option<[Residues; 2]> = None;
    for index in 0..jump.schedule.jumps() {
        // A can be 0, so U3 and V3 are tested before the first jump.
        if index == 0 && found(jump, &values) == Found::Zero {
            break;
        }
        observer.outer();
        let bits = jump.schedule.bits_of(index);
        let low = u64::MAX >> (64 - bits);
        let level = jump.level(values[0].len());
        let u = if index == 0 { jump.start_low } else { level.read(&jump.base, &values[0], observer) };
        let v = level.read(&jump.base, &values[1], observer);
        let rows = lattice::reduce(bits, Steps::Variable, [u & low, v & low], &mut vectors, observer);

        let spread = jump.spread_rows(&rows, |entry| digits(jump, entry), jump.base.count(), observer);
        let to = next_count(jump, index, level.count, &vectors);
        jump.divide_rows(index, &spread, &mut values, to, observer);
        let unit = match found(jump, &values) {
            Found::Unit { in_v, minus } => Some((in_v, minus)),
            Found::Zero => break,
            Found::Nothing => None,
        };
        let row = |[r, t]: &[Residues; 2], observer: &mut _| match &cofactors {
            // (U1, V1) was (0, 1).
            None => t.clone(),
            Some([u1, v1]) => jump.row([r, t], [u1, v1], observer),
        };
        if let Some((in_v, minus)) = unit {
            let result = row(&spread[usize::from(in_v)], observer);
            observer.phase(Phase::Leave);
            return leave(jump, result, minus != negated, index + 1, observer);
        }
        cofactors = Some([row(&spread[0], observer), row(&spread[1], observer)]);
    }
    let gcd = jump.prime.gcd_vartime(&reduced);
    Err(Error::NotInvertible { gcd: Some(gcd.to_string_radix_vartime(16)) })
}

/// What the values of U3 and V3 imply.
#[derive(PartialEq, Eq)]
enum Found {
    Unit { in_v: bool, minus: bool },
    Zero,
    Nothing,
}

fn found(jump: &Jump, values: &[Residues; 2]) -> Found {
    let mut zero = false;
    for (value, in_v) in values.iter().zip([false, true]) {
        match jump.level(value.len()).distances(&jump.base, value) {
            [_, 0, _] => return Found::Unit { in_v, minus: false },
            [_, _, 0] => return Found::Unit { in_v, minus: true },
            [0, ..] => zero = true,
            _ => {}
        }
    }
    if zero { Found::Zero } else { Found::Nothing }
}

/// The number of digits of an entry; one if the entry is below every modulus.
fn digits(jump: &Jump, entry: i128) -> u32 {
    let (size, width) = (entry.unsigned_abs(), jump.base.width());
    if size < 3 << (width - 2) { 1 } else { (128 - size.leading_zeros()).div_ceil(width).max(2) }
}

/// The smallest number of channels that hold |U3| and |V3|. These are at most √2·P·|B|/2^s for the images B
/// of the rows.
fn next_count(jump: &Jump, index: usize, from: usize, vectors: &[Vector; 2]) -> usize {
    let lost = jump.schedule.bits_until(index + 1) as i32;
    let largest = vectors[0].exponent.max(vectors[1].exponent) + MANTISSA as i32;
    let size = largest + 2 + jump.prime.bits_vartime() as i32 - lost;
    let least = (1..from).find(|&count| jump.level(count).size as i32 >= size).unwrap_or(from);
    least.max(from.saturating_sub(jump.drop))
}

fn leave(
    jump: &Jump,
    mut result: Residues,
    minus: bool,
    jumps: usize,
    observer: &mut impl ChannelObserver,
) -> Result<BoxedUint, Error> {
    let Some(p) = jump.prime.as_nz_vartime() else { return Err(Error::Modulus(ModulusError::TooSmall)) };
    let channels = jump.base.channels();
    if minus {
        channels.subtract_from(&mut result, &channels.zeros(), observer);
    }
    channels.add(&mut result, &jump.positive, observer);
    let shifted = jump.base.from_residues(&result)?.rem_vartime(p);
    Ok(shifted.concatenating_mul(&jump.powers[jumps]).rem_vartime(p))
}

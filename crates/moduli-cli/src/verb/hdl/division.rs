//! The constants for division steps: the multipliers and the words of the jumps.
//! `hdl/doc/theory.md` explains them.

use crypto_bigint::Resize;
use moduli_kernel::limbs;
use moduli_rns::{
    base::Base,
    channels::Residues,
    cox::{Alpha, Cox},
    inverse::DivisionSteps,
};

use super::{
    bits::Bits,
    chunks::Chunks,
    core::{Core, Inverter},
};

/// T for values from −4·P to 4·P without an offset: the error of the sum is at most 1/2 − 4·P/M.
pub fn top_bits(inverter: &DivisionSteps) -> Option<u32> {
    let base = inverter.base();
    let precision = base.product().bits_precision() + 64;
    let [product, prime] = [base.product(), inverter.modulus()].map(|value| value.resize(precision));
    let room = product.wrapping_sub(prime.shl(3)).shr(1);
    Cox::least_bits_unreduced(base, Alpha::ZERO, &room, &room)
}

/// k, J, and the length of δ − 1/2 with its sign, which changes by at most 1 per step. 0 for other
/// methods.
pub fn scalars(core: &Core) -> [u64; 3] {
    let Inverter::DivisionSteps(inverter) = &core.inverter else { return [0; 3] };
    let [steps, jumps] = [u64::from(inverter.jump_steps()), inverter.jumps() as u64];
    [steps, jumps, u64::from(64 - (steps * jumps).leading_zeros()) + 1]
}

/// −M modulo 2^k, and its product with −1/P.
pub fn words_of_product(core: &Core) -> Vec<Bits> {
    let Inverter::DivisionSteps(inverter) = &core.inverter else { return vec![Bits::of(0, 1); 2] };
    let negative = limbs::to_limbs(inverter.base().product(), 1)[0].wrapping_neg();
    [negative, negative.wrapping_mul(negative_inverse(inverter))]
        .map(|word| Bits::of(word, inverter.jump_steps()))
        .to_vec()
}

/// −1/P modulo 2^64.
fn negative_inverse(inverter: &DivisionSteps) -> u64 {
    limbs::inverse_of_word(limbs::to_limbs(inverter.modulus(), 1)[0]).wrapping_neg()
}

/// The expansions of all multipliers for all channels, in the order of `hdl/doc/constants.md`.
pub fn multipliers(inverter: &DivisionSteps, chunks: &Chunks) -> Vec<Vec<Bits>> {
    let base = inverter.base();
    let channels = base.channels();
    let negative = |x: &Residues| {
        let mut negative = channels.zeros();
        channels.subtract(&mut negative, x, &mut ());
        negative
    };
    let times = |x: &Residues, y: &[u64]| {
        let mut product = x.clone();
        channels.multiply(&mut product, y, &mut ());
        product
    };
    let scaled = |x: &Residues| times(x, base.cofactor_inverses());
    let halves = |steps: u32| halved(base, steps);
    let (steps, prime) = (inverter.jump_steps(), base.to_residues(inverter.modulus()));
    let mut words = vec![chunks.expansions(base, &scaled(&negative(&prime)))];
    let powers = base.radix_powers(base.count());
    words.extend(powers.iter().map(|power| chunks.expansions(base, &scaled(power))));
    let divisor = negative(&halves(steps));
    words.extend((0..chunks.count).map(|k| chunks.expansions(base, &chunks.shifted(base, &divisor, k))));
    words.push(chunks.expansions(base, &scaled(&times(&prime, &halves(steps)))));
    words.push(chunks.expansions(base, &scaled(&negative(&times(&prime, &halves(1))))));
    words.push(chunks.expansions(base, &base.word_to_residues(1)));
    for factor in [1, negative_inverse(inverter)] {
        words.push(
            base.weights(None)
                .iter()
                .map(|weight| in_words(inverter, chunks, weight.wrapping_mul(factor)))
                .collect(),
        );
    }
    // Read when a multiplier comes from another source.
    words.push(vec![Bits::of(0, chunks.count * base.width()); base.count()]);
    words
}

/// 2^(−k) in every channel.
fn halved(base: &Base, k: u32) -> Residues {
    let channels = base.channels();
    // (m + 1)/2.
    let half = Residues::new(base.moduli().iter().map(|m| m / 2 + 1).collect());
    let mut power = base.word_to_residues(1);
    for _ in 0..k {
        channels.multiply(&mut power, &half, &mut ());
    }
    power
}

/// A weight times 2^(chunk) modulo 2^k, for every chunk of a digit.
fn in_words(inverter: &DivisionSteps, chunks: &Chunks, weight: u64) -> Bits {
    let steps = inverter.jump_steps();
    let shifted = |k: u32| weight.checked_shl(k * chunks.width).unwrap_or(0) & (u64::MAX >> (64 - steps));
    (0..chunks.count).fold(Bits::new(), |word, k| word.and(shifted(k), inverter.base().width()))
}

//! The redundant channel's words in the ROM `ext`. They have the addresses of the other channels'
//! words in the second base.

use moduli_rns::redundant::Redundant;

use super::{bits::Bits, chunks::Chunks};

/// Unused words are 0.
pub fn words(redundant: &Redundant, chunks: &Chunks) -> Vec<Bits> {
    let modulus = redundant.modulus();
    let product = |x: u64, y: u64| (u128::from(x) * u128::from(y) % u128::from(modulus)) as u64;
    let shifted = |multiplier: u64, k: u32| product(multiplier, 1u64 << (k * chunks.width % width(modulus)));
    let expansion = |multiplier: u64| {
        (0..chunks.count).fold(Bits::new(), |word, k| word.and(shifted(multiplier, k), width(modulus)))
    };
    // A product by a constant is divided by M, so the Montgomery form of M^(k − 1) is M^k.
    let power = |k: u32| redundant.residue(&redundant.power_of_product(k)) % modulus;
    let over = redundant.over_product();
    // For digits, 2^w is 1.
    let mut words: Vec<u64> = vec![0, 1, 1, 1, 0, product(power(2), over), 0, over, 0, power(1)];
    words.extend((0..chunks.count).map(|_| 0));
    words.extend((0..chunks.count).map(|k| shifted(over, k)));
    words.extend(redundant.forth());
    words.push(redundant.forth_excess());
    words.extend(redundant.back());
    words.push(redundant.back_excess());
    words.extend([0, product(power(3), over)]);
    words.into_iter().map(expansion).collect()
}

/// The width w of a modulus 2^w − 1.
fn width(modulus: u64) -> u32 {
    modulus.count_ones()
}

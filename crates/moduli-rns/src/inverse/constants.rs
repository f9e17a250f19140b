//! The constants of divisions modulo P, for values that are stored with an offset.
//!
//! A value X is stored as X̂ = X·T^(−1) + C in every channel. Here T is the constant T_i of the channel
//! ([`crate::base::Base`]), and C is C0·T^(−1) for an offset C0, or 0. To divide X, X + Y or X − Y by D
//! modulo P, the multiple f·P is added that makes the sum divisible by D: (X + f·P)/D. In residues, this is
//! one product by D^(−1) and the addition of a constant, which also restores C:
//!
//! | combination | value | constant |
//! | --- | --- | --- |
//! | alone | X̂ | f·P·T^(−1)/D + C·(D − 1)/D |
//! | plus | X̂ + Ŷ | f·P·T^(−1)/D + C·(D − 2)/D |
//! | minus | X̂ − Ŷ | f·P·T^(−1)/D + C |

use alloc::vec::Vec;

use super::super::{base::Base, channels::Residues, observe::ChannelObserver, word};

/// The kind of value that is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// A single value.
    Alone,
    /// The sum of two values.
    Plus,
    /// The difference of two values.
    Minus,
}

/// Returns the f with X + f·P ≡ 0 modulo the divisor D for X ≡ `x`, between −⌈D/2⌉ + 1 and ⌊D/2⌋. `p` is P
/// modulo D or modulo a multiple of D, and is invertible modulo D.
pub fn multiple(x: u64, p: u64, divisor: u64) -> i64 {
    let inverse = word::inverse(p % divisor, divisor).unwrap_or(0);
    let f = (divisor - x % divisor) * inverse % divisor;
    if f > divisor / 2 { f as i64 - divisor as i64 } else { f as i64 }
}

/// The constants of division by one D.
#[derive(Clone, Debug)]
struct Division {
    divisor: u64,
    /// D^(−1) modulo m_i.
    inverse: Vec<u64>,
    /// The addends of the three combinations, each by X modulo D.
    addends: [Vec<Residues>; 3],
}

/// The constants of divisions by the divisors D of Q, for one base and one P.
#[derive(Clone, Debug)]
pub struct UpdateConstants {
    divisions: Vec<Division>,
    /// For each divisor, its index in `divisions`.
    index: Vec<usize>,
}

impl UpdateConstants {
    /// Computes the constants for `divisors`, which are divisors of `q`. `scaled_prime` is P·T^(−1), and
    /// `shift` is C.
    pub(super) fn new(
        base: &Base,
        q: u64,
        divisors: &[u64],
        scaled_prime: &[u64],
        prime_modulo_q: u64,
        shift: &[u64],
    ) -> Self {
        let mut index = alloc::vec![usize::MAX; q as usize + 1];
        let mut divisions = Vec::with_capacity(divisors.len());
        for &divisor in divisors {
            if let Some(entry) = index.get_mut(divisor as usize) {
                *entry = divisions.len();
            }
            divisions.push(Division::new(base, divisor, scaled_prime, prime_modulo_q, shift));
        }
        Self { divisions, index }
    }

    /// Computes `x ← x·D^(−1) + constant`: divides a value that is ≡ `residue` modulo D by D. Cost: n EMM and
    /// n EMA.
    pub(super) fn divide(
        &self,
        base: &Base,
        x: &mut [u64],
        (combination, divisor, residue): (Combination, u64, u64),
        observer: &mut impl ChannelObserver,
    ) {
        let division = self.division(divisor);
        debug_assert!(division.is_some(), "no constants for {divisor}");
        if let Some((division, addend)) =
            division.and_then(|division| Some((division, division.addend(combination, residue)?)))
        {
            base.channels().multiply_add(x, &division.inverse, addend, observer);
        }
    }

    fn division(&self, divisor: u64) -> Option<&Division> {
        self.divisions.get(*self.index.get(divisor as usize)?)
    }

    /// Returns the divisors for which there are constants.
    pub fn divisors(&self) -> impl Iterator<Item = u64> {
        self.divisions.iter().map(|division| division.divisor)
    }

    /// Returns D^(−1) in every channel.
    pub fn inverse(&self, divisor: u64) -> Option<&[u64]> {
        Some(&self.division(divisor)?.inverse)
    }

    /// Returns the constant that is added after the product by D^(−1), for a value that is ≡ `residue` modulo
    /// D.
    pub fn addend(&self, combination: Combination, divisor: u64, residue: u64) -> Option<&[u64]> {
        self.division(divisor)?.addend(combination, residue)
    }
}

impl Division {
    fn new(base: &Base, divisor: u64, scaled_prime: &[u64], prime: u64, shift: &[u64]) -> Self {
        // Every modulus is coprime to Q, so it is coprime to D.
        let inverse: Vec<u64> =
            base.moduli().iter().map(|&m| word::inverse(divisor, m).unwrap_or(0)).collect();
        let addends = [divisor - 1, divisor - 2, divisor].map(|share| {
            (0..divisor)
                .map(|x| {
                    Self::addend_for(base, multiple(x, prime, divisor), scaled_prime, share, shift, &inverse)
                })
                .collect()
        });
        Self { divisor, inverse, addends }
    }

    /// (f·P·T^(−1) + share·C)/D.
    fn addend_for(
        base: &Base,
        f: i64,
        scaled_prime: &[u64],
        share: u64,
        shift: &[u64],
        inverse: &[u64],
    ) -> Residues {
        let channels = base.channels();
        let mut sum = channels.zeros();
        channels.add_scaled(&mut sum, f.unsigned_abs(), scaled_prime, &mut ());
        if f < 0 {
            channels.subtract_from(&mut sum, &channels.zeros(), &mut ());
        }
        channels.add_scaled(&mut sum, share, shift, &mut ());
        channels.multiply(&mut sum, inverse, &mut ());
        sum
    }

    fn addend(&self, combination: Combination, residue: u64) -> Option<&[u64]> {
        let addends = match combination {
            Combination::Alone => &self.addends[0],
            Combination::Plus => &self.addends[1],
            Combination::Minus => &self.addends[2],
        };
        Some(addends.get((residue % self.divisor) as usize)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with Table I of the paper for |P|_12 = 1, and with the definition for every P.
    #[test]
    fn multiples_make_divisible_and_are_centred() {
        let row = |divisor: u64| (0..6).map(|x| multiple(x, 1, divisor)).collect::<Vec<_>>();
        assert_eq!(row(2), [0, 1, 0, 1, 0, 1]);
        assert_eq!(row(3), [0, -1, 1, 0, -1, 1]);
        assert_eq!(row(4), [0, -1, 2, 1, 0, -1]);
        assert_eq!(row(6), [0, -1, -2, 3, 2, 1]);
        for divisor in 2..=144 {
            for p in (1..144).filter(|&p| word::gcd(p, divisor) == 1) {
                for x in 0..divisor {
                    let f = multiple(x, p, divisor);
                    assert_eq!((x as i64 + f * p as i64) % divisor as i64, 0);
                    assert!(-(divisor.div_ceil(2) as i64) < f && f <= divisor as i64 / 2);
                }
            }
        }
    }
}

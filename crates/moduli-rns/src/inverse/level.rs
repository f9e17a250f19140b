//! The first c channels of a base, and how signed numbers in them are read and divided.

use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, Resize};

use super::super::{
    base::Base,
    channels::Residues,
    cox::{Alpha, Cox, SmallResidue},
    observe::ChannelObserver,
    word,
};
use moduli::Error;

/// Values are stored as ξ_i = X·T_i^(−1) modulo m_i, where T_i = M_i mod m_i for these channels.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// c.
    pub count: usize,
    /// Values with |X| ≤ 2^size can be read.
    pub size: u32,
    cox: Cox,
    low: SmallResidue,
    /// 2^size as ξ, which makes X positive for the Cox.
    shift: Residues,
    /// 1 as ξ.
    one: Residues,
}

impl Level {
    pub fn new(base: &Base, count: usize, k: u32) -> Result<Self, Error> {
        let part = base.prefix(count)?;
        // 2^(size + 2) < M, so 2^(size + 1)/M + 1/2 < 1. A modulus has at least 8 bits.
        let size = part.product().bits_vartime().saturating_sub(3);
        let offset = BoxedUint::one().resize(size + 1).shl(size);
        let high = BoxedUint::one().resize(size + 2).shl(size + 1);
        let zero = BoxedUint::zero();
        let bits = Cox::least_bits(&part, Alpha::HALF, &zero, &high).unwrap_or(part.width());
        let cox = Cox::exact(&part, bits, Alpha::HALF, &zero, &high)?;
        let low = SmallResidue::low_bits(&part, k, &offset)?;
        let one = Residues::new(part.cofactor_inverses().to_vec());
        let mut shift = part.to_residues(&offset);
        part.channels().multiply(&mut shift, &one, &mut ());
        Ok(Self { count, size, cox, low, shift, one })
    }

    /// Converts residues to ξ. c EMM.
    pub fn scale(&self, base: &Base, x: &mut [u64], observer: &mut impl ChannelObserver) {
        base.channels().multiply(x, &self.one, observer);
    }

    /// The k low bits of a value. c EMA, c MAC and one evaluation of the Cox.
    pub fn read(&self, base: &Base, x: &[u64], observer: &mut impl ChannelObserver) -> u64 {
        let mut positive = Residues::new(x[..self.count].to_vec());
        base.channels().add(&mut positive, &self.shift, observer);
        let quotient = self.cox.quotient(&positive, observer);
        self.low.of(&positive, quotient, observer)
    }

    /// For each of the values 0, 1 and −1: zero if X is this value, otherwise another number. Uses only
    /// comparisons.
    pub fn distances(&self, base: &Base, x: &[u64]) -> [u64; 3] {
        let channels = x.iter().zip(self.one.iter()).zip(base.moduli());
        channels.fold([0; 3], |[zero, one, minus_one], ((&x, &unit), &m)| {
            [zero | x, one | (x ^ unit), minus_one | (x ^ (m - unit))]
        })
    }
}

/// The factors 2^(−k)·m_b·…·m_(a−1), which divide by 2^k and reduce a channels to b.
#[derive(Clone, Debug)]
pub(super) struct Scales {
    /// Indexed by a − 1 and then by a − b.
    factors: Vec<Vec<Vec<u64>>>,
}

impl Scales {
    /// Computes the factors for all a up to n and a − b up to `drop`.
    pub fn new(base: &Base, k: u32, drop: usize) -> Self {
        let moduli = base.moduli();
        let power = |m: u64| {
            // Moduli are odd, so the power is invertible.
            word::inverse(((1u128 << k) % u128::from(m)) as u64, m).unwrap_or(0)
        };
        let powers: Vec<u64> = moduli.iter().map(|&m| power(m)).collect();
        let factors = (1..=base.count())
            .map(|from| {
                let mut factors = alloc::vec![powers[..from].to_vec()];
                for to in (from.saturating_sub(drop).max(1)..from).rev() {
                    let mut next: Vec<u64> = factors[from - to - 1][..to].to_vec();
                    base.channels().multiply(&mut next, &alloc::vec![moduli[to]; to], &mut ());
                    factors.push(next);
                }
                factors
            })
            .collect();
        Self { factors }
    }

    /// The factors for a change from `from` to `to` channels.
    pub fn between(&self, from: usize, to: usize) -> &[u64] {
        &self.factors[from - 1][from - to]
    }
}

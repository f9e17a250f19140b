//! The candidates of the search: all methods with small parameters, and a grid of those with large
//! parameters, which differ little from their neighbours. The grid depends only on the exponent's
//! length, not on the budget or the costs.

use super::{
    comb::Comb,
    radices::{Radix, digits_in},
    search::{Family, Search},
    work::Work,
};
use crate::fixed::{method::Method, secrecy::Secrecy};

/// Numbers of digits increase by 1 up to this one, and then by this fraction.
const STEP: u32 = 128;

/// The same for the number of tables, of short tables, and for m1.
const TABLE_STEP: u32 = 48;
const SHORT_STEP: u32 = 16;
const M1_STEP: u32 = 24;

/// The search considers all rows of the residue methods with fewer entries, because the next length
/// that m1 allows may be much greater.
const SMALL_M0: u32 = 256;

/// In the variable-time forms, a radix above the least may make the last digit smaller. This
/// matters if there are few digits, so the search tries some. The averages of the residue methods
/// take the longest time.
const FEW_DIGITS: u32 = 32;
const RADIX_TRIES: u64 = 32;
const RESIDUE_TRIES: u64 = 8;

/// The exclusive bounds of radices and of m0, and of m1.
const MOST: u64 = 1 << 24;
const MOST_M1: u32 = 256;

fn next(value: u32, step: u32) -> u32 {
    value + 1 + value / (step + 1)
}

impl Search<'_> {
    /// Evaluates all candidates.
    pub(super) fn run(&mut self) {
        match self.family {
            Family::Comb => self.combs(),
            Family::Radix => self.radices(),
            Family::ResidueDigits | Family::M0m1 => self.residues(),
        }
    }

    fn combs(&mut self) {
        for teeth in 1..=24 {
            let mut tables = 1;
            // With more teeth, some tables have no column. The comb is then the same as one with
            // other parameters.
            while tables * (teeth - 1) < self.bits + teeth && tables <= self.bits {
                if !self.fits(u64::from(tables) * ((1 << (teeth - 1)) - 1)) {
                    break;
                }
                let most_short = if teeth == 1 { 1 } else { tables };
                for short_tables in (0..most_short).step_by(1 + (tables / SHORT_STEP) as usize) {
                    let comb = Comb::new(teeth, tables, short_tables, self.bits);
                    if !comb.is_degenerate() && self.fits(comb.entries()) {
                        let work = comb.work(self.secrecy == Secrecy::Secret);
                        self.weigh(Method::Comb { teeth, tables, short_tables }, &work);
                    }
                }
                tables = next(tables, TABLE_STEP);
            }
        }
    }

    fn radices(&mut self) {
        // Digits in radix 2^k need no division, so they cost less than those in the least radix for
        // the same number of digits.
        for log in 1..MOST.ilog2() {
            self.radix(1 << log);
        }
        for Radix { digits, least, bound } in grid(self.radices) {
            for radix in tries(least, bound.min(MOST), self.tries(digits, RADIX_TRIES)) {
                self.radix(radix);
            }
        }
    }

    fn tries(&self, digits: u32, most: u64) -> u64 {
        if self.secrecy == Secrecy::Public && digits <= FEW_DIGITS { most } else { 0 }
    }

    fn radix(&mut self, radix: u64) {
        let digits = digits_in(radix, self.radices);
        if self.fits(u64::from(digits) * (radix - 1)) {
            let method = Method::Radix { radix: radix as u32 };
            let work = Work::new(method, digits, self.bits, self.secrecy);
            self.weigh(method, &work);
        }
    }

    /// Digits in radix m0·m1: all radices with few entries in a row, and the least radices
    /// otherwise.
    fn residues(&mut self) {
        let m1s =
            || core::iter::successors(Some(2), |&m1| Some(next(m1, M1_STEP))).take_while(|&m1| m1 < MOST_M1);
        for m0 in 3..SMALL_M0 {
            for m1 in m1s().take_while(|&m1| next_coprime(m0.into(), m1) == Some(m0.into())) {
                self.residue(m0, m1);
            }
        }
        for Radix { digits, least, bound } in grid(self.radices) {
            for m1 in m1s() {
                // m0 has no factor up to m1, so it is greater than m1.
                let from = least.div_ceil(m1.into()).max(u64::from(m1) + 1);
                let to = bound.div_ceil(m1.into()).min(MOST);
                if from >= to || !self.is_worth_a_residue(from as u32, m1, digits) {
                    continue;
                }
                let mut last = 0;
                for from in tries(from, to, self.tries(digits, RESIDUE_TRIES)) {
                    let Some(m0) = next_coprime(from, m1).filter(|&m0| m0 != last) else { continue };
                    last = m0;
                    self.residue(m0 as u32, m1);
                }
            }
        }
    }

    fn is_worth_a_residue(&self, m0: u32, m1: u32, digits: u32) -> bool {
        let at_best = || Work::at_best(self.method(m0, m1), digits, self.bits, self.secrecy);
        self.fits(u64::from(digits) * u64::from(m0)) && self.is_worth_a_look(&at_best())
    }

    fn residue(&mut self, m0: u32, m1: u32) {
        let digits = digits_in(u64::from(m0) * u64::from(m1), self.radices);
        if self.is_worth_a_residue(m0, m1, digits) {
            let method = self.method(m0, m1);
            self.weigh(method, &Work::new(method, digits, self.bits, self.secrecy));
        }
    }

    fn method(&self, m0: u32, m1: u32) -> Method {
        match self.family {
            Family::M0m1 => Method::M0m1 { m0, m1 },
            _ => Method::ResidueDigits { m0, m1 },
        }
    }
}

/// The radices whose numbers of digits are in the grid.
fn grid(radices: &[Radix]) -> impl Iterator<Item = Radix> {
    let mut least = 0;
    radices.iter().copied().filter(move |radix| {
        let is_next = radix.digits >= least;
        if is_next {
            least = next(radix.digits, STEP);
        }
        is_next
    })
}

/// The least of these numbers and some above it, with steps of at most a sixteenth.
fn tries(least: u64, bound: u64, tries: u64) -> impl Iterator<Item = u64> {
    let step = bound.saturating_sub(least).div_ceil(tries + 1).max(1);
    core::iter::successors(Some(least), move |&from| (tries > 0).then(|| from + step.min(from.div_ceil(16))))
        .take_while(move |&from| from < bound)
}

/// All primes below [`MOST_M1`].
const PRIMES: [u8; 54] = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103,
    107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223,
    227, 229, 233, 239, 241, 251,
];

/// The least number from `from` on, at least 2 and below [`MOST`], that is coprime to 2..=m1. It is
/// greater than m1.
fn next_coprime(from: u64, m1: u32) -> Option<u64> {
    let primes = &PRIMES[..PRIMES.partition_point(|&prime| u32::from(prime) <= m1)];
    let coprime = |candidate: &u64| primes.iter().all(|&prime| !candidate.is_multiple_of(prime.into()));
    (from.max(u64::from(m1) + 1)..MOST).find(coprime)
}

#[cfg(test)]
mod tests {
    use super::next_coprime;
    use crate::fixed::euclid::gcd_vartime;

    #[test]
    fn coprimes_are_the_next() {
        for m1 in 1..=255 {
            let coprime = |m0: u64| m0 >= 2 && (2..=m1).all(|u| gcd_vartime(u, m0 as u32) == 1);
            for from in [0, 1, 2, 100, 255, 256, 1000, 62_000, (1 << 24) - 40] {
                let expected = (from..1 << 24).find(|&m0| coprime(m0));
                assert_eq!(next_coprime(from, m1), expected, "{from}, {m1}");
            }
        }
    }
}

//! Compares the search with an exhaustive one.

use crypto_bigint::BoxedUint;
use rayon::prelude::*;

use super::{
    predict::{Predictor, Split},
    radices::{Radix, digits_in, radices},
    search::{Family, Found, Search, Stairs, Way},
    work::Work,
};
use crate::{
    fixed::{Method, Secrecy},
    modulus::Modulus,
};
use moduli_kernel::{Costs, KernelChoice};

/// The greatest m1 in the enumeration.
const M1: u32 = 36;

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Every method of a family whose table has at most `entries` entries.
fn every(family: Family, bits: u32, radices: &[Radix], entries: u64) -> Vec<Method> {
    let digits = |radix: u64| u64::from(digits_in(radix, radices));
    match family {
        Family::Radix => (2..1u32 << 24)
            .take_while(|&radix| u64::from(radix) <= entries + 1)
            .filter(|&radix| digits(radix.into()) * u64::from(radix - 1) <= entries)
            .map(|radix| Method::Radix { radix })
            .collect(),
        Family::Comb => {
            let mut methods = Vec::new();
            for teeth in 1..=24.min(bits + 1) {
                for tables in 1..=bits {
                    // Too many entries; or so many tables that some have no column, which gives no
                    // new comb.
                    let least = u64::from(tables) * ((1 << (teeth - 1)) - 1);
                    if least > entries || (teeth > 1 && tables * (teeth - 1) >= bits + teeth) {
                        break;
                    }
                    for short_tables in 0..if teeth == 1 { 1 } else { tables } {
                        methods.push(Method::Comb { teeth, tables, short_tables });
                    }
                }
            }
            methods
        }
        Family::M0m1 | Family::ResidueDigits => {
            let mut methods = Vec::new();
            for m1 in 2..=M1 {
                for m0 in (2..1 << 24).take_while(|&m0| u64::from(m0) < entries) {
                    if digits(u64::from(m0) * u64::from(m1)) * u64::from(m0) > entries {
                        continue;
                    }
                    if (2..=m1).all(|u| gcd(m0, u) == 1) {
                        methods.push(match family {
                            Family::M0m1 => Method::M0m1 { m0, m1 },
                            _ => Method::ResidueDigits { m0, m1 },
                        });
                    }
                }
            }
            methods
        }
    }
}

struct Question<'a> {
    modulus: &'a Modulus,
    bits: u32,
    limit_bytes: u64,
    secrecy: Secrecy,
    count: Option<u64>,
}

impl Question<'_> {
    fn predictor<'c>(&self, costs: &'c Costs) -> Predictor<'c> {
        Predictor::new([costs; 2], *self.modulus.dimensions(), self.bits, self.secrecy)
    }

    /// The planner's best choice of a family.
    fn found(&self, predictor: &Predictor<'_>, family: Family, radices: &[Radix]) -> Option<Found> {
        let splits = predictor.splits(1..=self.modulus.dimensions().max_split as u32);
        let (whole, rest) = splits.split_at(1);
        let rest = if family == Family::M0m1 { &[] } else { rest };
        let Self { bits, limit_bytes, secrecy, count, .. } = *self;
        let ways = [whole, rest].into_iter().filter_map(|splits| Way::new(predictor, splits)).collect();
        let (whole, all) = (Stairs::default(), Stairs::default());
        let mut search = Search { family, ways, radices, bits, secrecy, count, limit_bytes, whole, all };
        search.run();
        search.all.within(limit_bytes).copied()
    }

    /// The best objective of all methods of a family in all splits.
    fn best(
        &self,
        predictor: &Predictor<'_>,
        family: Family,
        radices: &[Radix],
    ) -> Option<(f64, Method, u32)> {
        let kernel = self.modulus.dimensions();
        let all: Vec<Split> = (1..=kernel.max_split as u32).map(|pieces| predictor.split(pieces)).collect();
        let methods = every(family, self.bits, radices, self.limit_bytes / (8 * kernel.residue_words as u64));
        let best = methods.into_par_iter().filter_map(|method| {
            let radix = match method {
                Method::Comb { .. } => 2,
                Method::Radix { radix } => u64::from(radix),
                Method::M0m1 { m0, m1 } | Method::ResidueDigits { m0, m1 } => u64::from(m0) * u64::from(m1),
            };
            let work = Work::new(method, digits_in(radix, radices), self.bits, self.secrecy);
            let objective = |split: &Split| {
                let [time, _] = predictor.exponentiation(&work, split);
                self.count.map_or(time, |count| count as f64 * time + predictor.build(&work, split))
            };
            let splits = if method.can_split() { &all[..] } else { &all[..1] };
            splits
                .iter()
                .take_while(|split| 8 * work.entries * split.entry_words <= self.limit_bytes)
                .map(|split| (objective(split), method, split.pieces))
                .min_by(|a, b| a.0.total_cmp(&b.0))
        });
        best.min_by(|a, b| a.0.total_cmp(&b.0))
    }
}

fn check(modulus_bits: u32, bits: u32, limit_bytes: u64, secrecy: Secrecy, count: Option<u64>) {
    let modulus = &longest(modulus_bits);
    let question = Question { modulus, bits, limit_bytes, secrecy, count };
    let costs = Costs::by_formula(modulus.dimensions());
    let (predictor, radices) = (question.predictor(&costs), radices(bits));
    for family in Family::ALL {
        let case = format!("{modulus_bits}/{bits}, {limit_bytes} bytes, {secrecy:?}, {count:?}: {family:?}");
        let found = question.found(&predictor, family, &radices);
        match (found, question.best(&predictor, family, &radices)) {
            (Some(found), Some((best, method, pieces))) => {
                let time = found.objective.sqrt();
                assert!(
                    time <= 1.01 * best && time >= best * (1.0 - 1e-9),
                    "{case}: {} split {} at {time}, but {method} split {pieces} at {best}",
                    found.method,
                    found.pieces,
                );
            }
            (None, None) => {}
            // m1 is greater than in the enumeration.
            (Some(found), None) => {
                assert!(matches!(found.method, Method::M0m1 { .. } | Method::ResidueDigits { .. }))
            }
            (None, Some((_, method, _))) => panic!("{case}: nothing found, but there is {method}"),
        }
    }
}

#[test]
fn nothing_beats_the_search() {
    for (turn, secrecy) in [Secrecy::Secret, Secrecy::Public].into_iter().enumerate() {
        // Two budgets per size, one for each secrecy. The exhaustive search of each takes up to a
        // second.
        for (modulus_bits, bits, kib) in [
            (1024, 160, [64, 1 << 14]),
            (2048, 224, [1 << 10, 64]),
            (3072, 256, [1 << 10, 1 << 14]),
            (4096, 256, [1 << 14, 64]),
            (7680, 384, [64, 1 << 10]),
            (15360, 512, [1 << 14, 1 << 10]),
        ] {
            check(modulus_bits, bits, kib[turn] << 10, secrecy, None);
        }
        for bits in [1, 2, 3, 17] {
            for bytes in [128, 1000, 1 << 16, 1 << 20] {
                check(1024, bits, bytes, secrecy, None);
            }
        }
        check(2048, 224, 256, secrecy, None);
        check(2048, 224, 1 << 22, secrecy, Some(1));
        check(2048, 224, 1 << 22, secrecy, Some(1000));
        check(2048, 2022, 1 << 20, secrecy, None);
        check(4096, 3558, 1 << 20, secrecy, None);
        check(4096, 4096, 1 << 16, secrecy, None);
        check(4096, 4096, 1 << 20, secrecy, None);
    }
}

const NONE: f64 = f64::INFINITY;

/// Results of a search without omissions, which takes up to minutes: the objectives of the best
/// comb, radix, residue digits and m0m1, for the bits of the modulus and of the exponent, the
/// bytes, and the secrecy. The costs are those of the formula.
const BEST: &[(u32, u32, u64, Secrecy, [f64; Family::ALL.len()])] = &[
    (65536, 131072, 1 << 20, Secrecy::Secret, [4.68970e+10, NONE, NONE, NONE]),
    (512, 8192, 1 << 20, Secrecy::Secret, [4.37690e5, 8.81272e5, 6.79845e5, 9.16348e5]),
    (65536, 65536, 1 << 30, Secrecy::Secret, [1.49670e+10, 3.89014e+10, 1.39950e+10, 2.77305e+10]),
    (65536, 1024, 1 << 30, Secrecy::Secret, [2.34576e8, 2.33206e8, 1.79962e8, 3.32498e8]),
    (16384, 16384, 1 << 30, Secrecy::Secret, [2.77586e8, 3.14539e8, 1.81575e8, 3.22350e8]),
    (2048, 16384, 1 << 24, Secrecy::Secret, [6.06809e6, 8.89909e6, 6.13708e6, 9.38289e6]),
    (15360, 131072, 1 << 16, Secrecy::Secret, [3.92514e9, NONE, NONE, NONE]),
    (65536, 131072, 1 << 33, Secrecy::Secret, [2.98924e+10, 3.80125e+10, 1.71821e+10, 3.24067e+10]),
    (3, 131072, 1 << 20, Secrecy::Secret, [2.09113e6, 1.01090e7, NONE, NONE]),
    (64, 20000, 1 << 30, Secrecy::Secret, [3.19365e5, 3.26430e5, 1.95609e6, 2.10078e6]),
    (4096, 65536, 1 << 26, Secrecy::Secret, [8.00407e7, 1.89600e8, 8.76789e7, 1.45331e8]),
    (107, 131071, 1 << 33, Secrecy::Secret, [2.62789e6, 3.50360e6, 7.17181e7, 7.29513e7]),
    (2048, 131072, 1 << 30, Secrecy::Secret, [4.85498e7, 7.68990e7, 1.12838e8, 1.39037e8]),
    (65536, 131072, 1 << 20, Secrecy::Public, [4.60853e+10, NONE, NONE, NONE]),
    (512, 8192, 1 << 20, Secrecy::Public, [1.86111e5, 6.31924e5, 5.65817e5, 5.82562e5]),
    (65536, 65536, 1 << 30, Secrecy::Public, [7.14588e9, 3.26909e+10, 1.39469e+10, 1.49282e+10]),
    (65536, 1024, 1 << 30, Secrecy::Public, [1.12460e8, 1.46355e8, 1.24222e8, 1.36155e8]),
    (16384, 16384, 1 << 30, Secrecy::Public, [1.09434e8, 2.03437e8, 1.15541e8, 1.24577e8]),
    (2048, 16384, 1 << 24, Secrecy::Public, [2.59789e6, 7.10437e6, 4.08131e6, 4.22640e6]),
    (15360, 131072, 1 << 16, Secrecy::Public, [3.72680e9, NONE, NONE, NONE]),
    (65536, 131072, 1 << 33, Secrecy::Public, [1.14358e+10, 3.63545e+10, 1.52820e+10, 1.57367e+10]),
    (3, 131072, 1 << 20, Secrecy::Public, [9.97173e5, 4.99258e6, NONE, NONE]),
    (64, 20000, 1 << 30, Secrecy::Public, [1.52384e5, 2.23495e5, 1.82742e6, 1.83620e6]),
    (4096, 65536, 1 << 26, Secrecy::Public, [3.30210e7, 1.57791e8, 7.75651e7, 8.18200e7]),
    (107, 131071, 1 << 33, Secrecy::Public, [1.17273e6, 1.46262e6, 7.00298e7, 7.00815e7]),
    (2048, 131072, 1 << 30, Secrecy::Public, [1.47165e7, 3.12713e7, 8.57645e7, 8.62780e7]),
];

fn longest(bits: u32) -> Modulus {
    Modulus::with_kernel(&BoxedUint::max(bits), KernelChoice::PORTABLE).unwrap()
}

#[test]
fn every_method_is_planned() {
    for method in Method::EXAMPLES {
        assert!(Family::ALL.contains(&Family::of(method)), "{method}: no family plans it");
    }
}

#[test]
fn long_exponents_get_the_best_as_well() {
    for &(modulus_bits, bits, limit_bytes, secrecy, expected) in BEST {
        let modulus = &longest(modulus_bits);
        let question = Question { modulus, bits, limit_bytes, secrecy, count: None };
        let costs = Costs::by_formula(modulus.dimensions());
        let (predictor, radices) = (question.predictor(&costs), radices(bits));
        for (family, expected) in Family::ALL.into_iter().zip(expected) {
            let found = question.found(&predictor, family, &radices);
            let found = found.map_or(NONE, |found| found.objective.sqrt());
            assert!(
                found <= 1.01 * expected,
                "{modulus_bits}/{bits}, {limit_bytes} bytes, {secrecy:?}, {family:?}: {found}, not {expected}"
            );
        }
    }
}

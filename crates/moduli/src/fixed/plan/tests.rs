//! The search against everything there is.

use crypto_bigint::BoxedUint;
use rayon::prelude::*;

use super::{
    predict::{Predictor, Split},
    radices::{Radix, radices},
    search::{Family, Search},
    work::Work,
};
use crate::{
    fixed::{Method, Secrecy},
    kernel::{Costs, KernelChoice},
    modulus::Modulus,
};

const M1: u32 = 36;

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Every method of a family whose table has at most `entries` entries.
fn every(family: Family, bits: u32, radices: &[Radix], entries: u64) -> Vec<Method> {
    let digits = |radix: u64| u64::from(radices[radices.partition_point(|entry| entry.least > radix)].digits);
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
                    // Too many entries; or so many tables that some have no column, which is nothing new.
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

fn check(modulus_bits: u32, bits: u32, limit_bytes: u64, secrecy: Secrecy, count: Option<u64>) {
    let value = BoxedUint::max(modulus_bits);
    let modulus = Modulus::with_kernel(&value, KernelChoice::Portable).unwrap();
    let kernel = modulus.kernel();
    let costs = Costs::built_in(kernel);
    let predictor = Predictor::new(&costs, kernel, bits, secrecy);
    let max_split = kernel.max_split() as u32;
    let all: Vec<Split> = (1..=max_split).map(|pieces| predictor.split(pieces)).collect();
    let splits = predictor.splits(1..=max_split);
    let radices = radices(bits);
    let objective = |work: &Work, split: &Split| {
        let time = predictor.exponentiation(work, split);
        count.map_or(time, |count| count as f64 * time + predictor.build(work, split))
    };
    for family in Family::ALL {
        let mut search = Search {
            predictor: &predictor,
            splits: &splits,
            radices: &radices,
            bits,
            secrecy,
            count,
            limit_bytes,
            best: None,
        };
        let start = std::time::Instant::now();
        search.family(family);
        let took = start.elapsed();
        let start = std::time::Instant::now();
        let methods = every(family, bits, &radices, limit_bytes / (8 * kernel.residue_words() as u64));
        let number = methods.len();
        let best = methods
            .into_par_iter()
            .filter_map(|method| {
                let radix = match method {
                    Method::Comb { .. } => 2,
                    Method::Radix { radix } => u64::from(radix),
                    Method::M0m1 { m0, m1 } | Method::ResidueDigits { m0, m1 } => {
                        u64::from(m0) * u64::from(m1)
                    }
                };
                let digits = radices[radices.partition_point(|entry| entry.least > radix)].digits;
                let work = Work::new(method, digits, bits, secrecy);
                let splits = if method.can_split() { &all[..] } else { &all[..1] };
                splits
                    .iter()
                    .take_while(|split| 8 * work.entries * split.entry_words <= limit_bytes)
                    .map(|split| (objective(&work, split), method, split.pieces))
                    .min_by(|a, b| a.0.total_cmp(&b.0))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let case = format!("{modulus_bits}/{bits}, {limit_bytes} bytes, {secrecy:?}, {count:?}: {family:?}");
        println!("{case}: {took:?}, all {number} {:?}", start.elapsed());
        match (search.best, best) {
            (Some(found), Some((best, method, pieces))) => assert!(
                found.objective <= 1.01 * best && found.objective >= best * (1.0 - 1e-9),
                "{case}: {} split {} at {}, but {method} split {pieces} at {best}",
                found.method,
                found.pieces,
                found.objective
            ),
            (None, None) => {}
            // Beyond the m1 of the enumeration.
            (Some(found), None) => {
                assert!(matches!(found.method, Method::M0m1 { .. } | Method::ResidueDigits { .. }))
            }
            (None, Some((_, method, _))) => panic!("{case}: nothing found, but there is {method}"),
        }
    }
}

#[test]
fn nothing_beats_the_search() {
    for secrecy in [Secrecy::Uniform, Secrecy::Public] {
        for (modulus_bits, bits) in
            [(1024, 160), (2048, 224), (3072, 256), (4096, 256), (7680, 384), (15360, 512)]
        {
            for kib in [64, 1 << 10, 1 << 14] {
                check(modulus_bits, bits, kib << 10, secrecy, None);
            }
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

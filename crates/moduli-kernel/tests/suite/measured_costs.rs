//! The cost table: properties that need no clock, and its accuracy. The test of accuracy is ignored, because
//! clocks on shared machines are not reliable.

use moduli_kernel::{Arithmetic, Costs, KernelChoice, Maker};
use std::{hint::black_box, time::Instant};

fn arithmetic(limbs: usize) -> Arithmetic {
    let mut p: Vec<u64> = (1..=limbs as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    p[0] |= 1;
    p[limbs - 1] |= 1 << 63;
    Arithmetic::new(&p, KernelChoice::PORTABLE).unwrap()
}

#[test]
fn costs_are_positive() {
    for limbs in [1, 2, 5, 48] {
        let arithmetic = arithmetic(limbs);
        let dimensions = arithmetic.dimensions();
        for costs in [Costs::measured(&arithmetic), Costs::built_in(dimensions, Maker::of_this_machine())] {
            costs.check(dimensions).unwrap();
            for split in 1..=dimensions.max_split {
                assert!(costs.prepared(split) > 0.0 && costs.prepared(split).is_finite());
                assert!(costs.preparation(split) > 0.0 && costs.preparation(split).is_finite());
            }
            assert!(costs.squaring() > 0.0 && costs.pair() > costs.squaring());
            assert!(costs.scan(1000, 1000) > 0.0 && costs.update(1000) > 0.0);
            let fetch = |ahead| costs.fetch(100, 1 << 20, ahead);
            assert!(0.0 <= fetch(100.0) && fetch(100.0) <= fetch(0.0));
        }
    }
}

/// The lower quartile of the times of `operation`, in nanoseconds.
fn time(runs: usize, mut operation: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            operation();
            start.elapsed().as_nanos() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[runs / 4]
}

/// A part of a fixed-base exponentiation: square, look up and multiply, for some splits and tables.
#[test]
#[ignore = "needs a quiet machine"]
fn predictions_lie_within_fifteen_per_cent() {
    let mut errors = Vec::new();
    for limbs in [16usize, 32, 48, 64, 120] {
        let arithmetic = arithmetic(limbs);
        let start = Instant::now();
        let costs = Costs::measured(&arithmetic);
        println!("{limbs} limbs: table in {:?}", start.elapsed());
        let (mut session, mut other) = (arithmetic.session(None), arithmetic.session(None));
        let mut reference = arithmetic.one().to_vec();
        let mut x = arithmetic.one().to_vec();
        session.add(&mut x, arithmetic.one());
        for split in [1usize, 2, 3, 5, 6, 9, 16, 23] {
            if split > arithmetic.dimensions().max_split {
                continue;
            }
            let entry_words = session.prepared_words(split);
            let mut prepared = vec![0; entry_words];
            session.prepare(&mut prepared, &x.clone(), split);
            let mut out = prepared.clone();
            for (entries, rows) in [(3usize, 10usize), (15, 20), (63, 20), (255, 8)] {
                let row_words = entries * entry_words;
                if row_words * rows > 1 << 22 {
                    continue;
                }
                let table = vec![5u64; row_words * rows];
                // Other work on the machine can slow everything by up to a half. So a time counts only if a
                // product takes the time in the table, before and after.
                let mut as_in_the_table = || {
                    let now = time(8, || {
                        for _ in 0..10 {
                            other.mul(&mut reference, &prepared[..limbs]);
                        }
                    });
                    (now / 10.0 / costs.product() - 1.0).abs() < 0.05
                };
                let mut measured = None;
                for _ in 0..200 {
                    if !as_in_the_table() {
                        std::thread::sleep(std::time::Duration::from_millis(5));
                        continue;
                    }
                    let now = time(6, || {
                        for row in table.chunks_exact(row_words) {
                            session.square(&mut x);
                            session.select(&mut out, &prepared, row, black_box(0));
                            session.mul_prepared(&mut x, &out, split);
                        }
                    });
                    if as_in_the_table() {
                        measured = Some(now);
                        break;
                    }
                }
                let Some(measured) = measured else {
                    println!("split {split}, {rows} rows of {entries}: no quiet moment");
                    continue;
                };
                let bytes = 8 * row_words as u64;
                let look_up = costs.scan(bytes + 8 * entry_words as u64, bytes * rows as u64);
                let predicted = rows as f64 * (costs.squaring() + look_up + costs.prepared(split));
                let error = predicted / measured - 1.0;
                // Beyond the second-level cache, times depend on other programs, so they are only printed.
                if bytes * rows as u64 <= 1 << 20 {
                    errors.push(error.abs());
                }
                println!(
                    "split {split:3}, {rows:3} rows of {entries:3}, {:6} KiB: {measured:10.0} ns, predicted {predicted:10.0}, {:+.1} %",
                    bytes * rows as u64 / 1024,
                    100.0 * error
                );
            }
        }
    }
    let wrong = errors.iter().filter(|&&error| error >= 0.15).count();
    assert!(20 * wrong <= errors.len(), "{wrong} of {} predictions are off by 15 % or more", errors.len());
}

//! Interleaved measurements: ratios within a round, medians over rounds.

use std::hint::black_box;

use curve25519_dalek::{EdwardsPoint, Scalar, constants::ED25519_BASEPOINT_POINT};
use moduli_papers::curve::{Edwards, Group};
use subtle::ConstantTimeEq;

use crate::machine;

/// A median, with half the distance between the quartiles.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub median: f64,
    pub spread: f64,
}

impl Value {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |part: f64| values[(part * (values.len() - 1) as f64).round() as usize];
        Self { median: at(0.5), spread: (at(0.75) - at(0.25)) / 2.0 }
    }
}

/// Nanoseconds per item, and the ratio to the first candidate.
pub struct Timing {
    pub time: Value,
    pub ratio: Value,
}

/// Runs `run` with the stack moved by `BYTES` bytes.
#[inline(never)]
fn moved<const BYTES: usize>(run: &dyn Fn()) {
    let space = black_box([0u8; BYTES]);
    run();
    black_box(space);
}

/// Runs all candidates once per round, in a rotating order. Each run does `items` items at each of
/// the four possible positions of the stack in a cache line, so that the positions of copied points
/// favour no candidate.
pub fn interleave(candidates: &[Box<dyn Fn() + '_>], items: usize, rounds: usize) -> Vec<Timing> {
    let mut times = vec![Vec::new(); candidates.len()];
    for round in 0..rounds + 2 {
        for turn in 0..candidates.len() {
            let index = (round + turn) % candidates.len();
            let start = machine::time();
            for run in [moved::<16>, moved::<32>, moved::<48>, moved::<64>] {
                run(&candidates[index]);
            }
            let time = (machine::time() - start) / (4 * items) as f64;
            // The first two rounds are for warming up.
            if round > 1 {
                times[index].push(time);
            }
        }
    }
    let ratios = |own: &[f64]| own.iter().zip(&times[0]).map(|(own, first)| own / first).collect();
    times.iter().map(|own| Timing { time: Value::of(own.clone()), ratio: Value::of(ratios(own)) }).collect()
}

/// A chain of `length` operations that starts with the base point.
fn chain<'a>(length: usize, step: impl Fn(&EdwardsPoint, usize) -> EdwardsPoint + 'a) -> Box<dyn Fn() + 'a> {
    Box::new(move || {
        _ = black_box((0..length).fold(black_box(ED25519_BASEPOINT_POINT), |point, i| step(&point, i)))
    })
}

/// The costs of the group operations: an addition in nanoseconds, all others in additions.
pub struct Costs {
    pub addition: Value,
    pub doubling: Value,
    pub negation: Value,
    pub selection: Value,
}

/// The costs of the group operations in additions.
#[derive(Clone, Copy)]
pub struct Ratios {
    pub doubling: f64,
    pub negation: f64,
    pub selection: f64,
}

impl Costs {
    /// The medians of the costs.
    pub fn ratios(&self) -> Ratios {
        Ratios {
            doubling: self.doubling.median,
            negation: self.negation.median,
            selection: self.selection.median,
        }
    }

    /// Measures chains of each operation. Selections are those of look-ups in rows of eight
    /// entries.
    pub fn measure() -> Self {
        const LENGTH: usize = 256;
        let row: Vec<EdwardsPoint> = (1u64..=8).map(|k| EdwardsPoint::mul_base(&Scalar::from(k))).collect();
        let row = black_box(row.as_slice());
        let candidates = [
            chain(LENGTH, |point, i| Edwards.add(point, &row[i % 8])),
            chain(LENGTH, |point, _| Edwards.double(point)),
            chain(LENGTH, |point, _| Edwards.negate(point)),
            chain(LENGTH, |point, i| Edwards.select(point, &row[i % 8], (i as u64 % 8).ct_eq(&black_box(5)))),
        ];
        // In the first half second, the core reaches its full speed.
        let start = machine::time();
        while machine::time() - start < 5e8 {
            candidates[0]();
        }
        let timings = interleave(&candidates, LENGTH, 401);
        Self {
            addition: timings[0].time,
            doubling: timings[1].ratio,
            negation: timings[2].ratio,
            selection: timings[3].ratio,
        }
    }
}

//! Timing things by turns, in cycles of the core as it runs.

use std::{hint::black_box, ops::RangeInclusive, time::Instant};

use crate::failure::Failure;

/// Steps of the chain that tells how fast the core runs at the moment.
const CHAIN: u32 = 20_000;

/// Cycles of a step: a word product (three), an OR and a rotation (one each), each needing the one before.
const CHAIN_STEP: f64 = 5.0;

/// Where the least of the even and of the odd rounds lie no farther apart, no more rounds are needed.
const SETTLED: f64 = 0.01;

/// A run is repeated until it takes so many seconds.
const LONG_ENOUGH: f64 = 100e-6;

/// The least of all rounds, in the mean of the inputs: what else the machine does only ever adds to it.
pub struct Times {
    pub microseconds: f64,
    /// Where a core takes the cycles of the chain for granted: x86-64.
    pub kilocycles: Option<f64>,
    /// How far the least of the even and of the odd rounds lie apart, over the least of all.
    pub spread: f64,
}

impl Times {
    /// This time over another one of the same turns.
    pub fn over(&self, other: &Self) -> f64 {
        self.microseconds / other.microseconds
    }
}

/// Seconds of the chain.
fn chain() -> f64 {
    let start = Instant::now();
    let mut x = black_box(0x9e37_79b9_7f4a_7c15u64);
    for _ in 0..CHAIN {
        x = x.wrapping_mul(x | 1).rotate_left(17);
    }
    black_box(x);
    start.elapsed().as_secs_f64()
}

/// A thing to be timed: does its work for the input of that number.
pub type Work<'a> = Box<dyn Fn(usize) -> Result<(), Failure> + 'a>;

/// Times `works` by turns: for each of `inputs` once to warm, then in `rounds`, first one, then another; in as many as it takes to
/// settle.
pub fn by_turns(
    works: &[Work<'_>],
    inputs: usize,
    rounds: RangeInclusive<usize>,
) -> Result<Vec<Times>, Failure> {
    // Of the even and the odd rounds.
    let mut seconds = vec![[0.0; 2]; works.len()];
    let mut least_of_all = vec![0.0; works.len()];
    let mut chained = f64::INFINITY;
    for input in 0..inputs {
        let mut repeats = Vec::new();
        for work in works {
            work(input)?;
            let start = Instant::now();
            work(input)?;
            repeats.push(
                (LONG_ENOUGH / start.elapsed().as_secs_f64().max(1e-7)).ceil().clamp(1.0, 1000.0) as u32
            );
        }
        let mut least = vec![[f64::INFINITY; 2]; works.len()];
        for round in 0..*rounds.end() {
            let is_settled = |&[even, odd]: &[f64; 2]| (even - odd).abs() <= SETTLED * even;
            if round >= *rounds.start() && least.iter().all(is_settled) {
                break;
            }
            chained = chained.min(chain());
            for i in 0..works.len() {
                let i = (i + round) % works.len();
                let start = Instant::now();
                for _ in 0..repeats[i] {
                    works[i](input)?;
                }
                let each = start.elapsed().as_secs_f64() / f64::from(repeats[i]);
                least[i][round % 2] = each.min(least[i][round % 2]);
            }
        }
        for (i, [even, odd]) in least.into_iter().enumerate() {
            seconds[i][0] += even;
            seconds[i][1] += odd;
            least_of_all[i] += even.min(odd);
        }
    }
    let cycle = chained / (CHAIN_STEP * f64::from(CHAIN));
    let times = |([even, odd], least): ([f64; 2], f64)| {
        let mean = least / inputs as f64;
        Times {
            microseconds: 1e6 * mean,
            kilocycles: cfg!(target_arch = "x86_64").then(|| mean / cycle / 1e3),
            spread: (even - odd).abs() / least,
        }
    };
    Ok(seconds.into_iter().zip(least_of_all).map(times).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_microseconds_and_thousands_of_cycles() {
        let spin = |microseconds: u128| {
            Box::new(move |_: usize| {
                let start = Instant::now();
                while start.elapsed().as_micros() < microseconds {}
                Ok(())
            }) as Work<'_>
        };
        let times = by_turns(&[spin(300), spin(600)], 2, 6..=20).unwrap();
        assert!((300.0..450.0).contains(&times[0].microseconds), "{}", times[0].microseconds);
        assert!((1.6..2.4).contains(&times[1].over(&times[0])), "{}", times[1].over(&times[0]));
        // A core of 0.3 to 10 GHz.
        for times in &times {
            let gigahertz = times.kilocycles.map_or(1.0, |kilocycles| kilocycles / times.microseconds);
            assert!((0.3..10.0).contains(&gigahertz), "{gigahertz}");
        }
    }
}

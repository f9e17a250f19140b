//! Times several functions alternately, in cycles of the core at its current speed.

use std::{hint::black_box, ops::RangeInclusive, time::Instant};

use crate::failure::Failure;

/// The steps of a dependent chain that measures the current speed of the core.
const CHAIN: u32 = 20_000;

/// The cycles of a step: a word product (three), an OR and a rotation (one each), each of which
/// depends on the one before.
const CHAIN_STEP: f64 = 5.0;

/// If the least times of the even and of the odd rounds differ by at most this share, no more
/// rounds are needed.
const SETTLED: f64 = 0.01;

/// The least duration of a run in seconds. Shorter work is repeated.
const LONG_ENOUGH: f64 = 100e-6;

/// The least time of all rounds, averaged over the inputs. Other load on the machine can only
/// increase a time.
pub struct Times {
    pub microseconds: f64,
    /// Kilocycles, on x86-64 only, where the cycles of the chain are known.
    pub kilocycles: Option<f64>,
    /// The difference between the least times of the even and of the odd rounds, relative to the
    /// least of all.
    pub spread: f64,
}

impl Times {
    /// The ratio of this time to another of the same measurement.
    pub fn over(&self, other: &Self) -> f64 {
        self.microseconds / other.microseconds
    }
}

/// The duration of the chain in seconds.
fn chain() -> f64 {
    let start = Instant::now();
    let mut x = black_box(0x9e37_79b9_7f4a_7c15u64);
    for _ in 0..CHAIN {
        x = x.wrapping_mul(x | 1).rotate_left(17);
    }
    black_box(x);
    start.elapsed().as_secs_f64()
}

/// A function to be timed: does its work for the input with this index.
pub type Work<'a> = Box<dyn Fn(usize) -> Result<(), Failure> + 'a>;

/// Times `works` alternately. For each of `inputs`, it calls each work once to warm up, then in
/// `rounds` that start with different works, until the times settle.
pub fn by_turns(
    works: &[Work<'_>],
    inputs: usize,
    rounds: RangeInclusive<usize>,
) -> Result<Vec<Times>, Failure> {
    // For the even and for the odd rounds.
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
        // A core has 0.3 to 10 GHz.
        for times in &times {
            let gigahertz = times.kilocycles.map_or(1.0, |kilocycles| kilocycles / times.microseconds);
            assert!((0.3..10.0).contains(&gigahertz), "{gigahertz}");
        }
    }
}

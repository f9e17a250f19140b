//! Measures both alternately, in one process. It uses processor time, which a busy machine disturbs less.

use rustix::time::{ClockId, clock_gettime};

const ROUNDS: usize = 15;

/// An operation without and with moduli. Each returns its result as text.
pub type Both = (Box<dyn FnMut() -> String>, Box<dyn FnMut() -> String>);

fn seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

fn timed(operation: &mut dyn FnMut() -> String) -> (f64, String) {
    let begun = seconds();
    let result = operation();
    (seconds() - begun, result)
}

/// The quantile of sorted values below which this part of them is, as Python's `statistics.quantiles`
/// computes it.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let at = (sorted.len() + 1) as f64 * part - 1.0;
    let below = at as usize;
    sorted[below] + (sorted[below + 1] - sorted[below]) * (at - below as f64)
}

/// Prints a JSON object: for each operation how many times faster it is with moduli, and the distance of the
/// quartiles. The results of each round must be equal.
pub fn compare(mut operations: Vec<(&str, Both)>) {
    let mut ratios = vec![Vec::new(); operations.len()];
    for round in 0..=ROUNDS {
        for ((name, (own, with_moduli)), ratios) in operations.iter_mut().zip(&mut ratios) {
            let (own, expected) = timed(own);
            let (with_moduli, result) = timed(with_moduli);
            assert_eq!(result, expected, "{name}");
            // The first round is not counted, because it only warms up.
            if round > 0 {
                ratios.push(own / with_moduli);
            }
        }
    }
    let figures = operations.iter().zip(&mut ratios).map(|((name, _), ratios)| {
        ratios.sort_by(f64::total_cmp);
        format!(
            "\"{name}\": [{}, {}]",
            quantile(ratios, 0.5),
            quantile(ratios, 0.75) - quantile(ratios, 0.25)
        )
    });
    println!("{{{}}}", figures.collect::<Vec<_>>().join(", "));
}

//! Checks the planner: measures plans and strong competitors, interleaved on one core, and compares them with
//! the predictions.
//!
//! `cargo run --release --manifest-path bench/Cargo.toml --example plan_measured [MODULUS_BITS/EXPONENT_BITS
//! ...]`; without arguments the five DSA sizes and 4096/256. Prints a table for each size, budget and kind of
//! exponents: predicted and measured microseconds, the error of the prediction, and the time of each
//! competitor as a multiple of the plan's. A competitor more than 10 % faster than the plan, or a prediction
//! more than 15 % off, is marked.
//!
//! On a busy machine the speed varies. So each run follows a run of a reference, plain squarings and
//! products. Errors and multiples are medians of ratios to the reference, which compare times of the same
//! moment. `speed` is the reference's time compared with its own prediction; it is 1.0 if nothing has changed
//! since the costs were measured.

use std::time::Instant;

use crypto_bigint::BoxedUint;
use moduli::{Error, FixedBase, MemorySize, Method, Modulus, Plan, Planner, Secrecy};

const ROUNDS: usize = 7;

/// The number of runs of a plan in a round.
const RUNS: usize = 9;

/// The approximate nanoseconds of the exponentiations of one run. This is less than a time slice of the
/// scheduler, so most runs are undisturbed even on a busy machine.
const RUN: f64 = 5e5;

fn exponents(bits: u32, count: usize) -> Vec<BoxedUint> {
    let mut state = 1u64;
    let mut next = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state ^ state >> 29
    };
    let words = bits.div_ceil(64) as usize;
    let number = |_| {
        let mut limbs: Vec<u64> = (0..words).map(|_| next()).collect();
        limbs[words - 1] >>= 64 * words as u32 - bits;
        BoxedUint::from_words(limbs)
    };
    (0..count).map(number).collect()
}

/// The plan, its runners-up, and its neighbours in split and teeth or radix.
fn candidates(planner: &Planner<'_>, budget: MemorySize) -> Result<Vec<Plan>, Error> {
    let plan = planner.plan()?;
    let mut plans = vec![plan.clone()];
    plans.extend(plan.runners_up.clone());
    let split = plan.shape.split();
    let mut neighbours: Vec<(Method, u32)> = Vec::new();
    let method = plan.shape.method();
    neighbours.extend([(method, split + 1), (method, split.max(2) - 1)]);
    match method {
        Method::Comb { teeth, tables, .. } => {
            let comb = |teeth, tables| Method::Comb { teeth, tables, short_tables: 0 };
            neighbours.extend([
                (comb(teeth + 1, tables.div_ceil(2)), split),
                (comb(teeth.max(2) - 1, 2 * tables - 1), split),
            ]);
        }
        Method::Radix { radix } => {
            neighbours.extend([2 * radix, radix.div_ceil(2)].map(|radix| (Method::Radix { radix }, split)));
        }
        _ => {}
    }
    for (method, split) in neighbours {
        let Ok(neighbour) = planner.method(method).split(split).plan() else { continue };
        if neighbour.bytes <= budget && plans.iter().all(|plan| plan.shape != neighbour.shape) {
            plans.push(neighbour);
        }
    }
    plans.truncate(8);
    Ok(plans)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A plan that is measured.
struct Row {
    plan: Plan,
    table: FixedBase,
    built: f64,
    times: Vec<f64>,
    /// Times divided by that of the reference just before.
    relative: Vec<f64>,
}

fn compare(modulus: &Modulus, bits: u32, budget: MemorySize, secrecy: Secrecy) -> Result<(), Error> {
    let planner = Planner::new(modulus).exponent_bits(bits).budget(budget).secrecy(secrecy);
    let base = BoxedUint::from(3u64);
    let exponents = exponents(bits, 4096);
    let pow = |table: &FixedBase, e: &BoxedUint| match secrecy {
        Secrecy::Secret => table.pow(e),
        Secrecy::Public => table.pow_vartime(e),
    };
    let build = |plan: &Plan| {
        let table = FixedBase::builder(modulus, &base).exponent_bits(plan.shape.exponent_bits());
        table.method(plan.shape.method()).split(plan.shape.split()).build()
    };
    let square_multiply = Method::Comb { teeth: 1, tables: 1, short_tables: 0 };
    let reference = Planner::new(modulus).exponent_bits(24).method(square_multiply).plan()?;
    let reference_table = build(&reference)?;
    let reference_exponent = BoxedUint::from(0xfedcbau64);
    let mut rows = Vec::new();
    for plan in candidates(&planner, budget)? {
        let start = Instant::now();
        let table = build(&plan)?;
        let built = start.elapsed().as_nanos() as f64;
        rows.push(Row { plan, table, built, times: vec![], relative: vec![] });
    }
    let mut speeds = Vec::new();
    for round in 0..ROUNDS {
        for Row { plan, table, times, relative, .. } in &mut rows {
            let count = (RUN / plan.nanoseconds).ceil().max(2.0) as usize;
            let place = |i: usize| &exponents[i % exponents.len()];
            // The previous measurement has displaced the table from the caches: fill them again, up to the
            // size of a second-level cache.
            let entries_read = plan.counts.products + plan.counts.prepared_products;
            let warm = plan.bytes.0.min(1 << 21) / (modulus.bits() / 8) as u64 / entries_read as u64;
            for i in 0..2 + 2 * warm as usize {
                pow(table, place(i))?;
            }
            for run in round * RUNS..(round + 1) * RUNS {
                let start = Instant::now();
                std::hint::black_box(reference_table.pow(&reference_exponent)?);
                let speed = start.elapsed().as_nanos() as f64 / reference.nanoseconds;
                let start = Instant::now();
                for i in 0..count {
                    std::hint::black_box(pow(table, place(run * count + i))?);
                }
                let time = start.elapsed().as_nanos() as f64 / count as f64;
                times.push(time);
                relative.push(time / speed);
                speeds.push(speed);
            }
        }
    }
    let (bits_text, speed) = (format!("{}/{bits}", modulus.bits()), median(&mut speeds));
    println!("\n{bits_text}, {budget}, {secrecy:?}, {}, speed {speed:.2}", modulus.kernel_name());
    let first = median(&mut rows[0].relative);
    for Row { plan, built, mut times, mut relative, .. } in rows {
        let relative = median(&mut relative);
        let (error, multiple) = (plan.nanoseconds / relative - 1.0, relative / first);
        println!(
            "  {:<30} {:>10}  predicted {:>7.1} us, measured {:>7.1} us, error {:>+5.1} %{:2} {multiple:>6.3} of the plan{:2} built in {:>5.1} ms, predicted {:>5.1}",
            plan.shape.to_string(),
            plan.bytes.to_string(),
            plan.nanoseconds / 1e3,
            median(&mut times) / 1e3,
            100.0 * error,
            if error.abs() > 0.15 { " !" } else { "" },
            if multiple < 0.9 { " !" } else { "" },
            built / 1e6,
            plan.build_nanoseconds / 1e6,
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sizes: Vec<String> = std::env::args().skip(1).collect();
    let sizes = match sizes.as_slice() {
        [] => ["1024/160", "2048/224", "3072/256", "4096/256", "7680/384", "15360/512"]
            .map(String::from)
            .to_vec(),
        _ => sizes,
    };
    for size in sizes {
        let (modulus_bits, bits) = size.split_once('/').ok_or("sizes are written 3072/256")?;
        // All bits but a few are ones: this is odd, and not so sparse that a kernel could benefit.
        let modulus_bits: u32 = modulus_bits.parse()?;
        let value = BoxedUint::max(modulus_bits.next_multiple_of(64)).shr(modulus_bits.wrapping_neg() % 64);
        let modulus = Modulus::new(&(value - BoxedUint::from(1_000_000u64)))?;
        for secrecy in [Secrecy::Secret, Secrecy::Public] {
            for budget in [MemorySize::kib(64), MemorySize::mib(1), MemorySize::mib(16)] {
                compare(&modulus, bits.parse()?, budget, secrecy)?;
            }
        }
    }
    Ok(())
}

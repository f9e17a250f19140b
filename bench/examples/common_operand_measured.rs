//! Measures the gain of products by a common operand on this machine: Table X of ARITH 2015 (Negre, Plantard
//! and Robert), and the products that it is made of.
//!
//! `cargo run --release --manifest-path bench/Cargo.toml --example common_operand_measured [BITS ...]`;
//! without arguments 1024, 2048 and 4096. For each kernel of this machine and each size it prints three
//! tables, in Markdown:
//!
//! - products: two products against a combined pair, a product against one by an operand prepared in s
//!   pieces, and from how many products on the preparation pays;
//! - Table X: the paper's three exponentiations (t = 5), regular as in the paper, plain and by a common
//!   operand, and the paper's improvement next to ours;
//! - the methods that the planner picks, next to `Modulus::pow`.
//!
//! The time of an exponentiation is linear in the length of the exponent. If it is longer than a time slice
//! of the scheduler, two shorter exponents are measured instead, and the line through them is extrapolated.
//!
//! All runs are interleaved. A time is the least of all runs, with the median in brackets. On a busy machine
//! the least is what the processor needs, and the distance to the median shows how busy the machine was.
//! Ratios are those of the least times.

use std::{hint::black_box, time::Instant};

use crypto_bigint::{BoxedUint, CtEq};
use moduli::{
    Error, Exponent, KernelChoice, Modulus, SignedExponent,
    power::{PowerMethod, PowerPlanner},
};
use moduli_kernel::{
    internals::{self, Kernel},
    limbs,
};

const WINDOW: u32 = 5;

/// Improvements in per cent as the paper's Table X prints them: ladder, right-to-left, left-to-right.
fn printed(bits: u32) -> Option<[f64; 3]> {
    match bits {
        1024 => Some([9.0, 0.1, -1.0]),
        2048 => Some([9.1, 1.7, 3.1]),
        4096 => Some([14.6, 4.0, 8.3]),
        _ => None,
    }
}

/// Times of several operations that were run in turn.
struct Times(Vec<Vec<f64>>);

impl Times {
    /// Runs each of `things` in every round, and reports nanoseconds.
    fn take(rounds: usize, things: &mut [Box<dyn FnMut() + '_>]) -> Self {
        let mut times = Self(things.iter().map(|_| Vec::with_capacity(rounds)).collect());
        for thing in things.iter_mut() {
            thing();
        }
        for _ in 0..rounds {
            for (thing, times) in things.iter_mut().zip(&mut times.0) {
                let start = Instant::now();
                thing();
                times.push(start.elapsed().as_nanos() as f64);
            }
        }
        times
    }

    fn least(&self, i: usize) -> f64 {
        self.0[i].iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// `least (median)`, in units of `unit` nanoseconds.
    fn show(&self, i: usize, unit: f64) -> String {
        let mut times = self.0[i].clone();
        times.sort_by(f64::total_cmp);
        format!("{:.2} ({:.2})", self.least(i) / unit, times[times.len() / 2] / unit)
    }

    /// The time of i divided by that of k.
    fn ratio(&self, i: usize, k: usize) -> f64 {
        self.least(i) / self.least(k)
    }
}

fn random_words(bits: u32) -> Vec<u64> {
    let mut state = u64::from(bits);
    let words = (0..bits.div_ceil(64)).map(|_| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state ^ state >> 29
    });
    words.collect()
}

/// A random number below 2^bits.
fn random(bits: u32) -> BoxedUint {
    BoxedUint::from_words(random_words(bits)).shr(bits.next_multiple_of(64) - bits)
}

/// A modulus that fills its words, as RSA moduli do.
fn modulus(bits: u32, kernel: KernelChoice) -> Result<Modulus, Error> {
    let mut words = random_words(bits);
    words[0] |= 1;
    *words.last_mut().unwrap() |= 1 << 63;
    Modulus::with_kernel(&BoxedUint::from_words(words), kernel)
}

/// Runs an operation on two residues and scratch space `count` times.
fn repeat<'a>(
    kernel: &'a dyn Kernel,
    start: &[u64],
    count: usize,
    mut operation: impl FnMut(&mut [u64], &mut [u64], &mut [u64]) + 'a,
) -> Box<dyn FnMut() + 'a> {
    let (mut x, mut y, mut scratch) =
        (start.to_vec(), start.to_vec(), vec![0; kernel.dimensions().scratch_words]);
    Box::new(move || {
        for _ in 0..count {
            operation(&mut x, &mut y, &mut scratch);
        }
        black_box(&x);
    })
}

fn products(p: &Modulus) {
    let kernel =
        internals::kernel(p.kernel(), &limbs::to_limbs(p.value().as_ref(), 1)).expect("its own kernel");
    let kernel = &*kernel;
    let max = kernel.dimensions().max_split;
    let mut splits = vec![2, 4, max.div_ceil(8), max.div_ceil(4), max.div_ceil(2), max];
    splits.retain(|split| (2..=max).contains(split));
    splits.sort_unstable();
    splits.dedup();
    let mut scratch = vec![0; kernel.dimensions().scratch_words];
    let mut a = kernel.one().to_vec();
    let one = a.clone();
    kernel.add(&mut a, &one, &mut scratch);
    for _ in 0..20 {
        kernel.square(&mut a, &mut scratch);
    }
    let prepared: Vec<Vec<u64>> = splits
        .iter()
        .map(|&split| {
            let mut prepared = vec![0; kernel.dimensions().prepared_words(split)];
            kernel.prepare(&mut prepared, &a, split, &mut scratch);
            prepared
        })
        .collect();
    // This takes about ten microseconds.
    let count = (40_000 / kernel.dimensions().limbs.pow(2)).max(4);
    let a = &a;
    let mut things = vec![
        repeat(kernel, a, count, move |x, _, scratch| kernel.mul(x, a, scratch)),
        repeat(kernel, a, count, move |x, _, scratch| kernel.square(x, scratch)),
        repeat(kernel, a, count, move |x, y, scratch| kernel.mul_pair(x, y, a, scratch)),
    ];
    for (&split, prepared) in splits.iter().zip(&prepared) {
        things.push(repeat(kernel, a, count, move |x, _, s| kernel.mul_prepared(x, prepared, split, s)));
        let mut out = prepared.clone();
        things
            .push(repeat(kernel, a, count, move |_, _, scratch| kernel.prepare(&mut out, a, split, scratch)));
    }
    let times = Times::take(301, &mut things);
    let unit = 1e3 * count as f64;
    println!(
        "\nproduct {} µs, squaring {} µs, combined pair {} µs",
        times.show(0, unit),
        times.show(1, unit),
        times.show(2, unit)
    );
    println!(
        "combined pair / two products {:.3}, / product and squaring {:.3}\n",
        times.ratio(2, 0) / 2.0,
        times.least(2) / (times.least(0) + times.least(1))
    );
    println!("| s | bytes | product by it, µs | / product | preparation / product | break-even |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (i, &split) in splits.iter().enumerate() {
        let (product, preparation) = (times.ratio(3 + 2 * i, 0), times.ratio(4 + 2 * i, 0));
        let break_even = if product < 1.0 {
            ((preparation / (1.0 - product)) as u64 + 1).to_string()
        } else {
            "never".to_owned()
        };
        println!(
            "| {split} | {} | {} | {product:.3} | {preparation:.2} | {break_even} |",
            8 * kernel.dimensions().prepared_words(split),
            times.show(3 + 2 * i, unit),
        );
    }
}

fn table_x(p: &Modulus) -> Result<(), Error> {
    let bits = p.bits();
    let planned = PowerPlanner::new(p).regular().window(WINDOW).common_operand(true);
    let planned = planned.algorithm(moduli::power::Algorithm::LeftToRight).plan()?;
    let methods = [
        ("ladder", PowerMethod::Ladder { common_operand: false }),
        ("ladder, pair", PowerMethod::Ladder { common_operand: true }),
        ("right-to-left", PowerMethod::RightToLeft { window: WINDOW, common_operand: false }),
        ("right-to-left, pair", PowerMethod::RightToLeft { window: WINDOW, common_operand: true }),
        ("left-to-right", PowerMethod::LeftToRight { window: WINDOW, split: 1 }),
        ("left-to-right, most pieces", PowerMethod::LeftToRight { window: WINDOW, split: p.max_split() }),
        ("left-to-right, planned pieces", planned),
    ];
    let milliseconds = powers(p, &methods.map(|(_, method)| (method, true)), bits)?;
    println!("\n| method | table, bytes | ms | improvement | printed |");
    println!("| --- | --- | --- | --- | --- |");
    for (i, (name, method)) in methods.iter().enumerate() {
        let plain = [0, 0, 2, 2, 4, 4, 4][i];
        let (mut improvement, mut paper) = (String::new(), String::new());
        if plain != i {
            improvement = format!("{:+.1} %", 100.0 * (1.0 - milliseconds[i] / milliseconds[plain]));
            paper = printed(bits).map_or(String::new(), |printed| format!("{:+.1} %", printed[i / 2 % 3]));
        }
        let paper = if i == 6 { String::new() } else { paper };
        let split = match method {
            PowerMethod::LeftToRight { split, .. } if *split > 1 => format!(" ({split})"),
            _ => String::new(),
        };
        println!(
            "| {name}{split} | {} | {:.2} | {improvement} | {paper} |",
            method.table_bytes(p)?,
            milliseconds[i]
        );
    }
    Ok(())
}

/// The milliseconds of exponentiations with exponents of `bits` bits. The flag of a method: true for regular,
/// false for constant-time.
fn powers(p: &Modulus, methods: &[(PowerMethod, bool)], bits: u32) -> Result<Vec<f64>, Error> {
    // Exponents that take a millisecond or two, with whole windows of most widths; and exponents of twice
    // that length.
    let squaring = p.measured_costs().squaring();
    let short = ((5e5 / squaring) as u32 / 60).max(1) * 60;
    let lengths = if 2 * short >= bits { vec![bits] } else { vec![short, 2 * short] };
    let x = p.element(&random(p.bits()));
    let power = |(method, regular): (PowerMethod, bool), e: SignedExponent<'_>| match regular {
        true => x.pow_regular_vartime(e, method),
        false => x.pow_with(e, method),
    };
    let exponents: Vec<BoxedUint> = lengths.iter().map(|&bits| random(bits)).collect();
    let mut things: Vec<Box<dyn FnMut()>> = Vec::new();
    for (e, &bits) in exponents.iter().zip(&lengths) {
        let e = Exponent::from(e).with_bits(bits)?;
        let expected = x.pow(e);
        for &method in methods {
            assert!(power(method, e.into())?.ct_eq(&expected).to_bool(), "{}", method.0);
            things.push(Box::new(move || {
                let _ = black_box(power(method, e.into()));
            }));
        }
    }
    let times = Times::take(201, &mut things);
    let steps = if lengths.len() == 1 { 0.0 } else { f64::from(bits - short) / f64::from(short) };
    let line = |i| {
        let low = times.least(i);
        let high = if steps == 0.0 { low } else { times.least(methods.len() + i) };
        (low + (high - low) * steps) / 1e6
    };
    Ok((0..methods.len()).map(line).collect())
}

fn choices(p: &Modulus) -> Result<(), Error> {
    println!("\n| exponent | constant-time, planned | / `pow` | regular, planned | / `pow` |");
    println!("| --- | --- | --- | --- | --- |");
    for bits in [160, 256, p.bits()] {
        let planner = PowerPlanner::new(p).exponent_bits(bits);
        let window = (1..=8).min_by_key(|&w| bits.div_ceil(w) + (1 << w)).unwrap_or(1);
        let methods = [
            (PowerMethod::LeftToRight { window, split: 1 }, false),
            (planner.plan()?, false),
            (planner.clone().regular().plan()?, true),
        ];
        let times = powers(p, &methods, bits)?;
        let [constant_time, regular] = [1, 2].map(|i| times[i] / times[0]);
        println!("| {bits} | {} | {constant_time:.3} | {} | {regular:.3} |", methods[1].0, methods[2].0);
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sizes: Vec<u32> = std::env::args().skip(1).map(|bits| bits.parse()).collect::<Result<_, _>>()?;
    let sizes = if sizes.is_empty() { vec![1024, 2048, 4096] } else { sizes };
    for kernel in KernelChoice::ALL.iter().copied().filter(|kernel| kernel.is_supported()) {
        for &bits in &sizes {
            let p = modulus(bits, kernel)?;
            println!("\n## {}, {} bits", p.kernel_name(), p.bits());
            products(&p);
            table_x(&p)?;
            choices(&p)?;
        }
    }
    Ok(())
}

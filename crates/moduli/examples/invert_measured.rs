//! Inversions side by side, as a table: `cargo run --release -p moduli --example invert_measured`.
//!
//! Every method inverts the same fresh values in turn, a few of them at a time, many times over; what is printed is the
//! median of the times per inversion, in microseconds. The batch computes on one core.

use std::{error::Error, hint::black_box, time::Instant};

use crypto_bigint::{BoxedUint, RandomBits};
use getrandom::{SysRng, rand_core::UnwrapErr};
use moduli::{
    Modulus,
    rns::{
        base::Shape,
        inverse::{BinaryTernary, Jump, Options, Wide},
    },
};

const BITS: [u32; 7] = [256, 384, 521, 1024, 2048, 3072, 4096];

/// Values that a method inverts before the next one has its turn.
const VALUES: usize = 50;

/// The values of a batch.
const BATCH: usize = 1000;

/// Inverts all values it is given.
type Inversions<'a> = Box<dyn Fn(&[BoxedUint]) + 'a>;

fn main() -> Result<(), Box<dyn Error>> {
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    let mut rows: Vec<(&str, Vec<String>)> = Vec::new();
    for bits in BITS {
        let (p, values) = operands(bits)?;
        for (row, (name, time)) in measure(&p, &values)?.into_iter().enumerate() {
            if rows.len() <= row {
                rows.push((name, Vec::new()));
            }
            rows[row].1.push(format!("{time:.1}"));
        }
    }
    println!("| µs an inversion | {} |", BITS.map(|bits| bits.to_string()).join(" | "));
    println!("| --- |{}", " --- |".repeat(BITS.len()));
    for (name, times) in rows {
        println!("| {name} | {} |", times.join(" | "));
    }
    Ok(())
}

/// A modulus coprime to 6 of exactly so many bits, and values that have an inverse.
fn operands(bits: u32) -> Result<(Modulus, Vec<BoxedUint>), Box<dyn Error>> {
    let mut random = UnwrapErr(SysRng);
    let six = BoxedUint::from(6u64);
    let p = loop {
        let low = BoxedUint::random_bits(&mut random, bits);
        let top = BoxedUint::one_with_precision(bits).shl(bits - 1);
        let p = Modulus::new(&low.bitor(&top).bitor(&BoxedUint::one_with_precision(bits)));
        match p {
            Ok(p) if p.invert(&six).is_ok() => break p,
            _ => {}
        }
    };
    let mut values = Vec::new();
    while values.len() < BATCH {
        let x = p.reduce(&BoxedUint::random_bits(&mut random, bits));
        if p.invert_vartime(&x).is_ok() {
            values.push(x);
        }
    }
    Ok((p, values))
}

/// The median time of each method, in microseconds.
fn measure(p: &Modulus, values: &[BoxedUint]) -> Result<Vec<(&'static str, f64)>, Box<dyn Error>> {
    let modulus = p.value();
    let shape = Shape { channels: (p.bits() as usize + 5).div_ceil(64), width: 64 };
    let options = Options::default();
    let jump = Jump::new(modulus, shape, 32)?;
    let (ternary, wide) =
        (BinaryTernary::new(modulus, shape, &options)?, Wide::new(modulus, 144, shape, &options)?);
    let methods: [(&str, Inversions<'_>); 8] = [
        ("`Modulus::invert`, uniform", each(|x| p.invert(x).is_ok())),
        ("`Modulus::invert_vartime`", each(|x| p.invert_vartime(x).is_ok())),
        ("`crypto-bigint` safegcd, uniform", each(|x| x.invert_odd_mod(modulus).is_some().into())),
        (
            "`crypto-bigint` safegcd, variable-time",
            each(|x| x.invert_odd_mod_vartime(modulus).is_some().into()),
        ),
        ("residues: jump, uniform, k = 32", each(|x| jump.invert(x).is_ok())),
        ("residues: wide, variable-time, Q = 144", each(|x| wide.invert_vartime(x).is_ok())),
        ("residues: binary-ternary, variable-time", each(|x| ternary.invert_vartime(x).is_ok())),
        (
            "`Modulus::invert_batch` of 1000, uniform, a value",
            Box::new(|all| drop(black_box(p.invert_batch(all)))),
        ),
    ];
    let mut times: [Vec<f64>; 8] = Default::default();
    for round in 0..(40_000 / p.bits() as usize).clamp(5, 40) {
        for ((name, method), times) in methods.iter().zip(&mut times) {
            let part = if name.contains("batch") {
                values
            } else {
                let start = round * VALUES % (BATCH - VALUES + 1);
                &values[start..start + VALUES]
            };
            let start = Instant::now();
            method(part);
            times.push(start.elapsed().as_secs_f64() * 1e6 / part.len() as f64);
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    Ok(methods.iter().zip(times).map(|((name, _), times)| (*name, median(times))).collect())
}

/// Inverts one value after the other.
fn each<'a>(invert: impl Fn(&BoxedUint) -> bool + 'a) -> Inversions<'a> {
    Box::new(move |values| {
        for value in values {
            assert!(black_box(invert(value)), "every value has an inverse");
        }
    })
}

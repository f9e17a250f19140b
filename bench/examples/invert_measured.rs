//! Prints a table of inversions side by side:
//! `cargo run --release --manifest-path bench/Cargo.toml --example invert_measured`.
//!
//! Every method inverts the same fresh values in turn, again and again. The table has the mean, over the
//! values, of the least time that each took, in microseconds: other work on the machine can only increase a
//! time. Everything runs on one core.

use std::{error::Error, hint::black_box, time::Instant};

use crypto_bigint::{BoxedUint, RandomBits};
use getrandom::{SysRng, rand_core::UnwrapErr};
use moduli::Modulus;
use moduli_rns::{
    base::BaseShape,
    inverse::{BinaryTernary, Jump, Options, Wide},
};

const BITS: [u32; 7] = [256, 384, 521, 1024, 2048, 3072, 4096];

/// The number of values that are inverted one by one.
const VALUES: usize = 20;

/// The number of rounds.
const ROUNDS: usize = 15;

/// The number of values in a batch.
const BATCH: usize = 1000;

/// A function that inverts all values that it is given.
type Inversions<'a> = Box<dyn Fn(&[BoxedUint]) + 'a>;

fn main() -> Result<(), Box<dyn Error>> {
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

/// A modulus of exactly `bits` bits that is coprime to 6, and values that have an inverse.
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

/// The time of each method, in microseconds.
fn measure(p: &Modulus, values: &[BoxedUint]) -> Result<Vec<(&'static str, f64)>, Box<dyn Error>> {
    let modulus = p.value();
    let shape = BaseShape { channels: (p.bits() as usize + 5).div_ceil(64), width: 64 };
    let options = Options::default();
    let jump = Jump::new(modulus, shape, 32)?;
    let (ternary, wide) =
        (BinaryTernary::new(modulus, shape, &options)?, Wide::new(modulus, 144, shape, &options)?);
    let methods: [(&str, Inversions<'_>); 8] = [
        ("`Modulus::invert`, constant-time", each(|x| p.invert(x).is_ok())),
        ("`Modulus::invert_vartime`", each(|x| p.invert_vartime(x).is_ok())),
        ("`crypto-bigint` safegcd, constant-time", each(|x| x.invert_odd_mod(modulus).is_some().into())),
        (
            "`crypto-bigint` safegcd, variable-time",
            each(|x| x.invert_odd_mod_vartime(modulus).is_some().into()),
        ),
        ("residues: jump, constant-time, k = 32", each(|x| jump.invert(x).is_ok())),
        ("residues: wide, variable-time, Q = 144", each(|x| wide.invert_vartime(x).is_ok())),
        ("residues: binary-ternary, variable-time", each(|x| ternary.invert_vartime(x).is_ok())),
        (
            "`Modulus::invert_batch` of 1000, constant-time, a value",
            Box::new(|all| drop(black_box(p.invert_batch(all)))),
        ),
    ];
    let mut least = vec![vec![f64::INFINITY; VALUES]; methods.len()];
    for _ in 0..ROUNDS {
        for ((name, method), least) in methods.iter().zip(&mut least) {
            let size = if name.contains("batch") { BATCH } else { 1 };
            least.truncate(values.len() / size);
            for (part, least) in values.chunks(size).zip(least) {
                let start = Instant::now();
                method(part);
                *least = least.min(start.elapsed().as_secs_f64() * 1e6 / size as f64);
            }
        }
    }
    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
    Ok(methods.iter().zip(least).map(|((name, _), least)| (*name, mean(&least))).collect())
}

/// Makes a function that inverts one value after the other.
fn each<'a>(invert: impl Fn(&BoxedUint) -> bool + 'a) -> Inversions<'a> {
    Box::new(move |values| {
        for value in values {
            assert!(black_box(invert(value)), "every value has an inverse");
        }
    })
}

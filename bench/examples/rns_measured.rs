//! Prints interleaved times of single inversions in residues, with vectors and in plain Rust: medians in
//! microseconds.
//!
//! `cargo run --release --manifest-path bench/Cargo.toml --example rns_measured` (pin it to one core for
//! steady figures).

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use crypto_bigint::BoxedUint;
use moduli_rns::{
    base::BaseShape,
    channels::Instructions,
    fields::Field,
    inverse::{BinaryTernary, Fermat, Options, Wide, fermat::Ladder},
};

type Inversion = Box<dyn Fn(&BoxedUint)>;

fn main() -> Result<(), moduli::Error> {
    // A modulus of 2048 bits, coprime to 6. It is not prime, which does not matter to plus-minus methods.
    let one = BoxedUint::one_with_precision(2048);
    let long = one.shl(2047).wrapping_add(BoxedUint::from(3_u64));
    let mut moduli = Vec::new();
    for name in ["P-256", "P-384", "P-521"] {
        moduli.push((name, Field::named(name)?.prime()));
    }
    moduli.push(("2048 bits", long));
    for (name, p) in moduli {
        let bits = p.bits_vartime();
        let shape = BaseShape::new((bits + 6).div_ceil(32) as usize, 32);
        for method in ["binary-ternary", "wide", "fermat"] {
            if method == "fermat" && bits > 600 {
                continue;
            }
            let [vectors, scalar] = [Instructions::Vectors, Instructions::Scalar]
                .map(|instructions| inversion(method, &p, shape, instructions));
            let (vectors, scalar) = (vectors?, scalar?);
            let a = p.shr(1).wrapping_sub(BoxedUint::from(12_345u64));
            let mut times = [Vec::new(), Vec::new()];
            for _ in 0..41 {
                for (run, times) in [&vectors, &scalar].into_iter().zip(&mut times) {
                    let start = Instant::now();
                    run(&a);
                    times.push(start.elapsed());
                }
            }
            let [vectors, scalar] = times.map(|mut times| {
                times.sort();
                times[times.len() / 2]
            });
            let micro = |time: Duration| time.as_secs_f64() * 1e6;
            println!(
                "{name}, {method}, {} × 32: {:.1} with vectors, {:.1} without, ratio {:.2}",
                shape.channels,
                micro(vectors),
                micro(scalar),
                micro(scalar) / micro(vectors)
            );
        }
    }
    Ok(())
}

fn inversion(
    method: &str,
    p: &BoxedUint,
    shape: BaseShape,
    instructions: Instructions,
) -> Result<Inversion, moduli::Error> {
    let options = Options::default();
    Ok(match method {
        "binary-ternary" => {
            let inverter = BinaryTernary::new(p, shape, &options)?.with_instructions(instructions);
            Box::new(move |a| drop(black_box(inverter.invert_vartime(a))))
        }
        "wide" => {
            let inverter = Wide::new(p, 144, shape, &options)?.with_instructions(instructions);
            Box::new(move |a| drop(black_box(inverter.invert_vartime(a))))
        }
        _ => {
            let inverter = Fermat::new(p, shape, Ladder::BestWindow)?.with_instructions(instructions);
            Box::new(move |a| drop(black_box(inverter.invert(a))))
        }
    })
}

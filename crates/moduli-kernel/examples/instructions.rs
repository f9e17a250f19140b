//! One modular product or square with one kernel, between calls of `instructions_from` and `instructions_to`,
//! for an emulator that records the executed instructions (`make aarch64`).
//!
//! instructions <kernel> <bits> product|square

use std::{error::Error, hint::black_box, process::ExitCode};

use moduli_kernel::{Arithmetic, KernelChoice};

/// Marks the beginning of the operation.
#[inline(never)]
#[unsafe(no_mangle)]
extern "C" fn instructions_from() {
    black_box(1);
}

/// Marks the end of the operation. Its code differs from the function above, so that the two are not merged.
#[inline(never)]
#[unsafe(no_mangle)]
extern "C" fn instructions_to() {
    black_box(2);
}

fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [kernel, bits, operation] = arguments else {
        return Err("usage: instructions <kernel> <bits> product|square".into());
    };
    let bits: usize = bits.parse()?;
    if !(64..=1 << 16).contains(&bits) || !bits.is_multiple_of(64) {
        return Err("bits: a multiple of 64 up to 65,536".into());
    }
    // An arbitrary odd modulus and arbitrary residues, because nothing depends on them.
    let mut p: Vec<u64> = (1..=bits as u64 / 64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    p[0] |= 1;
    p[bits / 64 - 1] |= 1 << 63;
    let arithmetic = Arithmetic::new(&p, KernelChoice::named(kernel)?)?;
    let mut session = arithmetic.session(None);
    let mut x = arithmetic.one().to_vec();
    for _ in 0..3 {
        let b = x.clone();
        session.add(&mut x, &b);
        session.square(&mut x);
    }
    let b = x.clone();
    session.mul(&mut x, &b);
    match operation.as_str() {
        "product" => {
            instructions_from();
            session.mul(&mut x, &b);
            instructions_to();
        }
        "square" => {
            instructions_from();
            session.square(&mut x);
            instructions_to();
        }
        _ => return Err("the operation is product or square".into()),
    }
    let text: Vec<String> = x.iter().rev().map(|word| format!("{word:016x}")).collect();
    println!("{}", text.concat());
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("instructions: {error}");
            ExitCode::FAILURE
        }
    }
}

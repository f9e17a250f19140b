//! One modular product or square by one kernel, between two calls of `instructions_from` and `instructions_to`: for an emulator
//! that records what is executed (`make aarch64`).
//!
//! instructions <kernel> <bits> product|square

use std::{error::Error, hint::black_box, process::ExitCode};

use moduli::{
    KernelChoice,
    kernel::{Kernel, Portable},
};

fn build(choice: KernelChoice, p: &[u64]) -> Option<Box<dyn Kernel>> {
    match choice {
        #[cfg(target_arch = "aarch64")]
        KernelChoice::Aarch64 => Some(Box::new(moduli::kernel::Aarch64::new(p))),
        KernelChoice::Portable => Some(Box::new(Portable::<64>::new(p))),
        _ => None,
    }
}

/// Where the operation begins.
#[inline(never)]
#[unsafe(no_mangle)]
extern "C" fn instructions_from() {
    black_box(1);
}

/// Where it has ended. Other code than the above, or both would be one function.
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
    // Any odd modulus, any residues: nothing depends on them.
    let mut p: Vec<u64> = (1..=bits as u64 / 64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    p[0] |= 1;
    p[bits / 64 - 1] |= 1 << 63;
    let kernel = build(KernelChoice::named(kernel)?, &p).ok_or("this machine lacks the kernel")?;
    let mut scratch = vec![0; kernel.scratch_words()];
    let mut x = kernel.one().to_vec();
    for _ in 0..3 {
        let b = x.clone();
        kernel.add(&mut x, &b, &mut scratch);
        kernel.square(&mut x, &mut scratch);
    }
    let b = x.clone();
    kernel.mul(&mut x, &b, &mut scratch);
    match operation.as_str() {
        "product" => {
            instructions_from();
            kernel.mul(&mut x, &b, &mut scratch);
            instructions_to();
        }
        "square" => {
            instructions_from();
            kernel.square(&mut x, &mut scratch);
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

//! Checks which kernels detection selects: measures what a power spends its time on, five squares and a
//! product, by all kernels of this machine, interleaved, and prints a table in Markdown. For each length, it
//! has the times in nanoseconds, and the kernel that detection selects from all of them, from those without
//! `ifma52`, and from those that use no vectors. Fails if a kernel that is selected takes more than 15 %
//! longer than another one. Arguments are lengths in bits.

use std::{hint::black_box, process::ExitCode, time::Instant};

use moduli_kernel::{
    KernelChoice,
    internals::{self, Kernel, detected_of},
};

const LENGTHS: [usize; 17] =
    [64, 128, 192, 256, 320, 384, 448, 512, 576, 640, 1024, 2048, 4096, 8192, 16_384, 40_960, 65_536];

/// A kernel, a residue, a factor and the scratch space.
struct Runner {
    choice: KernelChoice,
    kernel: Box<dyn Kernel>,
    x: Vec<u64>,
    factor: Vec<u64>,
    scratch: Vec<u64>,
    best: f64,
}

impl Runner {
    fn new(choice: KernelChoice, modulus: &[u64]) -> Option<Self> {
        let kernel = internals::kernel(choice, modulus).ok()?;
        let mut scratch = vec![0; kernel.dimensions().scratch_words];
        let mut x = kernel.one().to_vec();
        kernel.add(&mut x, kernel.one(), &mut scratch);
        (0..30).for_each(|_| kernel.square(&mut x, &mut scratch));
        Some(Self { choice, factor: x.clone(), kernel, x, scratch, best: f64::MAX })
    }

    fn run(&mut self, count: usize) {
        let start = Instant::now();
        for _ in 0..count {
            (0..5).for_each(|_| self.kernel.square(black_box(&mut self.x), &mut self.scratch));
            self.kernel.mul_prepared(black_box(&mut self.x), &self.factor, 1, &mut self.scratch);
        }
        self.best = self.best.min(start.elapsed().as_nanos() as f64 / count as f64);
    }
}

fn modulus(bits: usize) -> Vec<u64> {
    let limbs = bits.div_ceil(64);
    let mut modulus: Vec<u64> = (1..=limbs as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    modulus[0] |= 1;
    let top = (bits - 1) % 64;
    modulus[limbs - 1] = (modulus[limbs - 1] & (u64::MAX >> (63 - top))) | 1 << top;
    modulus
}

fn main() -> ExitCode {
    let lengths: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let lengths = if lengths.is_empty() { LENGTHS.to_vec() } else { lengths };
    let kernels: Vec<_> = KernelChoice::ALL.iter().copied().filter(|kernel| kernel.is_supported()).collect();
    let names: Vec<_> = kernels.iter().map(|kernel| kernel.name()).collect();
    println!("| bits | {} | selected | without `ifma52` | without vectors |", names.join(" | "));
    println!("| --- |{}", " --- |".repeat(names.len() + 3));
    let mut slow = 0;
    for bits in lengths {
        let modulus = modulus(bits);
        let mut runners: Vec<_> =
            kernels.iter().filter_map(|&choice| Runner::new(choice, &modulus)).collect();
        let count = (20_000_000 / (bits * bits)).clamp(1, 400);
        (0..400.min(40_000_000 / bits)).for_each(|_| runners.iter_mut().for_each(|runner| runner.run(count)));
        let time_of =
            |choice| runners.iter().find(|runner| runner.choice == choice).map(|runner| runner.best);
        let mut row = vec![bits.to_string()];
        row.extend(
            kernels.iter().map(|&choice| time_of(choice).map_or("–".into(), |time| format!("{time:.0}"))),
        );
        for missing in [&[][..], &[KernelChoice::IFMA52], &[KernelChoice::IFMA52, KernelChoice::FMA50]] {
            let supported: Vec<_> =
                kernels.iter().copied().filter(|choice| !missing.contains(choice)).collect();
            let selected = detected_of(&supported, bits as u32);
            let least = supported.iter().filter_map(|&choice| time_of(choice)).fold(f64::MAX, f64::min);
            let ratio = time_of(selected).map_or(f64::MAX, |time| time / least);
            slow += usize::from(ratio > 1.15);
            row.push(if ratio > 1.005 {
                format!("{}, {ratio:.2}", selected.name())
            } else {
                selected.name().into()
            });
        }
        println!("| {} |", row.join(" | "));
    }
    println!("\n{slow} selected kernels take more than 15 % longer than another one");
    if slow == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

//! Prints interleaved times of the kernels side by side: minima and medians in nanoseconds, for sizes in bits. Times of
//! lanes are for one residue of a row.

use std::{hint::black_box, time::Instant};

use moduli_kernel::{
    KernelChoice,
    internals::{self, Kernel},
};

struct Runner {
    kernel: Box<dyn Kernel>,
    x: Vec<u64>,
    scratch: Vec<u64>,
    operands: Vec<(usize, Vec<u64>)>,
    /// A row of residues and its scratch space, if the kernel has lanes.
    row: Vec<u64>,
    row_scratch: Vec<u64>,
    times: Vec<Vec<f64>>,
}

fn aligned(words: usize) -> Vec<u64> {
    vec![0; words]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let sizes: Vec<usize> = arguments.iter().filter_map(|a| a.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![512, 1024, 1536, 2048, 3072, 4096] } else { sizes };
    println!(
        "{:>6} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}   (ns: minimum/median)",
        "bits", "kernel", "square", "product", "split 2", "split n-1", "split n", "lanes sq.", "product"
    );
    for bits in sizes {
        let limbs = bits.div_ceil(64);
        let mut p: Vec<u64> = (1..=limbs as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        p[0] |= 1;
        let top = (bits - 1) % 64;
        p[limbs - 1] = (p[limbs - 1] & (u64::MAX >> (63 - top))) | 1 << top;
        let mut runners: Vec<Runner> = KernelChoice::ALL
            .iter()
            .filter_map(|&choice| internals::kernel(choice, &p).ok())
            .map(|kernel| {
                let mut scratch = aligned(kernel.dimensions().scratch_words);
                let mut x = kernel.one().to_vec();
                kernel.add(&mut x, kernel.one(), &mut scratch);
                for _ in 0..30 {
                    kernel.square(&mut x, &mut scratch);
                }
                let max = kernel.dimensions().max_split;
                let operands = [1, 2.min(max), max - 1, max]
                    .map(|split| {
                        let split = split.max(1);
                        let mut words = aligned(kernel.dimensions().prepared_words(split));
                        kernel.prepare(&mut words, &x, split, &mut scratch);
                        (split, words)
                    })
                    .to_vec();
                let (row_words, row_scratch) =
                    kernel.lanes().map_or((0, 0), |lanes| (lanes.row_words(), lanes.scratch_words()));
                let mut row = aligned(row_words);
                if let Some(lanes) = kernel.lanes() {
                    (0..lanes.lanes()).for_each(|lane| lanes.put(&mut row, lane, &x));
                }
                let row_scratch = aligned(row_scratch);
                Runner { kernel, x, scratch, operands, row, row_scratch, times: vec![Vec::new(); 7] }
            })
            .collect();
        let count = (40_000_000 / (bits * bits)).clamp(8, 200);
        for _ in 0..400 {
            for r in &mut runners {
                let mut time = |index: usize, f: &mut dyn FnMut(&mut [u64], &mut [u64])| {
                    let start = Instant::now();
                    for _ in 0..count {
                        f(&mut r.x, &mut r.scratch);
                    }
                    r.times[index].push(start.elapsed().as_nanos() as f64 / count as f64);
                };
                let kernel = &r.kernel;
                time(0, &mut |x, s| kernel.square(black_box(x), s));
                for (i, (split, words)) in r.operands.iter().enumerate() {
                    time(i + 1, &mut |x, s| kernel.mul_prepared(black_box(x), words, *split, s));
                }
                if let Some(lanes) = kernel.lanes() {
                    let factor = r.row.clone();
                    let (row, scratch) = (&mut r.row, &mut r.row_scratch);
                    let count = count.div_ceil(lanes.lanes()).max(8);
                    let mut time = |index: usize, f: &mut dyn FnMut(&mut [u64], &mut [u64])| {
                        let start = Instant::now();
                        (0..count).for_each(|_| f(row, scratch));
                        let each = start.elapsed().as_nanos() as f64 / (count * lanes.lanes()) as f64;
                        r.times[index].push(each);
                    };
                    time(5, &mut |row, s| lanes.square(black_box(row), s));
                    time(6, &mut |row, s| lanes.mul(black_box(row), &factor, s));
                }
            }
        }
        for r in &mut runners {
            print!("{bits:6} {:>9}", r.kernel.dimensions().name);
            for times in &mut r.times {
                if times.is_empty() {
                    continue;
                }
                times.sort_by(f64::total_cmp);
                print!(" {:9}", format!("{:.0}/{:.0}", times[0], times[times.len() / 2]));
            }
            println!();
        }
    }
}

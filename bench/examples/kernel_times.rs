//! Prints interleaved times of the kernels side by side: minima and medians in nanoseconds, for sizes in
//! bits. Times of lanes are for one residue of a row.
//!
//! For the lengths in `crates/prove/tests/counts.txt`, it also prints the cycles that an operation takes for
//! each of its multiplications, by the minimum. One is the limit of a processor that starts one
//! multiplication in each cycle. For short moduli `ifma52` has vectors of 256 bits: where two of them start
//! in each cycle, the limit is 0.5.

use std::{
    arch::asm,
    hint::black_box,
    ops::{Deref, DerefMut},
    time::Instant,
};

use moduli_kernel::{
    KernelChoice,
    internals::{self, Kernel},
};

struct Runner {
    kernel: Box<dyn Kernel>,
    x: Aligned,
    scratch: Aligned,
    operands: Vec<(usize, Aligned)>,
    /// A row of residues and its scratch space, if the kernel has lanes.
    row: Aligned,
    row_scratch: Aligned,
    times: Vec<Vec<f64>>,
}

/// Words that begin at a cache line, as the library's own do.
struct Aligned(Vec<u64>, usize, usize);

impl Aligned {
    fn new(length: usize) -> Self {
        let words = vec![0; length + 8];
        let at = words.as_ptr().align_offset(64);
        Self(words, at, length)
    }

    fn of(words: &[u64]) -> Self {
        let mut aligned = Self::new(words.len());
        aligned.copy_from_slice(words);
        aligned
    }
}

impl Deref for Aligned {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.0[self.1..][..self.2]
    }
}

impl DerefMut for Aligned {
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.0[self.1..][..self.2]
    }
}

/// The nanoseconds of a cycle: the time of one addition in a chain of additions.
fn cycle() -> f64 {
    let mut best = f64::MAX;
    for _ in 0..50 {
        let start = Instant::now();
        let mut x = 1u64;
        for _ in 0..10_000 {
            // SAFETY: the code only adds registers.
            unsafe { asm!(".rept 8", "add {0}, {0}", ".endr", inout(reg) x) };
        }
        black_box(x);
        best = best.min(start.elapsed().as_nanos() as f64 / 80_000.0);
    }
    best
}

/// How many multiplications an operation executes, by the counts that the tests check.
fn multiplications(kernel: &str, bits: usize, operation: &str) -> Option<f64> {
    const COUNTS: &str = include_str!("../../crates/prove/tests/counts.txt");
    COUNTS.lines().find_map(|line| {
        let [name, length, what, count, ..] = line.split('\t').collect::<Vec<_>>()[..] else { return None };
        let is_it = (name, length, what) == (kernel, &bits.to_string(), operation);
        count.parse().ok().filter(|_| is_it)
    })
}

/// The operations whose multiplications are counted, and where their times are.
const COUNTED: [(&str, usize); 4] = [("square", 0), ("mul", 1), ("square of a row", 5), ("mul of rows", 6)];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let sizes: Vec<usize> = arguments.iter().filter_map(|a| a.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![512, 1024, 1536, 2048, 3072, 4096] } else { sizes };
    println!(
        "{:>6} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}   (ns: minimum/median)",
        "bits", "kernel", "square", "product", "split 2", "split n-1", "split n", "lanes sq.", "product"
    );
    let cycle = cycle();
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
                let mut scratch = Aligned::new(kernel.dimensions().scratch_words);
                let mut x = Aligned::of(kernel.one());
                kernel.add(&mut x, kernel.one(), &mut scratch);
                for _ in 0..30 {
                    kernel.square(&mut x, &mut scratch);
                }
                let max = kernel.dimensions().max_split;
                let operands = [1, 2.min(max), max - 1, max]
                    .into_iter()
                    .map(|split| {
                        let split = split.max(1);
                        let mut words = Aligned::new(kernel.dimensions().prepared_words(split));
                        kernel.prepare(&mut words, &x, split, &mut scratch);
                        (split, words)
                    })
                    .collect();
                let (row_words, row_scratch) =
                    kernel.lanes().map_or((0, 0), |lanes| (lanes.row_words(), lanes.scratch_words()));
                let mut row = Aligned::new(row_words);
                if let Some(lanes) = kernel.lanes() {
                    (0..lanes.lanes()).for_each(|lane| lanes.put(&mut row, lane, &x));
                }
                let row_scratch = Aligned::new(row_scratch);
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
                    let factor = Aligned::of(&r.row);
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
        for r in &runners {
            let name = r.kernel.dimensions().name;
            let cell = |&(operation, index): &(&str, usize)| {
                let (count, least) = (multiplications(name, bits, operation)?, r.times[index].first()?);
                // Times of rows are for one residue.
                let residues = if index < 5 { 1 } else { r.kernel.lanes()?.lanes() };
                Some(format!("{operation} {:.2}", least * residues as f64 / cycle / count))
            };
            let cells: Vec<String> = COUNTED.iter().filter_map(cell).collect();
            if !cells.is_empty() {
                println!("{bits:6} {name:>9} cycles for a multiplication: {}", cells.join(", "));
            }
        }
    }
}

//! Prints the cycles of operations on rows of eight residues of `ifma52`, interleaved: the lowest twentieth
//! of all runs, and the median. A cycle is the time of one addition in a chain of additions. Arguments are
//! lengths in bits.
//!
//! docs/limits.md says how many multiply-adds a square and a product of a row take. Look-ups are in a table
//! of 32 entries.

use std::{arch::asm, hint::black_box, time::Instant};

use moduli_kernel::{KernelChoice, internals};

/// The nanoseconds of a cycle.
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

fn main() {
    let sizes: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![512, 768, 1024, 1200, 1536, 2048, 3072, 4096] } else { sizes };
    let cycle = cycle();
    println!("{:.3} GHz", 1.0 / cycle);
    println!(
        "{:>6} {:>14} {:>14} {:>14} {:>18} {:>18}",
        "bits", "square", "product", "select 32", "5 squares, select", "square_and_select"
    );
    for bits in sizes {
        let limbs = bits.div_ceil(64);
        let mut p: Vec<u64> = (1..=limbs as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        p[0] |= 1;
        let top = (bits - 1) % 64;
        p[limbs - 1] = (p[limbs - 1] & (u64::MAX >> (63 - top))) | 1 << top;
        let kernel = internals::kernel(KernelChoice::IFMA52, &p).expect("ifma52");
        let lanes = kernel.lanes().expect("lanes");
        let words = lanes.row_words();
        let align = |v: &mut Vec<u64>| v.as_ptr().align_offset(64);
        let room = |n: usize| vec![0u64; n + 8];
        let (mut row, mut out, mut table, mut scratch) =
            (room(words), room(words), room(32 * words), room(lanes.scratch_words()));
        let (a, b, c, d) = (align(&mut row), align(&mut out), align(&mut table), align(&mut scratch));
        let (row, out, table, scratch) = (
            &mut row[a..][..words],
            &mut out[b..][..words],
            &mut table[c..][..32 * words],
            &mut scratch[d..][..lanes.scratch_words()],
        );
        let one = kernel.one().to_vec();
        for entry in table.chunks_exact_mut(words) {
            (0..8).for_each(|lane| lanes.put(entry, lane, &one));
        }
        (0..8).for_each(|lane| lanes.put(row, lane, &one));
        let indices = [3, 17, 30, 1, 0, 8, 31, 22u64];
        let mut times = vec![Vec::new(); 5];
        let factor = table[..words].to_vec();
        for _ in 0..600 {
            let mut time = |index: usize, count: usize, f: &mut dyn FnMut()| {
                f();
                let start = Instant::now();
                (0..count).for_each(|_| f());
                times[index].push(start.elapsed().as_nanos() as f64 / count as f64 / cycle);
            };
            time(0, 40, &mut || lanes.square(black_box(row), scratch));
            time(1, 40, &mut || lanes.mul(black_box(row), &factor, scratch));
            time(2, 40, &mut || lanes.select(black_box(out), table, &indices));
            time(3, 10, &mut || {
                (0..5).for_each(|_| lanes.square(black_box(row), scratch));
                lanes.select(black_box(out), table, &indices);
            });
            time(4, 10, &mut || {
                lanes.square_and_select((black_box(row), 5), (out, table, &indices), scratch)
            });
        }
        print!("{bits:6}");
        for times in &mut times {
            times.sort_by(f64::total_cmp);
            print!(" {:>16}", format!("{:.0}/{:.0}", times[times.len() / 20], times[times.len() / 2]));
        }
        println!();
    }
}

//! Rows of residues: each lane does the same as the kernel alone.

use moduli_kernel::{KernelChoice, internals};
use num_bigint::BigUint;
use testing::Random;

fn kernels() -> impl Iterator<Item = KernelChoice> {
    KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported())
}

#[test]
fn every_lane_multiplies_as_the_kernel_does_alone() {
    let mut random = Random(7);
    for bits in [
        2, 51, 64, 103, 408, 409, 411, 412, 413, 416, 521, 616, 617, 768, 824, 829, 1024, 1032, 1033, 1120,
        1240, 1241, 1536, 1552, 1553, 2048, 2080, 2500, 2905, 3072, 3112, 3113, 3500, 4096, 8192, 10_400,
        15_700,
    ] {
        for p in random.moduli(bits) {
            for choice in kernels() {
                let kernel = internals::kernel(choice, &p.to_u64_digits()).unwrap();
                let dimensions = *kernel.dimensions();
                let Some(lanes) = kernel.lanes() else { continue };
                let (size, row) = (dimensions.residue_words, lanes.row_words());
                let mut scratch = vec![0; dimensions.scratch_words.max(lanes.scratch_words())];
                let edges = [BigUint::ZERO, BigUint::from(1u32), &p - 1u32, &p >> 1];
                // Residues are redundant: each is the result of a chain of sums and products.
                let mut residue = |random: &mut Random, i: usize| {
                    let value = edges.get(i).cloned().unwrap_or_else(|| random.modulo(&p)) % &p;
                    let mut limbs = value.to_u64_digits();
                    limbs.resize(dimensions.limbs, 0);
                    let mut residue = vec![0; size];
                    kernel.to_montgomery(&mut residue, &limbs, &mut scratch);
                    if i % 3 == 1 {
                        let other = residue.clone();
                        kernel.sub(&mut residue, &other, &mut scratch);
                        kernel.add(&mut residue, &other, &mut scratch);
                    }
                    residue
                };
                let (mut x, mut y) = (vec![0; row], vec![0; row]);
                let mut alone = Vec::new();
                for lane in 0..lanes.lanes() {
                    let pair = (residue(&mut random, lane), residue(&mut random, lane * 5 % 7));
                    lanes.put(&mut x, lane, &pair.0);
                    lanes.put(&mut y, lane, &pair.1);
                    alone.push(pair);
                }
                let mut table = x.clone();
                table.extend(&y);
                for step in 0..6 {
                    // The initial content of the scratch space must not matter.
                    scratch.fill(u64::MAX >> step);
                    if step % 2 == 0 {
                        lanes.mul(&mut x, &y, &mut scratch);
                    } else {
                        lanes.square(&mut x, &mut scratch);
                    }
                    table.extend(&x);
                    for (lane, (a, b)) in alone.iter_mut().enumerate() {
                        if step % 2 == 0 {
                            kernel.mul(a, b, &mut scratch);
                        } else {
                            kernel.square(a, &mut scratch);
                        }
                        let mut taken = vec![0; size];
                        lanes.take(&mut taken, &x, lane);
                        let mut values = [vec![0; dimensions.limbs], vec![0; dimensions.limbs]];
                        kernel.from_montgomery(&mut values[0], a, &mut scratch);
                        kernel.from_montgomery(&mut values[1], &taken, &mut scratch);
                        assert_eq!(values[0], values[1], "{choice:?}, {p:x}, step {step}, lane {lane}");
                    }
                }
                // Each lane reads the row that its index selects, and zeros past the end of the table.
                let rows = table.len() / row;
                let indices: Vec<u64> = (0..lanes.lanes() as u64).map(|lane| lane * 5 % 9).collect();
                let mut out = vec![1; row];
                lanes.select(&mut out, &table, &indices);
                // The last row of tables with any number of rows.
                let long: Vec<u64> = table.iter().copied().cycle().take(row * 65).collect();
                for count in if bits == 64 { 1..=65 } else { 1..=1 } {
                    let indices = vec![count as u64 - 1; lanes.lanes()];
                    let mut last = vec![1; row];
                    lanes.select(&mut last, &long[..row * count], &indices);
                    assert_eq!(last, long[row * (count - 1)..][..row], "{choice:?}, the last of {count}");
                }
                let residues: Vec<u64> = (0..rows * lanes.lanes())
                    .flat_map(|i| {
                        let mut taken = vec![0; size];
                        lanes.take(&mut taken, &table[i / lanes.lanes() * row..][..row], i % lanes.lanes());
                        taken
                    })
                    .collect();
                let all = residues.len() / size;
                for (together, many, step) in [
                    (1, all, 0),
                    (1, all, 1),
                    (1, all, 5),
                    (3, 1, 1),
                    (2, 15, 1),
                    (3, 16, 1),
                    (5, 17, 3),
                    (8, all, 7),
                ] {
                    // The same with consecutive residues, for some rows, with indices up to one past the last
                    // entry.
                    let residues = &residues[..many.min(all) * size];
                    let many = residues.len() / size;
                    let mut indices: Vec<u64> = (0..together * lanes.lanes())
                        .map(|place| (many * step / 5 + place * step) as u64 % (many as u64 + 1))
                        .collect();
                    if step == 7 {
                        indices[3..6].copy_from_slice(&[many as u64 + 16, 1 << 40, u64::MAX >> 1]);
                    }
                    let mut out = vec![1; together * row];
                    lanes.look_up(&mut out, &residues[..size], &residues[size..], &indices);
                    for (place, &index) in indices.iter().enumerate() {
                        let (mut found, mut expected) = (vec![1; size], vec![0; size]);
                        let lane = place % lanes.lanes();
                        lanes.take(&mut found, &out[place / lanes.lanes() * row..][..row], lane);
                        if (index as usize) < many {
                            expected.copy_from_slice(&residues[index as usize * size..][..size]);
                        }
                        assert_eq!(
                            found, expected,
                            "{choice:?}, {p:x}: residue {index} of {many}, place {place}"
                        );
                    }
                }
                for (lane, &index) in indices.iter().enumerate() {
                    let (mut found, mut expected) = (vec![1; size], vec![0; size]);
                    lanes.take(&mut found, &out, lane);
                    if (index as usize) < rows {
                        lanes.take(&mut expected, &table[index as usize * row..][..row], lane);
                    }
                    assert_eq!(found, expected, "{choice:?}, index {index} of {rows}");
                }
            }
        }
    }
}

/// For any number of squares and entries, whether a kernel combines them or not.
#[test]
fn squares_and_look_ups_together_are_those_of_one_after_the_other() {
    let mut random = Random(8);
    for bits in [100, 409, 512, 768, 1024, 1200, 2048] {
        let p = random.moduli(bits).pop().unwrap();
        for choice in kernels() {
            let kernel = internals::kernel(choice, &p.to_u64_digits()).unwrap();
            let dimensions = *kernel.dimensions();
            let Some(lanes) = kernel.lanes() else { continue };
            let row = lanes.row_words();
            let mut scratch = vec![0; dimensions.scratch_words.max(lanes.scratch_words())];
            let mut residue = kernel.one().to_vec();
            let mut table = vec![0; 40 * row];
            for (i, entry) in table.chunks_exact_mut(row).enumerate() {
                for lane in 0..lanes.lanes() {
                    lanes.put(entry, lane, &residue);
                    for _ in 0..i + 11 {
                        let other = residue.clone();
                        kernel.add(&mut residue, &other, &mut scratch);
                    }
                }
            }
            for entries in [1, 6, 7, 8, 13, 14, 16, 21, 22, 32, 35, 36, 40] {
                for times in 0..7 {
                    let table = &table[..entries * row];
                    // Includes one index past the last entry.
                    let index = |lane: usize| ((lane * 5 + times as usize * 3) % (entries + 1)) as u64;
                    let indices: Vec<u64> = (0..lanes.lanes()).map(index).collect();
                    let (mut x, mut found) = (table[..row].to_vec(), vec![1; row]);
                    lanes.square_and_select((&mut x, times), (&mut found, table, &indices), &mut scratch);
                    let (mut square, mut selected) = (table[..row].to_vec(), vec![2; row]);
                    (0..times).for_each(|_| lanes.square(&mut square, &mut scratch));
                    lanes.select(&mut selected, table, &indices);
                    assert_eq!(
                        found, selected,
                        "{choice:?}, {bits} bits, {entries} entries, {times} squares"
                    );
                    assert_eq!(x, square, "{choice:?}, {bits} bits, {entries} entries, {times} squares");
                }
            }
        }
    }
}

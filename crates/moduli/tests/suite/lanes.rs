//! Rows of residues side by side do in each lane what the kernel does alone, and batches of powers are powers.

use crypto_bigint::BoxedUint;
use moduli::{Error, Exponent, FixedBase, KernelChoice, Modulus, Secrecy};
use num_bigint::BigUint;

use testing::{Random, all, big, boxed, ones};

fn kernels() -> impl Iterator<Item = KernelChoice> {
    KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported())
}

fn below(bound: &BigUint, random: &mut Random) -> BigUint {
    random.below(bound.bits() as u32 + 64) % bound
}

/// Moduli of a length: all ones, close below a power of two, the top bit alone, random ones.
fn moduli(bits: u64, random: &mut Random) -> Vec<BigUint> {
    let top = BigUint::from(1u32) << (bits - 1);
    let ones = ones(bits as u32);
    let any = &top + below(&top, random);
    let mut moduli = vec![ones.clone(), &ones - 2u32, &top + 1u32, any | BigUint::from(1u32)];
    moduli.retain(|p| p > &BigUint::from(1u32));
    moduli
}

#[test]
fn every_lane_multiplies_as_the_kernel_does_alone() {
    let mut random = Random(7);
    for bits in [
        2, 51, 64, 103, 411, 412, 413, 416, 521, 824, 829, 1024, 1241, 1536, 1552, 1553, 2048, 2080, 2905,
        3072, 3112, 3113, 4096, 8192,
    ] {
        for p in moduli(bits, &mut random) {
            for choice in kernels() {
                let modulus = Modulus::with_kernel(&boxed(&p), choice).unwrap();
                let kernel = modulus.kernel();
                let Some(lanes) = kernel.lanes() else { continue };
                let (size, row) = (kernel.residue_words(), lanes.row_words());
                let mut scratch = vec![0; kernel.scratch_words().max(lanes.scratch_words())];
                let edges = [BigUint::ZERO, BigUint::from(1u32), &p - 1u32, &p >> 1];
                // In redundant form: a chain of sums and products stands in each lane.
                let mut residue = |random: &mut Random, i: usize| {
                    let value = edges.get(i).cloned().unwrap_or_else(|| below(&p, random)) % &p;
                    let mut limbs = value.to_u64_digits();
                    limbs.resize(kernel.limbs(), 0);
                    let mut residue = vec![0; size];
                    kernel.enter(&mut residue, &limbs, &mut scratch);
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
                        let mut values = [vec![0; kernel.limbs()], vec![0; kernel.limbs()]];
                        kernel.leave(&mut values[0], a, &mut scratch);
                        kernel.leave(&mut values[1], &taken, &mut scratch);
                        assert_eq!(values[0], values[1], "{choice:?}, {p:x}, step {step}, lane {lane}");
                    }
                }
                // Each lane reads the row that its index names; past the table there is nothing.
                let rows = table.len() / row;
                let indices: Vec<u64> = (0..lanes.lanes() as u64).map(|lane| lane * 5 % 9).collect();
                let mut out = vec![1; row];
                lanes.select(&mut out, &table, &indices);
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
                    // The same from residues one after the other, for some rows, up to one past the last, and far past it.
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

#[test]
fn batches_are_powers() {
    let mut random = Random(8);
    for (bits, exponent_bits) in [(5, 9), (256, 256), (411, 64), (1024, 160), (2048, 96)] {
        for p in moduli(bits, &mut random) {
            for choice in kernels() {
                let modulus = Modulus::with_kernel(&boxed(&p), choice).unwrap();
                for count in [0, 1, 2, 8, 9, 21] {
                    let bases: Vec<_> = (0..count).map(|i| below(&(&p << (i % 3)), &mut random)).collect();
                    let limit = BigUint::from(1u32) << exponent_bits;
                    let exponents: Vec<_> = (0..count)
                        .map(|i| match i {
                            0 => BigUint::ZERO,
                            1 => &limit - 1u32,
                            2 => BigUint::from(1u32),
                            // Of different declared lengths.
                            _ => below(&limit, &mut random) >> (i * exponent_bits / 40),
                        })
                        .collect();
                    let (boxed_bases, boxed_exponents): (Vec<_>, Vec<_>) =
                        bases.iter().zip(&exponents).map(|(x, e)| (boxed(x), boxed(e))).unzip();
                    let powers = all(modulus.pow_batch(boxed_bases.iter().zip(&boxed_exponents)));
                    assert_eq!(powers.len(), count);
                    for ((power, x), e) in powers.iter().zip(&bases).zip(&exponents) {
                        assert_eq!(big(power), x.modpow(e, &p), "{choice:?}: {x:x}^{e:x} mod {p:x}");
                    }
                }
            }
        }
    }
}

#[test]
fn signed_exponents_and_failures_are_those_of_single_powers() {
    let p = Modulus::new(&BoxedUint::from(1_000_001u64)).unwrap(); // 101·9901
    let bases: Vec<_> = (2..40u64).map(BoxedUint::from).collect();
    let e = BoxedUint::from(12_345u64);
    let powers = all(p.pow_batch(bases.iter().map(|x| (x, Exponent::signed(true, &e)))));
    for (power, x) in powers.iter().zip(&bases) {
        assert_eq!(*power, p.pow(x, Exponent::signed(true, &e)).unwrap());
    }
    let bases: Vec<_> = (90..140u64).map(BoxedUint::from).collect();
    // The multiples of 101 fail, each at its index, and no other.
    let powers = p.pow_batch(bases.iter().map(|x| (x, Exponent::signed(true, &e))));
    for (power, x) in powers.iter().zip(&bases) {
        assert_eq!(*power, p.pow(x, Exponent::signed(true, &e)));
    }
    assert!(matches!(powers[11], Err(Error::NotInvertible { .. })) && powers.iter().flatten().count() == 49);
}

const METHODS: [(&str, u32); 7] = [
    ("comb:1,1", 1),
    ("comb:5,3", 1),
    ("comb:4,3,2", 1),
    ("radix:16", 1),
    ("radix:91", 1),
    // Not side by side.
    ("comb:4,2", 2),
    ("residue-digits:11,8", 1),
];

#[test]
fn batches_over_a_table_are_powers() {
    let mut random = Random(9);
    // One thread takes several rows of lanes through the table.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for (bits, exponent_bits) in [(5, 9), (411, 64), (1024, 160), (2048, 70)] {
        for p in moduli(bits, &mut random).into_iter().take(3) {
            for choice in kernels() {
                let modulus = Modulus::with_kernel(&boxed(&p), choice).unwrap();
                // 2 has an inverse.
                let two = BoxedUint::from(2u32);
                let base = FixedBase::builder(&modulus, &two).exponent_bits(exponent_bits);
                for (method, split) in METHODS {
                    if split as usize > modulus.kernel().max_split() {
                        continue;
                    }
                    let table = base.clone().method(method.parse().unwrap()).split(split).build().unwrap();
                    for count in [0, 1, 3, 4, 7, 8, 21, if bits < 1000 { 94 } else { 31 }] {
                        let limit = BigUint::from(1u32) << exponent_bits;
                        let exponents: Vec<_> = (0..count)
                            .map(|i| match i {
                                0 => BoxedUint::zero_with_precision(exponent_bits),
                                1 => boxed(&(&limit - 1u32)),
                                2 => BoxedUint::one(),
                                _ => boxed(&(below(&limit, &mut random) >> (i % 5 * 3))),
                            })
                            .collect();
                        let what = format!("{choice:?}, {method} split {split}, {count} modulo {p:x}");
                        let single: Vec<_> = exponents.iter().map(|e| table.pow(e).unwrap()).collect();
                        for (power, e) in single.iter().zip(&exponents) {
                            assert_eq!(big(power), BigUint::from(2u32).modpow(&big(e), &p), "{what}");
                        }
                        assert_eq!(all(table.pow_batch(&exponents)), single, "{what}");
                        assert_eq!(all(table.pow_batch_vartime(&exponents)), single, "{what}, public");
                        let powers = alone.install(|| {
                            [table.pow_batch(&exponents), table.pow_batch_vartime(&exponents)].map(all)
                        });
                        assert_eq!(powers, [single.clone(), single], "{what}, one thread");
                        // Signs, on some.
                        let signed = || {
                            exponents.iter().enumerate().map(|(i, e)| match i % 3 {
                                0 => Exponent::signed(true, e),
                                1 => Exponent::signed(false, e),
                                _ => Exponent::from(e),
                            })
                        };
                        let single: Vec<_> = signed().map(|e| table.pow(e).unwrap()).collect();
                        assert_eq!(all(table.pow_batch(signed())), single, "{what}, signed");
                        assert_eq!(all(table.pow_batch_vartime(signed())), single, "{what}, signed, public");
                    }
                    let too_long = BoxedUint::one_with_precision(exponent_bits + 1).shl(exponent_bits);
                    for (count, wrong) in [(9, 6), (70, 41)] {
                        let mut exponents = vec![BoxedUint::one(); count];
                        exponents[wrong] = too_long.clone();
                        let powers = || [table.pow_batch(&exponents), table.pow_batch_vartime(&exponents)];
                        for powers in powers().into_iter().chain(alone.install(powers)) {
                            let failed = matches!(powers[wrong], Err(Error::ExponentTooLong { .. }));
                            assert!(failed, "{method}: {powers:?}");
                            assert!(powers.iter().flatten().count() == count - 1);
                            let one = table.pow(&exponents[0]).unwrap();
                            assert!(powers.iter().flatten().all(|power| *power == one));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn groups_over_a_table_look_up_side_by_side() {
    let p = BigUint::from(1u32) << 512;
    for choice in kernels() {
        let (modulus, trace) = Modulus::with_kernel(&boxed(&(&p - 569u32)), choice).unwrap().traced();
        let Some(lanes) = modulus.kernel().lanes() else { continue };
        let two = BoxedUint::from(2u32);
        let base = FixedBase::builder(&modulus, &two).exponent_bits(160);
        let exponents: Vec<_> = (1..=2 * lanes.lanes() as u64).map(BoxedUint::from).collect();
        for (method, split) in METHODS {
            let table = base.clone().method(method.parse().unwrap()).split(split).build().unwrap();
            let side_by_side = split == 1 && !method.starts_with("residue");
            // More than half of the lanes make groups; what is left over after a full one may be enough or not.
            let full = lanes.lanes();
            for count in [1, full / 2 + 1, full, full + lanes.enough() - 1, full + lanes.enough()] {
                trace.take();
                let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
                let powers = alone.install(|| table.pow_batch(&exponents[..count]));
                assert!(powers.iter().all(Result::is_ok));
                let steps = trace.take();
                let count_of = |name| steps.iter().filter(|step| step.operation() == name).count();
                let groups = exponents[..count].chunks(if 2 * count > full { full } else { 1 });
                let (many, few): (Vec<_>, Vec<_>) =
                    groups.partition(|group| side_by_side && group.len() >= lanes.enough());
                let alone = table.pow_with_counts(Secrecy::Secret, &exponents[0]).unwrap().1;
                let what = format!("{choice:?}, {method} split {split}, {count}");
                assert_eq!(count_of("mul_lanes"), many.len() * alone.products as usize, "{what}");
                assert_eq!(count_of("select") == 0, few.is_empty(), "{what}");
            }
        }
    }
}

//! Every operation of every kernel, residues, and inversion in residue numbers.

use alloc::{format, string::String, vec::Vec};
use core::hint::black_box;
use crypto_bigint::BoxedUint;

use super::*;
use crate::{
    CommonOperand, Element,
    kernel::{Words, dual},
    subgroup,
};

/// A row of operands that are secret, and a kernel to work on them.
struct Subject {
    p: Modulus,
    scratch: Words,
    x: Words,
    y: Words,
    z: Words,
}

impl Subject {
    /// The modulus 2^(64·limbs) − 1; x = y = z = 2.
    fn new(choice: KernelChoice, limbs: u32) -> Self {
        Self::of_bits(choice, 64 * limbs)
    }

    /// The modulus 2^bits − 1.
    fn of_bits(choice: KernelChoice, bits: u32) -> Self {
        let full = BoxedUint::max(bits);
        let p = Modulus::with_kernel(&full.shr(full.bits() - bits), choice).unwrap();
        let kernel = p.kernel();
        let mut scratch = Words::zero(kernel.scratch_words());
        let [x, y, z] = [(); 3].map(|()| {
            let mut two = Words::copy_of(kernel.one());
            kernel.add(&mut two, kernel.one(), &mut scratch);
            classify(&mut two);
            two
        });
        Self { p, scratch, x, y, z }
    }

    fn name(&self) -> String {
        format!("{} at {} bits", self.p.kernel_name(), self.p.bits())
    }

    #[track_caller]
    fn assert_value(&mut self, residue: &[u64], expected: u64) {
        let kernel = self.p.kernel();
        let mut value = Words::zero(kernel.limbs());
        kernel.leave(&mut value, residue, &mut self.scratch);
        declassify(&value);
        assert!(
            value[0] == expected && value[1..].iter().all(|&word| word == 0),
            "{}: {expected}",
            self.name()
        );
    }
}

/// Kernels change their ways with the length, and a mistake may be in one alone: every length up to 4160 bits and some more;
/// full limbs, and some bits less.
fn subjects() -> impl Iterator<Item = Subject> {
    let lengths =
        (2..=65).chain([80, 97, 128]).flat_map(|limbs| [64 * limbs, 64 * limbs - 1 - 7 * limbs % 63]);
    kernels().flat_map(move |choice| lengths.clone().map(move |bits| Subject::of_bits(choice, bits)))
}

#[test]
fn operations_of_every_kernel() {
    watch(|| {
        for mut subject in subjects() {
            let what = subject.name();
            let Subject { p, scratch, x, y, z } = &mut subject;
            let kernel = p.kernel();
            let size = kernel.residue_words();
            let mut value = Words::zero(kernel.limbs());
            let mut stored = Words::zero(size);
            let mut index = [1u64, 2, u64::MAX];
            classify(&mut index);
            assert_constant_time(&what, || {
                for split in [1, 2, kernel.max_split()].map(|split| split.min(kernel.max_split())) {
                    let mut prepared = Words::zero(kernel.prepared_words(split));
                    kernel.prepare(&mut prepared, z, split, scratch);
                    kernel.mul_prepared(x, &prepared, split, scratch);
                }
                kernel.mul(x, y, scratch);
                kernel.square(x, scratch);
                kernel.mul_pair(x, y, z, scratch);
                kernel.add(x, y, scratch);
                kernel.sub(x, y, scratch);
                kernel.sub(x, y, scratch);
                kernel.leave(&mut value, x, scratch);
                kernel.enter(x, &value, scratch);
                kernel.load(&mut stored, &value, scratch);
                kernel.store(&mut value, &stored, scratch);
                // Entries 0, 1, 2 and one past the end.
                let mut row = Words::zero(2 * size);
                kernel.replace(&mut row, x, index[0]);
                kernel.replace(&mut row, y, index[0].wrapping_sub(1));
                for index in index {
                    kernel.select(&mut stored, z, &row, index);
                }
                kernel.select(&mut stored, z, &row, index[1]);
                kernel.swap(x, &mut stored, index[2]);
                kernel.swap(x, &mut stored, index[2].wrapping_add(1));
            });
            declassify(&value);
            // 2 doubled four times, squared, doubled; less 2·2.
            assert!(value[0] == 2044 && value[1..].iter().all(|&word| word == 0), "{what}");
            let [x, stored] = [Words::copy_of(&subject.x), stored];
            subject.assert_value(&x, 2044);
            subject.assert_value(&stored, 2044);
        }
    });
}

/// What RSA does with its two primes at a time.
#[test]
fn operations_of_two_moduli() {
    watch(|| {
        for choice in kernels() {
            for limbs in (2..=33).chain([64]) {
                let [mut first, mut second] = [Subject::new(choice, limbs), Subject::new(choice, limbs)];
                let what = first.name();
                let (kernel, other) = (first.p.kernel(), second.p.kernel());
                // 1, 2, 4 and 8: the digits 1, 3, 2 give 2, then 2^4·8, then (2^7)^4·4.
                let mut table = Words::zero(4 * kernel.residue_words());
                for (i, entry) in table.chunks_exact_mut(kernel.residue_words()).enumerate() {
                    entry.copy_from_slice(kernel.one());
                    for _ in 0..i {
                        kernel.mul(entry, &first.z, &mut first.scratch);
                    }
                }
                let mut place = Words::zero(kernel.residue_words());
                let mut digits = [1, 3, 2];
                classify(&mut digits);
                assert_constant_time(&what, || {
                    let mut both = dual(kernel, other);
                    both.begin([&mut first.x, &mut second.x]);
                    both.mul([&mut first.x, &mut second.x], [&first.z, &second.z]);
                    both.square([&mut first.x, &mut second.x], 3);
                    both.end([&mut first.x, &mut second.x]);
                    // ((entry 1)^4·entry 3)^4·entry 2, entry after entry looked up for both.
                    for (i, index) in digits.into_iter().enumerate() {
                        both.select(0, [&mut first.z, &mut place], &table, [index; 2]);
                        both.select(1, [&mut second.z, &mut place], &table, [index; 2]);
                        if i == 0 {
                            first.y.copy_from_slice(&first.z);
                            second.y.copy_from_slice(&second.z);
                            both.begin([&mut first.y, &mut second.y]);
                        } else {
                            both.square([&mut first.y, &mut second.y], 2);
                            both.mul([&mut first.y, &mut second.y], [&first.z, &second.z]);
                        }
                    }
                    both.end([&mut first.y, &mut second.y]);
                });
                for mut subject in [first, second] {
                    let [x, y] = [Words::copy_of(&subject.x), Words::copy_of(&subject.y)];
                    subject.assert_value(&x, 1 << 16);
                    subject.assert_value(&y, 1 << 30);
                }
            }
        }
    });
}

/// Residues side by side.
#[test]
fn operations_of_lanes() {
    watch(|| {
        for mut subject in subjects().filter(|subject| subject.p.bits() % 512 == 0 || subject.p.bits() < 1024)
        {
            let what = subject.name();
            let kernel = subject.p.kernel();
            let Some(lanes) = kernel.lanes() else { continue };
            let mut scratch = Words::zero(lanes.scratch_words());
            let [mut row, mut other] = [(); 2].map(|()| Words::zero(lanes.row_words()));
            let mut found = Words::zero(2 * lanes.row_words());
            let entries: Vec<u64> = subject.x.iter().chain(&*subject.y).copied().collect();
            let mut indices: Vec<u64> = (0..lanes.lanes() as u64).map(|lane| lane % 4).collect();
            classify(&mut indices);
            assert_constant_time(&what, || {
                for lane in 0..lanes.lanes() {
                    lanes.put(&mut row, lane, &subject.x);
                }
                lanes.look_up(&mut other, &subject.z, &entries, &indices);
                lanes.mul(&mut row, &other, &mut scratch);
                lanes.square(&mut row, &mut scratch);
                found[..row.len()].copy_from_slice(&row);
                lanes.select(&mut other, &found, &indices);
                lanes.take(&mut subject.z, &row, 1);
            });
            // (2·2)².
            let z = Words::copy_of(&subject.z);
            subject.assert_value(&z, 16);
        }
    });
}

#[test]
fn residues() {
    watch(|| {
        for p in moduli() {
            let [x, y, z] = [1, 2, 3].map(|seed| secret(seed, p.bits() - 1));
            let wide = secret(4, 3 * p.bits());
            let [a, b, c] = [1, 2, 3].map(|seed| secret_element(&p, seed));
            assert_constant_time(p.kernel_name(), || {
                drop(black_box((
                    p.mul(&x, &y),
                    p.reduce(&wide),
                    p.mul_by_common(&x, &[y.clone(), z.clone(), x.clone()]),
                )));
                drop(black_box((a.add(&b), a.sub(&b), a.mul(&b), a.square(), a.neg(), a.equals(&b))));
                drop(black_box((a.to_be_bytes(), a.mul_pair(&b, &c))));
                for split in [1, p.max_split()] {
                    drop(black_box(CommonOperand::with_split(&a, split).unwrap().mul(&b)));
                }
                black_box(subgroup::is_member(&p, &BoxedUint::from(3u64), &x));
            });
            // Whether there is an inverse.
            assert_public(1, p.kernel_name(), || drop(black_box(p.invert(&x))));
            assert_public(1, p.kernel_name(), || drop(black_box(p.invert_batch(&[&x, &y, &z]))));
            // Whether the value is below the modulus.
            let bytes = x.to_be_bytes();
            assert_public(1, p.kernel_name(), || drop(black_box(Element::from_be_bytes(&p, &bytes))));
        }
    });
}

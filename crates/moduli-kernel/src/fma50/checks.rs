//! Tests with operands at the bounds of `docs/fma50.md`, which random operands never approach.

use alloc::{boxed::Box, vec, vec::Vec};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use num_bigint::BigUint;

#[cfg(target_arch = "x86_64")]
use super::{
    columns::{digits_of, doubles_of},
    constants::BIAS,
};
use super::{
    constants::Fma50,
    digits::{DIGIT, MAX_DIGIT, are_digits_vartime, from_double, from_limbs, to_double},
};
#[cfg(target_arch = "x86_64")]
use crate::lanes::Lanes;
use crate::{
    contract::Kernel,
    dimensions::{self, digits_of_50_bits},
    words::Words,
};

fn one() -> BigUint {
    BigUint::from(1u32)
}

fn limbs(x: &BigUint) -> Vec<u64> {
    x.to_u64_digits()
}

fn value(digits: impl DoubleEndedIterator<Item = u64>) -> BigUint {
    digits.rev().fold(BigUint::ZERO, |value, digit| (value << 50) + digit)
}

fn value_of(words: &[u64]) -> BigUint {
    value(words.iter().map(|&word| from_double(word)))
}

/// Moduli of extreme digits, with every remainder of D and of its number of vectors modulo 4, and the longest
/// modulus.
fn moduli() -> Vec<BigUint> {
    let mut all = Vec::new();
    for bits in [2u32, 45, 46, 64, 143, 144, 243, 256, 343, 512, 642, 841, 1024, 1200, 1536, 2048, 3072, 4096]
    {
        // The longest modulus with its D, and the shortest with the next D.
        let longest =
            (bits..).find(|&b| digits_of_50_bits(b as usize + 1) > digits_of_50_bits(bits as usize)).unwrap();
        for bits in [bits, longest, longest + 1] {
            all.extend([(one() << bits) - 1u32, (one() << (bits - 1)) + 1u32]);
        }
    }
    all.push((one() << 65_536) - 1u32);
    all.retain(|p| p.bit(0) && *p > one());
    all
}

/// Numbers below Q whose digits, all or some of them, have the maximum redundancy that an operation can
/// leave.
fn extremes(kernel: &Fma50) -> Vec<Words> {
    let (digits, words) = (kernel.digits, kernel.words());
    let with = |digit: &dyn Fn(usize) -> u64| {
        let mut x = Words::zero(words);
        for (i, word) in x.iter_mut().take(digits).enumerate() {
            *word = to_double(if i + 1 == digits { digit(i).min((1 << 48) - 2) } else { digit(i) });
        }
        x
    };
    let mut all = vec![
        with(&|_| 0),
        with(&|_| MAX_DIGIT),
        with(&|_| DIGIT),
        with(&|_| DIGIT + 1),
        with(&|i| if i % 2 == 0 { MAX_DIGIT } else { 0 }),
        with(&|i| if i % 2 == 1 { MAX_DIGIT } else { 0 }),
        with(&|i| if i % 4 < 2 { MAX_DIGIT } else { 1 }),
        with(&|i| if i + 2 < digits { 0 } else { MAX_DIGIT }),
        with(&|i| if i < digits / 2 { MAX_DIGIT } else { 0 }),
    ];
    // Products of these digits have the largest low parts, of either sign.
    all.push(with(&|_| 1 << 49));
    all.push(with(&|_| (1 << 49) - 1));
    let mut top = Words::zero(words);
    let greatest = limbs(&(value(kernel.limit.iter().copied()) - 1u32));
    for (word, digit) in top.iter_mut().zip(from_limbs(&greatest, digits)) {
        *word = to_double(digit);
    }
    all.push(top);
    all
}

fn kernel_of(p: &BigUint) -> Option<Fma50> {
    let sizes = dimensions::of_doubles("fma50", p.bits() as usize)?;
    Fma50::new(&limbs(p), sizes)
}

struct Subject {
    kernel: Fma50,
    p: BigUint,
    limit: BigUint,
    radix: BigUint,
}

impl Subject {
    fn new(p: &BigUint) -> Option<Self> {
        let kernel = kernel_of(p)?;
        let limit = value(kernel.limit.iter().copied());
        assert!(&limit % p == BigUint::ZERO && limit <= one() << (50 * kernel.digits - 2));
        let radix = one() << (50 * kernel.digits);
        Some(Self { kernel, p: p.clone(), limit, radix })
    }

    fn check(&self, what: &str, result: &[u64], expected: &BigUint) {
        assert!(are_digits_vartime(result), "{what}: digits");
        assert!(result[self.kernel.digits..].iter().all(|&word| word == 0), "{what}: lanes left over");
        let result = value_of(result);
        assert!(result < self.limit, "{what}: above the limit");
        assert_eq!(result * &self.radix % &self.p, expected % &self.p, "{what} modulo {:x}", self.p);
    }
}

/// For the tests.
pub fn operands_at_the_bounds() {
    if !Fma50::is_supported() {
        return;
    }
    for p in moduli() {
        let subject = Subject::new(&p).unwrap();
        let kernel = &subject.kernel;
        let mut scratch = Words::zero(kernel.dimensions.scratch_words);
        let mut all = extremes(kernel);
        // Operands of the longest modulus take seconds each, so only two are used.
        all.truncate(if kernel.digits > 200 { 2 } else { usize::MAX });
        for (i, a) in all.iter().enumerate() {
            let mut square = a.clone();
            Kernel::square(kernel, &mut square, &mut scratch);
            subject.check("square", &square, &(value_of(a) * value_of(a)));
            let partners = if kernel.digits > 50 { i..i + 1 } else { 0..all.len() };
            for b in &all[partners] {
                let (x, y) = (value_of(a), value_of(b));
                let mut product = a.clone();
                Kernel::mul(kernel, &mut product, b, &mut scratch);
                subject.check("product", &product, &(&x * &y));
                for minus in [false, true] {
                    let mut sum = a.clone();
                    if minus {
                        kernel.sub(&mut sum, b, &mut scratch);
                    } else {
                        kernel.add(&mut sum, b, &mut scratch);
                    }
                    let expected = if minus { &x + &subject.limit - &y } else { &x + &y };
                    subject.check("sum", &sum, &(expected * &subject.radix));
                }
            }
            // Prepared operands are canonical, so their digits are extreme only if the value is.
            let max = kernel.dimensions.max_split;
            let b = &all[(i + 1) % all.len()];
            for split in [1, 2, max.saturating_sub(1), max] {
                let split = split.clamp(1, max);
                if kernel.digits > 200 && split == max {
                    continue;
                }
                let mut prepared = vec![0; kernel.dimensions.prepared_words(split)];
                kernel.prepare(&mut prepared, b, split, &mut scratch);
                let mut product = a.clone();
                kernel.mul_prepared(&mut product, &prepared, split, &mut scratch);
                subject.check("prepared product", &product, &(value_of(a) * value_of(b)));
            }
            let mut out = vec![0; kernel.dimensions.limbs];
            kernel.from_montgomery(&mut out, a, &mut scratch);
            let left = out.iter().rev().fold(BigUint::ZERO, |value, &limb| (value << 64) + limb);
            assert!(left < p);
            assert_eq!(left * &subject.radix % &p, value_of(a) % &p, "leave modulo {p:x}");
        }
    }
}

#[cfg(target_arch = "x86_64")]
/// Rows of operands at the bounds, with different operands in all lanes.
pub fn rows_at_the_bounds() {
    if !Fma50::is_supported() {
        return;
    }
    for p in moduli() {
        let subject = Subject::new(&p).unwrap();
        let kernel = &subject.kernel;
        let lanes: &dyn Lanes = kernel;
        let (size, count) = (lanes.row_words(), lanes.lanes());
        let mut scratch = Words::zero(lanes.scratch_words());
        let all = extremes(kernel);
        let steps = if kernel.digits > 200 { 1 } else { all.len() };
        for (i, step) in (0..steps).flat_map(|i| (0..steps).map(move |step| (i, step))) {
            let operand = |lane: usize| &all[(i + lane) % all.len()];
            let other = |lane: usize| &all[(i + step + 2 * lane) % all.len()];
            let (mut x, mut y) = (Words::zero(size), Words::zero(size));
            for lane in 0..count {
                lanes.put(&mut x, lane, operand(lane));
                lanes.put(&mut y, lane, other(lane));
            }
            let mut square = x.clone();
            lanes.square(&mut square, &mut scratch);
            lanes.mul(&mut x, &y, &mut scratch);
            assert!(
                square.iter().chain(x.iter()).all(|&word| from_double(word) <= DIGIT),
                "carries run to the end"
            );
            let mut result = vec![7; kernel.words()];
            for lane in 0..count {
                let (x_value, y_value) = (value_of(operand(lane)), value_of(other(lane)));
                lanes.take(&mut result, &x, lane);
                subject.check("product in a lane", &result, &(&x_value * y_value));
                lanes.take(&mut result, &square, lane);
                subject.check("square in a lane", &result, &(&x_value * &x_value));
            }
        }
    }
}

/// Words that are digits but not residues, which a forged table may have, give wrong values but valid digits.
pub fn digits_stay_in_bounds_whatever_the_value() {
    if !Fma50::is_supported() {
        return;
    }
    for bits in [64u32, 512, 1024, 2048] {
        let kernel = kernel_of(&((one() << bits) - 1u32)).unwrap();
        let mut scratch = Words::zero(kernel.dimensions.scratch_words);
        let mut x = Words::zero(kernel.words());
        x.fill(to_double(MAX_DIGIT));
        for split in [1, 2, kernel.dimensions.max_split] {
            let b = vec![to_double(MAX_DIGIT); kernel.dimensions.prepared_words(split)];
            kernel.mul_prepared(&mut x, &b, split, &mut scratch);
            assert!(are_digits_vartime(&x));
            let mut out = vec![0; kernel.dimensions.limbs];
            kernel.from_montgomery(&mut out, &x, &mut scratch);
        }
    }
}

#[cfg(target_arch = "x86_64")]
/// The digits of four columns, and of four more with the same values.
#[target_feature(enable = "avx2,fma")]
fn two_vectors(columns: [u64; 4]) -> [u64; 8] {
    let columns =
        _mm256_setr_epi64x(columns[0] as i64, columns[1] as i64, columns[2] as i64, columns[3] as i64);
    let mut below = _mm256_setzero_si256();
    let mut words = [0; 8];
    for words in words.chunks_exact_mut(4) {
        let digits = doubles_of(digits_of(columns, &mut below));
        // SAFETY: there are four words.
        unsafe { _mm256_storeu_pd(words.as_mut_ptr() as *mut f64, digits) };
    }
    words.map(from_double)
}

#[cfg(target_arch = "x86_64")]
/// For the tests.
pub fn carries_reach_the_next_column() {
    if !Fma50::is_supported() {
        return;
    }
    let parts = [0, 1, DIGIT, DIGIT + 1, BIAS - 1, BIAS, BIAS + DIGIT, u64::MAX, u64::MAX - DIGIT];
    for choice in 0..parts.len().pow(4) {
        let columns = [0u32, 1, 2, 3].map(|k| parts[choice / parts.len().pow(k) % parts.len()]);
        // SAFETY: the processor has the instructions.
        let digits = unsafe { two_vectors(columns) };
        for (i, &digit) in digits.iter().enumerate() {
            let carry = if i == 0 { 0 } else { columns[(i + 3) % 4] >> 50 };
            assert_eq!(digit, (columns[i % 4] & DIGIT) + carry);
            assert!(digit <= MAX_DIGIT);
        }
    }
}

/// Uses the longest modulus through the table of kernels.
pub fn the_longest_modulus_is_served() {
    if !Fma50::is_supported() {
        return;
    }
    let p = (one() << 65_536) - 1u32;
    let kernel: Box<dyn Kernel> = Box::new(kernel_of(&p).unwrap());
    let dimensions = *kernel.dimensions();
    let mut scratch = Words::zero(dimensions.scratch_words);
    let mut x = Words::zero(dimensions.residue_words);
    kernel.to_montgomery(&mut x, &limbs(&(&p - 1u32)), &mut scratch);
    kernel.square(&mut x, &mut scratch);
    let mut out = vec![0; dimensions.limbs];
    kernel.from_montgomery(&mut out, &x, &mut scratch);
    assert_eq!((out[0], out[1..].iter().all(|&limb| limb == 0)), (1, true));
    assert!(kernel_of(&((one() << 100_000) - 1u32)).is_none());
}

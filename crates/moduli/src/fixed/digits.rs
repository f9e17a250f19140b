//! The digits of an exponent: radix R, and the two recodings of radix-(m0·m1) digits as residues.
//!
//! All functions are constant-time in the exponent: they have fixed sequences of operations, use no
//! division instruction, and read inverses under a mask.

use alloc::vec::Vec;

use super::{divisor::Divisor, euclid::inverse_vartime};
use moduli_kernel::{Words, limbs, mask};

/// The least ℓ with radix^ℓ ≥ 2^bits, computed with integers. `radix ≥ 2`.
pub(crate) fn digit_count(radix: u64, bits: u32) -> u32 {
    if radix.is_power_of_two() {
        return bits.div_ceil(radix.ilog2());
    }
    // The exact power radix^count. It reaches 2^bits when its length exceeds `bits`.
    let mut power: Vec<u64> = [1].into();
    let mut count = 0;
    while limbs::bit_length_vartime(&power) <= bits {
        limbs::multiply_vartime(&mut power, radix);
        count += 1;
    }
    count
}

/// Splits exponents into radix-R digits.
pub(crate) struct RadixDigits {
    radix: u32,
    count: usize,
    by_radix: Divisor,
    /// The largest power of the radix below 2^32, and its exponent. Each division of the long
    /// number gives a group of digits.
    by_group: Divisor,
    group: usize,
}

impl RadixDigits {
    pub(crate) fn new(radix: u32, bits: u32) -> Self {
        let (mut power, mut group) = (radix, 1);
        while let Some(next) = power.checked_mul(radix) {
            (power, group) = (next, group + 1);
        }
        let count = digit_count(u64::from(radix), bits) as usize;
        Self { radix, count, by_radix: Divisor::new(radix), by_group: Divisor::new(power), group }
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Sets `digits` to the digits of `exponent`, low digit first. `scratch` must have as many
    /// words as the exponent.
    pub(crate) fn cut(&self, digits: &mut [u64], exponent: &[u64], scratch: &mut [u64]) {
        if self.radix.is_power_of_two() {
            let width = self.radix.ilog2();
            for (i, digit) in digits.iter_mut().enumerate() {
                *digit = limbs::bit_field(exponent, i as u32 * width, width);
            }
            return;
        }
        let rest = &mut scratch[..exponent.len()];
        rest.copy_from_slice(exponent);
        let mut live = rest.len();
        for (done, digits) in digits.chunks_mut(self.group).enumerate() {
            let mut remainder = 0;
            for limb in rest[..live].iter_mut().rev() {
                let (high, middle) = self.by_group.divide(remainder << 32 | *limb >> 32);
                let (low, last) = self.by_group.divide(middle << 32 | (*limb & 0xffff_ffff));
                *limb = high << 32 | low;
                remainder = last;
            }
            // Each group removes at least 16 bits (radix < 2^32), so the length of the rest has a
            // public bound.
            live = live.min(rest_limbs(exponent.len(), done + 1));
            moduli_kernel::fault!(
                "a recoding that skips leading zeros",
                "moduli checkmem::powers::powers_of_fixed_bases",
                {
                    while live > 0 && rest[live - 1] == 0 {
                        live -= 1;
                    }
                }
            );
            for digit in digits {
                (remainder, *digit) = self.by_radix.divide(remainder);
            }
        }
    }
}

/// The number of limbs that can be nonzero after `groups` divisions by at least 2^16.
fn rest_limbs(limbs: usize, groups: usize) -> usize {
    (64 * limbs).saturating_sub(16 * groups).div_ceil(64)
}

/// Returns `list[index]`. Reads the whole list.
fn masked_read(list: &[u64], index: u64) -> u64 {
    list.iter().enumerate().fold(0, |word, (i, &entry)| word | entry & mask::equal(i as u64, index))
}

/// A recoded digit: `bucket` is the residue modulo m1, `entry` the index in the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResidueDigit {
    pub(crate) bucket: u64,
    pub(crate) entry: u64,
}

/// The two recodings of digits in radix m0·m1. For both, entry j of row i is `g^(R^i·(1 + m1·j))`.
pub(crate) struct ResidueRecoder {
    m0: u64,
    m1: u64,
    radix_digits: RadixDigits,
    by_m0: Divisor,
    by_m1: Divisor,
    by_radix: Divisor,
    /// The inverse modulo m0 of each u from 1 to m1. Entry 0 is 0.
    inverses: Vec<u64>,
    /// m0' = m1·|m1^(−1)|_m0 and m1' = m0·|m0^(−1)|_m1, for the published form.
    m0_prime: u64,
    m1_prime: u64,
}

impl ResidueRecoder {
    pub(crate) fn new(m0: u32, m1: u32, bits: u32) -> Self {
        let (wide_m0, wide_m1) = (u64::from(m0), u64::from(m1));
        let inverse = |u| if u == 0 { 0 } else { inverse_vartime(u, wide_m0) };
        Self {
            m0: wide_m0,
            m1: wide_m1,
            radix_digits: RadixDigits::new(m0 * m1, bits),
            by_m0: Divisor::new(m0),
            by_m1: Divisor::new(m1),
            by_radix: Divisor::new(m0 * m1),
            inverses: (0..=wide_m1).map(inverse).collect(),
            m0_prime: wide_m1 * inverse(wide_m1),
            m1_prime: wide_m0 * inverse_vartime(wide_m0, wide_m1),
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.radix_digits.count()
    }

    /// The repaired recoding: digit − carry = u·(1 + m1·j) − carry'·R with u in 1..=m1. Low digit
    /// first. Returns the last carry, 0 ≤ carry < m1; the exponent is Σ digit·R^i − carry·R^ℓ.
    pub(crate) fn repaired(&self, exponent: &[u64], mut emit: impl FnMut(ResidueDigit)) -> u64 {
        let mut carry = 0;
        self.for_each_digit(exponent, |digit| {
            // ⌊(digit − carry)/m1⌋ + 1. The addition makes the dividend positive.
            let (shifted, remainder) = self.by_m1.divide(digit + self.m1 - carry);
            let exact = mask::equal(remainder, 0);
            let bucket = mask::choose(exact, self.m1, remainder);
            // quotient = shifted − 1 − [exact] ≥ −2. Adding 2·m0 makes it positive and preserves it
            // modulo m0.
            let lifted = shifted + 2 * self.m0 - 1 - (exact & 1);
            let inverse = masked_read(&self.inverses, bucket);
            let entry = self.by_m0.remainder(self.by_m0.remainder(lifted) * inverse);
            carry = self.by_m0.divide(bucket * entry + 2 * self.m0 - lifted).0;
            emit(ResidueDigit { bucket, entry });
        });
        carry
    }

    /// Algorithm 4 with its errata: digit − carry = u·B_j − carry'·R with u < m1, or B_j − 1 where
    /// u is 0. Returns the last carry, 0 ≤ carry ≤ m1 − 2. A digit that is exactly 0 has bucket 0
    /// and entry 0.
    pub(crate) fn published(&self, exponent: &[u64], mut emit: impl FnMut(ResidueDigit)) -> u64 {
        let radix = self.m0 * self.m1;
        let mut carry = 0;
        self.for_each_digit(exponent, |digit| {
            let negative = mask::less(digit, carry);
            let k = digit.wrapping_sub(carry).wrapping_add(radix & negative);
            let (k0, bucket) = (self.by_m0.remainder(k), self.by_m1.remainder(k));
            let zero = mask::equal(bucket, 0);
            let divided = k0 * masked_read(&self.inverses, bucket);
            let j = self.by_m0.remainder(mask::choose(zero, k0 + 1, divided));
            let b = self.by_radix.remainder(j * self.m0_prime + self.m1_prime);
            carry = (negative & 1) + self.by_radix.divide(bucket * b).0;
            emit(ResidueDigit { bucket, entry: self.by_m1.divide(b).0 });
        });
        carry
    }

    fn for_each_digit(&self, exponent: &[u64], mut f: impl FnMut(u64)) {
        let mut digits = Words::zero(self.count());
        self.radix_digits.cut(&mut digits, exponent, &mut Words::zero(exponent.len()));
        for &digit in digits.iter() {
            f(digit);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;
    use crypto_bigint::BoxedUint;

    use super::{ResidueDigit, ResidueRecoder};
    use moduli_kernel::limbs;
    use moduli_papers::M0m1;

    /// The published recoding in the paper's notation: κ and C.
    fn recode(m0: u32, m1: u32, t: u32, k: &BoxedUint) -> (Vec<(u64, u64)>, i64) {
        let (recoder, paper) = (ResidueRecoder::new(m0, m1, t), M0m1::new(m0, m1, t).unwrap());
        // In the table, B_j = 1 + m1·place has index `place`; in the paper it has index j.
        let index = |place| {
            (0..u64::from(m0)).find(|&j| paper.table_exponent(j) == 1 + u64::from(m1) * place).unwrap()
        };
        let mut kappa = Vec::new();
        let carry = recoder.published(&limbs::to_limbs(k, t.div_ceil(64) as usize), |digit| {
            kappa.push((index(digit.entry), digit.bucket));
        });
        (kappa, -(carry as i64))
    }

    #[test]
    fn the_worked_example_of_the_paper() {
        let recoded = recode(11, 8, 20, &BoxedUint::from(936_192u64));
        assert_eq!(recoded, ([(5, 0), (2, 6), (8, 5), (3, 7)].into(), -2));
    }

    #[test]
    fn the_published_recoding_is_algorithm_4() {
        let mut random = testing::Random(1);
        for (m0, m1) in [(3, 2), (11, 8), (7, 6), (211, 6), (25, 4), (13441, 5)] {
            for t in [1, 20, 64, 65, 256] {
                let paper = M0m1::new(m0, m1, t).unwrap();
                for _ in 0..40 {
                    let k: Vec<u64> = (0..4).map(|_| random.word()).collect();
                    let short = limbs::from_limbs(&k).shr(256 - t);
                    let expected = paper.recode(&short).unwrap();
                    assert_eq!(recode(m0, m1, t, &short), (expected.kappa, expected.carry));
                }
            }
        }
    }

    #[test]
    fn recoded_digits_stay_in_range_and_rebuild_the_exponent() {
        for (m0, m1) in [(3, 2), (5, 4), (11, 8), (7, 6), (13, 11), (1021, 2)] {
            let recoder = ResidueRecoder::new(m0, m1, 12);
            let (m0, m1) = (u64::from(m0), u64::from(m1));
            for k in 0..1u64 << 12 {
                let (mut value, mut weight, mut count) = (0, 1, 0);
                let carry = recoder.repaired(&[k], |ResidueDigit { bucket, entry }| {
                    assert!((1..=m1).contains(&bucket) && entry < m0);
                    value += (bucket * (1 + m1 * entry) * weight) as i64;
                    weight *= m0 * m1;
                    count += 1;
                });
                assert!(carry < m1);
                assert_eq!(value - (carry * weight) as i64, k as i64);
                // Every exponent has as many digits, including zero digits.
                assert_eq!(count, recoder.count());
                let mut count = 0;
                let carry = recoder.published(&[k], |digit| {
                    assert!(digit.bucket < m1 && digit.entry < m0);
                    count += 1;
                });
                assert!(carry <= m1 - 2, "C ≤ m1 − 2");
                assert_eq!(count, recoder.count());
            }
        }
    }
}

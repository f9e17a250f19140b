//! A running sum of products, in registers.

use core::arch::x86_64::*;

use super::vector::Vector;

/// Runs a block for `$i` in 0..`$count`, written out: a loop would not always be unrolled.
macro_rules! each {
    ($i:ident in $count:expr, $body:block) => { each!(@ $i in $count, $body, 0 1 2 3 4 5 6 7 8 9) };
    (@ $i:ident in $count:expr, $body:block, $($n:literal)*) => {
        $(if $n < $count {
            let $i: usize = $n;
            $body
        })*
    };
}

/// Sums in 2·K columns, K ≤ 10: column c of lane l has the weight 2^(52·(K·l + c)). With `SPLIT` the low and the high
/// halves of products are summed apart: chains of half the length.
#[derive(Clone, Copy)]
pub(super) struct Sum<V, const K: usize, const SPLIT: bool> {
    pub(super) low: [V; K],
    pub(super) high: [V; K],
    /// The high halves in those columns, with `SPLIT`.
    low_apart: [V; K],
    high_apart: [V; K],
}

/// Digits of the lowest lane, one in each: its lowest 52 bits. What is above them no product reads.
pub(super) type Digits<const K: usize> = [__m128i; K];

impl<V: Vector, const K: usize, const SPLIT: bool> Sum<V, K, SPLIT> {
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn zero() -> Self {
        // SAFETY: as the caller vouches.
        let zero = [unsafe { V::zero() }; K];
        Self { low: zero, high: zero, low_apart: zero, high_apart: zero }
    }

    /// Adds Σ digit(r)·factor(v) at column r + v.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn add_products(&mut self, digit: impl Fn(usize) -> V, factor: impl Fn(usize) -> V) {
        each!(r in K, {
            let digit = digit(r);
            each!(v in K, {
                let column = self.column(v + r, false);
                // SAFETY: as the caller vouches.
                *column = unsafe { column.add_low(factor(v), digit) };
            });
            each!(v in K, {
                let column = self.column(v + r + 1, SPLIT);
                // SAFETY: as the caller vouches.
                *column = unsafe { column.add_high(factor(v), digit) };
            });
        });
    }

    #[inline(always)]
    fn column(&mut self, column: usize, apart: bool) -> &mut V {
        let [low, high] =
            if apart { [&mut self.low_apart, &mut self.high_apart] } else { [&mut self.low, &mut self.high] };
        if column < K { &mut low[column] } else { &mut high[column - K] }
    }

    /// Brings together what was summed apart.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    unsafe fn merge(&mut self) {
        if SPLIT {
            // SAFETY: as the caller vouches.
            unsafe {
                each!(v in K, {
                    self.low[v] = self.low[v].add(self.low_apart[v]);
                    self.high[v] = self.high[v].add(self.high_apart[v]);
                    self.low_apart[v] = V::zero();
                    self.high_apart[v] = V::zero();
                });
            }
        }
    }

    /// The lowest K digits, all carries below them resolved, and the carry out of them.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn lowest(&mut self) -> (Digits<K>, __m128i) {
        // SAFETY: as the caller vouches.
        unsafe {
            self.merge();
            resolve(|v| self.low[v].bottom())
        }
    }

    /// Takes the lowest K digits away and moves the sum down by as many.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn take_lowest(&mut self) -> Digits<K> {
        // SAFETY: as the caller vouches.
        unsafe {
            let (digits, carry) = self.lowest();
            each!(v in K, {
                self.low[v] = self.low[v].down().add(self.high[v]);
                self.high[v] = V::zero();
            });
            self.low[0] = self.low[0].add(V::alone(carry));
            digits
        }
    }

    /// `out` ← the low columns with all carries resolved; the high ones are 0, and nothing is carried out.
    ///
    /// # Safety
    /// As for [`Vector`]; `out` has K vectors.
    #[inline(always)]
    pub(super) unsafe fn store(&self, out: *mut u64) {
        // SAFETY: as the caller vouches.
        unsafe {
            let digit = V::digit();
            let mut digits = self.low;
            // Each lane for itself, then what the lane below carried out.
            let mut carry = V::zero();
            let mut above_lowest = digit;
            each!(v in K, {
                let sum = digits[v].add(carry);
                digits[v] = sum.and(digit);
                carry = sum.carried();
                if v > 0 {
                    above_lowest = above_lowest.and(digits[v]);
                }
            });
            digits[0] = digits[0].add(carry.up());
            digits[0] = digits[0].increment(lane_carries(digits[0], above_lowest));
            carry = V::zero();
            each!(v in K, {
                let sum = digits[v].add(carry);
                sum.and(digit).store(out.add(V::LANES * v));
                carry = sum.carried();
            });
            // `lane_carries` foresaw it.
            let _ = carry;
        }
    }
}

/// The lanes that take a carry of 1 from below, for lanes with a lowest digit of at most 53 bits: `others` has all bits
/// set where all other digits have. A carry runs through lanes of all ones as it does in an addition of the masks.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
pub(super) unsafe fn lane_carries<V: Vector>(lowest: V, others: V) -> u32 {
    // SAFETY: as the caller vouches.
    unsafe {
        let digit = V::digit();
        let passes = others.equal(digit);
        let generate = lowest.above(digit) & passes;
        let propagate = lowest.equal(digit) & passes;
        (propagate + (generate << 1)) ^ propagate
    }
}

/// The digits of K sums in lowest lanes, and what they carry.
#[inline(always)]
unsafe fn resolve<const K: usize>(sum: impl Fn(usize) -> __m128i) -> (Digits<K>, __m128i) {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let mut carry = _mm_setzero_si128();
        let mut digits = [carry; K];
        each!(v in K, {
            digits[v] = _mm_add_epi64(sum(v), carry);
            carry = _mm_srli_epi64::<52>(digits[v]);
        });
        (digits, carry)
    }
}

/// digits·factor mod 2^(52·K), for a factor of K digits.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
pub(super) unsafe fn low_product<const K: usize>(digits: &Digits<K>, factor: *const u64) -> Digits<K> {
    // SAFETY: as the caller vouches.
    unsafe {
        let (mut low, mut high) = ([_mm_setzero_si128(); K], [_mm_setzero_si128(); K]);
        each!(i in K, {
            each!(j in K, {
                let factor = _mm_loadl_epi64(factor.add(j).cast());
                if i + j < K {
                    low[i + j] = _mm_madd52lo_epu64(low[i + j], factor, digits[i]);
                }
                if i + j + 1 < K {
                    high[i + j + 1] = _mm_madd52hi_epu64(high[i + j + 1], factor, digits[i]);
                }
            });
        });
        resolve(|v| _mm_add_epi64(low[v], high[v])).0
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::{
        super::{
            constants::{Ifma52, places},
            digits::DIGIT,
        },
        *,
    };
    use alloc::vec::Vec;

    /// The carries of random sums are too short to reach what carries can do: these sums are made of digits that pass a
    /// carry on, give one, or stop one, at every distance.
    fn adversarial(state: &mut u64, round: u64) -> u64 {
        let parts = [DIGIT, DIGIT, DIGIT, DIGIT, DIGIT + 1, DIGIT - 1, 0, 1, DIGIT << 9, 1 << 63];
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        // Rounds differ in how often a carry may pass.
        let choice = if *state >> 40 & 63 < round % 64 { *state >> 33 } else { *state >> 33 & 3 };
        parts[choice as usize % parts.len()]
    }

    fn carries_run<V: Vector, const K: usize>() {
        if !Ifma52::is_supported() {
            return;
        }
        let (mut state, count) = (K as u64, V::LANES * K);
        for round in 0..3000 {
            let sums: Vec<u64> = (0..count).map(|_| adversarial(&mut state, round)).collect();
            let mut carry = 0u128;
            let expected: Vec<u64> = sums
                .iter()
                .map(|&sum| {
                    carry += u128::from(sum);
                    let digit = carry as u64 & DIGIT;
                    carry >>= 52;
                    digit
                })
                .collect();
            let mut words = alloc::vec![0; count];
            for (place, &sum) in places(V::LANES, K, true).zip(&sums) {
                words[place] = sum;
            }
            // SAFETY: the processor has the instructions; all is K vectors long.
            let lowest = unsafe {
                let mut sum = Sum::<V, K, true>::zero();
                for v in 0..K {
                    sum.low[v] = V::load(words.as_ptr().add(V::LANES * v));
                }
                sum.store(words.as_mut_ptr());
                let mut lowest = [0u64; 2];
                let (digits, _) = sum.lowest();
                _mm_storeu_si128(lowest.as_mut_ptr().cast(), digits[K - 1]);
                lowest[0] & DIGIT
            };
            let found: Vec<u64> = places(V::LANES, K, true).map(|place| words[place]).collect();
            assert_eq!(found, expected, "{} lanes of {K} digits, round {round}", V::LANES);
            assert_eq!(lowest, expected[K - 1], "{} lanes of {K} digits, round {round}", V::LANES);
        }
    }

    #[test]
    fn carries_run_as_far_as_they_must() {
        carries_run::<__m256i, 1>();
        carries_run::<__m256i, 2>();
        carries_run::<__m256i, 5>();
        carries_run::<__m512i, 1>();
        carries_run::<__m512i, 3>();
        carries_run::<__m512i, 5>();
        carries_run::<__m512i, 10>();
    }
}

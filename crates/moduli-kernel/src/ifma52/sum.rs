//! A running sum of products, in registers.

use super::{bottom::Bottom, vector::Vector};

/// Runs a block for `$i` in 0..`$count`, unrolled. The compiler would not unroll every loop.
macro_rules! each {
    ($i:ident in 2, $body:block) => { each!(@ $i, $body, 0 1) };
    ($i:ident in 4, $body:block) => { each!(@ $i, $body, 0 1 2 3) };
    ($i:ident in 5, $body:block) => { each!(@ $i, $body, 0 1 2 3 4) };
    ($i:ident in 8, $body:block) => { each!(@ $i, $body, 0 1 2 3 4 5 6 7) };
    ($i:ident in 9, $body:block) => { each!(@ $i, $body, 0 1 2 3 4 5 6 7 8) };
    ($i:ident in 10, $body:block) => { each!(@ $i, $body, 0 1 2 3 4 5 6 7 8 9) };
    (@ $i:ident, $body:block, $($n:literal)*) => {
        $({
            let $i: usize = $n;
            $body
        })*
    };
    // If the count is a constant parameter, at most 10 or the number of names, the other iterations are not
    // compiled.
    ($i:ident in $count:expr, $body:block) => { each!($i in $count, 0 1 2 3 4 5 6 7 8 9, $body) };
    ($i:ident in $count:expr, $($n:literal)*, $body:block) => {
        $(if const { $n < $count } {
            let $i: usize = $n;
            $body
        })*
    };
}
pub(super) use each;

/// Sums in 2·K columns, K ≤ 10: column c of lane l has the weight 2^(52·(K·l + c)). With `SPLIT` the lower
/// columns are two sums each, one for low and one for high halves of products: chains of half the length.
///
/// The highest digit of a strip has `SPARE` bits less than the others, so a strip has 52·K − SPARE bits: a
/// column above K has 2^SPARE times the weight of the column of the next strip that it becomes. With SPARE >
/// 0, digits may contain carries that belong to the next strip.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Sum<V: Vector, const K: usize, const SPLIT: bool, const SPARE: u32> {
    pub(super) low: [V; K],
    pub(super) high: [V; K],
    /// With `SPLIT`, a part of `low`.
    low_apart: [V; K],
    /// The carry that is still to be added to the lowest column.
    carry: V::Carry,
}

impl<V: Vector, const K: usize, const SPLIT: bool, const SPARE: u32> Sum<V, K, SPLIT, SPARE> {
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn zero() -> Self {
        // SAFETY: as the caller guarantees.
        let (zero, carry) = unsafe { ([V::zero(); K], V::no_carry()) };
        Self { low: zero, high: zero, low_apart: zero, carry }
    }

    /// Adds Σ digit(r)·factor[v] at column r + v.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn add_products(&mut self, digit: impl Fn(usize) -> V, factor: &[V; K]) {
        // SAFETY: as the caller guarantees.
        unsafe { self.add_products_of::<K>(digit, factor) };
    }

    /// The same with L digits, from column K − L on.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn add_products_of<const L: usize>(
        &mut self,
        digit: impl Fn(usize) -> V,
        factor: &[V; K],
    ) {
        each!(r in L, {
            // SAFETY: as the caller guarantees.
            unsafe { self.add_digit::<SPLIT>(r + K - L, &digit(r), factor) };
        });
    }

    /// Adds Σ digit·factor[v] at column `at` + v, the high halves separately with `APART`.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn add_digit<const APART: bool>(&mut self, at: usize, digit: &V, factor: &[V; K]) {
        each!(v in K, {
            // SAFETY: as the caller guarantees.
            unsafe { self.column(v + at, false).add_low(&factor[v], digit) };
        });
        each!(v in K, {
            // SAFETY: as the caller guarantees.
            unsafe { self.column(v + at + 1, APART).add_high(&factor[v], digit) };
        });
    }

    /// Adds a sum with the same columns.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn add_sum(&mut self, other: &Sum<V, K, false, SPARE>) {
        // SAFETY: as the caller guarantees.
        unsafe {
            each!(v in K, {
                self.low[v] = self.low[v].add(other.low[v]);
            });
            each!(v in K, {
                self.high[v] = self.high[v].add(other.high[v]);
            });
        }
    }

    /// Clears the lowest K digits by adding multiples of N, one digit after the other; returns their carry.
    /// All except the last one are cleared by M₁ ≡ −1 (mod 2^52), of which `step` is the rest, (M₁ + 1)/2^52:
    /// they are the quotient digits themselves. The last one is cleared by N, where `inverse` is −1/N modulo
    /// 2^52, so the sum becomes no longer than N.
    ///
    /// # Safety
    /// As for [`Vector`]; `step` and `modulus` have K vectors, and `inverse` the lowest lane of one.
    #[inline(always)]
    pub(super) unsafe fn last_digits(
        &mut self,
        step: *const u64,
        modulus: *const u64,
        inverse: *const u64,
    ) -> V::Bottom {
        // SAFETY: as the caller guarantees.
        unsafe {
            self.merge();
            let mut carry = V::carried_in(self.carry);
            // Column r in the lowest lane, before the other lanes: in short vectors, nothing else hides the
            // latency with which a digit reaches them.
            let ahead = &mut [self.low[0].bottom(); K];
            let step_vectors = load(step);
            each!(r in K, {
                let column = if V::WORDS == 4 { ahead[r] } else { self.low[r].bottom() };
                let sum = column.add(carry);
                if r + 1 < K {
                    ahead[r + 1] = self.low[r + 1].bottom().add_low(V::Bottom::load(step), sum);
                    self.add_digit::<false>(r + 1, &V::everywhere(sum), &step_vectors);
                    carry = sum.carried();
                } else {
                    let digit = V::Bottom::zero().add_low(sum, V::Bottom::load(inverse));
                    self.add_digit::<false>(r, &V::everywhere(digit), &load(modulus));
                    carry = self.low[r].bottom().add(carry).carried_above::<SPARE>();
                }
            });
            carry
        }
    }

    /// Moves the sum down by a lane, with the carry of [`last_digits`](Self::last_digits).
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn end(&mut self, carry: V::Bottom) {
        // SAFETY: as the caller guarantees.
        unsafe {
            each!(v in K, {
                self.low[v] = self.low[v].down().add(self.high[v].raised::<SPARE>());
            });
            self.low[0] = self.low[0].add(V::alone(carry));
        }
    }

    /// A column; with `apart`, one of the lower ones that are summed separately.
    ///
    /// # Safety
    /// It is below 2·K.
    #[inline(always)]
    pub(super) unsafe fn column(&mut self, column: usize, apart: bool) -> &mut V {
        let place = if apart && column < K { 2 * K + column } else { column };
        // SAFETY: the three arrays of K follow each other. Code that selects the array takes longer to
        // compile.
        unsafe { &mut *core::ptr::from_mut(self).cast::<V>().add(place) }
    }

    /// Adds the separate sums together.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    unsafe fn merge(&mut self) {
        if SPLIT {
            // SAFETY: as the caller guarantees.
            unsafe {
                each!(v in K, {
                    self.low[v] = self.low[v].add(self.low_apart[v]);
                    self.low_apart[v] = V::zero();
                });
            }
        }
    }

    /// Removes the lowest L digits, L ≤ K, and moves the sum down by as many. [`Vector::taken_digit`] finds
    /// digit v in vector v of `words`.
    ///
    /// # Safety
    /// As for [`Vector`]; `words` are L vectors, which are overwritten.
    #[inline(always)]
    pub(super) unsafe fn take_lowest<const L: usize>(&mut self, words: *mut u64) {
        // SAFETY: as the caller guarantees.
        unsafe {
            self.merge();
            each!(v in L, {
                self.low[v].store_bottom(words.add(V::WORDS * v));
            });
            each!(v in L, {
                let word = words.add(V::WORDS * v);
                self.carry = if v + 1 < L {
                    V::take_digit(word, self.carry)
                } else {
                    V::take_highest_digit::<SPARE>(word, self.carry)
                };
            });
            let Self { low, high, .. } = *self;
            each!(v in K, {
                if v + L < K {
                    self.low[v] = low[v + L].raised::<SPARE>();
                    self.high[v] = high[v + L].raised::<SPARE>();
                } else {
                    // The lane above contains these, too.
                    let (down, above) = (low[v + L - K].down(), high[v + L - K].raised::<SPARE>());
                    if SPLIT {
                        (self.low[v], self.low_apart[v]) = (down, above);
                    } else {
                        self.low[v] = down.add(above);
                    }
                    self.high[v] = V::zero();
                }
            });
        }
    }

    /// `out` ← the low columns as digits, which it also returns; the high ones are 0, and nothing is carried
    /// out.
    ///
    /// What the highest column of a strip has above its digit goes to the strip above. The spare bits hold
    /// what is still carried into it, which is less than 2^10.
    ///
    /// # Safety
    /// As for [`Vector`]; `out` has K vectors.
    #[inline(always)]
    unsafe fn store_with_spare(&self, out: *mut u64) -> [V; K] {
        const { assert!(SPARE == 0 || SPARE == 2, "the shifts of vectors are by this number") };
        // SAFETY: as the caller guarantees.
        unsafe {
            let digit = V::digit();
            let mut digits = self.low;
            let above = digits[K - 1].carried_above::<SPARE>().up();
            digits[K - 1] = digits[K - 1].lowest::<SPARE>();
            digits[0] = digits[0].add(above);
            each!(v in K, {
                if v > 0 {
                    digits[v] = digits[v].add(digits[v - 1].carried());
                    digits[v - 1] = digits[v - 1].and(digit);
                    digits[v - 1].store(out.add(V::WORDS * (v - 1)));
                }
            });
            digits[K - 1].store(out.add(V::WORDS * (K - 1)));
            digits
        }
    }

    /// `out` ← the low columns with all carries resolved, which it also returns; the high ones are 0, and
    /// nothing is carried out. With spare bits, the carries between strips are not resolved.
    ///
    /// # Safety
    /// As for [`Vector`]; `out` has K vectors.
    #[inline(always)]
    pub(super) unsafe fn store(&self, out: *mut u64) -> [V; K] {
        // SAFETY: as the caller guarantees.
        unsafe {
            let digit = V::digit();
            let mut digits = self.low;
            if SPARE > 0 {
                return self.store_with_spare(out);
            }
            let mut carry = V::zero();
            // Each lane separately, then the carry out of the lane below.
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
                carry = sum.carried();
                digits[v] = sum.and(digit);
                digits[v].store(out.add(V::WORDS * v));
            });
            // `lane_carries` has taken it into account.
            let _ = carry;
            digits
        }
    }
}

/// Loads K vectors from memory.
///
/// # Safety
/// As for [`Vector`]; there are K vectors at `words`.
#[inline(always)]
pub(super) unsafe fn load<V: Vector, const K: usize>(words: *const u64) -> [V; K] {
    // SAFETY: as the caller guarantees.
    unsafe {
        let mut vectors = [V::zero(); K];
        each!(v in K, {
            vectors[v] = V::load(words.add(V::WORDS * v));
        });
        vectors
    }
}

/// The lanes into which a carry of 1 goes from below, for lanes with a lowest digit of at most 53 bits:
/// `others` has all bits set in lanes in which all other digits have. A carry propagates through lanes of all
/// ones as it does in an addition of the masks.
///
/// # Safety
/// As for [`Vector`].
#[inline(always)]
pub(super) unsafe fn lane_carries<V: Vector>(lowest: V, others: V) -> u32 {
    // SAFETY: as the caller guarantees.
    unsafe {
        let digit = V::digit();
        // Nothing is carried out of the highest lane.
        let passes = others.equal(digit) & u32::from(!V::TOP);
        let generate = lowest.above(digit) & passes;
        let propagate = lowest.equal(digit) & passes;
        (propagate + (generate << 1)) ^ propagate
    }
}

/// Functions for tests.
#[cfg(feature = "internals")]
pub mod checks {
    use super::{
        super::{digits::DIGIT, pair::Pair},
        *,
    };
    use alloc::vec::Vec;
    use core::arch::x86_64::{__m256i, __m512i};

    /// In random sums, carries do not propagate far. So these sums consist of digits that pass a carry on,
    /// generate one, or stop one, at every distance.
    fn adversarial(random: &mut dyn FnMut() -> u64, round: u64) -> u64 {
        let parts = [DIGIT, DIGIT, DIGIT, DIGIT, DIGIT + 1, DIGIT - 1, 0, 1, DIGIT << 9, 1 << 63];
        let state = random();
        // Rounds differ in how often a carry is passed on.
        let choice = if state >> 40 & 63 < round % 64 { state >> 33 } else { state >> 33 & 3 };
        parts[choice as usize % parts.len()]
    }

    /// Digit `i` of number `n` in K vectors.
    fn place<V: Vector, const K: usize>(n: usize, i: usize) -> usize {
        V::WORDS * (i % K) + V::LANES * n + i / K
    }

    fn carries_run<V: Vector, const K: usize>(random: &mut dyn FnMut() -> u64) {
        let (count, numbers) = (V::LANES * K, V::WORDS / V::LANES);
        for round in 0..3000 {
            let mut words = alloc::vec![0; V::WORDS * K];
            let expected: Vec<Vec<u64>> = (0..numbers)
                .map(|n| {
                    let mut carry = 0u128;
                    let digits = (0..count).map(|i| {
                        let sum = adversarial(random, round);
                        words[place::<V, K>(n, i)] = sum;
                        carry += u128::from(sum);
                        let digit = carry as u64 & DIGIT;
                        carry >>= 52;
                        digit
                    });
                    digits.collect()
                })
                .collect();
            let mut lowest = alloc::vec![0; V::WORDS * K];
            // SAFETY: the processor has the instructions; all arrays are K vectors long.
            unsafe {
                let mut sum = Sum::<V, K, true, 0>::zero();
                for v in 0..K {
                    sum.low[v] = V::load(words.as_ptr().add(V::WORDS * v));
                }
                sum.store(words.as_mut_ptr());
                sum.take_lowest::<K>(lowest.as_mut_ptr());
            }
            for (n, expected) in expected.iter().enumerate() {
                let found: Vec<u64> = (0..count).map(|i| words[place::<V, K>(n, i)]).collect();
                assert_eq!(found, *expected, "{} lanes of {K} digits, round {round}", V::LANES);
                let lowest: Vec<u64> = (0..K).map(|v| lowest[V::WORDS * v + V::LANES * n] & DIGIT).collect();
                assert_eq!(lowest, expected[..K], "{} lanes of {K} digits, round {round}", V::LANES);
            }
        }
    }

    /// For the tests.
    pub fn carries_run_as_far_as_they_must(random: &mut dyn FnMut() -> u64) {
        carries_run::<__m256i, 1>(random);
        carries_run::<__m256i, 2>(random);
        carries_run::<__m256i, 5>(random);
        carries_run::<Pair, 1>(random);
        carries_run::<Pair, 2>(random);
        carries_run::<Pair, 5>(random);
        carries_run::<__m512i, 1>(random);
        carries_run::<__m512i, 3>(random);
        carries_run::<__m512i, 5>(random);
        carries_run::<__m512i, 10>(random);
    }
}

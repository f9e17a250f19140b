//! Squares: each product of two lanes is computed once.
//!
//! In block m, lane l of a sum has the weight of lane m + l of the square. A pass over the digits of a lane
//! multiplies, in every lane l, two lanes i ≤ j of x with i + j = m + l, the second one doubled if i < j.
//! There are 36 (10) pairs of eight (four) lanes, and a pass multiplies eight (four) of them: five (three)
//! passes are enough, but a product takes eight (four). The last pass consists only of lanes times
//! themselves, which saves two fifths of it.

use super::{
    sum::{Sum, each},
    vector::{Places, Vector},
};

/// The operands of one pass.
pub(super) struct Operands {
    /// Lanes i and j, for each lane of the sum.
    first: Places,
    second: Places,
    /// The lanes that take part.
    taken: u8,
    /// The lanes of x that are doubled as a second operand.
    doubled: u8,
    /// Lanes with j = i + 1: the lowest digit of the doubled lane must not contain the carry out of lane i.
    without_carry: Places,
}

/// No pair.
const NONE: (u64, u64) = (8, 8);

impl Operands {
    /// The operands for the block in which the pass is due at the latest.
    const fn new<const G: usize>(block: usize, pairs: [(u64, u64); G]) -> Self {
        let mut operands =
            Self { first: [0; 8], second: [0; 8], taken: 0, doubled: 0, without_carry: [!0; 8] };
        let mut single = 0;
        let mut at = 0;
        // Four lanes are repeated.
        while at < 8 {
            let (l, above) = (at % G, (at / G * G) as u64);
            let (i, j) = pairs[l];
            if i < G as u64 {
                assert!(i <= j && (i + j) as usize == block + l);
                let (l, i, j) = (at, i + above, j + above);
                operands.first[l] = i;
                operands.second[l] = j;
                operands.taken |= 1 << l;
                *(if i < j { &mut operands.doubled } else { &mut single }) |= 1 << j;
                if i + 1 == j {
                    operands.without_carry[l] = !1;
                }
            }
            at += 1;
        }
        assert!(operands.doubled & single == 0, "no lane is wanted in both forms");
        operands
    }

    /// Digit `r` of lane i, for each lane of the sum.
    ///
    /// # Safety
    /// As for [`Vector`]; `x` has more than r vectors.
    #[inline(always)]
    pub(super) unsafe fn digits<V: Vector>(&self, x: *const u64, r: usize) -> V {
        // SAFETY: as the caller guarantees.
        unsafe { V::load(x.add(V::WORDS * r)).gather(&self.first, self.taken) }
    }

    /// Digit `v` of lane j, doubled if required.
    ///
    /// # Safety
    /// As for [`Vector`]; `x` and its double have more than v vectors.
    #[inline(always)]
    pub(super) unsafe fn factor<V: Vector, const SPARE: u32>(
        &self,
        x: *const u64,
        doubled: *const u64,
        v: usize,
    ) -> V {
        // SAFETY: as the caller guarantees.
        unsafe {
            let at = V::WORDS * v;
            let lanes = V::load(x.add(at)).blend(V::load(doubled.add(at)), self.doubled);
            let factor = lanes.gather(&self.second, self.taken);
            if v == 0 && SPARE == 0 { factor.and(V::load(self.without_carry.as_ptr())) } else { factor }
        }
    }
}

/// The operands of the pass that is due in a block. The first block has none; [`lowest_factor`] serves it.
#[inline(always)]
pub(super) fn due<V: Vector>(block: usize) -> Option<&'static Operands> {
    match (V::LANES, block) {
        (8, 2) => Some(const { &EIGHT[0] }),
        (8, 4) => Some(const { &EIGHT[1] }),
        (8, 6) => Some(const { &EIGHT[2] }),
        (4, 2) => Some(const { &FOUR[0] }),
        _ => None,
    }
}

/// The lanes that are squared in a last pass. It leaves the lowest lane of its block alone.
#[inline(always)]
pub(super) fn last<V: Vector>() -> &'static Operands {
    if V::LANES == 8 { const { &LAST_OF_EIGHT } } else { const { &LAST_OF_FOUR } }
}

const EIGHT: [Operands; 3] = [
    Operands::new(2, [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (1, 7), (2, 7)]),
    Operands::new(4, [(2, 2), (2, 3), (2, 4), (2, 5), (2, 6), (3, 6), (3, 7), (4, 7)]),
    Operands::new(6, [(3, 3), (3, 4), (3, 5), (4, 5), (4, 6), (5, 6), (5, 7), (6, 7)]),
];
const LAST_OF_EIGHT: Operands = Operands::new(7, [NONE, (4, 4), NONE, (5, 5), NONE, (6, 6), NONE, (7, 7)]);

const FOUR: [Operands; 1] = [Operands::new(2, [(1, 1), (1, 2), (1, 3), (2, 3)])];
const LAST_OF_FOUR: Operands = Operands::new(3, [NONE, (2, 2), NONE, (3, 3)]);

static LOWEST_WITHOUT_CARRY: Places = [!0, !1, !0, !0, !0, !0, !0, !0];
static LOWEST_OF_TWO_WITHOUT_CARRY: Places = [!0, !1, !0, !0, !0, !1, !0, !0];

/// `doubled` ← 2·x in digits, as their lowest 52 bits: products do not read higher bits.
///
/// # Safety
/// As for [`Vector`]; `doubled` has K vectors, and 2·x has no more digits than x.
#[inline(always)]
pub(super) unsafe fn double<V: Vector, const K: usize, const SPARE: u32>(doubled: *mut u64, x: &[V; K]) {
    // SAFETY: as the caller guarantees.
    unsafe {
        // The highest digit of a strip has room for its double if it has spare bits.
        let mut carry = if SPARE == 0 { x[K - 1].doubled_carried().up() } else { V::zero() };
        for (v, &digits) in x.iter().enumerate() {
            digits.add(digits).add(carry).store(doubled.add(V::WORDS * v));
            carry = digits.doubled_carried();
        }
    }
}

/// The operand of the first pass, over the pairs of the lowest lane: no lane has to move.
///
/// # Safety
/// As for [`Operands::factor`].
#[inline(always)]
pub(super) unsafe fn lowest_factor<V: Vector, const SPARE: u32>(x: V, doubled: *const u64, v: usize) -> V {
    // SAFETY: as the caller guarantees.
    unsafe {
        let factor = V::load(doubled.add(V::WORDS * v)).blend(x, V::BOTTOM);
        if v > 0 || SPARE > 0 {
            return factor;
        }
        let without_carry = if V::BOTTOM == 1 { &LOWEST_WITHOUT_CARRY } else { &LOWEST_OF_TWO_WITHOUT_CARRY };
        factor.and(V::load(without_carry.as_ptr()))
    }
}

impl<V: Vector, const K: usize, const SPLIT: bool, const SPARE: u32> Sum<V, K, SPLIT, SPARE> {
    /// Adds x² for each lane of x, K digits, from column K − L on: each product of two digits is computed
    /// once.
    ///
    /// # Safety
    /// As for [`Vector`]; the highest lane of x has no more than L digits.
    #[inline(always)]
    pub(super) unsafe fn add_squares<const L: usize>(&mut self, x: &[V; K]) {
        // SAFETY: as the caller guarantees.
        unsafe {
            let mut once = Sum::<V, K, false, SPARE>::zero();
            each!(r in K, {
                each!(v in K, {
                    if r < v {
                        once.column(v + r, false).add_low(&x[v], &x[r]);
                    }
                });
                each!(v in K, {
                    if r < v {
                        once.column(v + r + 1, false).add_high(&x[v], &x[r]);
                    }
                });
            });
            each!(v in K, {
                once.low[v] = once.low[v].add(once.low[v]);
                once.high[v] = once.high[v].add(once.high[v]);
            });
            each!(v in K, {
                once.column(2 * v, false).add_low(&x[v], &x[v]);
            });
            each!(v in K, {
                once.column(2 * v + 1, false).add_high(&x[v], &x[v]);
            });
            each!(v in K, {
                let column = self.column(v + K - L, false);
                *column = column.add(once.low[v]);
            });
            each!(v in K, {
                // After the highest column, the lane above follows.
                let above = if v < L { once.high[v] } else { once.high[v].raised::<SPARE>().up() };
                let column = self.column(if v < L { v + 2 * K - L } else { v + K - L }, false);
                *column = column.add(above);
            });
        }
    }
}

/// Functions for tests.
#[cfg(feature = "internals")]
pub mod checks {
    use core::arch::x86_64::{__m256i, __m512i};

    use super::*;

    /// For the tests.
    pub fn every_pair_of_lanes_is_taken_once() {
        check::<__m256i>();
        check::<__m512i>();
    }

    fn check<V: Vector>() {
        let lanes = V::LANES;
        let mut times = [[0; 8]; 8];
        // The first pass.
        times[0][..lanes].fill(1);
        for operands in (0..lanes).filter_map(due::<V>).chain([last::<V>()]) {
            for l in (0..8).filter(|l| operands.taken >> l & 1 == 1) {
                let (i, j) = (operands.first[l] as usize, operands.second[l] as usize);
                if l < lanes {
                    times[i][j] += 1;
                } else {
                    // The same for the other number of a pair.
                    let [first, second] =
                        [&operands.first, &operands.second].map(|at| at[l - lanes] as usize);
                    assert_eq!([i, j], [first + lanes, second + lanes]);
                }
            }
        }
        for (i, times) in times[..lanes].iter().enumerate() {
            for (j, &times) in times[..lanes].iter().enumerate() {
                assert_eq!(times, u32::from(i <= j), "{i} {j}");
            }
        }
        assert_eq!(last::<V>().taken & 1, 0, "the quotient does not wait for it");
    }
}

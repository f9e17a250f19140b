//! Squares: each product of two lanes is taken once.
//!
//! In block m lane l of a sum has the weight of lane m + l of the square. A pass over the digits of a lane multiplies, in
//! every lane l, two lanes i ≤ j of x with i + j = m + l, the second one doubled if i < j. Of 36 (10) pairs in eight (four)
//! lanes, a pass takes eight (four): five (three) passes do, where a product takes eight (four).

use super::vector::{Places, Vector};

/// The operands of one pass.
pub(super) struct Operands {
    /// The block in which it is due at the latest.
    pub(super) block: usize,
    /// Lanes i and j for each lane of the sum.
    first: Places,
    second: Places,
    /// The lanes that take part.
    taken: u8,
    /// The lanes of x that are doubled as a second operand.
    doubled: u8,
    /// Where j = i + 1: the lowest digit of the doubled lane must not have what lane i carried into it.
    without_carry: Places,
}

/// No pair.
const NONE: (u64, u64) = (8, 8);

impl Operands {
    const fn new<const G: usize>(block: usize, pairs: [(u64, u64); G]) -> Self {
        let mut operands =
            Self { block, first: [0; 8], second: [0; 8], taken: 0, doubled: 0, without_carry: [!0; 8] };
        let mut single = 0;
        let mut l = 0;
        while l < G {
            let (i, j) = pairs[l];
            if i < G as u64 {
                assert!(i <= j && (i + j) as usize == block + l);
                operands.first[l] = i;
                operands.second[l] = j;
                operands.taken |= 1 << l;
                *(if i < j { &mut operands.doubled } else { &mut single }) |= 1 << j;
                if i + 1 == j {
                    operands.without_carry[l] = !1;
                }
            }
            l += 1;
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
        // SAFETY: as the caller vouches.
        unsafe { V::load(x.add(V::LANES * r)).gather(&self.first, self.taken) }
    }

    /// Digit `v` of lane j, doubled where that is wanted.
    ///
    /// # Safety
    /// As for [`Vector`]; `x` and its double have more than v vectors.
    #[inline(always)]
    pub(super) unsafe fn factor<V: Vector>(&self, x: *const u64, doubled: *const u64, v: usize) -> V {
        // SAFETY: as the caller vouches.
        unsafe {
            let at = V::LANES * v;
            let lanes = V::load(x.add(at)).blend(V::load(doubled.add(at)), self.doubled);
            let factor = lanes.gather(&self.second, self.taken);
            if v == 0 { factor.and(V::load(self.without_carry.as_ptr())) } else { factor }
        }
    }
}

/// The passes of a square in order after the first one, which is [`lowest_factor`]'s, and a last one that leaves the lowest lane of its block alone: it can come after the
/// last quotient is taken.
#[inline(always)]
pub(super) fn squares<V: Vector>() -> (&'static [Operands], &'static Operands) {
    if V::LANES == 8 { (&EIGHT, &LAST_OF_EIGHT) } else { (&FOUR, &LAST_OF_FOUR) }
}

/// The operand of the first pass, over the pairs of the lowest lane: nothing has to move.
///
/// # Safety
/// As for [`Operands::factor`].
#[inline(always)]
pub(super) unsafe fn lowest_factor<V: Vector>(x: *const u64, doubled: *const u64, v: usize) -> V {
    // SAFETY: as the caller vouches.
    unsafe {
        let at = V::LANES * v;
        let factor = V::load(doubled.add(at)).blend(V::load(x.add(at)), 1);
        if v == 0 { factor.and(V::load(LOWEST_WITHOUT_CARRY.as_ptr())) } else { factor }
    }
}

static LOWEST_WITHOUT_CARRY: Places = [!0, !1, !0, !0, !0, !0, !0, !0];

static EIGHT: [Operands; 3] = [
    Operands::new(2, [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (1, 7), (2, 7)]),
    Operands::new(4, [(2, 2), (2, 3), (2, 4), (2, 5), (2, 6), (3, 6), (3, 7), (4, 7)]),
    Operands::new(6, [(3, 3), (3, 4), (3, 5), (4, 5), (4, 6), (5, 6), (5, 7), (6, 7)]),
];
static LAST_OF_EIGHT: Operands = Operands::new(7, [NONE, (4, 4), NONE, (5, 5), NONE, (6, 6), NONE, (7, 7)]);

static FOUR: [Operands; 1] = [Operands::new(2, [(1, 1), (1, 2), (1, 3), (2, 3)])];
static LAST_OF_FOUR: Operands = Operands::new(3, [NONE, (2, 2), NONE, (3, 3)]);

/// `out` ← 2·x in digits, their lowest 52 bits: what is above them no product reads.
///
/// # Safety
/// As for [`Vector`]; both have `count` vectors, and 2·x has no more digits than x.
#[inline(always)]
pub(super) unsafe fn double<V: Vector>(out: *mut u64, x: *const u64, count: usize) {
    // SAFETY: as the caller vouches.
    unsafe {
        let mut carry = V::load(x.add(V::LANES * (count - 1))).doubled_carried().up();
        for v in 0..count {
            let digits = V::load(x.add(V::LANES * v));
            digits.add(digits).add(carry).store(out.add(V::LANES * v));
            carry = digits.doubled_carried();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_lanes_is_taken_once() {
        for (lanes, passes, last) in [(8, &EIGHT[..], &LAST_OF_EIGHT), (4, &FOUR[..], &LAST_OF_FOUR)] {
            let mut times = [[0; 8]; 8];
            // The first pass.
            times[0][..lanes].fill(1);
            for operands in passes.iter().chain([last]) {
                for l in (0..lanes).filter(|l| operands.taken >> l & 1 == 1) {
                    times[operands.first[l] as usize][operands.second[l] as usize] += 1;
                }
            }
            for (i, times) in times[..lanes].iter().enumerate() {
                for (j, &times) in times[..lanes].iter().enumerate() {
                    assert_eq!(times, u32::from(i <= j), "{i} {j}");
                }
            }
            assert_eq!(last.taken & 1, 0);
            assert_eq!(last.block, lanes - 1);
        }
    }
}

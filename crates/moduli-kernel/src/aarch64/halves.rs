//! The additions of Karatsuba's method: the difference of two halves, and the sum of the three products of
//! halves.

use core::arch::naked_asm;

use super::rows::Umulh;

macro_rules! negate_two {
    () => {
        "ldp x6, x7, [x0]\n\
         eor x6, x6, x5\n\
         eor x7, x7, x5\n\
         adcs x6, x6, xzr\n\
         adcs x7, x7, xzr\n\
         stp x6, x7, [x0], #16\n"
    };
}

macro_rules! negate_one {
    () => {
        "ldr x6, [x0]\n\
         eor x6, x6, x5\n\
         adcs x6, x6, xzr\n\
         str x6, [x0], #8\n"
    };
}

/// `out ← |a − b|`; returns all ones if a < b, else zero.
///
/// # Safety
/// There are `count` words at each of `out`, `a` and `b`.
#[unsafe(naked)]
unsafe extern "C" fn difference(out: *mut u64, a: *const u64, b: *const u64, count: usize) -> u64 {
    naked_asm!(
        "cmp xzr, xzr", // no borrow yet
        chain!("x3", subtract_two, subtract_one),
        "csetm x5, cc",
        "sub x0, x0, x3, lsl #3",
        "cmp x5, #1", // −x is the complement plus one
        chain!("x3", negate_two, negate_one),
        "mov x0, x5",
        "ret",
    )
}

/// Adds the four words at `from` and the carry to x11 … x14. The carry is kept in `carry`, and the pointer
/// moves past the words. If a `mask` is given, the words are complemented where that register is all ones.
macro_rules! add_four {
    ($carry:literal, $from:literal $(, $mask:literal)?) => {
        concat!(
            "cmp ", $carry, ", #1\n",
            "ldp x15, x16, [", $from, "], #16\n",
            $("eor x15, x15, ", $mask, "\n", "eor x16, x16, ", $mask, "\n",)?
            "adcs x11, x11, x15\n",
            "adcs x12, x12, x16\n",
            "ldp x15, x16, [", $from, "], #16\n",
            $("eor x15, x15, ", $mask, "\n", "eor x16, x16, ", $mask, "\n",)?
            "adcs x13, x13, x15\n",
            "adcs x14, x14, x16\n",
            "cset ", $carry, ", cs\n",
        )
    };
}

/// Let l0, l1 and h0, h1 be the halves of the low and of the high product in t, and m0, m1 those of `middle`.
/// The words from l0 on become l0, l1 + h0 + l0 ± m0, l1 + h0 + h1 ± m1, h1, with carries. All ones in
/// `negative` subtract `middle`.
///
/// Registers: x0 points into l0, x1 into m0 and m1; x4 into l1, then into h0 and h1; x5 into h0, then into
/// h1. x8 is the carry of l1 + h0, x9 that of the addition of l0 or h1, and x10 that of the middle. x17 keeps
/// the first value of x8. x11 … x14 hold four words of the sum.
///
/// # Safety
/// There are 4·`half` words at `t` and 2·`half` at `middle`; `half` is a multiple of 4, and not zero.
#[unsafe(naked)]
unsafe extern "C" fn combine(t: *mut u64, middle: *const u64, half: usize, negative: u64) {
    naked_asm!(
        "add x4, x0, x2, lsl #3",
        "add x5, x4, x2, lsl #3",
        "mov x8, xzr",
        "mov x9, xzr",
        "and x10, x3, #1", // −x is the complement plus one
        "lsr x2, x2, #2",
        "mov x7, x2",
        "2:",
        "ldp x11, x12, [x4]",
        "ldp x13, x14, [x4, #16]",
        add_four!("x8", "x5"),
        "stp x11, x12, [x5, #-32]",
        "stp x13, x14, [x5, #-16]",
        add_four!("x9", "x0"),
        add_four!("x10", "x1", "x3"),
        "stp x11, x12, [x4], #16",
        "stp x13, x14, [x4], #16",
        "sub x7, x7, #1",
        "cbnz x7, 2b",
        "mov x17, x8",
        "mov x7, x2",
        "3:",
        "ldp x11, x12, [x4]",
        "ldp x13, x14, [x4, #16]",
        add_four!("x9", "x5"),
        add_four!("x10", "x1", "x3"),
        "cmp x8, #1",
        "adcs x11, x11, xzr",
        "adcs x12, x12, xzr",
        "adcs x13, x13, xzr",
        "adcs x14, x14, xzr",
        "cset x8, cs",
        "stp x11, x12, [x4], #16",
        "stp x13, x14, [x4], #16",
        "sub x7, x7, #1",
        "cbnz x7, 3b",
        // The carry out of the middle, minus the power of two by which the complement is too large.
        "add x8, x8, x9",
        "add x8, x8, x10",
        "add x8, x8, x17",
        "add x8, x8, x3",
        "cmn xzr, xzr", // clears the carry flag
        "4:",
        "ldp x11, x12, [x4]",
        "ldp x13, x14, [x4, #16]",
        "adcs x11, x11, x8",
        "adcs x12, x12, xzr",
        "adcs x13, x13, xzr",
        "adcs x14, x14, xzr",
        "stp x11, x12, [x4], #16",
        "stp x13, x14, [x4], #16",
        "mov x8, xzr",
        "sub x2, x2, #1",
        "cbnz x2, 4b",
        "ret",
    )
}

impl Umulh {
    /// `out ← |a − b|` for operands of equal length. Returns all ones if a < b, else zero.
    pub(super) fn difference(self, out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
        assert!(out.len() == a.len() && out.len() == b.len());
        // SAFETY: the assertion guarantees the lengths.
        unsafe { difference(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), out.len()) }
    }

    /// t holds the products of the low and of the high halves, one after the other. Adds their sum plus
    /// `middle` in the middle of t, or their sum minus `middle` if `negative` is all ones. The lengths are
    /// multiples of 16 and 8 words.
    pub(super) fn combine(self, t: &mut [u64], middle: &[u64], negative: u64) {
        let half = middle.len() / 2;
        assert!(half > 0 && half.is_multiple_of(4) && middle.len() == 2 * half && t.len() == 4 * half);
        // SAFETY: the assertion guarantees the lengths.
        unsafe { combine(t.as_mut_ptr(), middle.as_ptr(), half, negative) }
    }
}

//! Sums and differences of rows, each with one carry chain.

use core::arch::naked_asm;

use super::rows::Umulh;

/// A carry chain through `count` words: four at a time, then the remaining words one by one. `two` and `one`
/// process two words and one word, and advance the pointers. Only they use the flags. x16 and x17 are loop
/// counters.
macro_rules! chain {
    ($count:literal, $two:ident, $one:ident) => {
        concat!(
            "lsr x16, ",
            $count,
            ", #2\n",
            "and x17, ",
            $count,
            ", #3\n",
            "cbz x16, 3f\n",
            "2:\n",
            $two!(),
            $two!(),
            "sub x16, x16, #1\n",
            "cbnz x16, 2b\n",
            "3:\n",
            "cbz x17, 5f\n",
            "4:\n",
            $one!(),
            "sub x17, x17, #1\n",
            "cbnz x17, 4b\n",
            "5:\n",
        )
    };
}

macro_rules! subtract_two {
    () => {
        "ldp x6, x7, [x1], #16\n\
         ldp x8, x9, [x2], #16\n\
         sbcs x6, x6, x8\n\
         sbcs x7, x7, x9\n\
         stp x6, x7, [x0], #16\n"
    };
}

macro_rules! subtract_one {
    () => {
        "ldr x6, [x1], #8\n\
         ldr x8, [x2], #8\n\
         sbcs x6, x6, x8\n\
         str x6, [x0], #8\n"
    };
}

macro_rules! choose_two {
    () => {
        "ldp x6, x7, [x0]\n\
         ldp x8, x9, [x1], #16\n\
         csel x6, x6, x8, cs\n\
         csel x7, x7, x9, cs\n\
         stp x6, x7, [x0], #16\n"
    };
}

macro_rules! choose_one {
    () => {
        "ldr x6, [x0]\n\
         ldr x8, [x1], #8\n\
         csel x6, x6, x8, cs\n\
         str x6, [x0], #8\n"
    };
}

macro_rules! add_two {
    () => {
        "ldp x6, x7, [x0]\n\
         ldp x8, x9, [x1], #16\n\
         adcs x6, x6, x8\n\
         adcs x7, x7, x9\n\
         stp x6, x7, [x0], #16\n"
    };
}

macro_rules! add_one {
    () => {
        "ldr x6, [x0]\n\
         ldr x8, [x1], #8\n\
         adcs x6, x6, x8\n\
         str x6, [x0], #8\n"
    };
}

/// `out ← t − p` if t, with the carry word `high` on top, is at least p; otherwise `out ← t`.
///
/// # Safety
/// There are `count` words at each of `out`, `t` and `p`.
#[unsafe(naked)]
unsafe extern "C" fn subtract(out: *mut u64, t: *const u64, p: *const u64, count: usize, high: u64) {
    naked_asm!(
        "cmp xzr, xzr", // no borrow yet
        chain!("x3", subtract_two, subtract_one),
        "sbcs xzr, x4, xzr", // the carry flag tells whether the difference is kept
        "sub x0, x0, x3, lsl #3",
        "sub x1, x1, x3, lsl #3",
        chain!("x3", choose_two, choose_one),
        "ret",
    )
}

/// `t += a + carry`; returns the carry.
///
/// # Safety
/// There are `count` words at `t` and at `a`.
#[unsafe(naked)]
unsafe extern "C" fn add(t: *mut u64, a: *const u64, count: usize, carry: u64) -> u64 {
    naked_asm!(
        "cmp x3, #1", // moves the carry to the carry flag
        chain!("x2", add_two, add_one),
        "cset x0, cs",
        "ret",
    )
}

impl Umulh {
    /// `t += a + carry` for operands of equal length; returns the carry, which is 0 or 1, too.
    pub(super) fn add_chain(self, t: &mut [u64], a: &[u64], carry: u64) -> u64 {
        assert!(t.len() == a.len());
        // SAFETY: the assertion guarantees the lengths.
        unsafe { add(t.as_mut_ptr(), a.as_ptr(), t.len(), carry) }
    }

    /// `out ← t − p` if t, with the carry word `high` on top, is at least p; otherwise `out ← t`.
    pub(super) fn subtract(self, out: &mut [u64], t: &[u64], p: &[u64], high: u64) {
        assert!(out.len() == t.len() && out.len() == p.len());
        // SAFETY: the assertion guarantees the lengths.
        unsafe { subtract(out.as_mut_ptr(), t.as_ptr(), p.as_ptr(), out.len(), high) }
    }
}

//! Squares: the products above the diagonal, then the diagonal.

use core::arch::naked_asm;

use super::rows::{BLOCK, Umulh};
use crate::karatsuba::add_word;

/// The products of each word of a block with all words above it, row by row. For each word but the first,
/// `list` has the offset of the two words of the sum that the row of the previous word completes, the
/// register of the word, and a register of the running sum.
macro_rules! triangle {
    (@first $word:literal, []) => { "" };
    (@first $word:literal, [$at:literal $a:literal $s:literal $($rest:tt)*]) => {
        concat!(
            "mul x1, ", $a, ", ", $word, "\n",
            "cmn xzr, xzr\n", // clears the carry flag
            first_row!($word, [$at $a $s $($rest)*]),
            "stp x1, ", $s, ", [x0, #", $at, "]\n",
            triangle!($a, [$($rest)*]),
        )
    };
    ($word:literal, []) => { "" };
    ($word:literal, [$at:literal $a:literal $s:literal $($rest:tt)*]) => {
        concat!(
            row!($word, "x1", "xzr", [$at $a $s $($rest)*]),
            "stp x1, ", $s, ", [x0, #", $at, "]\n",
            triangle!($a, [$($rest)*]),
        )
    };
}

macro_rules! triangles {
    ($($name:ident $last:literal [$($block:tt)*] $list:tt)*) => {
        $(triangles!(@ $name $last [$($block)*] $list);)*

        /// By the length of a block; the first is for one word.
        const TRIANGLE: [unsafe extern "C" fn(*mut u64, *const u64); BLOCK] = [$($name),*];
    };
    (@ $name:ident $last:literal $block:tt $list:tt) => {
        /// `t ← Σ a_i·a_j·2^(64·(i + j))` over all i < j in a block `a`.
        ///
        /// Registers: x0 points to the sum in memory, x6 … x13 hold the block, x2 … x5, x14, x15 and x19 the
        /// running sum; x1, x16 and x17 are temporary.
        ///
        /// # Safety
        /// There are so many words as the name says at `a`, and twice as many at `t`.
        #[unsafe(naked)]
        unsafe extern "C" fn $name(t: *mut u64, a: *const u64) {
            naked_asm!(
                "str x19, [sp, #-16]!",
                load_block!("x1", $block),
                "str xzr, [x0]",
                concat!("str xzr, [x0, #", $last, "]"),
                triangle!(@first "x6", $list),
                "ldr x19, [sp], #16",
                "ret",
            )
        }
    };
}

#[rustfmt::skip]
triangles!(
    triangle_1 8 [0 "x6" ""] []
    triangle_2 24 [0 "x6" "" 8 "x7" ""] [8 "x7" "x2"]
    triangle_3 40 [0 "x6" "" 8 "x7" "" 16 "x8" ""] [8 "x7" "x2" 24 "x8" "x3"]
    triangle_4 56 [0 "x6" "" 8 "x7" "" 16 "x8" "" 24 "x9" ""] [8 "x7" "x2" 24 "x8" "x3" 40 "x9" "x4"]
    triangle_5 72 [0 "x6" "" 8 "x7" "" 16 "x8" "" 24 "x9" "" 32 "x10" ""]
    [8 "x7" "x2" 24 "x8" "x3" 40 "x9" "x4" 56 "x10" "x5"]
    triangle_6 88 [0 "x6" "" 8 "x7" "" 16 "x8" "" 24 "x9" "" 32 "x10" "" 40 "x11" ""]
    [8 "x7" "x2" 24 "x8" "x3" 40 "x9" "x4" 56 "x10" "x5" 72 "x11" "x14"]
    triangle_7 104 [0 "x6" "" 8 "x7" "" 16 "x8" "" 24 "x9" "" 32 "x10" "" 40 "x11" "" 48 "x12" ""]
    [8 "x7" "x2" 24 "x8" "x3" 40 "x9" "x4" 56 "x10" "x5" 72 "x11" "x14" 88 "x12" "x15"]
    triangle_8 120 [0 "x6" "" 8 "x7" "" 16 "x8" "" 24 "x9" "" 32 "x10" "" 40 "x11" "" 48 "x12" "" 56 "x13" ""]
    [8 "x7" "x2" 24 "x8" "x3" 40 "x9" "x4" 56 "x10" "x5" 72 "x11" "x14" 88 "x12" "x15" 104 "x13" "x19"]
);

macro_rules! rectangles {
    ($name:ident, $list:tt) => {
        /// Adds to `t` the products of each of `number` blocks of eight words with all words above the block.
        /// The products of each block start two blocks further up in t than those of the previous block.
        /// Returns the last carry.
        ///
        /// The registers are those of `steps.rs`. With each block, the row starts a block further up; its end
        /// stays the same.
        ///
        /// # Safety
        /// `number` is not zero; at `blocks` lies the first block and at `row` the `count` words above it,
        /// more than those of `number` − 1 blocks. There are `count` words and those of `number` blocks at
        /// `t`.
        #[unsafe(naked)]
        unsafe extern "C" fn $name(
            t: *mut u64,
            row: *const u64,
            count: usize,
            blocks: *const u64,
            carry: u64,
            number: usize,
        ) -> u64 {
            naked_asm!(
                save!(),
                "6:",
                load_block!("x3", $list),
                "add x3, x3, #64",
                zero!($list),
                rows!(two_rows, one_row, 0, $list),
                "cmp x4, #1", // moves the carry to the carry flag
                add_sum!($list),
                "cset x4, cs",
                "sub x0, x0, x2, lsl #3",
                "add x0, x0, #128",
                "sub x2, x2, #8",
                "sub x1, x1, x2, lsl #3",
                "sub x5, x5, #1",
                "cbnz x5, 6b",
                "mov x0, x4",
                restore!(),
            )
        }
    };
}

#[rustfmt::skip]
rectangles!(
    rectangles,
    [0 "x6" "x14" 8 "x7" "x15" 16 "x8" "x19" 24 "x9" "x20" 32 "x10" "x21" 40 "x11" "x22" 48 "x12" "x23" 56 "x13" "x24"]
);

/// One word in `double_and_square`: doubles two words of the sum, by a shift that does not change the carry
/// flag.
macro_rules! double_and_square_at {
    ($a:literal) => {
        concat!(
            "ldp x5, x6, [x0]\n",
            "mul x10, ",
            $a,
            ", ",
            $a,
            "\n",
            "umulh x11, ",
            $a,
            ", ",
            $a,
            "\n",
            "extr x12, x5, x8, #63\n",
            "extr x13, x6, x5, #63\n",
            "mov x8, x6\n",
            "adcs x12, x12, x10\n",
            "adcs x13, x13, x11\n",
            "stp x12, x13, [x0], #16\n",
        )
    };
}

/// `t ← 2·t + Σ a_i²·2^(128·i)`. x8 is the word below those that are being doubled.
///
/// # Safety
/// There are `count` words at `a`, and twice as many at `t`.
#[unsafe(naked)]
unsafe extern "C" fn double_and_square(t: *mut u64, a: *const u64, count: usize) {
    naked_asm!(
        "mov x8, xzr",
        "lsr x9, x2, #1",
        "cmn xzr, xzr", // clears the carry flag, which only the sums change
        "cbz x9, 3f",
        "2:",
        "ldp x3, x4, [x1], #16",
        double_and_square_at!("x3"),
        double_and_square_at!("x4"),
        "sub x9, x9, #1",
        "cbnz x9, 2b",
        "3:",
        "tbz x2, #0, 5f",
        "ldr x3, [x1]",
        double_and_square_at!("x3"),
        "5:",
        "ret",
    )
}

impl Umulh {
    /// `t ← Σ a_i·a_j·2^(64·(i + j))` over all i < j in a block `a` of at most [`BLOCK`] words.
    pub(super) fn triangle(self, t: &mut [u64], a: &[u64]) {
        assert!(t.len() == 2 * a.len());
        // SAFETY: the index guarantees the width, the assertion the sum.
        unsafe { TRIANGLE[a.len() - 1](t.as_mut_ptr(), a.as_ptr()) }
    }

    /// `t += Σ a_i·a_j·2^(64·(i + j))` over all i < j in different blocks of `a`; t has room for the sum.
    pub(super) fn rectangles(self, t: &mut [u64], a: &[u64]) {
        assert!(t.len() == 2 * a.len());
        if a.len() <= BLOCK {
            return;
        }
        let (row, number) = (&a[BLOCK..], (a.len() - 1) / BLOCK);
        let (sum, high) = t[BLOCK..].split_at_mut(row.len() + BLOCK * number);
        // SAFETY: the split and the assertion guarantee the lengths: the last row has one word at least.
        let carry = unsafe { rectangles(sum.as_mut_ptr(), row.as_ptr(), row.len(), a.as_ptr(), 0, number) };
        add_word::<64>(high, carry);
    }

    /// `t ← 2·t + Σ a_i²·2^(128·i)`.
    pub(super) fn double_and_square(self, t: &mut [u64], a: &[u64]) {
        assert!(t.len() == 2 * a.len());
        // SAFETY: the assertion guarantees the lengths.
        unsafe { double_and_square(t.as_mut_ptr(), a.as_ptr(), a.len()) }
    }
}

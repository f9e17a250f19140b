//! Passes over rows of words, built from the steps in `steps.rs`.

use core::arch::naked_asm;

/// Words of the longest block.
pub(super) const BLOCK: usize = 8;

type AddBlocks = unsafe extern "C" fn(*mut u64, *const u64, usize, *const u64, u64, usize) -> u64;
type ClearBlocks = unsafe extern "C" fn(*mut u64, *const u64, usize, u64, u64, usize) -> u64;

macro_rules! add_blocks {
    ($name:ident, $bytes:literal, $list:tt) => {
        /// `t += blocks·row + carry·2^(64·count)`, for `number` blocks of as many words as the name says. The
        /// carry is 0 or 1, and so is the carry out of the top, which is returned.
        ///
        /// # Safety
        /// `number` is not zero, there are `count` words at `row`, the words of the blocks at `blocks`, and
        /// the sum of both at `t`.
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
                concat!("add x3, x3, #", $bytes),
                zero!($list),
                rows!(two_rows, one_row, 0, $list),
                finish!($bytes, $list),
            )
        }
    };
}

macro_rules! clear_blocks {
    ($name:ident, $words:literal, $bytes:literal, $list:tt) => {
        /// Adds to `t` the multiple of the `count` words at `p` that clears `number` blocks of as many words
        /// as the name says, and `carry·2^(64·count)`. Leaves the quotient in these blocks. Returns the carry
        /// out of the top.
        ///
        /// # Safety
        /// `number` is not zero, `count` no less than the words of a block, and there is room at `t` for
        /// `count` words and those of the blocks.
        #[unsafe(naked)]
        unsafe extern "C" fn $name(
            t: *mut u64,
            p: *const u64,
            count: usize,
            negative_inverse: u64,
            carry: u64,
            number: usize,
        ) -> u64 {
            naked_asm!(
                save!(),
                "6:",
                // Here the low words of p are the block, and the quotients the row.
                load_block!("x1", $list),
                quotient_rows!($list),
                // Here the other words of p are the row, and the quotients the block.
                load_block!("x0", $list),
                concat!("add x0, x0, #", $bytes),
                concat!("add x1, x1, #", $bytes),
                rows!(two_rows, one_row, $words, $list),
                finish!($bytes, $list),
            )
        }
    };
}

/// Defines the passes for each length of a block, with two macros.
macro_rules! each_block {
    ($($add:ident $clear:ident $words:literal $bytes:literal $list:tt)*) => {
        $(
            add_blocks!($add, $bytes, $list);
            clear_blocks!($clear, $words, $bytes, $list);
        )*

        /// By the length of a block; the first is for one word.
        const ADD: [AddBlocks; BLOCK] = [$($add),*];
        const CLEAR: [ClearBlocks; BLOCK] = [$($clear),*];
    };
}

#[rustfmt::skip]
each_block!(
    add_1 clear_1 1 8 [0 "x6" "x14"]
    add_2 clear_2 2 16 [0 "x6" "x14" 8 "x7" "x15"]
    add_3 clear_3 3 24 [0 "x6" "x14" 8 "x7" "x15" 16 "x8" "x19"]
    add_4 clear_4 4 32 [0 "x6" "x14" 8 "x7" "x15" 16 "x8" "x19" 24 "x9" "x20"]
    add_5 clear_5 5 40 [0 "x6" "x14" 8 "x7" "x15" 16 "x8" "x19" 24 "x9" "x20" 32 "x10" "x21"]
    add_6 clear_6 6 48 [0 "x6" "x14" 8 "x7" "x15" 16 "x8" "x19" 24 "x9" "x20" 32 "x10" "x21" 40 "x11" "x22"]
    add_7 clear_7 7 56
    [0 "x6" "x14" 8 "x7" "x15" 16 "x8" "x19" 24 "x9" "x20" 32 "x10" "x21" 40 "x11" "x22" 48 "x12" "x23"]
    add_8 clear_8 8 64
    [0 "x6" "x14" 8 "x7" "x15" 16 "x8" "x19" 24 "x9" "x20" 32 "x10" "x21" 40 "x11" "x22" 48 "x12" "x23" 56 "x13" "x24"]
);

macro_rules! multiply_blocks {
    ($name:ident, $bytes:literal, $list:tt) => {
        /// `t ← blocks·row`, for `number` blocks of as many words as the name says.
        ///
        /// # Safety
        /// `number` is not zero, there are `count` words at `row`, the words of the blocks at `blocks`, and
        /// room for both at `t`.
        #[unsafe(naked)]
        unsafe extern "C" fn $name(
            t: *mut u64,
            row: *const u64,
            count: usize,
            blocks: *const u64,
            _: u64,
            number: usize,
        ) {
            naked_asm!(
                save!(),
                load_block!("x3", $list),
                concat!("add x3, x3, #", $bytes),
                zero!($list),
                rows!(two_fresh_rows, one_fresh_row, 0, $list),
                store_sum!($list),
                next_block!($bytes),
                "cbz x5, 7f",
                "6:",
                load_block!("x3", $list),
                concat!("add x3, x3, #", $bytes),
                zero!($list),
                rows!(two_rows, one_row, 0, $list),
                store_sum!($list),
                next_block!($bytes),
                "cbnz x5, 6b",
                "7:",
                restore!(),
            )
        }
    };
}

#[rustfmt::skip]
multiply_blocks!(
    multiply_8, 64,
    [0 "x6" "x14" 8 "x7" "x15" 16 "x8" "x19" 24 "x9" "x20" 32 "x10" "x21" 40 "x11" "x22" 48 "x12" "x23" 56 "x13" "x24"]
);

/// The passes with `mul` and `umulh`, which every 64-bit ARM processor has.
#[derive(Clone, Copy)]
pub struct Umulh;

impl Umulh {
    /// `t += words·row + carry·2^(64·row words)`, where t is as long as both operands together. The carry is
    /// 0 or 1, and so is the carry out of the top, which is returned.
    pub(super) fn add_words(self, t: &mut [u64], row: &[u64], words: &[u64], mut carry: u64) -> u64 {
        assert!(t.len() == row.len() + words.len());
        let (blocks, rest) = words.split_at(words.len() - words.len() % BLOCK);
        let (t, count) = (t.as_mut_ptr(), row.len());
        // SAFETY: the assertion guarantees the lengths, the index the width of the rest, which begins where
        // the blocks end.
        unsafe {
            if !blocks.is_empty() {
                carry = add_8(t, row.as_ptr(), count, blocks.as_ptr(), carry, blocks.len() / BLOCK);
            }
            if !rest.is_empty() {
                let add = ADD[rest.len() - 1];
                carry = add(t.add(blocks.len()), row.as_ptr(), count, rest.as_ptr(), carry, 1);
            }
        }
        carry
    }

    /// `t ← words·row`, where t is as long as both operands together.
    pub(super) fn multiply_words(self, t: &mut [u64], row: &[u64], words: &[u64]) {
        let (blocks, rest) = words.split_at(words.len() - words.len() % BLOCK);
        let (sum, high) = t.split_at_mut(row.len() + blocks.len());
        assert!(high.len() == rest.len());
        if blocks.is_empty() {
            sum.fill(0);
        } else {
            let number = blocks.len() / BLOCK;
            // SAFETY: the split guarantees the lengths.
            unsafe { multiply_8(sum.as_mut_ptr(), row.as_ptr(), row.len(), blocks.as_ptr(), 0, number) }
        }
        if !rest.is_empty() {
            high.fill(0);
            self.add_words(&mut t[blocks.len()..], row, rest, 0);
        }
    }

    /// Adds to `t` the multiple of `p` that clears the low words of t, and `carry·2^(64·p words)`. These low
    /// words are as many as t has more than p, at most as many as p has. Leaves the quotient in them. Returns
    /// the carry out of the top.
    pub(super) fn clear_words(self, t: &mut [u64], p: &[u64], negative_inverse: u64, mut carry: u64) -> u64 {
        let words = t.len() - p.len();
        assert!(words <= p.len());
        let rest = words % BLOCK;
        let (t, count) = (t.as_mut_ptr(), p.len());
        // SAFETY: the assertion guarantees the lengths, the index the width of the rest, which begins where
        // the blocks end.
        unsafe {
            if words >= BLOCK {
                carry = clear_8(t, p.as_ptr(), count, negative_inverse, carry, words / BLOCK);
            }
            if rest != 0 {
                carry = CLEAR[rest - 1](t.add(words - rest), p.as_ptr(), count, negative_inverse, carry, 1);
            }
        }
        carry
    }
}

//! Products of numbers whose digits are in order, two columns at a time.

use core::arch::x86_64::*;

use super::{super::product::Task, columns::Columns};

/// Vector i of a number.
#[inline(always)]
pub(super) fn at(words: *const u64, i: isize) -> *const u64 {
    words.wrapping_offset(8 * i)
}

/// The digits of a number.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) vectors: usize,
    /// Vectors that can have eight digits: all, or all but the highest.
    pub(super) whole: usize,
}

impl Shape {
    /// Whether the highest vector has at most four digits.
    #[inline(always)]
    pub(super) fn has_half(self) -> bool {
        self.whole < self.vectors
    }

    /// The words of the highest vector.
    #[inline(always)]
    pub(super) fn top(self, words: *const u64) -> *const u64 {
        words.wrapping_add(8 * (self.vectors - 1))
    }

    /// Adds to columns j and j + 1 the products of `blocks` blocks by whole vectors.
    #[inline(always)]
    pub(super) unsafe fn add(
        self,
        sums: &mut Columns,
        a: *const u64,
        blocks: usize,
        b: *const u64,
        j: isize,
    ) {
        let (blocks, whole) = (blocks as isize, self.whole as isize);
        // SAFETY: blocks and vectors are within the numbers.
        unsafe {
            let first = j + 1 - whole;
            if 0 <= first && first < blocks {
                sums.add_low::<8>(at(a, first), at(b, whole - 1));
            }
            for i in (first + 1).max(0)..(j + 1).min(blocks) {
                sums.add::<8>(at(a, i), at(b, j - i));
            }
            if (0..blocks).contains(&(j + 1)) {
                sums.add_high::<8>(at(a, j + 1), b);
            }
        }
    }

    /// Adds the products of the first `TO` digits of a block by vectors j and j + 1 of `count`.
    #[inline(always)]
    pub(super) unsafe fn add_block<const TO: usize>(
        sums: &mut Columns,
        digits: *const u64,
        vectors: *const u64,
        count: usize,
        j: isize,
    ) {
        let count = count as isize;
        // SAFETY: vectors are within the number.
        unsafe {
            let here = at(vectors, j);
            if 0 <= j && j + 1 < count {
                sums.add::<TO>(digits, here);
            } else if 0 <= j && j < count {
                sums.add_low::<TO>(digits, here);
            } else if j == -1 && 0 < count {
                sums.add_high::<TO>(digits, vectors);
            }
        }
    }

    /// Adds to columns j and j + 1 of a·b. A highest vector that is not whole has `TOP` digits.
    #[inline(always)]
    pub(super) unsafe fn multiply<const TOP: usize>(
        self,
        sums: &mut Columns,
        a: *const u64,
        b: *const u64,
        j: isize,
    ) {
        // SAFETY: as the caller guarantees.
        unsafe {
            self.add(sums, a, self.whole, b, j);
            if self.has_half() {
                let top = self.vectors as isize - 1;
                Self::add_block::<TOP>(sums, at(a, top), b, self.vectors, j - top);
                Self::add_block::<TOP>(sums, at(b, top), a, self.whole, j - top);
            }
        }
    }

    /// Adds to columns j and j + 1 of a², −1 ≤ j, which are 0. A highest vector that is not whole has `TOP`
    /// digits.
    #[inline(always)]
    pub(super) unsafe fn square<const TOP: usize>(self, sums: &mut Columns, a: *const u64, j: isize) {
        let whole = self.whole as isize;
        // SAFETY: as the caller guarantees.
        unsafe {
            // Each product of two blocks once, and these doubled.
            let first = j + 1 - whole;
            let middle = (j + 1) >> 1;
            if 0 <= first && first < middle {
                sums.add_low::<8>(at(a, first), at(a, whole - 1));
            }
            for i in (first + 1).max(0)..middle {
                sums.add::<8>(at(a, i), at(a, j - i));
            }
            let is_even = j & 1 == 0;
            if is_even && middle + 1 < whole {
                sums.add_high::<8>(at(a, middle), at(a, middle + 1));
            }
            if self.has_half() {
                let top = self.vectors as isize - 1;
                Self::add_block::<TOP>(sums, at(a, top), a, self.whole, j - top);
            }
            sums.double();
            if middle < self.vectors as isize {
                let block = at(a, middle);
                if is_even {
                    sums.add_low::<8>(block, block);
                } else {
                    sums.add_high::<8>(block, block);
                }
            }
        }
    }
}

/// A product column by column.
pub(super) trait Product {
    /// Adds to columns j and j + 1. Residues have this shape.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; the numbers have the vectors of a residue.
    unsafe fn add(&self, shape: Shape, task: &Task<'_>, sums: &mut Columns, j: isize);

    /// Adds to the sums in columns j and j + 1 what was computed before.
    ///
    /// # Safety
    /// As for `add`.
    #[inline(always)]
    unsafe fn complete(&self, sums: [__m512i; 2], _j: isize) -> [__m512i; 2] {
        sums
    }
}

/// Of two residues.
pub(super) struct Multiply;

impl Product for Multiply {
    #[inline(always)]
    unsafe fn add(&self, shape: Shape, task: &Task<'_>, sums: &mut Columns, j: isize) {
        // SAFETY: as the caller guarantees.
        unsafe { shape.multiply::<4>(sums, task.a, task.b, j) }
    }
}

/// Of a residue by itself.
pub(super) struct Square;

impl Product for Square {
    #[inline(always)]
    unsafe fn add(&self, shape: Shape, task: &Task<'_>, sums: &mut Columns, j: isize) {
        // SAFETY: as the caller guarantees.
        unsafe { shape.square::<4>(sums, task.a, j) }
    }
}

/// Of the pieces of a residue by those of a prepared operand.
pub(super) struct Pieces {
    pub(super) split: usize,
    /// Of a piece of the residue.
    pub(super) blocks: usize,
}

impl Product for Pieces {
    #[inline(always)]
    unsafe fn add(&self, shape: Shape, task: &Task<'_>, sums: &mut Columns, j: isize) {
        // SAFETY: as the caller guarantees.
        unsafe {
            for (piece, start) in (0..self.split).zip((0..shape.vectors).step_by(self.blocks)) {
                let (digits, count) = (task.a.add(8 * start), self.blocks.min(shape.vectors - start));
                let factor = task.b.add(8 * shape.vectors * piece);
                shape.add(sums, digits, count, factor, j);
                if shape.has_half() {
                    let above = j + 1 - shape.vectors as isize;
                    Shape::add_block::<4>(sums, shape.top(factor), digits, count, above);
                }
            }
        }
    }
}

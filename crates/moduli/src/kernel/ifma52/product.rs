//! Products of residues whose sums fit the registers: up to ten digits in a lane.

use super::{
    constants::Ifma52,
    squares::{self, Operands, double, squares},
    sum::{Digits, Sum, low_product},
    vector::Vector,
};

/// One product: `out` ← a·b. A square has no b, but room for as many words as `doubled`.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) kernel: &'a Ifma52,
    pub(super) out: *mut u64,
    pub(super) a: *const u64,
    pub(super) b: *const u64,
    pub(super) doubled: *mut u64,
}

/// One product under way.
struct Work<'a, V, const K: usize, const SPLIT: bool> {
    task: Task<'a>,
    sum: Sum<V, K, SPLIT>,
    quotient: Digits<K>,
}

impl<'a, V: Vector, const K: usize, const SPLIT: bool> Work<'a, V, K, SPLIT> {
    #[inline(always)]
    unsafe fn new(task: Task<'a>) -> Self {
        // SAFETY: SSE2 is part of x86-64; as the caller vouches.
        unsafe { Self { task, sum: Sum::zero(), quotient: [core::arch::x86_64::_mm_setzero_si128(); K] } }
    }

    /// Adds block `i` of b times a.
    #[inline(always)]
    unsafe fn multiply(&mut self, i: usize) {
        let Task { a, b, .. } = self.task;
        // SAFETY: both have K vectors.
        unsafe {
            self.sum.add_products(|r| V::splat(b.add(V::LANES * r + i)), |v| V::load(a.add(V::LANES * v)));
        }
    }

    /// Adds the products of the lowest lane with all, each but its own taken twice.
    #[inline(always)]
    unsafe fn square_lowest(&mut self) {
        let Task { a, doubled, .. } = self.task;
        // SAFETY: both have K vectors.
        unsafe {
            let mut factor = [V::zero(); K];
            for (v, factor) in factor.iter_mut().enumerate() {
                *factor = squares::lowest_factor(a, doubled, v);
            }
            self.sum.add_products(|r| V::splat(a.add(V::LANES * r)), |v| factor[v]);
        }
    }

    /// Adds the products of lanes that `operands` names.
    #[inline(always)]
    unsafe fn square(&mut self, operands: &Operands) {
        let Task { a, doubled, .. } = self.task;
        // SAFETY: both have K vectors.
        unsafe {
            let mut factor = [V::zero(); K];
            for (v, factor) in factor.iter_mut().enumerate() {
                *factor = operands.factor(a, doubled, v);
            }
            self.sum.add_products(|r| operands.digits(a, r), |v| factor[v]);
        }
    }

    /// Takes a block of quotient digits; the sum moves down.
    #[inline(always)]
    unsafe fn take(&mut self) {
        // SAFETY: as the caller vouches.
        self.quotient = unsafe { self.sum.take_lowest() };
    }

    /// Adds them times H.
    #[inline(always)]
    unsafe fn reduce(&mut self) {
        let high = self.task.kernel.high.as_ptr();
        // SAFETY: H has K vectors.
        unsafe {
            self.sum.add_products(|r| V::everywhere(self.quotient[r]), |v| V::load(high.add(V::LANES * v)));
        }
    }

    /// Takes the last block of quotient digits.
    #[inline(always)]
    unsafe fn take_last(&mut self) {
        // SAFETY: the inverse has K digits.
        unsafe {
            let (digits, _) = self.sum.lowest();
            self.quotient = low_product(&digits, self.task.kernel.negative_inverse.as_ptr());
        }
    }

    /// Adds the last block times N and stores the result.
    #[inline(always)]
    unsafe fn finish(&mut self) {
        let modulus = self.task.kernel.modulus.as_ptr();
        // SAFETY: N and `out` have K vectors.
        unsafe {
            self.sum
                .add_products(|r| V::everywhere(self.quotient[r]), |v| V::load(modulus.add(V::LANES * v)));
        }
    }

    /// Stores the result.
    #[inline(always)]
    unsafe fn store(&mut self) {
        // SAFETY: `out` has K vectors.
        unsafe {
            self.sum.take_lowest();
            self.sum.store(self.task.out);
        }
    }
}

/// A product. The block to come is multiplied while the quotient of the last one is on its way.
///
/// # Safety
/// As for [`Vector`]; the kernel has lanes as V and K digits in each; `out`, `a` and `b` have K vectors.
#[inline(always)]
pub(super) unsafe fn multiply<V: Vector, const K: usize, const SPLIT: bool>(task: Task<'_>) {
    // SAFETY: as the caller vouches.
    unsafe {
        let mut work = Work::<V, K, SPLIT>::new(task);
        work.multiply(0);
        for i in 1..V::LANES {
            work.take();
            work.multiply(i);
            work.reduce();
        }
        work.take_last();
        work.finish();
        work.store();
    }
}

/// Two products side by side, half a block apart: while the quotient of one is on its way the other keeps the
/// multipliers busy.
///
/// # Safety
/// As for [`multiply`], for both.
#[inline(always)]
pub(super) unsafe fn multiply_two<V: Vector, const K: usize>(tasks: [Task<'_>; 2]) {
    // SAFETY: as the caller vouches.
    unsafe {
        let (mut first, mut second) =
            (Work::<V, K, false>::new(tasks[0]), Work::<V, K, false>::new(tasks[1]));
        first.multiply(0);
        first.take();
        second.multiply(0);
        second.take();
        for i in 1..V::LANES - 1 {
            first.multiply(i);
            first.reduce();
            first.take();
            second.multiply(i);
            second.reduce();
            second.take();
        }
        first.multiply(V::LANES - 1);
        first.reduce();
        first.take_last();
        second.multiply(V::LANES - 1);
        second.reduce();
        second.take_last();
        first.finish();
        second.finish();
        first.store();
        second.store();
    }
}

/// `out` ← a².
///
/// # Safety
/// As for [`multiply`]; `doubled` has K vectors to be written.
#[inline(always)]
pub(super) unsafe fn square<V: Vector, const K: usize, const SPLIT: bool>(task: Task<'_>) {
    let (passes, last) = squares::<V>();
    // SAFETY: as the caller vouches.
    unsafe {
        double::<V>(task.doubled, task.a, K);
        let mut work = Work::<V, K, SPLIT>::new(task);
        let mut next = passes.iter();
        work.square_lowest();
        let mut operands = next.next();
        for i in 1..V::LANES {
            work.take();
            if let Some(due) = operands
                && due.block == i
            {
                work.square(due);
                operands = next.next();
            }
            work.reduce();
        }
        work.take_last();
        work.square(last);
        work.finish();
        work.store();
    }
}

/// Two squares side by side, as [`multiply_two`], `times` times one after the other: out is a.
///
/// # Safety
/// As for [`square`], for both.
#[inline(always)]
pub(super) unsafe fn square_two<V: Vector, const K: usize>(tasks: [Task<'_>; 2], times: u32) {
    let (passes, last) = squares::<V>();
    for _ in 0..times {
        // SAFETY: as the caller vouches.
        unsafe {
            let (mut first, mut second) =
                (Work::<V, K, false>::new(tasks[0]), Work::<V, K, false>::new(tasks[1]));
            double::<V>(first.task.doubled, first.task.a, K);
            double::<V>(second.task.doubled, second.task.a, K);
            let mut passes = passes.iter();
            first.square_lowest();
            first.take();
            second.square_lowest();
            second.take();
            let mut next = passes.next();
            for i in 1..V::LANES - 1 {
                let due = next.filter(|operands| operands.block == i);
                if let Some(operands) = due {
                    first.square(operands);
                }
                first.reduce();
                first.take();
                if let Some(operands) = due {
                    second.square(operands);
                    next = passes.next();
                }
                second.reduce();
                second.take();
            }
            first.square(last);
            first.reduce();
            first.take_last();
            second.square(last);
            second.reduce();
            second.take_last();
            first.finish();
            second.finish();
            first.store();
            second.store();
        }
    }
}

/// `out` ← Σ of the pieces of a times the pieces of a prepared operand at b, reduced by `blocks` blocks: piece p of a
/// is of its lanes `blocks·p` and on.
///
/// # Safety
/// As for [`multiply`]; b has K vectors for each of `split` pieces.
#[inline(always)]
pub(super) unsafe fn multiply_pieces<V: Vector, const K: usize, const SPLIT: bool>(
    task: Task<'_>,
    split: usize,
    blocks: usize,
) {
    let Task { a, b, .. } = task;
    // SAFETY: as the caller vouches.
    unsafe {
        let mut work = Work::<V, K, SPLIT>::new(task);
        for i in 0..blocks {
            if i > 0 {
                work.take();
            }
            for (piece, lane) in (i..V::LANES).step_by(blocks).enumerate().take(split) {
                let piece = b.add(V::LANES * K * piece);
                work.sum.add_products(
                    |r| V::splat(a.add(V::LANES * r + lane)),
                    |v| V::load(piece.add(V::LANES * v)),
                );
            }
            if i > 0 {
                work.reduce();
            }
        }
        work.take_last();
        work.finish();
        work.store();
    }
}

//! Two products at a time, for two moduli.
//!
//! Residues of four lanes share vectors of eight: the same instructions process both, on vectors twice as
//! long, so each instruction hides twice as much of the latency of the last one. Residues of eight lanes are
//! processed separately, half a square apart: while one resolves its carries, the other uses the multipliers.

use core::arch::x86_64::{__m256i, __m512i};

use super::{
    pair::Pair,
    product::{Constants, Task, Work, multiply},
    squares,
    sum::{Sum, each},
    vector::Vector,
};

const LANES: usize = __m512i::LANES;

/// Steps of a product or a square of eight lanes: its blocks, the last quotient, and the carries.
const STEPS: usize = LANES + 2;

/// Two tasks of eight lanes, each with a part of the scratch space.
#[inline(always)]
unsafe fn apart<'a, const K: usize, const L: usize, const SPARE: u32>(
    tasks: [Task<'a>; 2],
    scratch: *mut u64,
) -> [Work<'a, __m512i, K, L, false, SPARE>; 2] {
    let [first, second] = tasks;
    // SAFETY: as the caller guarantees.
    unsafe {
        [
            Work::new(Task { scratch, ..first }),
            Work::new(Task { scratch: scratch.add(2 * LANES * K), ..second }),
        ]
    }
}

impl<const K: usize, const L: usize, const SPARE: u32> Work<'_, __m512i, K, L, false, SPARE> {
    /// A step of a square, or of a product.
    #[inline(always)]
    unsafe fn step<const SQUARE: bool>(&mut self, step: usize) {
        // SAFETY: as the caller guarantees.
        unsafe {
            if step < LANES {
                if step == 0 {
                    self.sum = Sum::zero();
                }
                if SQUARE {
                    self.square_of_step(step)
                } else {
                    self.multiply_of_step(step)
                }
                self.reduce_and_take(step);
            } else if step == LANES {
                self.take_last(|_| {});
            } else {
                self.store();
            }
        }
    }

    #[inline(always)]
    unsafe fn multiply_of_step(&mut self, step: usize) {
        // SAFETY: as the caller guarantees.
        unsafe {
            if step == LANES - 1 {
                self.multiply_highest();
            } else {
                self.multiply(step);
            }
        }
    }

    #[inline(always)]
    unsafe fn square_of_step(&mut self, step: usize) {
        // SAFETY: as the caller guarantees.
        unsafe {
            if step == 0 {
                self.square_lowest(&self.operand());
            } else if step == LANES - 1 {
                self.square_last();
            } else if let Some(due) = squares::due::<__m512i>(step) {
                self.square(due);
            }
        }
    }

    #[inline(always)]
    unsafe fn reduce_and_take(&mut self, step: usize) {
        // SAFETY: as the caller guarantees.
        unsafe {
            if step == LANES - 1 {
                self.reduce_short();
            } else if step > 0 {
                self.reduce();
            }
            if step == LANES - 2 {
                self.take_short();
            } else if step < LANES - 2 {
                self.take();
            }
        }
    }
}

/// Residues of eight lanes stay where they are.
///
/// # Safety
/// None is needed.
#[inline(always)]
pub(super) unsafe fn begin_two<const K: usize>(_tasks: [Task<'_>; 2], _scratch: *mut u64) {}

/// The same.
///
/// # Safety
/// None is needed.
#[inline(always)]
pub(super) unsafe fn end_two<const K: usize>(_tasks: [Task<'_>; 2], _scratch: *mut u64) {}

/// Two products of eight lanes.
///
/// # Safety
/// As for [`multiply`], for both; `scratch` has four residues' words.
#[inline(always)]
pub(super) unsafe fn multiply_two<const K: usize, const L: usize, const SPARE: u32>(
    tasks: [Task<'_>; 2],
    scratch: *mut u64,
) {
    // SAFETY: as the caller guarantees.
    unsafe {
        let [mut first, mut second] = apart::<K, L, SPARE>(tasks, scratch);
        each!(i in STEPS, {
            first.step::<false>(i);
            second.step::<false>(i);
        });
    }
}

/// Two squares of eight lanes, repeated `times` times: out is a.
///
/// # Safety
/// As for [`multiply_two`].
#[inline(always)]
pub(super) unsafe fn square_two<const K: usize, const L: usize, const SPARE: u32>(
    tasks: [Task<'_>; 2],
    times: u32,
    scratch: *mut u64,
) {
    if times == 0 {
        return;
    }
    const HALF: usize = STEPS / 2;
    // SAFETY: as the caller guarantees.
    unsafe {
        let [mut first, mut second] = apart::<K, L, SPARE>(tasks, scratch);
        each!(i in HALF, {
            first.step::<true>(i);
        });
        for _ in 1..times {
            each!(i in HALF, {
                first.step::<true>(HALF + i);
                second.step::<true>(i);
            });
            each!(i in HALF, {
                second.step::<true>(HALF + i);
                first.step::<true>(i);
            });
        }
        each!(i in HALF, {
            first.step::<true>(HALF + i);
            second.step::<true>(i);
        });
        each!(i in HALF, {
            second.step::<true>(HALF + i);
        });
    }
}

/// The number of words of scratch space for pairs of residues of four lanes: seven times K vectors, and one
/// vector.
pub(super) const fn pair_scratch(digits: usize) -> usize {
    Pair::WORDS * (7 * digits + 1)
}

/// `out` ← the vectors of two residues of four lanes, as pairs.
#[inline(always)]
unsafe fn join<const K: usize>(out: *mut u64, [first, second]: [*const u64; 2]) {
    // SAFETY: as the caller guarantees.
    unsafe {
        each!(v in K, {
            Pair::of(Vector::load(first.add(4 * v)), Vector::load(second.add(4 * v))).store(out.add(8 * v));
        });
    }
}

/// The task of pairs in the scratch space.
#[inline(always)]
unsafe fn joined<'a, const K: usize>(scratch: *mut u64) -> Task<'a> {
    let size = Pair::WORDS * K;
    // SAFETY: the scratch space has room for them.
    unsafe {
        let place = |i: usize| scratch.add(size * i);
        let words = |i: usize, count: usize| core::slice::from_raw_parts(place(i).cast_const(), count);
        let constants = Constants {
            high: words(0, size),
            step: words(1, size),
            modulus: words(2, size),
            inverse: words(7, Pair::WORDS),
        };
        Task { constants, out: place(3), a: place(3), b: place(4), scratch: place(5) }
    }
}

/// Copies two tasks of four lanes into the scratch space, except their factors b.
///
/// # Safety
/// As for [`multiply`], for both; `scratch` has [`pair_scratch`] words.
#[inline(always)]
pub(super) unsafe fn begin_pair<const K: usize>(tasks: [Task<'_>; 2], scratch: *mut u64) {
    // SAFETY: the scratch space has room for them.
    unsafe {
        let place = |i: usize| scratch.add(Pair::WORDS * K * i);
        let constants = tasks.map(|task| task.constants);
        join::<K>(place(0), constants.map(|constants| constants.high.as_ptr()));
        join::<K>(place(1), constants.map(|constants| constants.step.as_ptr()));
        join::<K>(place(2), constants.map(|constants| constants.modulus.as_ptr()));
        join::<K>(place(3), tasks.map(|task| task.a));
        let [first, second] = constants.map(|constants| constants.inverse.as_ptr());
        let inverse = [first.read(), 0, 0, 0, second.read(), 0, 0, 0];
        place(7).cast::<[u64; Pair::WORDS]>().write_unaligned(inverse);
    }
}

/// Copies both results to their destinations.
///
/// # Safety
/// As for [`begin_pair`], which came before.
#[inline(always)]
pub(super) unsafe fn end_pair<const K: usize>(tasks: [Task<'_>; 2], scratch: *mut u64) {
    // SAFETY: as the caller guarantees.
    unsafe {
        let pairs = joined::<K>(scratch).out;
        each!(v in K, {
            let parts: [__m256i; 2] = <Pair as Vector>::load(pairs.add(8 * v)).parts();
            parts[0].store(tasks[0].out.add(4 * v));
            parts[1].store(tasks[1].out.add(4 * v));
        });
    }
}

/// Two products of four lanes.
///
/// # Safety
/// As for [`end_pair`].
#[inline(always)]
pub(super) unsafe fn multiply_pair<const K: usize, const SPARE: u32>(
    tasks: [Task<'_>; 2],
    scratch: *mut u64,
) {
    // SAFETY: as the caller guarantees.
    unsafe {
        let task = joined::<K>(scratch);
        join::<K>(task.b.cast_mut(), tasks.map(|task| task.b));
        multiply::<Pair, K, K, false, SPARE>(task);
    }
}

/// Two squares of four lanes, repeated `times` times.
///
/// # Safety
/// As for [`end_pair`].
#[inline(always)]
pub(super) unsafe fn square_pair<const K: usize, const SPARE: u32>(
    _tasks: [Task<'_>; 2],
    times: u32,
    scratch: *mut u64,
) {
    // SAFETY: as the caller guarantees.
    unsafe {
        let task = joined::<K>(scratch);
        let mut x = Work::<Pair, K, K, false, SPARE>::new(task).operand();
        for _ in 0..times {
            let mut work = Work::<Pair, K, K, false, SPARE>::new(task);
            // From registers, because words that were just stored are slow to load.
            work.square_lowest(&x);
            each!(i in Pair::LANES, {
                if i > 0 {
                    work.take();
                    work.square_block(i);
                    work.reduce();
                }
            });
            work.take_last(|work| work.square_last());
            x = work.store();
        }
    }
}

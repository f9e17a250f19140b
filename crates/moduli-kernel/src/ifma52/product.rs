//! Products of residues whose sums fit in the registers: up to ten digits in a lane.

use super::{
    squares::{self, Operands, double, lowest_factor},
    sum::{Sum, each, load},
    vector::Vector,
};

/// The constants of a modulus, in the layout of residues: H, (M₁ + 1)/2^52, N, and in the lowest lane −1/N
/// modulo 2^52.
#[derive(Clone, Copy)]
pub(super) struct Constants<'a> {
    pub(super) high: &'a [u64],
    pub(super) step: &'a [u64],
    pub(super) modulus: &'a [u64],
    pub(super) inverse: &'a [u64],
}

/// One product: `out` ← a·b; a square has no b. `scratch` is room for two residues: the double of a, and
/// quotient digits.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) constants: Constants<'a>,
    pub(super) out: *mut u64,
    pub(super) a: *const u64,
    pub(super) b: *const u64,
    pub(super) scratch: *mut u64,
}

/// A product in progress. Of G blocks of K quotient digits, the last but one has at most L digits, if
/// residues have no more.
pub(super) struct Work<'a, V: Vector, const K: usize, const L: usize, const SPLIT: bool, const SPARE: u32> {
    pub(super) task: Task<'a>,
    pub(super) sum: Sum<V, K, SPLIT, SPARE>,
    /// The pass of a square that has begun for the next block, and its factor.
    ahead: Sum<V, K, false, SPARE>,
    factor: [V; K],
}

/// The largest number of digits in a lane for which the registers hold a second sum.
const AHEAD: usize = 5;

impl<'a, V: Vector, const K: usize, const L: usize, const SPLIT: bool, const SPARE: u32>
    Work<'a, V, K, L, SPLIT, SPARE>
{
    #[inline(always)]
    pub(super) unsafe fn new(task: Task<'a>) -> Self {
        // SAFETY: as the caller guarantees.
        unsafe { Self { task, sum: Sum::zero(), ahead: Sum::zero(), factor: [V::zero(); K] } }
    }

    /// The address of a block of quotient digits, a vector for each.
    #[inline(always)]
    unsafe fn quotient(&self) -> *mut u64 {
        // SAFETY: the scratch space has K more vectors.
        unsafe { self.task.scratch.add(V::WORDS * K) }
    }

    /// The factor a.
    #[inline(always)]
    pub(super) unsafe fn operand(&self) -> [V; K] {
        // SAFETY: it has K vectors.
        unsafe { load(self.task.a) }
    }

    /// Adds block `i` of b times a, for all blocks except the highest.
    #[inline(always)]
    pub(super) unsafe fn multiply(&mut self, i: usize) {
        // SAFETY: as the caller guarantees.
        unsafe { self.multiply_block::<K>(i) };
    }

    /// Adds the highest block of b times a.
    #[inline(always)]
    pub(super) unsafe fn multiply_highest(&mut self) {
        // SAFETY: as the caller guarantees.
        unsafe { self.multiply_block::<L>(V::LANES - 1) };
    }

    #[inline(always)]
    unsafe fn multiply_block<const N: usize>(&mut self, i: usize) {
        let Task { a, b, .. } = self.task;
        // SAFETY: both have K vectors.
        unsafe {
            self.sum.add_products_of::<N>(|r| V::lane(b.add(V::WORDS * r), i), &load(a));
        }
    }

    /// Adds the products of the lowest lane of x, which is a, with all lanes, twice except with itself.
    /// Writes 2·x.
    #[inline(always)]
    pub(super) unsafe fn square_lowest(&mut self, x: &[V; K]) {
        let Task { a, scratch: doubled, .. } = self.task;
        // SAFETY: a has K vectors, and there is room for 2·x.
        unsafe {
            double::<V, K, SPARE>(doubled, x);
            let mut factor = [V::zero(); K];
            each!(v in K, {
                factor[v] = lowest_factor::<V, SPARE>(x[v], doubled, v);
            });
            let digit = |r: usize| {
                // In pairs, one square waits for the other, and words that were just stored are slow to load.
                if V::WORDS > V::LANES {
                    V::everywhere(x[r].bottom())
                } else {
                    V::lane(a.add(V::WORDS * r), 0)
                }
            };
            self.sum.add_products(digit, &factor);
        }
    }

    /// Adds the products of lanes that `operands` names.
    #[inline(always)]
    pub(super) unsafe fn square(&mut self, operands: &Operands) {
        let Task { a, scratch: doubled, .. } = self.task;
        // SAFETY: both have K vectors.
        unsafe {
            let mut factor = [V::zero(); K];
            each!(v in K, {
                factor[v] = operands.factor::<V, SPARE>(a, doubled, v);
            });
            self.sum.add_products(|r| operands.digits(a, r), &factor);
        }
    }

    /// Adds the products of lanes that are due in block i of a square.
    ///
    /// A pass is due every other block. If there are registers for it, the block before begins with it, so
    /// each block has work while its quotient is computed.
    #[inline(always)]
    pub(super) unsafe fn square_block(&mut self, i: usize) {
        let Task { a, scratch: doubled, .. } = self.task;
        // SAFETY: both have K vectors.
        unsafe {
            if let Some(due) = squares::due::<V>(i) {
                if K > AHEAD {
                    return self.square(due);
                }
                self.square_ahead(due, K.div_ceil(2), K);
                self.sum.add_sum(&self.ahead);
            }
            if K <= AHEAD
                && let Some(next) = squares::due::<V>(i + 1)
            {
                self.ahead = Sum::zero();
                each!(v in K, {
                    self.factor[v] = next.factor::<V, SPARE>(a, doubled, v);
                });
                self.square_ahead(next, 0, K.div_ceil(2));
            }
        }
    }

    /// Computes a quotient, and adds the products that are due in block i.
    #[inline(always)]
    unsafe fn square_step(&mut self, i: usize) {
        // SAFETY: as the caller guarantees.
        unsafe {
            self.take();
            self.square_block(i);
            self.reduce();
        }
    }

    /// Adds the products of digits `from..to` of the next pass.
    #[inline(always)]
    unsafe fn square_ahead(&mut self, operands: &Operands, from: usize, to: usize) {
        let Self { task: Task { a, .. }, ahead, factor, .. } = self;
        each!(r in K, {
            if (from..to).contains(&r) {
                // SAFETY: a has K vectors.
                unsafe { ahead.add_digit::<false>(r, &operands.digits(*a, r), factor) };
            }
        });
    }

    /// Adds the squares of the remaining lanes.
    #[inline(always)]
    pub(super) unsafe fn square_last(&mut self) {
        let operands = squares::last::<V>();
        // SAFETY: a has K vectors.
        unsafe {
            let mut x = [V::zero(); K];
            each!(v in K, {
                x[v] = operands.digits(self.task.a, v);
            });
            self.sum.add_squares::<L>(&x);
        }
    }

    /// Computes a block of quotient digits; the sum moves down.
    #[inline(always)]
    pub(super) unsafe fn take(&mut self) {
        // SAFETY: as the caller guarantees.
        unsafe { self.sum.take_lowest::<K>(self.quotient()) };
    }

    /// Computes the block of L quotient digits.
    #[inline(always)]
    pub(super) unsafe fn take_short(&mut self) {
        // SAFETY: as the caller guarantees.
        unsafe { self.sum.take_lowest::<L>(self.quotient()) };
    }

    /// Adds a block of quotient digits times H.
    #[inline(always)]
    pub(super) unsafe fn reduce(&mut self) {
        // SAFETY: as the caller guarantees.
        unsafe { self.reduce_by::<K>() };
    }

    /// Adds L quotient digits times H.
    #[inline(always)]
    pub(super) unsafe fn reduce_short(&mut self) {
        // SAFETY: as the caller guarantees.
        unsafe { self.reduce_by::<L>() };
    }

    #[inline(always)]
    unsafe fn reduce_by<const N: usize>(&mut self) {
        let high = self.task.constants.high.as_ptr();
        // SAFETY: H and the quotient have K vectors.
        unsafe {
            let quotient = self.quotient();
            self.sum.add_products_of::<N>(|r| V::taken_digit(quotient.add(V::WORDS * r)), &load(high));
        }
    }

    /// Clears the last block. The products that `meanwhile` adds do not change it, because the lowest lane
    /// stays as it is.
    #[inline(always)]
    pub(super) unsafe fn take_last(&mut self, meanwhile: impl FnOnce(&mut Self)) {
        let Constants { step, modulus, inverse, .. } = self.task.constants;
        // SAFETY: both have K vectors, and the inverse is one digit for each number in a vector.
        unsafe {
            let carry = self.sum.last_digits(step.as_ptr(), modulus.as_ptr(), inverse.as_ptr());
            meanwhile(self);
            self.sum.end(carry);
        }
    }

    /// Stores the result, and returns it.
    #[inline(always)]
    pub(super) unsafe fn store(&mut self) -> [V; K] {
        // SAFETY: `out` has K vectors.
        unsafe { self.sum.store(self.task.out) }
    }
}

/// A product. The next block is multiplied while the quotient of the last one is computed.
///
/// # Safety
/// As for [`Vector`]; the constants, `out`, `a` and `b` have K vectors, `scratch` twice as many, which are
/// overwritten.
#[inline(always)]
pub(super) unsafe fn multiply<
    V: Vector,
    const K: usize,
    const L: usize,
    const SPLIT: bool,
    const SPARE: u32,
>(
    task: Task<'_>,
) {
    // SAFETY: as the caller guarantees.
    unsafe {
        let mut work = Work::<V, K, L, SPLIT, SPARE>::new(task);
        work.multiply(0);
        let full = if L < K { V::LANES - 1 } else { V::LANES };
        for i in 1..full {
            work.take();
            work.multiply(i);
            work.reduce();
        }
        if L < K {
            work.take_short();
            work.multiply_highest();
            work.reduce_short();
        }
        work.take_last(|_| {});
        work.store();
    }
}

/// `out` ← a².
///
/// # Safety
/// As for [`multiply`], except for `b`.
#[inline(always)]
pub(super) unsafe fn square<
    V: Vector,
    const K: usize,
    const L: usize,
    const SPLIT: bool,
    const SPARE: u32,
>(
    task: Task<'_>,
) {
    // SAFETY: as the caller guarantees.
    unsafe {
        let mut work = Work::<V, K, L, SPLIT, SPARE>::new(task);
        work.square_lowest(&work.operand());
        let full = if L < K { V::LANES - 1 } else { V::LANES };
        if K <= AHEAD {
            // Unrolled, so the pass of each block is a constant: a jump by the number of the block and moves
            // of sums take 1 to 4 % more.
            each!(i in V::LANES, {
                if 0 < i && i < full {
                    work.square_step(i);
                }
            });
        } else {
            for i in 1..full {
                work.square_step(i);
            }
        }
        if L < K {
            work.take_short();
            work.reduce_short();
        }
        // Digit by digit, the last block alone would leave the multipliers idle.
        work.take_last(|work| work.square_last());
        work.store();
    }
}

/// `out` ← Σ of the pieces of a times the pieces of a prepared operand at b, reduced by `blocks` blocks:
/// piece p of a begins at lane `blocks·p`.
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
    // SAFETY: as the caller guarantees.
    unsafe {
        let mut work = Work::<V, K, K, SPLIT, 0>::new(task);
        for i in 0..blocks {
            if i > 0 {
                work.take();
            }
            for (piece, lane) in (i..V::LANES).step_by(blocks).enumerate().take(split) {
                let piece = b.add(V::WORDS * K * piece);
                work.sum.add_products(|r| V::lane(a.add(V::WORDS * r), lane), &load(piece));
            }
            if i > 0 {
                work.reduce();
            }
        }
        work.take_last(|_| {});
        work.store();
    }
}

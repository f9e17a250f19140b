//! Reduced bases of the lattice L = {(r, t): r·u + t·v ≡ 0 modulo 2^k}: the matrix of a jump.
//!
//! Two linearly independent vectors B_U, B_V of the plane measure a pair: (r, t) has the length of r·B_U + t·B_V. Two
//! vectors at an angle θ are *reduced* here if |cot θ| ≤ κ = 0.66. Given reduced B_U, B_V, the basis of L that is found
//! is reduced again, its determinant is 2^k, and its entries are below 1.5·2^k; `docs/lattice-jump.md` has the proofs.
//! It takes two steps:
//!
//! 1. Euclid on (2^k, 0) and (ρ, 1), ρ = −v/u modulo 2^k, until r·|B_U| ≤ |t|·|B_V|; the last two rows.
//! 2. The nearest power of two times the shorter vector is taken from the longer one, unless they are at nearly right
//!    angles.
//!
//! [`Steps::Uniform`] performs Euclid's divisions as a fixed number of masked shifts and subtractions,
//! [`Steps::Variable`] with the division of the processor. Both find the same basis.

use zeroize::Zeroize;

use super::{
    super::super::observe::Observer,
    masked::{choose, choose_wide, less, swap},
    vector::Vector,
};
use crate::limbs::inverse_of_word;

/// How Euclid's quotients are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Steps {
    /// This many masked steps, whatever the operand.
    Uniform(u32),
    /// As many divisions as there are quotients.
    Variable,
}

impl Steps {
    /// Enough masked steps for k bits: the largest n with F_(n+1) ≤ 2^k, F the Fibonacci numbers.
    pub fn uniform(k: u32) -> Self {
        let (mut fibonacci, mut next, mut steps) = (1u128, 2u128, 0);
        // fibonacci = F_(steps + 2).
        while fibonacci <= 1 << k {
            (fibonacci, next) = (next, fibonacci + next);
            steps += 1;
        }
        Self::Uniform(steps)
    }
}

/// A basis of L, row by row: what takes (U, V) to 2^k·(U', V').
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows(pub [[i128; 2]; 2]);

impl Zeroize for Rows {
    fn zeroize(&mut self) {
        self.0.as_flattened_mut().zeroize();
    }
}

/// A basis of L for u, v of k bits, not both even, 1 ≤ k ≤ 64. `vectors`, B_U and B_V, are replaced by the images of its
/// rows.
pub(super) fn reduce(
    k: u32,
    steps: Steps,
    [mut u, mut v]: [u64; 2],
    vectors: &mut [Vector; 2],
    observer: &mut impl Observer,
) -> Rows {
    let [b_u, b_v] = vectors;
    // An odd u: else U and V change roles.
    let even = (u & 1).wrapping_sub(1);
    (u, v) = (choose(even, v, u), choose(even, u, v));
    Vector::swap(even, b_u, b_v);
    let rho = v.wrapping_mul(inverse_of_word(u)).wrapping_neg() & (u64::MAX >> (64 - k));
    let stop = Stop::new(b_u, b_v);
    let mut euclid = Euclid::new(k, rho);
    match steps {
        Steps::Uniform(count) => euclid.run_masked(&stop, count, observer),
        Steps::Variable => euclid.run_vartime(&stop, observer),
    }
    let [mut first, mut second] = euclid.rows();
    let mut image_1 = Vector::combine(first[0], b_u, first[1], b_v);
    let mut image_2 = Vector::combine(second[0], b_u, second[1], b_v);
    straighten(&mut first, &mut image_1, &mut second, &mut image_2);
    for (row, image) in [(&mut first, &mut image_1), (&mut second, &mut image_2)] {
        let [r, t] = row;
        swap(even, r, t);
        // A row and its negative serve alike: the first entry is not negative.
        let sign = (*r >> 127) as u64;
        let wide = i128::from(sign as i64);
        *row = row.map(|entry| (entry ^ wide) - wide);
        *image = image.negated(sign);
    }
    *vectors = [image_1, image_2];
    Rows([first, second])
}

/// Step 2, with the shorter vector put second.
fn straighten(row_1: &mut [i128; 2], image_1: &mut Vector, row_2: &mut [i128; 2], image_2: &mut Vector) {
    let distance = (image_1.exponent - image_2.exponent).clamp(-4, 4);
    let (square_1, square_2) = (u128::from(image_1.square()), u128::from(image_2.square()));
    let shorter = less(square_1 << (8 + 2 * distance), square_2 << 8) as u64;
    Vector::swap(shorter, image_1, image_2);
    for (a, b) in row_1.iter_mut().zip(row_2.iter_mut()) {
        swap(shorter, a, b);
    }

    let dot = image_1.dot(image_2);
    let (size, sign) = (dot.unsigned_abs(), (dot >> 63) as u64);
    let square = image_2.square();
    // Not below −1, because the second is the shorter one.
    let distance = (image_1.exponent - image_2.exponent).clamp(-1, 80);
    // μ = |dot|/square·2^distance is what the first has of the second. Nothing is done for μ < 1/2.
    let large = !less(u128::from(size) << (distance.min(62) + 2), u128::from(square) << 1) as u64;
    // ⌊log2(4μ/3)⌋, so that |μ − 2^shift| ≤ μ/3 for μ ≥ 3/4.
    let (above, below) = (4 * size, 3 * square);
    let (zeros_above, zeros_below) = (above.leading_zeros().min(63), below.leading_zeros().min(63));
    let smaller = less((above << zeros_above).into(), (below << zeros_below).into()) as i32;
    let shift = (zeros_below as i32 - zeros_above as i32 + smaller + distance).clamp(0, 70);
    // Rows on an axis, (0, t) and (r, 0), are taken once at most, and only where this keeps the entries small.
    let [no_r, no_t] = row_2.map(|entry| less(entry.unsigned_abs(), 1) as u64);
    let act = large & !(no_r & !sign) & !(no_t & sign);
    let shift = (shift & !(no_r | no_t) as i32 & act as i32) as u32;

    let (wide_act, wide_sign) = (i128::from(act as i64), i128::from(sign as i64));
    for (a, b) in row_1.iter_mut().zip(row_2.iter()) {
        let multiple = *b << shift;
        *a -= ((multiple ^ wide_sign) - wide_sign) & wide_act;
    }
    let mut straight = Vector::combine(1, image_1, (-1 ^ wide_sign) - wide_sign, &image_2.scaled(shift));
    Vector::swap(act, image_1, &mut straight);
}

/// Whether r·|B_U| ≤ |t|·|B_V|.
struct Stop {
    lengths: [u128; 2],
    shifts: [u32; 2],
}

impl Stop {
    fn new(b_u: &Vector, b_v: &Vector) -> Self {
        let ((length_u, exponent_u), (length_v, exponent_v)) = (b_u.length(), b_v.length());
        // Products of up to 81 bits are compared: beyond 100 nothing changes.
        let distance = (exponent_u - exponent_v).clamp(-100, 100);
        let positive = !(distance >> 31);
        Self {
            lengths: [length_u.into(), length_v.into()],
            shifts: [(-distance & !positive) as u32, (distance & positive) as u32],
        }
    }

    /// All ones if it is so.
    fn holds(&self, r: u128, t: u128) -> u128 {
        let [length_u, length_v] = self.lengths;
        let [up, down] = self.shifts;
        // For integers, a ≤ b·2^s where ⌈a/2^s⌉ ≤ b, and a·2^s ≤ b where a ≤ ⌊b/2^s⌋. A masked step that does not
        // count may overflow t.
        let left = (r * length_u + ((1 << up) - 1)) >> up;
        let right = t.wrapping_mul(length_v) >> down;
        !less(right, left)
    }
}

/// Two consecutive rows (r, ∓t) of Euclid's algorithm, r and t without their signs.
struct Euclid {
    r: [u128; 2],
    t: [u128; 2],
    /// All ones if the second t is negative and the first is not.
    negative: u128,
}

impl Euclid {
    fn new(k: u32, rho: u64) -> Self {
        Self { r: [1 << k, rho.into()], t: [0, 1], negative: 0 }
    }

    /// Each step takes the largest 2^s·r_1 from r_0, so it halves r_0 at least; rows are exchanged when r_0 < r_1.
    fn run_masked(&mut self, stop: &Stop, count: u32, observer: &mut impl Observer) {
        let mut active = !stop.holds(self.r[1], self.t[1]);
        for _ in 0..count {
            observer.inner();
            let [r0, r1] = self.r;
            let [t0, t1] = self.t;
            // r_0 > r_1, so this is not negative.
            let shift = r1.leading_zeros() - r0.leading_zeros();
            let shift = shift - (less(r0, r1 << shift) as u32 & 1);
            let rest = r0.wrapping_sub(r1 << shift);
            let sum = t0.wrapping_add(t1 << shift);
            let crossed = less(rest, r1);
            let [larger, smaller] = [choose_wide(crossed, r1, rest), choose_wide(crossed, rest, r1)];
            let [before, after] = [choose_wide(crossed, t1, sum), choose_wide(crossed, sum, t1)];
            self.r = [choose_wide(active, larger, r0), choose_wide(active, smaller, r1)];
            self.t = [choose_wide(active, before, t0), choose_wide(active, after, t1)];
            self.negative ^= crossed & active;
            active &= !(crossed & stop.holds(smaller, after));
        }
    }

    fn run_vartime(&mut self, stop: &Stop, observer: &mut impl Observer) {
        while stop.holds(self.r[1], self.t[1]) == 0 {
            observer.inner();
            // r_1 = 0 stops.
            let quotient = self.r[0].checked_div(self.r[1]).unwrap_or(0);
            self.r = [self.r[1], self.r[0] - quotient * self.r[1]];
            self.t = [self.t[1], self.t[0] + quotient * self.t[1]];
            self.negative = !self.negative;
        }
    }

    fn rows(&self) -> [[i128; 2]; 2] {
        let sign = self.negative as i128;
        let [t0, t1] = self.t.map(|t| t as i128);
        [[self.r[0] as i128, (t0 ^ !sign) - !sign], [self.r[1] as i128, (t1 ^ sign) - sign]]
    }
}

impl Drop for Euclid {
    fn drop(&mut self) {
        self.r.zeroize();
        self.t.zeroize();
        self.negative.zeroize();
    }
}

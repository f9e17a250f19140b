//! Reduced bases of the lattice L = {(r, t): r·u + t·v ≡ 0 modulo 2^k}: the matrix of a jump.
//!
//! Two linearly independent vectors B_U, B_V of the plane define the length of a pair: (r, t) has the length
//! of r·B_U + t·B_V. Two vectors at an angle θ are called *reduced* here if |cot θ| ≤ κ = 0.66. If B_U, B_V
//! are reduced, the computed basis of L is reduced, too, its determinant is 2^k, and its entries are below
//! 1.5·2^k; `docs/lattice-jump.md` has the proofs. The computation has two steps:
//!
//! 1. Euclid's algorithm on (2^k, 0) and (ρ, 1), ρ = −v/u modulo 2^k, until r·|B_U| ≤ |t|·|B_V|. It yields
//!    the last two rows.
//! 2. Unless the vectors are nearly at right angles, the nearest power of two times the shorter vector is
//!    subtracted from the longer one.
//!
//! [`Steps::ConstantTime`] performs Euclid's divisions as a fixed number of masked shifts and subtractions,
//! [`Steps::Variable`] with the division of the processor. Both find the same basis.

use zeroize::Zeroize;

use super::{
    super::super::observe::ChannelObserver,
    masked::{choose, choose_wide, less, swap},
    vector::Vector,
};
use moduli_kernel::limbs::inverse_of_word;

/// How Euclid's quotients are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Steps {
    /// This number of masked steps, for every operand.
    ConstantTime(u32),
    /// One division for each quotient.
    Variable,
}

impl Steps {
    /// A sufficient number of masked steps for k bits: the largest n with F_(n+1) ≤ 2^k, where F are the
    /// Fibonacci numbers.
    pub fn constant_time(k: u32) -> Self {
        let (mut fibonacci, mut next, mut steps) = (1u128, 2u128, 0);
        // Here fibonacci = F_(steps + 2).
        while fibonacci <= 1 << k {
            (fibonacci, next) = (next, fibonacci + next);
            steps += 1;
        }
        Self::ConstantTime(steps)
    }
}

/// A basis of L, row by row. It maps (U, V) to 2^k·(U', V').
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Basis(pub [[i128; 2]; 2]);

impl Zeroize for Basis {
    fn zeroize(&mut self) {
        self.0.as_flattened_mut().zeroize();
    }
}

/// Computes a basis of L for u, v of k bits, not both even, 1 ≤ k ≤ 64. Replaces `vectors`, which are B_U and
/// B_V, by the images of the rows.
pub(super) fn reduce(
    k: u32,
    steps: Steps,
    [mut u, mut v]: [u64; 2],
    vectors: &mut [Vector; 2],
    observer: &mut impl ChannelObserver,
) -> Basis {
    let [b_u, b_v] = vectors;
    // u must be odd; otherwise U and V are exchanged.
    let even = (u & 1).wrapping_sub(1);
    (u, v) = (choose(even, v, u), choose(even, u, v));
    Vector::swap(even, b_u, b_v);
    let rho = v.wrapping_mul(inverse_of_word(u)).wrapping_neg() & (u64::MAX >> (64 - k));
    let stop = Stop::new(b_u, b_v);
    let mut euclid = Euclid::new(k, rho);
    match steps {
        Steps::ConstantTime(count) => euclid.run_masked(&stop, count, observer),
        Steps::Variable => euclid.run_vartime(&stop, observer),
    }
    let [mut first, mut second] = euclid.rows();
    let mut image_1 = Vector::combine(first[0], b_u, first[1], b_v);
    let mut image_2 = Vector::combine(second[0], b_u, second[1], b_v);
    straighten(&mut first, &mut image_1, &mut second, &mut image_2);
    for (row, image) in [(&mut first, &mut image_1), (&mut second, &mut image_2)] {
        let [r, t] = row;
        swap(even, r, t);
        // A row can be negated. Its first entry is made non-negative.
        let sign = (*r >> 127) as u64;
        let wide = i128::from(sign as i64);
        *row = row.map(|entry| (entry ^ wide) - wide);
        *image = image.negated(sign);
    }
    *vectors = [image_1, image_2];
    Basis([first, second])
}

/// Step 2. First exchanges the vectors if the first one is shorter.
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
    // At least −1, because the second vector is the shorter one.
    let distance = (image_1.exponent - image_2.exponent).clamp(-1, 80);
    // μ = |dot|/square·2^distance is the component of the first vector along the second, in units of the
    // second. Nothing changes for μ < 1/2.
    let large = !less(u128::from(size) << (distance.min(62) + 2), u128::from(square) << 1) as u64;
    // ⌊log2(4μ/3)⌋, so that |μ − 2^shift| ≤ μ/3 for μ ≥ 3/4.
    let (above, below) = (4 * size, 3 * square);
    let (zeros_above, zeros_below) = (above.leading_zeros().min(63), below.leading_zeros().min(63));
    let smaller = less((above << zeros_above).into(), (below << zeros_below).into()) as i32;
    let shift = (zeros_below as i32 - zeros_above as i32 + smaller + distance).clamp(0, 70);
    // A row on an axis, (0, t) or (r, 0), is subtracted at most once, and only if this keeps the entries
    // small.
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

/// The condition r·|B_U| ≤ |t|·|B_V|.
struct Stop {
    lengths: [u128; 2],
    shifts: [u32; 2],
}

impl Stop {
    fn new(b_u: &Vector, b_v: &Vector) -> Self {
        let ((length_u, exponent_u), (length_v, exponent_v)) = (b_u.length(), b_v.length());
        // The compared products have at most 81 bits, so larger exponents than 100 make no difference.
        let distance = (exponent_u - exponent_v).clamp(-100, 100);
        let positive = !(distance >> 31);
        Self {
            lengths: [length_u.into(), length_v.into()],
            shifts: [(-distance & !positive) as u32, (distance & positive) as u32],
        }
    }

    /// All ones if the condition holds.
    fn holds(&self, r: u128, t: u128) -> u128 {
        let [length_u, length_v] = self.lengths;
        let [up, down] = self.shifts;
        // For integers, a ≤ b·2^s if and only if ⌈a/2^s⌉ ≤ b, and a·2^s ≤ b if and only if a ≤ ⌊b/2^s⌋. In a
        // masked step whose result is not used, t may overflow.
        let left = (r * length_u + ((1 << up) - 1)) >> up;
        let right = t.wrapping_mul(length_v) >> down;
        !less(right, left)
    }
}

/// Two consecutive rows (r, ∓t) of Euclid's algorithm. r and t are stored without signs.
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

    /// Each step subtracts the largest possible 2^s·r_1 from r_0, which at least halves r_0. Rows are
    /// exchanged if r_0 < r_1.
    fn run_masked(&mut self, stop: &Stop, count: u32, observer: &mut impl ChannelObserver) {
        let mut active = !stop.holds(self.r[1], self.t[1]);
        for _ in 0..count {
            observer.inner();
            let [r0, r1] = self.r;
            let [t0, t1] = self.t;
            // r_0 > r_1, so the shift is not negative.
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

    fn run_vartime(&mut self, stop: &Stop, observer: &mut impl ChannelObserver) {
        while stop.holds(self.r[1], self.t[1]) == 0 {
            observer.inner();
            // The loop stops at r_1 = 0.
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

#[cfg(test)]
mod tests {
    use super::{super::vector::MANTISSA, *};
    use crate::observe::Counter;

    /// The vector in doubles.
    fn plane(vector: &Vector) -> [f64; 2] {
        let scale = 2f64.powi(vector.exponent);
        [vector.x as f64 * scale, vector.y as f64 * scale]
    }

    fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
        a[0] * b[0] + a[1] * b[1]
    }

    fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
        a[0] * b[1] - a[1] * b[0]
    }

    /// Checks all claims for one reduction. Returns the largest entry divided by 2^k, and |cot θ|.
    fn check(k: u32, [u, v]: [u64; 2], vectors: &[Vector; 2]) -> (f64, f64) {
        let (mut constant_time, mut variable) = (*vectors, *vectors);
        let mut counter = Counter::default();
        let steps = Steps::constant_time(k);
        let rows = reduce(k, steps, [u, v], &mut constant_time, &mut counter);
        assert_eq!(Steps::ConstantTime(counter.total().inner as u32), steps);
        assert_eq!(reduce(k, Steps::Variable, [u, v], &mut variable, &mut ()), rows, "k = {k}: {u}, {v}");
        assert_eq!(constant_time, variable);
        let Basis([[a, b], [c, d]]) = rows;
        // Products modulo 2^128 are sufficient, because the determinant is ±2^k with k ≤ 64.
        assert_eq!(
            a.wrapping_mul(d).wrapping_sub(b.wrapping_mul(c)).unsigned_abs(),
            1 << k,
            "k = {k}: {u}, {v}"
        );
        let power = 1i128 << k;
        for (r, t) in [(a, b), (c, d)] {
            assert!(r >= 0);
            let sum = r.wrapping_mul(u.into()).wrapping_add(t.wrapping_mul(v.into()));
            assert_eq!(sum.rem_euclid(power), 0, "k = {k}: {u}, {v}");
        }
        let largest = [a, b, c, d].map(i128::unsigned_abs).into_iter().max().unwrap();
        let [b_u, b_v] = [plane(&vectors[0]), plane(&vectors[1])];
        let image = |r: i128, t: i128| [0, 1].map(|i| r as f64 * b_u[i] + t as f64 * b_v[i]);
        let (first, second) = (image(a, b), image(c, d));
        for (exact, found) in [(first, &constant_time[0]), (second, &constant_time[1])] {
            let found = plane(found);
            let difference = [exact[0] - found[0], exact[1] - found[1]];
            assert!(dot(difference, difference).sqrt() <= dot(exact, exact).sqrt() * 2f64.powi(-24));
        }
        let cotangent = dot(first, second) / cross(first, second);
        (largest as f64 / 2f64.powi(k as i32), cotangent.abs())
    }

    /// Pairs of vectors at this angle to the axis, with this cotangent between them, up to 0.66, and this
    /// ratio of lengths.
    fn pair(angle: f64, cotangent: f64, ratio: f64) -> [Vector; 2] {
        let other = angle + std::f64::consts::FRAC_PI_2 - cotangent.atan();
        [(angle, 1.0), (other, ratio)].map(|(angle, length)| {
            let exponent = length.log2().floor();
            let size = length / exponent.exp2() * 2f64.powi(MANTISSA as i32 - 1);
            Vector::of(size * angle.cos(), size * angle.sin(), exponent as i32)
        })
    }

    /// For every u, v of up to five bits, with several angles and ratios: the result is a basis, is reduced,
    /// and has small entries.
    #[test]
    fn every_small_lattice_is_reduced() {
        let (mut largest, mut steepest) = (0f64, 0f64);
        for k in 1..=5u32 {
            for u in 0..1u64 << k {
                for v in (0..1u64 << k).filter(|v| (u | v) & 1 == 1) {
                    for cotangent in [-0.6599, -0.4, 0.0, 0.57, 0.6599] {
                        for ratio in (-2 * k as i32 - 2..=2 * k as i32 + 2).map(|e| 1.37 * 2f64.powi(e)) {
                            for angle in [0.1, 0.8, 2.2] {
                                let (entry, slope) = check(k, [u, v], &pair(angle, cotangent, ratio));
                                (largest, steepest) = (largest.max(entry), steepest.max(slope));
                            }
                        }
                    }
                }
            }
        }
        assert!(largest < 1.44 && steepest <= 0.66, "{largest}, {steepest}");
    }

    /// The same for random numbers of every length, and for numbers with long runs of zeros.
    #[test]
    fn long_lattices_are_reduced() {
        let (mut largest, mut steepest) = (0f64, 0f64);
        let mut state = 1u64;
        let mut word = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        };
        for k in 1..=64u32 {
            let low = u64::MAX >> (64 - k);
            for round in 0..400 {
                let (mut u, mut v) = (word() & low, word() & low);
                match round % 4 {
                    0 => u = (u << (word() % u64::from(k))) & low,
                    1 => v = (v << (word() % u64::from(k))) & low,
                    2 => (u, v) = (word() % 9, word() % 9),
                    _ => {}
                }
                if (u | v) & 1 == 0 {
                    v = (v | 1) & low;
                }
                let cotangent = 0.6599 * (word() % 2001) as f64 / 1000.0 - 0.6599;
                let ratio = 2f64.powf((word() % 1001) as f64 / 500.0 * f64::from(k) - f64::from(k));
                let angle = (word() % 1000) as f64 / 159.0;
                let (entry, slope) = check(k, [u & low, v], &pair(angle, cotangent, ratio));
                (largest, steepest) = (largest.max(entry), steepest.max(slope));
            }
        }
        assert!(largest < 1.44 && steepest <= 0.66, "{largest}, {steepest}");
    }

    /// Compares with the Fibonacci numbers: F_3 = 2, F_4 = 3, F_13 = 233, F_47 ≈ 2.97·10^9, F_93 ≈
    /// 1.22·10^19. (`check` compares the masked steps with the variable-time form, which runs as long as
    /// necessary.)
    #[test]
    fn the_number_of_steps_is_right() {
        assert_eq!([1, 2, 8, 32, 64].map(Steps::constant_time), [2, 3, 12, 46, 92].map(Steps::ConstantTime));
    }
}

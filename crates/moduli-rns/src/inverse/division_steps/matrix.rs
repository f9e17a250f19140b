//! The matrix of k division steps, computed from the k low bits of f and g.
//!
//! In hardware, a small unit beside the channels computes it, one step per cycle, from two words, four
//! entries and the counter δ.

use zeroize::Zeroize;

use super::super::super::observe::ChannelObserver;
use moduli_kernel::mask;

/// 2^k times the map of k division steps: f ← (u·f + v·g)/2^k, g ← (q·f + r·g)/2^k. |u| + |v| and |q| + |r|
/// are at most 2^k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Matrix {
    /// (u, v).
    pub first: [i64; 2],
    /// (q, r).
    pub second: [i64; 2],
}

impl Zeroize for Matrix {
    fn zeroize(&mut self) {
        self.first.zeroize();
        self.second.zeroize();
    }
}

/// k steps, 1 ≤ k ≤ 62, from the k low bits of f (odd) and g; higher bits do not matter. `twice_delta` is
/// 2·δ, an odd number, and is updated. Constant-time, without branches or look-ups. Reports `inner` once per
/// step.
pub(super) fn steps(
    k: u32,
    twice_delta: &mut i64,
    [mut f, mut g]: [u64; 2],
    observer: &mut impl ChannelObserver,
) -> Matrix {
    let (mut first, mut second) = ([1i64, 0], [0i64, 1]);
    for _ in 0..k {
        observer.inner();
        let odd = mask::equal(g & 1, 1);
        let positive = mask::equal(*twice_delta as u64 >> 63, 0);
        let swap = odd & positive;
        // If g is odd: g − f for δ > 0, else g + f.
        g = g.wrapping_add(((f ^ positive).wrapping_sub(positive)) & odd);
        // If f and g are exchanged, f becomes the old g: (g − f) + f.
        f = f.wrapping_add(g & swap);
        let [odd, positive, swap] = [odd, positive, swap].map(|mask| mask as i64);
        for (first, second) in first.iter_mut().zip(&mut second) {
            *second += ((*first ^ positive) - positive) & odd;
            *first = (*first + (*second & swap)) << 1;
        }
        // δ becomes 1 − δ or 1 + δ.
        *twice_delta = (*twice_delta ^ swap) - swap + 2;
        g >>= 1;
    }
    Matrix { first, second }
}

#[cfg(test)]
mod tests {
    use super::{super::super::super::observe::Counter, *};

    /// The definition of the steps, on whole numbers.
    fn defined(k: u32, twice_delta: &mut i64, [mut f, mut g]: [i128; 2]) -> [i128; 2] {
        for _ in 0..k {
            if *twice_delta > 0 && g & 1 == 1 {
                (f, g) = (g, (g - f) / 2);
                *twice_delta = 2 - *twice_delta;
            } else {
                g = (g + (g & 1) * f) / 2;
                *twice_delta += 2;
            }
        }
        [f, g]
    }

    fn check(k: u32, delta: i64, [f, g]: [i128; 2]) {
        let (mut masked, mut plain) = (delta, delta);
        let mut counter = Counter::default();
        let Matrix { first, second } = steps(k, &mut masked, [f as u64, g as u64], &mut counter);
        assert_eq!(counter.total().inner, u64::from(k));
        let expected = defined(k, &mut plain, [f, g]);
        assert_eq!(masked, plain, "k = {k}, 2δ = {delta}: {f}, {g}");
        for (row, expected) in [first, second].into_iter().zip(expected) {
            let [a, b] = row.map(i128::from);
            assert_eq!(a * f + b * g, expected << k, "k = {k}, 2δ = {delta}: {f}, {g}");
            assert!(a.abs() + b.abs() <= 1 << k);
        }
        let [[u, v], [q, r]] = [first, second].map(|row| row.map(i128::from));
        assert_eq!(u * r - v * q, 1 << k, "the determinant");
        // Bits above the k low bits do not matter.
        let mut again = delta;
        let low = u64::MAX >> (64 - k);
        let cut = steps(k, &mut again, [f as u64 & low, g as u64 & low], &mut ());
        assert_eq!(cut, Matrix { first, second });
    }

    /// Every pair of up to six bits, of both signs, for every δ that matters in so few steps.
    #[test]
    fn every_small_pair() {
        for k in 1..=6u32 {
            for f in (-63i128..64).step_by(2) {
                for g in -64i128..64 {
                    for delta in (-15..=15).step_by(2) {
                        check(k, delta, [f, g]);
                    }
                }
            }
        }
    }

    /// Long pairs, for every k: random words, sparse words, and words with the largest possible coefficients.
    #[test]
    fn long_pairs() {
        let mut state = 1u64;
        let mut word = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state ^ state >> 29) as i64 >> 2
        };
        for k in 1..=62u32 {
            for round in 0..200 {
                let (f, g) = (word() | 1, word());
                let sparse = 1i64 << (round % 61);
                for [f, g] in [[f, g], [f, 0], [f, f], [f, -f], [1, -1], [f, sparse], [sparse | 1, g], [1, 1]]
                {
                    check(
                        k,
                        [1, -1, 99, -99, 1 - 2 * i64::from(round)][round as usize % 5],
                        [f.into(), g.into()],
                    );
                }
            }
        }
    }
}

//! The combined effect of 62 division steps, computed from the lowest words.

use core::hint::black_box;

use super::digits::BITS;

/// 2^62 times the map of 62 division steps: f ← (u·f + v·g)/2^62, g ← (q·f + r·g)/2^62.
///
/// |u| + |v| and |q| + |r| are at most 2^62.
#[derive(Clone, Copy)]
pub(super) struct Matrix {
    pub(super) u: i64,
    pub(super) v: i64,
    pub(super) q: i64,
    pub(super) r: i64,
}

/// After this many steps, two coefficients still fit one word.
const HALF: u32 = BITS / 2;

/// 62 steps from the lowest words of f (odd) and g, with δ = −ζ − 1/2. Constant-time, without branches or
/// look-ups.
#[inline(always)]
pub(super) fn constant_time(zeta: i64, f: i64, g: i64) -> (i64, Matrix) {
    // Opaque, so that the compiler cannot turn the masks derived from it into branches.
    let one = black_box(1);
    let (zeta, f, g, first) = half(one, zeta, f, g);
    let (zeta, _, _, second) = half(one, zeta, f, g);
    let matrix = Matrix {
        u: second.u * first.u + second.v * first.q,
        v: second.u * first.v + second.v * first.r,
        q: second.q * first.u + second.r * first.q,
        r: second.q * first.v + second.r * first.r,
    };
    (zeta, matrix)
}

/// 31 steps. The coefficients are in ]−2^31, 2^31], and two of them share a word: u + 2^32·v.
#[inline(always)]
fn half(one: i64, mut zeta: i64, mut f: i64, mut g: i64) -> (i64, i64, i64, Matrix) {
    // From the opaque number, too, so that the compiler treats the first step like the others.
    let (mut uv, mut qr) = (one, one << 32);
    for _ in 0..HALF {
        let positive = ((zeta as u64 >> 63) as i64 & one).wrapping_neg();
        let odd = (g & one).wrapping_neg();
        // If δ > 0 and g is odd: g − f, else g + f or g.
        let swap = positive & odd;
        let x = (f ^ positive).wrapping_sub(positive);
        let y = (uv ^ positive).wrapping_sub(positive);
        g = g.wrapping_add(x & odd);
        qr = qr.wrapping_add(y & odd);
        // (g − f) + f is the old g.
        f = f.wrapping_add(g & swap);
        uv = uv.wrapping_add(qr & swap);
        zeta = (zeta ^ swap).wrapping_sub(1);
        g >>= 1;
        uv = uv.wrapping_shl(1);
    }
    let ((u, v), (q, r)) = (unpack(uv), unpack(qr));
    (zeta, f, g, Matrix { u, v, q, r })
}

/// The two coefficients in a word, both in ]−2^31, 2^31].
#[inline(always)]
fn unpack(pair: i64) -> (i64, i64) {
    let number = |word: u32| -i64::from(word.wrapping_neg() as i32);
    let low = number(pair as u32);
    (low, number((pair.wrapping_sub(low) >> 32) as u32))
}

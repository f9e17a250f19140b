//! The arithmetic on long numbers for 62 division steps.

use super::{
    digits::{BITS, DIGIT},
    transition::Matrix,
};

const LOW: i64 = DIGIT as i64;

#[inline(always)]
fn product(a: i64, b: i64) -> i128 {
    i128::from(a) * i128::from(b)
}

/// f ← (u·f + v·g)/2^62 and g ← (q·f + r·g)/2^62, both exact. Constant-time. A function of its own in
/// compiled code, as the proofs expect it.
#[inline(never)]
pub(super) fn exact(f: &mut [i64], g: &mut [i64], matrix: &Matrix) {
    let &Matrix { u, v, q, r } = matrix;
    let (mut carry_f, mut carry_g) = (0i128, 0i128);
    let count = f.len();
    let g = &mut g[..count];
    for i in 0..count {
        let (x, y) = (f[i], g[i]);
        carry_f += product(u, x) + product(v, y);
        carry_g += product(q, x) + product(r, y);
        if i > 0 {
            f[i - 1] = carry_f as i64 & LOW;
            g[i - 1] = carry_g as i64 & LOW;
        }
        carry_f >>= BITS;
        carry_g >>= BITS;
    }
    f[count - 1] = carry_f as i64;
    g[count - 1] = carry_g as i64;
}

/// d ← (u·d + v·e)/2^62 and e ← (q·d + r·e)/2^62 modulo m, all within ]−2m, m[, with 1/m modulo 2^62.
/// Constant-time.
///
/// First adds m to d or e if it is negative. Both are then in ]−m, m[, and so are the results of the steps.
/// Adding a multiple of m, by a factor in ]−2^62, 0], makes the division exact, and the results are in ]−2m,
/// m[. A function of its own as well.
#[inline(never)]
pub(super) fn modular(d: &mut [i64], e: &mut [i64], matrix: &Matrix, modulus: &[i64], inverse: u64) {
    let &Matrix { u, v, q, r } = matrix;
    let count = modulus.len();
    let (d, e) = (&mut d[..count], &mut e[..count]);
    let (sign_d, sign_e) = (d[count - 1] >> 63, e[count - 1] >> 63);
    let mut multiple_d = (u & sign_d) + (v & sign_e);
    let mut multiple_e = (q & sign_d) + (r & sign_e);
    let (x, y) = (d[0], e[0]);
    let mut carry_d = product(u, x) + product(v, y);
    let mut carry_e = product(q, x) + product(r, y);
    let needed = |carry: i128, multiple: i64| {
        multiple - (inverse.wrapping_mul(carry as u64).wrapping_add(multiple as u64) & DIGIT) as i64
    };
    multiple_d = needed(carry_d, multiple_d);
    multiple_e = needed(carry_e, multiple_e);
    carry_d = (carry_d + product(modulus[0], multiple_d)) >> BITS;
    carry_e = (carry_e + product(modulus[0], multiple_e)) >> BITS;
    for i in 1..count {
        let (x, y, m) = (d[i], e[i], modulus[i]);
        carry_d += product(u, x) + product(v, y) + product(m, multiple_d);
        carry_e += product(q, x) + product(r, y) + product(m, multiple_e);
        d[i - 1] = carry_d as i64 & LOW;
        e[i - 1] = carry_e as i64 & LOW;
        carry_d >>= BITS;
        carry_e >>= BITS;
    }
    d[count - 1] = carry_d as i64;
    e[count - 1] = carry_e as i64;
}

//! Arithmetic on numbers of one word: greatest common divisors, inverses, and residues of long numbers.
//! Variable-time; for public constants.

/// gcd(a, b).
pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// a·b modulo m.
#[cfg(test)]
pub(super) fn product(a: u64, b: u64, m: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(m)) as u64
}

/// The inverse of `a` modulo `m`, if there is one, for `m > 1`.
pub(super) fn inverse(a: u64, m: u64) -> Option<u64> {
    let (mut r, mut next_r) = (i128::from(m), i128::from(a % m));
    let (mut t, mut next_t) = (0i128, 1i128);
    while next_r != 0 {
        let quotient = r / next_r;
        (r, next_r) = (next_r, r - quotient * next_r);
        (t, next_t) = (next_t, t - quotient * next_t);
    }
    (r == 1).then(|| t.rem_euclid(i128::from(m)) as u64)
}

/// A number in little-endian limbs, modulo `m`.
pub(super) fn remainder(limbs: &[u64], m: u64) -> u64 {
    limbs
        .iter()
        .rev()
        .fold(0, |rest, &limb| ((u128::from(rest) << 64 | u128::from(limb)) % u128::from(m)) as u64)
}

/// `limbs /= m`; returns the remainder.
pub(super) fn divide(limbs: &mut [u64], m: u64) -> u64 {
    limbs.iter_mut().rev().fold(0, |rest, limb| {
        let part = u128::from(rest) << 64 | u128::from(*limb);
        *limb = (part / u128::from(m)) as u64;
        (part % u128::from(m)) as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_are_inverses_and_exist_where_the_gcd_is_one() {
        for m in [2u64, 3, 12, 255, 144, (1 << 33) - 9, u64::MAX, u64::MAX - 58] {
            for a in (0..300).chain([u64::MAX, u64::MAX / 3]) {
                match inverse(a, m) {
                    Some(inverse) => assert_eq!(product(a % m, inverse, m), 1, "{a} modulo {m}"),
                    None => assert_ne!(gcd(a, m), 1, "{a} modulo {m}"),
                }
            }
        }
    }
}

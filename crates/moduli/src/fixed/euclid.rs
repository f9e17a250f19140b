//! Euclid's algorithm on small public numbers.

/// gcd(a, b). Variable-time.
pub(crate) fn gcd_vartime(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd_vartime(b, a % b) }
}

/// The inverse of x modulo m, for coprime x and m below 2^32; it is 0 modulo 1. Variable-time.
pub(crate) fn inverse_vartime(x: u64, m: u64) -> u64 {
    let (mut r, mut s, mut next_r, mut next_s) = (m as i64, 0, (x % m) as i64, 1);
    while next_r != 0 {
        let quotient = r / next_r;
        (r, next_r) = (next_r, r - quotient * next_r);
        (s, next_s) = (next_s, s - quotient * next_s);
    }
    s.rem_euclid(m as i64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_are_inverse() {
        for m in 1..200u32 {
            for x in (1..400).filter(|&x| gcd_vartime(x, m) == 1) {
                let (x, m) = (u64::from(x), u64::from(m));
                let inverse = inverse_vartime(x, m);
                assert!(inverse < m && inverse * x % m == 1 % m, "{x} modulo {m}");
            }
        }
    }
}

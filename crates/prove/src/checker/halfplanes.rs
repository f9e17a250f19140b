//! Linear inequalities between two numbers.

use num_bigint::BigInt;

/// a·U + b·N ≤ c, for rational U and N.
pub type Halfplane = [BigInt; 3];

/// Whether there are rational U and N that satisfy all of these. By Fourier and Motzkin: U is eliminated,
/// then N.
pub fn is_possible(known: &[Halfplane]) -> bool {
    let zero = BigInt::ZERO;
    // The sharpest of the bounds N ≤ c/b, and of the bounds N ≥ c/b, for b above 0.
    let mut highest: Option<(BigInt, BigInt)> = None;
    let mut lowest: Option<(BigInt, BigInt)> = None;
    let mut is_in = |b: BigInt, c: BigInt| {
        if b > zero {
            if highest.as_ref().is_none_or(|(d, e)| &c * d < e * &b) {
                highest = Some((b, c));
            }
        } else if b < zero {
            let (b, c) = (-b, -c);
            if lowest.as_ref().is_none_or(|(d, e)| &c * d > e * &b) {
                lowest = Some((b, c));
            }
        } else if c < zero {
            return false;
        }
        match (&lowest, &highest) {
            (Some((b, c)), Some((d, e))) => c * d <= e * b,
            _ => true,
        }
    };
    for [a, b, c] in known {
        if *a == zero {
            if !is_in(b.clone(), c.clone()) {
                return false;
            }
        } else if *a > zero {
            for [d, e, f] in known.iter().filter(|[d, ..]| *d < zero) {
                if !is_in(b * -d + e * a, c * -d + f * a) {
                    return false;
                }
            }
        }
    }
    true
}

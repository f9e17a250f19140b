//! Linear inequalities between two numbers.

use num_bigint::BigInt;

/// a·U + b·N ≤ c, for rational U and N.
pub(super) type Halfplane = [BigInt; 3];

/// Whether any rational U and N are in all of these (Fourier and Motzkin: U is taken out, then N).
pub(super) fn is_possible(known: &[Halfplane]) -> bool {
    let zero = BigInt::ZERO;
    let mut of_n = Vec::new();
    for [a, b, c] in known {
        if *a == zero {
            of_n.push((b.clone(), c.clone()));
        }
        for [d, e, f] in known {
            if *a > zero && *d < zero {
                of_n.push((b * -d + e * a, c * -d + f * a));
            }
        }
    }
    let from_below = |(b, c): &(BigInt, BigInt), (d, e): &(BigInt, BigInt)| {
        *b > zero && *d < zero && c * -d + e * b < zero
    };
    let is_empty = |(b, c): &(BigInt, BigInt)| *b == zero && *c < zero;
    !of_n.iter().any(|x| is_empty(x) || of_n.iter().any(|y| from_below(x, y)))
}

//! Inequalities between two numbers.

use num_bigint::BigInt;
use prove::checker::halfplanes::{Halfplane, is_possible};

/// Compares the result with the points of a fine grid, for sets of half-planes.
#[test]
fn half_planes_with_a_common_point_are_possible() {
    let mut state = 1u64;
    let mut small = |range: i64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as i64 % (2 * range + 1) - range
    };
    let mut counts = [0; 2];
    for _ in 0..600 {
        let known: Vec<[i64; 3]> = (0..4).map(|_| [small(2), small(2), small(3)]).collect();
        // Corners of such half-planes have denominators up to 8.
        let is_in = |u: i64, n: i64| known.iter().all(|[a, b, c]| a * u + b * n <= 840 * c);
        let steps = || {
            (-30..=30).map(|i| i * 105).chain((-30..=30).map(|i| i * 140)).chain((-30..=30).map(|i| i * 168))
        };
        let has_point = steps().any(|u| steps().any(|n| is_in(u, n)));
        let known: Vec<Halfplane> = known.iter().map(|x| x.map(BigInt::from)).collect();
        // A set with a point is possible. A set that seems to have none may have one that the grid misses.
        let found = is_possible(&known);
        assert!(!has_point || found, "{known:?}");
        counts[0] += usize::from(has_point);
        counts[1] += usize::from(!found);
    }
    assert!(counts.iter().all(|&count| count > 60), "{counts:?}");
    let of = |x: [[i64; 3]; 3]| is_possible(&x.map(|x| x.map(BigInt::from)));
    assert!(of([[1, 1, 5], [-1, 0, -2], [0, -1, -3]]));
    assert!(!of([[1, 1, 4], [-1, 0, -2], [0, -1, -3]]));
    assert!(!of([[0, 0, -1], [1, 0, 5], [0, 1, 5]]));
    assert!(!of([[0, 2, 3], [0, -2, -4], [1, 0, 5]]));
}

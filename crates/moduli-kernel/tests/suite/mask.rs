//! Masks.

use moduli_kernel::mask::{assign, choose, equal, less, swap};

const EDGES: [u64; 12] = [
    0,
    1,
    2,
    3,
    (1 << 32) - 1,
    1 << 32,
    (1 << 63) - 2,
    (1 << 63) - 1,
    1 << 63,
    (1 << 63) + 1,
    u64::MAX - 1,
    u64::MAX,
];

#[test]
fn comparisons_agree_with_the_operators() {
    let full = |condition: bool| if condition { u64::MAX } else { 0 };
    for a in EDGES.into_iter().chain(4..40) {
        for b in EDGES.into_iter().chain(4..40) {
            assert_eq!(equal(a, b), full(a == b), "{a} = {b}");
            assert_eq!(less(a, b), full(a < b), "{a} < {b}");
            assert_eq!(choose(u64::MAX, a, b), a);
            assert_eq!(choose(0, a, b), b);
        }
    }
}

#[test]
fn assignment_and_swap_are_all_or_nothing() {
    let mut out = EDGES;
    let other = EDGES.map(|word| !word ^ 5);
    assign(&mut out, &other, 0);
    assert_eq!(out, EDGES);
    assign(&mut out[1..], &other[1..], u64::MAX);
    assert_eq!((out[0], &out[1..]), (EDGES[0], &other[1..]));
    let (mut a, mut b) = (EDGES, other);
    swap(&mut a, &mut b, 0);
    assert_eq!((a, b), (EDGES, other));
    swap(&mut a, &mut b, u64::MAX);
    assert_eq!((a, b), (other, EDGES));
}

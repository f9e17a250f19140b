//! Compares the fixed-base methods on Edwards25519 with dalek's own multiplication by the base
//! point.

use curve25519_dalek::{
    EdwardsPoint, Scalar,
    constants::{ED25519_BASEPOINT_POINT, ED25519_BASEPOINT_TABLE},
};
use moduli_papers::curve::{
    Comb, Counting, Edwards, FixedBase, Group, M0m1, Method, ResidueDigits, SignedComb, SignedRadix,
    SignedResidueDigits,
};
use testing::Random;

fn limbs(bytes: &[u8; 32]) -> [u64; 4] {
    core::array::from_fn(|i| u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().unwrap()))
}

/// 0, 1, 2, ℓ − 2 … ℓ + 1, powers of two and their neighbours up to 2^255 − 1, 2^256 − 1, as bytes
/// that are not reduced.
fn edges() -> Vec<[u8; 32]> {
    let order = Edwards.order();
    let near = |delta: i64| {
        let mut limbs = order;
        limbs[0] = limbs[0].wrapping_add_signed(delta);
        let mut bytes = [0; 32];
        for (bytes, limb) in bytes.chunks_mut(8).zip(limbs) {
            bytes.copy_from_slice(&limb.to_le_bytes());
        }
        bytes
    };
    let mut edges: Vec<[u8; 32]> = (-2..=2).map(near).collect();
    for bit in 0..256 {
        let mut power = [0; 32];
        power[bit / 8] = 1 << (bit % 8);
        // 2^bit − 1.
        let mut ones = [0; 32];
        (0..bit).for_each(|i| ones[i / 8] |= 1 << (i % 8));
        edges.extend([power, ones]);
    }
    edges.push([0xff; 32]);
    edges
}

fn expected(scalars: impl IntoIterator<Item = [u8; 32]>) -> Vec<([u64; 4], EdwardsPoint)> {
    let product = |bytes| (limbs(&bytes), &Scalar::from_bytes_mod_order(bytes) * ED25519_BASEPOINT_TABLE);
    scalars.into_iter().map(product).collect()
}

fn random(count: usize) -> Vec<([u64; 4], EdwardsPoint)> {
    let mut random = Random(25519);
    expected((0..count).map(|_| {
        let mut bytes = [0; 32];
        bytes.chunks_mut(8).for_each(|bytes| bytes.copy_from_slice(&random.word().to_le_bytes()));
        bytes
    }))
}

fn check(method: impl Method, expected: &[([u64; 4], EdwardsPoint)]) {
    let fixed = FixedBase::new(Edwards, method.clone(), &ED25519_BASEPOINT_POINT).unwrap();
    assert_eq!(fixed.table().len(), method.entries(), "{method}");
    for (k, point) in expected {
        assert!(fixed.mul(*k) == *point, "{method}: {k:x?}");
        assert!(fixed.mul_vartime(*k) == *point, "{method}, variable-time: {k:x?}");
    }
}

/// One shape of each method with 10,000 scalars.
#[test]
fn ten_thousand_scalars_agree_with_dalek() {
    let (order, scalars) = (Edwards.order(), random(10_000));
    check(SignedRadix::new(17, order).unwrap(), &scalars);
    check(Comb::new(5, 3, order).unwrap(), &scalars);
    check(SignedComb::new(5, 3, order).unwrap(), &scalars);
    check(M0m1::new(11, 6, order).unwrap(), &scalars);
    check(ResidueDigits::new(11, 4, order).unwrap(), &scalars);
    check(SignedResidueDigits::new(65, 2, order).unwrap(), &scalars);
}

/// Many shapes with extreme scalars.
#[test]
fn the_edges_agree_with_dalek() {
    let (order, edges) = (Edwards.order(), expected(edges()));
    for radix in [3, 33, 65, 1001] {
        check(SignedRadix::new(radix, order).unwrap(), &edges);
    }
    for (teeth, tables) in [(1, 1), (1, 253), (4, 1), (5, 3), (7, 8), (8, 2)] {
        check(Comb::new(teeth, tables, order).unwrap(), &edges);
        check(SignedComb::new(teeth, tables, order).unwrap(), &edges);
    }
    for (m0, m1) in [(3, 2), (11, 8), (11, 9), (31, 3), (1, 6), (127, 7)] {
        check(M0m1::new(m0, m1, order).unwrap(), &edges);
        check(ResidueDigits::new(m0, m1, order).unwrap(), &edges);
    }
    for (radix, buckets) in [(33, 2), (33, 4), (45, 3), (129, 2), (1001, 3), (257, 4)] {
        check(SignedResidueDigits::new(radix, buckets, order).unwrap(), &edges);
    }
}

/// Every scalar below small orders, prime or not, in a group in which every error is visible.
#[test]
fn every_scalar_of_small_groups() {
    fn all<M: Method>(order: u64, method: Result<M, moduli::Error>) {
        let wide = [order, 0, 0, 0];
        let Ok(method) = method else { return };
        let base = [2 % order, 0, 0, 0];
        let fixed = FixedBase::new(Counting::new(wide).unwrap(), method.clone(), &base).unwrap();
        for k in 0..order {
            let expected = [2 * k % order, 0, 0, 0];
            assert_eq!(fixed.mul([k, 0, 0, 0]), expected, "{method} modulo {order}: {k}");
            assert_eq!(
                fixed.mul_vartime([k, 0, 0, 0]),
                expected,
                "{method} modulo {order}, variable-time: {k}"
            );
        }
    }
    for order in [3, 5, 7, 9, 15, 17, 31, 33, 63, 65, 101, 255, 257, 1001] {
        let wide = [order, 0, 0, 0];
        for radix in [3, 5, 7, 9, 33, 35, 63, 65] {
            all(order, SignedRadix::new(radix, wide));
            for buckets in 2..=4 {
                all(order, SignedResidueDigits::new(radix, buckets, wide));
            }
        }
        for (teeth, tables) in [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (4, 3), (5, 1), (8, 1)] {
            all(order, Comb::new(teeth, tables, wide));
            all(order, SignedComb::new(teeth, tables, wide));
        }
        for (m0, m1) in [(1, 2), (1, 7), (3, 2), (5, 4), (7, 6), (25, 4), (11, 8), (17, 16)] {
            all(order, M0m1::new(m0, m1, wide));
            all(order, ResidueDigits::new(m0, m1, wide));
        }
    }
}

#[test]
fn what_is_out_of_range_is_refused() {
    let order = Edwards.order();
    assert!(Counting::new([4, 0, 0, 0]).is_err() && Counting::new([1, 0, 0, 0]).is_err());
    assert!(Counting::new([1, 0, 0, 1 << 63]).is_err() && Counting::new([3, 0, 0, 0]).is_ok());
    assert!([0, 1, 2, 64, (1 << 20) + 1].into_iter().all(|radix| SignedRadix::new(radix, order).is_err()));
    for (teeth, tables) in [(0, 1), (17, 1), (4, 0), (4, 65), (5, 27), (u32::MAX, u32::MAX)] {
        assert!(Comb::new(teeth, tables, order).is_err() && SignedComb::new(teeth, tables, order).is_err());
    }
    for (m0, m1) in [(0, 2), (11, 1), (6, 5), (9, 4), (1, 65), (1 << 21, 3), (u32::MAX, u32::MAX)] {
        assert!(
            M0m1::new(m0, m1, order).is_err() && ResidueDigits::new(m0, m1, order).is_err(),
            "{m0}, {m1}"
        );
    }
    for (radix, buckets) in [(31, 2), (64, 2), (65, 1), (65, 5), (u32::MAX, 2)] {
        assert!(SignedResidueDigits::new(radix, buckets, order).is_err());
    }
    let other = SignedRadix::new(17, [101, 0, 0, 0]).unwrap();
    assert!(FixedBase::new(Edwards, other, &ED25519_BASEPOINT_POINT).is_err());
}

//! Reduction of numbers that are one limb longer than the modulus.

use moduli_kernel::{Arithmetic, KernelChoice};

#[test]
fn one_limb_against_the_operator() {
    for modulus in (3..260u64).step_by(2).chain([u64::MAX, u64::MAX - 2, (1 << 63) + 1, (1 << 63) - 1]) {
        let remainder = Arithmetic::new(&[modulus], KernelChoice::PORTABLE).unwrap();
        let bound = 1u128 << (u64::BITS - modulus.leading_zeros() + 63);
        let edges = [0, 1, u128::from(modulus), u128::from(modulus) * 2, bound - 1];
        let near = edges.into_iter().flat_map(|edge| (0..9).map(move |i| edge.saturating_sub(4) + i));
        let random = (1..500u128).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) % bound);
        for x in near.chain(random).filter(|&x| x < bound) {
            let mut limbs = [x as u64, (x >> 64) as u64];
            remainder.reduce(&mut limbs);
            assert_eq!(limbs, [(x % u128::from(modulus)) as u64, 0], "{x} mod {modulus}");
        }
    }
}

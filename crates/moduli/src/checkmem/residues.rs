//! Operations on elements, and inversion.

use core::hint::black_box;
use crypto_bigint::{BoxedUint, CtEq, CtLt, CtSelect};

use super::*;
use crate::{Element, common_operand::CommonOperand, subgroup};

#[test]
fn residues() {
    watch(|| {
        for p in moduli() {
            let [x, y, z] = [1, 2, 3].map(|seed| secret(seed, p.bits() - 1));
            let wide = secret(4, 3 * p.bits());
            let [a, b, c] = [1, 2, 3].map(|seed| secret_element(&p, seed));
            assert_constant_time(p.kernel_name(), || {
                drop(black_box((
                    p.mul(&x, &y),
                    p.reduce(&wide),
                    p.mul_by_common(&x, &[y.clone(), z.clone(), x.clone()]),
                )));
                drop(black_box((a.try_add(&b), a.try_sub(&b), a.try_mul(&b), a.square(), -&a, a.ct_eq(&b))));
                let choice = x.ct_lt(&y);
                drop(black_box((a.ct_select(&b, choice), p.zero(), p.one())));
                drop(black_box((a.to_be_bytes(), a.mul_pair(&b, &c))));
                for split in [1, p.max_split()] {
                    drop(black_box(CommonOperand::with_split(&a, split).unwrap().mul(&b)));
                }
                black_box(subgroup::is_member(&p, &BoxedUint::from(3u64), &x));
            });
            // Whether there is an inverse is public.
            assert_public(1, p.kernel_name(), || drop(black_box(p.invert(&x))));
            assert_public(1, p.kernel_name(), || drop(black_box(p.invert_batch(&[&x, &y, &z]))));
            // Whether the value is below the modulus is public.
            let bytes = x.to_be_bytes();
            assert_public(1, p.kernel_name(), || drop(black_box(Element::from_be_bytes(&p, &bytes))));
        }
    });
}

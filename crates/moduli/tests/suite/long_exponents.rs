//! Exponents that are too long for the table: `pow_long` and `pow_long_vartime`.

use crypto_bigint::{BoxedUint, Resize};
use moduli::{Error, Exponent, FixedBase, Method, Modulus};
use num_bigint::BigUint;
use testing::{Random, big, boxed, ones};

const METHODS: [&str; 4] = ["radix:16", "comb:4,2", "m0m1:11,8", "residue-digits:11,8"];

#[test]
fn they_agree_with_num_bigint() {
    assert_eq!(Method::missing_in(METHODS), []);
    let mut random = Random(21);
    let modulus = random.odd(600);
    let p = Modulus::new(&boxed(&modulus)).unwrap();
    let base = random.below(600);
    for (method, bits) in
        METHODS.into_iter().flat_map(|method| [1, 31, 64, 100, 128].map(|bits| (method, bits)))
    {
        // Some methods have a minimum length.
        let base_boxed = boxed(&base);
        let builder = FixedBase::builder(&p, &base_boxed).exponent_bits(bits).method(method.parse().unwrap());
        let Ok(table) = builder.build() else { continue };
        for longer in [1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 400] {
            let all = bits + longer;
            let mut exponents = vec![BigUint::ZERO, BigUint::from(1u32), ones(all), ones(bits)];
            exponents.extend([
                BigUint::from(1u32) << bits,
                BigUint::from(1u32) << (all - 1),
                random.below(all),
            ]);
            for e in exponents {
                let expected = base.modpow(&e, &modulus);
                let k = boxed(&e).resize(all.next_multiple_of(64));
                let declared = Exponent::from(&k).with_bits(all).unwrap();
                let what = format!("{method} of {bits} bits, {longer} longer: {e:x}");
                for k in [declared, Exponent::from(&k)] {
                    assert_eq!(big(&table.pow_long(k).unwrap()), expected, "{what}");
                    assert_eq!(big(&table.pow_long_vartime(k).unwrap()), expected, "{what}");
                }
            }
        }
    }
}

#[test]
fn an_order_reduces_them() {
    // 2 has the order 1000002 modulo 1000003.
    let p = Modulus::new(&BoxedUint::from(1_000_003u64)).unwrap();
    let (base, order) = (BoxedUint::from(2u64), BoxedUint::from(1_000_002u64));
    let table = FixedBase::builder(&p, &base).exponent_bits(20).order(&order).build().unwrap();
    for k in [0u64, 1_000_002, 1_000_003, u64::MAX] {
        let k = BoxedUint::from(k);
        assert_eq!(table.pow_long(&k).unwrap(), p.pow(&base, &k));
        assert_eq!(table.pow_long_vartime(&k).unwrap(), p.pow(&base, &k));
    }
}

#[test]
fn bases_without_inverse_take_long_exponents_too() {
    let p = Modulus::new(&BoxedUint::from(945u64)).unwrap();
    let base = BoxedUint::from(6u64);
    let table =
        FixedBase::builder(&p, &base).exponent_bits(2).method("comb:1,1".parse().unwrap()).build().unwrap();
    for k in 0..70u64 {
        let k = BoxedUint::from(k);
        let expected = BoxedUint::from(6u64);
        let expected = p.pow(&expected, &k);
        assert_eq!(table.pow_long(&k).unwrap(), expected);
        assert_eq!(table.pow_long_vartime(&k).unwrap(), expected);
        assert!(k <= BoxedUint::from(3u64) || matches!(table.pow(&k), Err(Error::ExponentTooLong { .. })));
    }
}

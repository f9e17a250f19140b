//! Compares products that share an operand with num-bigint.

use crypto_bigint::BoxedUint;
use moduli::{
    Error, KernelChoice, Modulus,
    common_operand::CommonOperand,
    error::{ModulusError, ParameterError},
};
use moduli_kernel::internals::{PORTABLE4, PORTABLE8};
use num_bigint::BigUint;
use testing::{Random, big, boxed, ones};

/// The tiny kernels run only the short lengths: 16 words exercise all their carries and pieces, and
/// 768 words would take most of the time.
fn moduli(bits: u32, random: &mut Random) -> Vec<Modulus> {
    let values = [random.odd(bits), ones(bits), ones(bits - 1)];
    let tiny = [PORTABLE8, PORTABLE4].into_iter().filter(|_| bits <= 128);
    let kernels = KernelChoice::ALL.iter().copied().chain(tiny);
    kernels
        .filter(|kernel| kernel.is_supported())
        .flat_map(|kernel| values.iter().map(move |p| Modulus::with_kernel(&boxed(p), kernel).unwrap()))
        .collect()
}

#[test]
fn products_by_a_common_operand_agree() {
    let mut random = Random(1);
    for bits in [3, 9, 64, 65, 128, 250, 1024, 2048, 3072] {
        for p in moduli(bits, &mut random) {
            let modulus = big(p.value().as_ref());
            let numbers =
                [BigUint::ZERO, &modulus - 1u32, &modulus + 1u32, random.below(bits), random.below(bits)];
            for a in &numbers {
                let element = p.element(&boxed(a));
                let mut splits = vec![1, 2, 3, p.max_split() / 8, p.max_split()];
                splits.retain(|split| (1..=p.max_split()).contains(split));
                let mut operands: Vec<_> =
                    splits.iter().map(|&split| CommonOperand::with_split(&element, split).unwrap()).collect();
                assert!(operands.iter().map(CommonOperand::split).eq(splits));
                operands.extend([1, 20, 1 << 40].map(|products| CommonOperand::new(&element, products)));
                for b in &numbers {
                    let expected = a * b % &modulus;
                    for operand in &operands {
                        assert!(operand.bytes() >= u64::from(operand.split() * modulus.bits() as u32 / 8));
                        let product = operand.mul(&p.element(&boxed(b))).unwrap();
                        assert_eq!(big(&product.to_uint()), expected, "{p:?}, split {}", operand.split());
                    }
                }
            }
        }
    }
}

#[test]
fn pairs_agree() {
    let mut random = Random(2);
    for bits in [3, 9, 64, 65, 256, 1024, 2048, 4096] {
        for p in moduli(bits, &mut random) {
            let modulus = big(p.value().as_ref());
            for _ in 0..4 {
                let [a, b, c] = [0; 3].map(|_| random.below(bits));
                let [x, y, z] = [&a, &b, &c].map(|value| p.element(&boxed(value)));
                let products = x.mul_pair(&y, &z).unwrap().map(|product| big(&product.to_uint()));
                assert_eq!(products, [&a * &b % &modulus, &a * &c % &modulus]);
            }
        }
    }
}

#[test]
fn all_products_are_present_and_in_order() {
    let mut random = Random(3);
    for bits in [9, 64, 512, 2048] {
        for p in moduli(bits, &mut random) {
            let modulus = big(p.value().as_ref());
            for count in [0, 1, 2, 3, 4, 40] {
                let a = random.below(bits + 5);
                let bs: Vec<BigUint> = (0..count).map(|_| random.below(bits + 5)).collect();
                let products = p.mul_by_common(&boxed(&a), &bs.iter().map(boxed).collect::<Vec<_>>());
                let expected = bs.iter().map(|b| &a * b % &modulus);
                assert!(products.iter().map(big).eq(expected), "{p:?}, {count} products");
            }
        }
    }
}

#[test]
fn what_does_not_go_together_is_named() {
    let [p, q] = [101u64, 103].map(|p| Modulus::new(&BoxedUint::from(p)).unwrap());
    let (x, y) = (p.element(&BoxedUint::one()), q.element(&BoxedUint::one()));
    assert!(matches!(x.mul_pair(&x, &y), Err(Error::Modulus(ModulusError::Mismatch))));
    assert!(matches!(x.mul_pair(&y, &x), Err(Error::Modulus(ModulusError::Mismatch))));
    let operand = CommonOperand::with_split(&x, 1).unwrap();
    assert!(matches!(operand.mul(&y), Err(Error::Modulus(ModulusError::Mismatch))));
    for split in [0, p.max_split() + 1, u32::MAX] {
        let is_named = |error: Option<Error>| {
            matches!(error, Some(Error::Parameter(ParameterError { name: "split", .. })))
        };
        assert!(is_named(CommonOperand::with_split(&x, split).err()));
        assert!(is_named(CommonOperand::break_even(&p, split).err()));
    }
    assert_eq!(CommonOperand::break_even(&p, 1), Ok(None));
}

#[test]
fn preparation_pays_from_the_break_even_on() {
    let mut random = Random(4);
    for p in moduli(1024, &mut random) {
        let costs = p.costs();
        let time = |split: u32, products: u64| {
            let preparation = if split == 1 { 0.0 } else { costs.preparation(split as usize) };
            preparation + products as f64 * costs.prepared(split as usize)
        };
        for split in 2..=p.max_split() {
            let plain = |products: u64| products as f64 * costs.product();
            match CommonOperand::break_even(&p, split).unwrap() {
                Some(least) => {
                    assert!(time(split, least) < plain(least) * 1.000_001, "{p:?}, split {split}, {least}");
                    assert!(time(split, least - 1) > plain(least - 1) * 0.999_999, "{p:?}, {split}, {least}");
                }
                None => assert!(costs.prepared(split as usize) >= costs.product(), "{p:?}, split {split}"),
            }
        }
        let a = p.element(&boxed(&random.below(1024)));
        for products in [0, 1, 10, 100, 1 << 40] {
            let chosen = time(CommonOperand::new(&a, products).split(), products);
            assert!((1..=p.max_split()).all(|split| chosen <= time(split, products)), "{p:?}, {products}");
        }
    }
}

//! Compares RSADP, RSASP1, RSAEP and RSAVP1 with num-bigint.

use crypto_bigint::{BoxedUint, Resize};
use moduli::{Error, error::ParameterError};
use num_bigint::BigUint;

use crate::rsa::support::{Constant, Numbers, Seeded, big, boxed};

/// Lengths of p and q: equal, different by one or by many bits in either direction, n of odd
/// lengths, and of whole words.
const LENGTHS: [(u32, u32); 10] = [
    (512, 512),
    (513, 512),
    (512, 513),
    (1024, 1024),
    (1025, 1024),
    (700, 325),
    (325, 700),
    (257, 767),
    (768, 768),
    (1024, 1025),
];

#[test]
fn agrees_with_the_definition() {
    for (p_bits, q_bits) in LENGTHS {
        let numbers = Numbers::new(p_bits, q_bits, 65_537);
        let (key, mut random) = (numbers.private().unwrap(), Seeded::new(1));
        let Numbers { n, e, d, p, q } = &numbers;
        assert_eq!(u64::from(key.public_key().n().bits()), n.bits());
        let one = BigUint::from(1u32);
        let mut values = vec![BigUint::ZERO, one.clone(), n - &one, p.clone(), q.clone(), n - p, p - &one];
        values.extend((0..3).map(|_| random.below(n)));
        for value in values {
            let c = boxed(&value);
            let power = key.decrypt_raw(&mut random, &c).unwrap();
            assert_eq!(big(&power), value.modpow(d, n), "{p_bits} {q_bits} {value:x}");
            assert_eq!(key.sign_raw(&mut random, &c).unwrap(), power);
            assert_eq!(big(&key.public_key().encrypt_raw(&c).unwrap()), value.modpow(e, n));
            assert_eq!(key.public_key().encrypt_raw(&power).unwrap(), c);
        }
    }
}

#[test]
fn batches_agree_with_the_definition() {
    for (p_bits, q_bits) in [(512, 512), (513, 512), (257, 767), (1024, 1025)] {
        let numbers = Numbers::new(p_bits, q_bits, 65_537);
        let mut random = Seeded::new(5);
        for count in [0, 1, 7, 8, 33] {
            let key = numbers.private().unwrap().with_exponent_blinding(count % 2 == 1);
            let mut values: Vec<_> = (0..count).map(|_| random.below(&numbers.n)).collect();
            // One value is rejected; the others are not affected.
            if let Some(value) = values.get_mut(5) {
                *value = &numbers.n + 5u32;
            }
            let boxed: Vec<_> = values.iter().map(boxed).collect();
            let powers = key.decrypt_raw_batch(&mut random, &boxed);
            assert_eq!(powers.len(), count);
            for (i, (power, value)) in powers.into_iter().zip(&values).enumerate() {
                if i == 5 {
                    assert!(matches!(power, Err(Error::Parameter(ParameterError { name: "value", .. }))));
                } else {
                    assert_eq!(
                        big(&power.unwrap()),
                        value.modpow(&numbers.d, &numbers.n),
                        "{p_bits} {count} {i}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_kind_of_e() {
    let long = (BigUint::from(1u32) << 255) + 95u32;
    for e in [BigUint::from(3u32), BigUint::from(17u32), BigUint::from(u64::MAX), long] {
        let numbers = Numbers::with(512, 512, &e);
        let (key, mut random) = (numbers.private().unwrap(), Seeded::new(2));
        let c = random.below(&numbers.n);
        let power = key.decrypt_raw(&mut random, &boxed(&c)).unwrap();
        assert_eq!(big(&power), c.modpow(&numbers.d, &numbers.n), "{e:x}");
    }
}

#[test]
fn values_from_n_on_are_refused() {
    let numbers = Numbers::new(512, 512, 65_537);
    let (key, mut random) = (numbers.private().unwrap(), Seeded::new(3));
    let n = &numbers.n;
    for value in [n.clone(), n + 1u32, n << 1, BigUint::from(1u32) << 5000] {
        let value = boxed(&value);
        let refused = Err(Error::parameter("value", "must be below the modulus n"));
        assert_eq!(key.decrypt_raw(&mut random, &value), refused);
        assert_eq!(key.sign_raw(&mut random, &value), refused);
        assert_eq!(key.public_key().encrypt_raw(&value), refused);
    }
    assert_eq!(random.count, 0, "refused before randomness is drawn");
    // Leading zeros do not make a value too long.
    let wide = BoxedUint::from(2u64).resize(8192);
    let power = key.decrypt_raw(&mut random, &wide).unwrap();
    assert_eq!(big(&power), BigUint::from(2u32).modpow(&numbers.d, n));
}

#[test]
fn blinded_exponents_and_parallel_halves_change_no_result() {
    for (p_bits, q_bits) in [(512, 512), (700, 325), (513, 512)] {
        let numbers = Numbers::new(p_bits, q_bits, 65_537);
        let mut random = Seeded::new(4);
        for blind in [false, true] {
            for parallel in [false, true] {
                let key =
                    numbers.private().unwrap().with_exponent_blinding(blind).with_parallel_halves(parallel);
                for _ in 0..3 {
                    let c = random.below(&numbers.n);
                    let power = key.decrypt_raw(&mut random, &boxed(&c)).unwrap();
                    assert_eq!(big(&power), c.modpow(&numbers.d, &numbers.n));
                }
            }
        }
    }
}

#[test]
fn the_pair_is_drawn_once_in_32_operations() {
    let numbers = Numbers::new(512, 512, 65_537);
    let (key, mut random) = (numbers.private().unwrap(), Seeded::new(5));
    let blocks = (1024u64 + 64).div_ceil(256);
    for operation in 0..100 {
        let value = BigUint::from(operation + 2);
        let power = key.decrypt_raw(&mut random, &boxed(&value)).unwrap();
        assert_eq!(big(&power), value.modpow(&numbers.d, &numbers.n), "operation {operation}");
        assert_eq!(random.count, (operation / 32 + 1) * blocks, "operation {operation}");
    }
    // Blinded exponents take eight bytes each for every operation.
    let key = numbers.private().unwrap().with_exponent_blinding(true);
    let mut random = Seeded::new(6);
    for operation in 0..40 {
        key.decrypt_raw(&mut random, &BoxedUint::from(3u64)).unwrap();
        assert_eq!(random.count, (operation / 32 + 1) * blocks + 2 * (operation + 1));
    }
}

#[test]
fn a_generator_that_fails_or_repeats_itself() {
    let numbers = Numbers::new(512, 512, 65_537);
    let key = numbers.private().unwrap();
    let c = BoxedUint::from(2u64);
    let because = |result: Result<BoxedUint, Error>, part: &str| match result {
        Err(Error::Random(error)) => assert!(error.to_string().contains(part), "{error}"),
        other => panic!("{other:?}"),
    };
    because(key.decrypt_raw(&mut Constant(None), &c), "the source is dry");
    because(key.decrypt_raw(&mut Constant(Some(0)), &c), "no number that is coprime to the modulus");
    // A bad generator does not make the result wrong.
    let power = key.decrypt_raw(&mut Constant(Some(255)), &c).unwrap();
    assert_eq!(big(&power), BigUint::from(2u32).modpow(&numbers.d, &numbers.n));
    // The existing pair is squared, which needs no randomness.
    key.decrypt_raw(&mut Constant(None), &c).unwrap();
    because(key.with_exponent_blinding(true).decrypt_raw(&mut Constant(None), &c), "the source is dry");
}

#[test]
fn threads_share_a_key() {
    let numbers = Numbers::new(512, 512, 65_537);
    let key = numbers.private().unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (key, numbers) = (&key, &numbers);
            scope.spawn(move || {
                let mut random = Seeded::new(100 + thread);
                for _ in 0..40 {
                    let c = random.below(&numbers.n);
                    let power = key.decrypt_raw(&mut random, &boxed(&c)).unwrap();
                    assert_eq!(big(&power).modpow(&numbers.e, &numbers.n), c);
                }
            });
        }
    });
}

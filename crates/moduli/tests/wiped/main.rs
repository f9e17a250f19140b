//! Secrets are wiped before their memory is freed: exponents, nonces, keys, and intermediate
//! values. These tests do not see the stack and the registers of the processor.

mod dsa;
mod freed;
mod rsa;

use crypto_bigint::{BoxedUint, Resize};
use freed::{Secrets, left, nothing_is_left, turn};
use moduli::{
    CrtModulus, EvenModulus, FixedBase, KernelChoice, Method, Modulus, MultiExponentiation, SignedExponent,
    common_operand::CommonOperand, power::PowerMethod, subgroup,
};
use num_bigint::BigUint;
use testing::{Random, all, big, boxed, ones};

const METHODS: [&str; 5] = ["radix:16", "radix:91", "comb:5,4,2", "m0m1:11,9", "residue-digits:11,8"];

/// A prime of several words of the kernel.
fn prime(choice: KernelChoice) -> Modulus {
    let value = ones(if &choice.layout() == b"limbs64 " { 521 } else { 1279 });
    Modulus::with_kernel(&boxed(&value), choice).unwrap()
}

fn kernels() -> Vec<KernelChoice> {
    KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported()).collect()
}

fn random(seed: u64, bits: u32) -> BoxedUint {
    boxed(&(Random(seed).below(bits - 1) | BigUint::from(1u32) << (bits - 1))).resize(bits)
}

/// Adds a value modulo p, and its residue in the kernels on limbs.
fn with_residue(secrets: Secrets, name: &str, p: &Modulus, value: &BoxedUint) -> Secrets {
    let p = big(p.value().as_ref());
    let limbs = p.bits().div_ceil(64);
    let residue = (big(value) << (64 * limbs)) % &p;
    secrets.number(name, value).number(&format!("{name} as a residue"), &boxed(&residue))
}

/// Adds a number and its complement, which negative exponents use.
fn exponent(secrets: Secrets, k: &BoxedUint) -> Secrets {
    let complement = boxed(&(ones(k.bits_precision()) - big(k)));
    secrets.number("the exponent", k).number("its complement", &complement)
}

#[test]
fn what_is_not_wiped_is_found() {
    let _turn = turn();
    let secret = random(1, 256);
    let (_, found) = left(&Secrets::default().number("secret", &secret), || {
        drop(secret.to_words());
        drop(secret.to_be_bytes());
        let mut grown = Vec::with_capacity(1);
        grown.push(secret.to_words()[3]);
        grown.reserve(100);
        grown.fill(0);
        drop(zeroize::Zeroizing::new(secret.to_words()));
    });
    let names: Vec<_> = found.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["secret, word 0", "secret, bytes of word 3", "secret, word 0", "secret, word 3"]);
}

#[test]
fn powers_of_a_fixed_base() {
    assert_eq!(Method::missing_in(METHODS), []);
    let _turn = turn();
    for choice in kernels() {
        let p = prime(choice);
        let base = random(2, 200);
        for method in METHODS {
            let table = FixedBase::builder(&p, &base).exponent_bits(256).method(method.parse().unwrap());
            let table = table.build().unwrap();
            let k = random(3, 256);
            for negative in [None, Some(false), Some(true)] {
                let e = || {
                    negative.map_or(SignedExponent::from(&k), |negative| SignedExponent::new(negative, &k))
                };
                let power = table.pow(e()).unwrap();
                let secrets = with_residue(exponent(Secrets::default(), &k), "the power", &p, &power);
                let what = format!("{choice:?} {method}, {negative:?}");
                nothing_is_left(&what, &secrets, || table.pow(e()).unwrap());
                nothing_is_left(&what, &secrets, || all(table.pow_batch([e(); 9])));
                let other = random(9, 256);
                let more = || exponent(Secrets::default(), &k).number("the other exponent", &other);
                nothing_is_left(&what, &more(), || {
                    MultiExponentiation::new([&table, &table])
                        .unwrap()
                        .pow([e(), SignedExponent::from(&other)])
                        .unwrap()
                });
                nothing_is_left(&what, &more(), || table.pow_times(e(), &base, &other).unwrap());
            }
            let long = random(10, 700);
            let [low, high] = [big(&long) % (BigUint::from(1u32) << 256), big(&long) >> 256];
            let secrets = exponent(Secrets::default(), &long)
                .number("the exponent of the table", &boxed(&low))
                .number("what is beyond it", &boxed(&high));
            nothing_is_left(&format!("{choice:?} {method}, long"), &secrets, || {
                table.pow_long(&long).unwrap()
            });
        }
    }
}

#[test]
fn exponents_reduced_by_the_order() {
    let _turn = turn();
    for choice in kernels() {
        let p = prime(choice);
        let (base, order) = (random(2, 200), big(p.value().as_ref()) - 1u32);
        let bits = order.bits() as u32;
        let order_boxed = boxed(&order);
        let builder = FixedBase::builder(&p, &base).exponent_bits(bits).order(&order_boxed);
        let table = builder.method("comb:4,8".parse().unwrap()).build().unwrap();
        let k = random(4, bits + 300);
        let (quotient, rest) = (big(&k) / &order, big(&k) % &order);
        let secrets = Secrets::default()
            .number("the exponent", &k)
            .number("the quotient", &boxed(&quotient))
            .number("the remainder", &boxed(&rest));
        nothing_is_left(&format!("{choice:?}"), &secrets, || table.pow(&k).unwrap());
    }
}

#[test]
fn powers_of_a_variable_base() {
    let _turn = turn();
    for choice in kernels() {
        let p = prime(choice);
        for bits in [300, 521, 1400] {
            let (base, k) = (random(5, bits), random(6, 256));
            let power = p.pow(&base, &k);
            let value = boxed(&(big(&base) % big(p.value().as_ref())));
            let quotient = boxed(&(big(&base) / big(p.value().as_ref())));
            let secrets =
                exponent(Secrets::default(), &k).number("the base", &base).number("the quotient", &quotient);
            let secrets =
                with_residue(with_residue(secrets, "the base", &p, &value), "the power", &p, &power);
            let what = format!("{choice:?}, {bits} bits");
            nothing_is_left(&what, &secrets, || p.pow(&base, &k));
            nothing_is_left(&what, &secrets, || all(p.pow_batch([(&base, &k); 9])));
            nothing_is_left(&what, &secrets, || p.multi_pow([(&base, &k); 9]).unwrap());
            nothing_is_left(&what, &secrets, || bool::from(subgroup::is_member(&p, &k, &base)));
            for method in [
                PowerMethod::Ladder { common_operand: false },
                PowerMethod::Ladder { common_operand: true },
                PowerMethod::RightToLeft { window: 3, common_operand: false },
                PowerMethod::RightToLeft { window: 3, common_operand: true },
                PowerMethod::LeftToRight { window: 3, split: 1 },
                PowerMethod::LeftToRight { window: 3, split: 2 },
            ] {
                nothing_is_left(&format!("{what}, {method}"), &secrets, || {
                    p.pow_with(&base, &k, method).unwrap()
                });
            }
        }
    }
}

#[test]
fn powers_by_the_owner_of_the_factors() {
    let _turn = turn();
    let [p, q] = [521, 607].map(ones);
    let owner = CrtModulus::new(&boxed(&p), &boxed(&q), 1).unwrap();
    let n = big(owner.modulus().value().as_ref());
    for (base_bits, bits) in [(500, 256), (1500, 1500)] {
        let (base, e) = (random(5, base_bits), random(6, bits));
        for negative in [None, Some(false), Some(true)] {
            let exponent =
                || negative.map_or(SignedExponent::from(&e), |negative| SignedExponent::new(negative, &e));
            let power = owner.pow(&base, exponent()).unwrap();
            let mut secrets = Secrets::default()
                .number("the base", &base)
                .number("its inverse", &boxed(&big(&base).modinv(&n).unwrap()))
                .number("the exponent", &e)
                .number("the power", &power);
            for prime in [&p, &q] {
                let order = prime - 1u32;
                let (quotient, rest) = (big(&e) / &order, big(&e) % &order);
                for (name, value) in [
                    ("the power modulo a prime", big(&power) % prime),
                    ("the exponent reduced", rest.clone()),
                    ("the exponent reduced, and the order", &rest + &order),
                    ("a quotient", quotient.clone()),
                    ("a quotient less one", quotient.clone() - quotient.bits().min(1)),
                ] {
                    // Zero and one occur everywhere.
                    if value.bits() > 64 {
                        secrets = secrets.number(name, &boxed(&value));
                    }
                }
            }
            nothing_is_left(&format!("{bits} bits, {negative:?}"), &secrets, || {
                owner.pow(&base, exponent()).unwrap()
            });
        }
    }
}

#[test]
fn powers_modulo_even_numbers() {
    let _turn = turn();
    let value = ones(521) << 320;
    let m = EvenModulus::new(&boxed(&value)).unwrap();
    let (base, e) = (random(5, 300), random(6, 500));
    let power = big(&m.pow(&base, &e));
    let [of_low, of_odd] = [&power % (BigUint::from(1u32) << 320), &power % ones(521)];
    let secrets = Secrets::default()
        .number("the base", &base)
        .number("the exponent", &e)
        .number("the power modulo the power of two", &boxed(&of_low))
        .number("the power modulo the odd part", &boxed(&of_odd));
    nothing_is_left("an even modulus", &secrets, || m.pow(&base, &e));
    let x = boxed(&(big(&base) | BigUint::from(1u32)));
    let inverse = big(&m.invert(&x).unwrap());
    let [of_low, of_odd] = [&inverse % (BigUint::from(1u32) << 320), &inverse % ones(521)];
    let secrets = Secrets::default()
        .number("the number", &x)
        .number("its inverse modulo the power of two", &boxed(&of_low))
        .number("its inverse modulo the odd part", &boxed(&of_odd));
    nothing_is_left("an inverse modulo an even number", &secrets, || m.invert(&x).unwrap());
}

#[test]
fn products_and_inverses() {
    let _turn = turn();
    for choice in kernels() {
        let p = prime(choice);
        let (x, y) = (random(7, 500), random(8, 500));
        let (product, inverse) = (p.mul(&x, &y), p.invert(&x).unwrap());
        let mut secrets = Secrets::default();
        for (name, value) in [("x", &x), ("y", &y), ("the product", &product), ("the inverse", &inverse)] {
            secrets = with_residue(secrets, name, &p, value);
        }
        let what = format!("{choice:?}");
        nothing_is_left(&what, &secrets, || p.mul(&x, &y));
        for count in [1, 2, 9, 60] {
            let factors = vec![y.clone(); count];
            nothing_is_left(&what, &secrets, || p.mul_by_common(&x, &factors));
        }
        nothing_is_left(&what, &secrets, || {
            let (x, y) = (p.element(&x), p.element(&y));
            let [product, _] = x.mul_pair(&y, &x).unwrap();
            [product.to_uint(), CommonOperand::new(&x, 90).mul(&y).unwrap().to_uint()]
        });
        nothing_is_left(&what, &secrets, || p.invert(&x).unwrap());
        nothing_is_left(&what, &secrets, || p.invert_batch(&[&x, &y, &product]));
        nothing_is_left(&what, &secrets, || {
            let (x, y) = (p.element(&x), p.element(&y));
            let product = x.try_mul(&y).unwrap();
            [product.try_sub(&x).unwrap().try_add(&x).unwrap().to_uint(), x.invert().unwrap().to_uint()]
        });
    }
}

/// The constants of a kernel reveal its modulus: powers of two modulo it differ from the powers
/// themselves by a multiple of it, and the inverse and the reciprocal of a word determine its
/// lowest and highest bits.
/// reciprocals of a word are its ends.
#[test]
fn moduli() {
    let _turn = turn();
    let power = |exponent: usize| BigUint::from(1u32) << exponent;
    for (choice, bits) in kernels().into_iter().flat_map(|choice| [(choice, 1024), (choice, 2560)]) {
        let n = Random(12).odd(bits);
        let (value, bits) = (boxed(&n), bits as usize);
        let radix = choice.foreseen(bits as u32).unwrap().radix_bits;
        let double = power(2 * radix) % &n;
        let inverse = |bits: usize| n.modinv(&power(bits)).unwrap();
        let mut secrets = Secrets::default()
            .number("the modulus", &value)
            .number("a power of two", &boxed(&(power(radix) % &n)))
            .number("its square", &boxed(&double))
            .number("its square, not reduced", &boxed(&(&double + &n)))
            .number("a reciprocal of a word", &boxed(&(power(bits + 63) / &n)))
            .number("the inverse of a word", &boxed(&(power(64) - inverse(64))))
            .number("the inverse of 62 bits", &boxed(&inverse(62)));
        if &choice.layout() == b"digits50" {
            let digits = radix / 50;
            let place = 50 * (digits - 1) + 14;
            let least = power(radix).modinv(&n).unwrap();
            let digit = |i: usize| (&least >> (50 * i)) % power(50);
            let in_digits = (0..digits).map(|i| digit(i).iter_u64_digits().next().unwrap_or(0));
            secrets = secrets
                .number("a multiple", &boxed(&(power(place) - power(place) % &n)))
                .number("the limit", &boxed(&(power(radix - 2) - power(radix - 2) % &n)))
                .number("a quotient", &boxed(&(power(bits + 62) / &n)))
                .number("the inverse of 50 bits", &boxed(&(power(50) - inverse(50))))
                .number("the inverse of a power of two", &BoxedUint::from_words(in_digits));
        }
        nothing_is_left(&format!("{choice:?}, {bits} bits"), &secrets, || {
            drop(Modulus::with_kernel(&value, choice).unwrap());
        });
    }
}

#[test]
fn factors() {
    let _turn = turn();
    let mut random = Random(13);
    let (one, two) = (BigUint::from(1u32), BigUint::from(2u32));
    let [p, q] = [320, 384].map(|bits| {
        loop {
            let candidate = random.odd(bits);
            if two.modpow(&(&candidate - 1u32), &candidate) == one {
                return candidate;
            }
        }
    });
    let mut secrets = Secrets::default();
    for (name, prime) in [("p", &p), ("q", &q)] {
        let less_one = prime - 1u32;
        let odd_part = &less_one >> less_one.trailing_zeros().unwrap();
        secrets = secrets
            .number(name, &boxed(prime))
            .number(&format!("{name} − 1"), &boxed(&less_one))
            .number(&format!("the odd part of {name} − 1"), &boxed(&odd_part))
            .number(&format!("{name}²"), &boxed(&(prime * prime)));
    }
    let [p, q] = [boxed(&p), boxed(&q)];
    nothing_is_left("an owner", &secrets, || drop(CrtModulus::new(&p, &q, 2).unwrap()));
}

/// The mask of a negative sign is all ones; no number here has such a word.
#[test]
fn signs() {
    let _turn = turn();
    let secrets = Secrets::default().number("the sign", &BoxedUint::from(u64::MAX));
    for choice in kernels() {
        let p = Modulus::with_kernel(&boxed(&Random(14).odd(1024)), choice).unwrap();
        let (base, k) = (random(2, 200), random(3, 256));
        let table = FixedBase::builder(&p, &base).exponent_bits(256).method("comb:5,4,2".parse().unwrap());
        let table = table.build().unwrap();
        // Also from an iterator that does not report its length.
        let e = || (0..9).map(|_| SignedExponent::new(true, &k)).filter(|e| e.bits() == 256);
        let pairs = || e().map(|e| (&base, e));
        let what = format!("{choice:?}");
        nothing_is_left(&what, &secrets, || all(table.pow_batch(e())));
        nothing_is_left(&what, &secrets, || all(p.pow_batch(pairs())));
        nothing_is_left(&what, &secrets, || MultiExponentiation::new([&table; 9]).unwrap().pow(e()).unwrap());
    }
}

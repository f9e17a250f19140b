//! Compares the operations of every fixed-base method, exponent by exponent, with models that
//! implement the descriptions of the algorithms with plain integers.

use crypto_bigint::BoxedUint;
use moduli::{FixedBase, Method, Modulus, Secrecy, SignedExponent};
use moduli_kernel::internals::PORTABLE8;
use moduli_papers::{self as paper, M0m1};
use num_bigint::BigUint;
use rayon::prelude::*;
use testing::{Random, boxed, extremes, ones};

/// The operations of one exponentiation, and the rule for first factors: a plain value is assigned,
/// but a prepared entry (split > 1) must be multiplied by 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ledger {
    split: u32,
    products: u64,
    squarings: u64,
    prepared: u64,
}

impl Ledger {
    fn product(&mut self, started: &mut bool) {
        self.products += u64::from(*started);
        *started = true;
    }

    fn entry(&mut self, started: &mut bool) {
        if self.split > 1 {
            self.prepared += 1;
            *started = true;
        } else {
            self.product(started);
        }
    }

    fn square(&mut self, started: bool) {
        self.squarings += u64::from(started);
    }
}

fn digits(k: &BigUint, radix: u64, t: u32) -> Vec<i128> {
    let radix = BigUint::from(radix);
    let (mut rest, mut longest) = (k.clone(), ones(t));
    let mut digits = Vec::new();
    while longest > BigUint::ZERO {
        digits.push((&rest % &radix).to_u64_digits().first().copied().unwrap_or(0).into());
        (rest, longest) = (rest / &radix, longest / &radix);
    }
    digits
}

/// The comb. The tables share the bits so that only the last columns of some tables are incomplete:
/// each table has c = ⌈t/teeth in all⌉ columns, or c − 1 if the spare bits amount to a whole
/// column.
fn comb(ledger: &mut Ledger, x: &mut bool, teeth: &[u32], secret: bool, k: &BigUint, t: u32) {
    let all: u32 = teeth.iter().sum();
    let longest = t.div_ceil(all);
    let (mut spare, mut first) = (all * longest - t, 0);
    let mut tables = Vec::new();
    for &h in teeth {
        let mut columns = longest;
        if h <= spare {
            (columns, spare) = (columns - 1, spare - h);
        }
        tables.push((h, columns, first));
        first += h * columns;
    }
    for column in (0..longest).rev() {
        ledger.square(*x);
        for &(h, columns, first) in tables.iter().filter(|table| column < table.1) {
            let zero = (0..h).all(|tooth| !k.bit(u64::from(first + tooth * columns + column)));
            if secret || !zero {
                ledger.entry(x);
            }
        }
    }
}

/// The repaired form: digit − carry = u·(1 + m1·j) − carry'·R with 1 ≤ u ≤ m1, by floor division.
fn residue_digits(ledger: &mut Ledger, x: &mut bool, m0: i128, m1: i128, secret: bool, k: &BigUint, t: u32) {
    let mut buckets = vec![secret; m1 as usize + 1];
    let (mut carry, mut value, mut weight) = (0, num_bigint::BigInt::ZERO, num_bigint::BigInt::from(1));
    for digit in digits(k, (m0 * m1) as u64, t) {
        let d = digit - carry;
        let (mut q, mut u) = (d.div_euclid(m1), d.rem_euclid(m1));
        if u == 0 {
            (q, u) = (q - 1, m1);
        }
        let j = (0..m0).find(|j| (u * j - q).rem_euclid(m0) == 0).unwrap();
        carry = (u * j - q) / m0;
        assert_eq!(d, u * (1 + m1 * j) - carry * m0 * m1);
        value += u * (1 + m1 * j) * &weight;
        weight *= m0 * m1;
        ledger.entry(&mut buckets[u as usize]);
    }
    assert_eq!(value - carry * weight, k.clone().into());
    if secret || carry > 0 {
        ledger.entry(&mut buckets[carry as usize]);
    }
    let mut running = false;
    for u in (1..=m1 as usize).rev() {
        if buckets[u] {
            ledger.product(&mut running);
        }
        if running {
            ledger.product(x);
        }
    }
}

/// The cost of base^k, or of base^−k if negative.
fn model(method: Method, split: u32, secrecy: Secrecy, t: u32, k: &BigUint, sign: Option<bool>) -> Ledger {
    let secret = secrecy == Secrecy::Secret;
    let mut ledger = Ledger { split, products: 0, squarings: 0, prepared: 0 };
    let mut x = false;
    // −k = (2^t − 1 − k) − (2^t − 1); the last term is one more factor.
    let k = &if sign == Some(true) { ones(t) - k } else { k.clone() };
    match method {
        Method::Radix { radix } => {
            for digit in digits(k, radix.into(), t) {
                if secret || digit != 0 {
                    ledger.entry(&mut x);
                }
            }
        }
        Method::Comb { teeth, tables, short_tables } => {
            let long = (0..tables - short_tables).map(|_| teeth);
            let teeth: Vec<u32> = long.chain((0..short_tables).map(|_| teeth - 1)).collect();
            comb(&mut ledger, &mut x, &teeth, secret, k, t);
        }
        Method::M0m1 { m0, m1 } if secret => {
            // Every digit takes a product into a bucket, and one of its correction or 1 into K_0;
            // the carry, or 1, takes one into a bucket. All buckets are 1 at first. Then every
            // bucket counts, K_0 last.
            let count = digits(k, u64::from(m0 * m1), t).len() as u64;
            let weights = u64::from(paper::hamming_sum(m1));
            ledger.products = 2 * count + 1 + (weights - 1) + 1;
            ledger.squarings = u64::from((m1 - 1).ilog2());
            x = true;
        }
        Method::M0m1 { m0, m1 } => {
            let run = M0m1::new(m0, m1, t).unwrap().exponentiate(&boxed(k)).unwrap();
            ledger.products = run.products;
            ledger.squarings = run.squarings;
            x = !run.entries.is_empty();
        }
        Method::ResidueDigits { m0, m1 } => {
            residue_digits(&mut ledger, &mut x, m0.into(), m1.into(), secret, k, t);
        }
        _ => unreachable!(),
    }
    if sign.is_some_and(|negative| secret || negative) {
        ledger.product(&mut x);
    }
    ledger
}

const METHODS: &[&str] = &[
    "radix:2",
    "radix:31",
    "radix:64",
    "radix:257",
    "comb:1,1",
    "comb:1,4",
    "comb:4,1",
    "comb:6,1",
    "comb:5,3",
    "comb:7,4",
    "comb:7,7",
    "comb:5,4,1",
    "comb:6,3,2",
    "m0m1:3,2",
    "m0m1:11,8",
    "m0m1:11,9",
    "m0m1:31,7",
    "m0m1:47,7",
    "m0m1:7,6",
    "residue-digits:3,2",
    "residue-digits:11,8",
    "residue-digits:13,12",
    "residue-digits:43,6",
    "residue-digits:257,3",
];

fn check(t: u32, method: Method, p: &Modulus) {
    let g = BoxedUint::from(3u64);
    let mut random = Random(u64::from(t));
    let mut exponents = extremes(t);
    exponents.extend((0..t).step_by(7).map(|bit| BigUint::from(1u32) << bit));
    exponents.extend((0..40).map(|_| random.below(t)));
    for split in [1, 2, 3] {
        if split > 1 && !method.can_split() {
            continue;
        }
        let table = FixedBase::builder(p, &g).exponent_bits(t).method(method).split(split);
        let table = table.build().unwrap();
        for secrecy in [Secrecy::Secret, Secrecy::Public] {
            let mut masked_words = [None; 2];
            for k in &exponents {
                let short = boxed(k);
                for sign in [None, Some(false), Some(true)] {
                    let exponent = sign.map_or(SignedExponent::from(&short), |negative| {
                        SignedExponent::new(negative, &short)
                    });
                    let counts = match secrecy {
                        Secrecy::Secret => table.pow_with_counts(exponent),
                        Secrecy::Public => table.pow_with_counts_vartime(exponent),
                    }
                    .unwrap()
                    .1;
                    let found = Ledger {
                        split,
                        products: counts.products,
                        squarings: counts.squarings,
                        prepared: counts.prepared_products,
                    };
                    let expected = model(method, split, secrecy, t, k, sign);
                    assert_eq!(
                        found, expected,
                        "{method} split {split}, {secrecy:?}, t = {t}, {k}, {sign:?}"
                    );
                    // Masked reads depend only on the shape. Public exponents need none.
                    let masked = masked_words[usize::from(sign.is_some())].get_or_insert(counts.masked_words);
                    assert_eq!(*masked, counts.masked_words);
                    assert_eq!(counts.masked_words > 0, secrecy == Secrecy::Secret);
                }
            }
        }
    }
}

#[test]
fn counted_operations_are_those_of_the_algorithms() {
    check_counts(&[20, 160, 256]);
}

#[test]
#[ignore = "seconds: make test-long"]
fn counted_operations_at_another_length() {
    check_counts(&[224]);
}

fn check_counts(lengths: &[u32]) {
    assert_eq!(Method::missing_in(METHODS.iter().copied()), []);
    // Eight-bit words, so that a small modulus has several words and its entries can be split.
    let p = Modulus::with_kernel(&BoxedUint::from(0xffff_fffbu64), PORTABLE8).unwrap();
    let methods: Vec<Method> = METHODS.iter().map(|method| method.parse().unwrap()).collect();
    for &t in lengths {
        methods.par_iter().for_each(|&method| check(t, method, &p));
    }
}

/// The literal Algorithms 1, 2 and 3 of the paper perform the same operations as the methods for
/// public exponents.
#[test]
fn the_paper_counts_the_same() {
    let p = Modulus::new(&BoxedUint::from(0xffff_fffbu64)).unwrap();
    let g = BoxedUint::from(3u64);
    let mut random = Random(3);
    for t in [20, 160, 256] {
        for (name, w) in [("comb:1,1", 1), ("comb:5,1", 5), ("comb:9,1", 9), ("radix:2", 2), ("radix:91", 91)]
        {
            let table = FixedBase::builder(&p, &g).exponent_bits(t);
            let table = table.method(name.parse().unwrap()).build().unwrap();
            let mut exponents = extremes(t);
            exponents.extend((0..50).map(|_| random.below(t)));
            for k in exponents.iter().map(boxed) {
                let counts = table.pow_with_counts_vartime(&k).unwrap().1;
                let run =
                    if name.starts_with("radix") { paper::radix(&k, w, t) } else { paper::comb(&k, w, t) };
                assert_eq!((counts.products, counts.squarings), (run.products, run.squarings), "{name} {k}");
                if w == 1 {
                    let run = paper::square_multiply(&k, t);
                    assert_eq!((counts.products, counts.squarings), (run.products, run.squarings));
                }
            }
        }
    }
}

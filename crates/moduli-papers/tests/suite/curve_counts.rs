//! Compares the point operations of the fixed-base methods, scalar by scalar, with models that
//! implement their descriptions with plain integers.

use std::collections::BTreeMap;

use moduli_papers::curve::{
    Comb, Counting, Edwards, FixedBase, Group, M0m1, Method, Operations, ResidueDigits, SignedComb,
    SignedRadix, SignedResidueDigits,
};
use num_bigint::BigUint;
use testing::Random;

/// Counts the operations and records which sums are not empty.
#[derive(Default)]
struct Ledger(Operations);

impl Ledger {
    fn add(&mut self, sum: &mut bool) {
        self.0.additions += u64::from(*sum);
        *sum = true;
    }

    fn add_sum(&mut self, sum: &mut bool, term: bool) {
        if term {
            self.add(sum);
        }
    }

    fn double(&mut self, sum: bool) {
        self.0.doublings += u64::from(sum);
    }

    fn negate(&mut self, negative: bool) {
        self.0.negations += u64::from(negative);
    }
}

fn order() -> BigUint {
    big(Edwards.order())
}

fn big(limbs: [u64; 4]) -> BigUint {
    limbs.iter().rev().fold(BigUint::ZERO, |x, &limb| (x << 64) + limb)
}

/// The digits of x. There are as many as n − 1 has.
fn digits(x: &BigUint, radix: u64) -> Vec<i64> {
    let (mut rest, mut longest) = (x.clone(), order() - 1u32);
    let mut digits = Vec::new();
    while longest > BigUint::ZERO {
        digits.push((&rest % radix).to_u64_digits().first().copied().unwrap_or(0) as i64);
        (rest, longest) = (rest / radix, longest / radix);
    }
    digits
}

/// Digits around zero: an offset is added modulo n and subtracted digit by digit.
fn balanced(k: &BigUint, radix: u64) -> Vec<i64> {
    let largest = digits(&(order() - 1u32), radix);
    let (&top, low) = largest.split_last().unwrap();
    let mut offsets = vec![(radix / 2) as i64; low.len()];
    offsets.push((top + 1) / 2);
    let sum = offsets.iter().rev().fold(BigUint::ZERO, |sum, &offset| sum * radix + offset as u64);
    let shifted = digits(&((k + sum) % order()), radix);
    shifted.iter().zip(offsets).map(|(digit, offset)| digit - offset).collect()
}

fn signed_radix(ledger: &mut Ledger, radix: u64, k: &BigUint) {
    let mut sum = false;
    for digit in balanced(k, radix).into_iter().filter(|&digit| digit != 0) {
        ledger.negate(digit < 0);
        ledger.add(&mut sum);
    }
}

/// Lim and Lee: a = ⌈t/h⌉ bits per tooth, b = ⌈a/v⌉ columns per table.
fn comb(ledger: &mut Ledger, teeth: u64, tables: u64, signed: bool, k: &BigUint) {
    let a = order().bits().div_ceil(teeth);
    let b = a.div_ceil(tables);
    let ones = (BigUint::from(1u32) << (a * teeth)) - 1u32;
    // (k + 2^(a·h) − 1)/2 modulo n.
    let half = (order() + 1u32) / 2u32;
    let k = if signed { (k + ones) * half % order() } else { k.clone() };
    let mut sum = false;
    for column in (0..b).rev() {
        ledger.double(sum);
        for place in (0..tables).map(|table| table * b + column).filter(|&place| place < a) {
            let any = (0..teeth).any(|tooth| k.bit(tooth * a + place));
            if signed || any {
                ledger.negate(signed && !k.bit((teeth - 1) * a + place));
                ledger.add(&mut sum);
            }
        }
    }
}

fn m0m1(ledger: &mut Ledger, m0: i64, m1: i64, k: &BigUint) {
    let radix = m0 * m1;
    let mut buckets = vec![false; m1 as usize];
    let mut carry = 0;
    for digit in digits(k, radix as u64) {
        let d = (digit - carry).rem_euclid(radix);
        let borrow = i64::from(digit < carry);
        if d == 0 {
            carry = borrow;
        } else if d % m1 == 0 {
            ledger.add(&mut buckets[0]);
            ledger.negate(true);
            ledger.add(&mut buckets[0]);
            carry = borrow;
        } else {
            // The only number below R that is 1 modulo m1 and gives d.
            let u = d % m1;
            let b = (0..m0).map(|j| 1 + m1 * j).find(|b| (u * b - d) % radix == 0).unwrap();
            ledger.add(&mut buckets[u as usize]);
            carry = borrow + u * b / radix;
        }
    }
    if carry != 0 {
        ledger.add(&mut buckets[carry as usize]);
    }
    let mut sum = false;
    for bit in (0..8).rev() {
        ledger.double(sum);
        for bucket in (1..m1 as usize).filter(|j| j >> bit & 1 == 1) {
            ledger.add_sum(&mut sum, buckets[bucket]);
        }
    }
    ledger.add_sum(&mut sum, buckets[0]);
}

fn residue_digits(ledger: &mut Ledger, m0: i64, m1: i64, k: &BigUint) {
    let mut buckets = vec![false; m1 as usize + 1];
    let mut carry = 0;
    for digit in digits(k, (m0 * m1) as u64) {
        let d = digit - carry;
        let u = (d - 1).rem_euclid(m1) + 1;
        let b = (0..m0).map(|j| 1 + m1 * j).find(|b| (u * b - d) % (m0 * m1) == 0).unwrap();
        carry = (u * b - d) / (m0 * m1);
        ledger.add(&mut buckets[u as usize]);
    }
    if carry != 0 {
        ledger.add(&mut buckets[carry as usize]);
    }
    let (mut running, mut sum) = (false, false);
    for &bucket in buckets[1..].iter().rev() {
        ledger.add_sum(&mut running, bucket);
        ledger.add_sum(&mut sum, running);
    }
}

/// For each nonzero residue modulo R, its bucket and the number ±2^bucket·b that represents it.
fn signed_values(radix: i64, buckets: u32) -> BTreeMap<i64, (u32, i64)> {
    let mut values = BTreeMap::new();
    for b in 1..=radix / 2 {
        let mut b = b;
        while !values.contains_key(&b) {
            for bucket in 0..buckets {
                let value = b << bucket;
                if values.contains_key(&(value % radix)) {
                    break;
                }
                values.insert(value % radix, (bucket, value));
                values.insert((-value).rem_euclid(radix), (bucket, -value));
            }
            let next = (b << buckets) % radix;
            b = next.min(radix - next);
        }
    }
    values
}

fn signed_residue_digits(
    ledger: &mut Ledger,
    radix: i64,
    values: &BTreeMap<i64, (u32, i64)>,
    count: usize,
    k: &BigUint,
) {
    let mut buckets = vec![false; count];
    let digits = balanced(k, radix as u64);
    let (top, low) = digits.split_last().unwrap();
    let mut carry = 0;
    for digit in low {
        let d = digit + carry;
        let value = values.get(&d.rem_euclid(radix)).map_or(0, |&(bucket, value)| {
            ledger.negate(value < 0);
            ledger.add(&mut buckets[bucket as usize]);
            value
        });
        carry = (d - value) / radix;
    }
    if top + carry != 0 {
        ledger.negate(top + carry < 0);
        ledger.add(&mut buckets[0]);
    }
    let mut sum = false;
    for &bucket in buckets.iter().rev() {
        ledger.double(sum);
        ledger.add_sum(&mut sum, bucket);
    }
}

/// Compares the counts of both forms with those of the models, and the mean with the method's own
/// prediction.
fn check(method: impl Method, model: impl Fn(&mut Ledger, &BigUint)) {
    let fixed =
        FixedBase::new(Counting::new(Edwards.order()).unwrap(), method.clone(), &[1, 0, 0, 0]).unwrap();
    let mut random = Random(7);
    let mut scalars: Vec<[u64; 4]> = [0, 1, 2, 63, 64, 65].map(|k| [k, 0, 0, 0]).into();
    scalars.push((order() - 1u32).to_u64_digits().try_into().unwrap());
    let edges = scalars.len();
    scalars.extend((0..200).map(|_| core::array::from_fn(|_| random.word())));
    fixed.group().take();
    let mut total = (0, 0);
    for (i, &k) in scalars.iter().enumerate() {
        let reduced = big(k) % order();
        assert_eq!(big(fixed.mul(k)), reduced, "{method}");
        assert_eq!(fixed.group().take(), method.secret_operations(), "{method}: {k:x?}");
        assert_eq!(big(fixed.mul_vartime(k)), reduced, "{method}");
        let (counted, mut ledger) = (fixed.group().take(), Ledger::default());
        model(&mut ledger, &reduced);
        assert_eq!(counted, ledger.0, "{method}, variable-time: {k:x?}");
        if i >= edges {
            total = (total.0 + counted.additions, total.1 + counted.doublings);
        }
    }
    let mean = |sum: u64| sum as f64 / (scalars.len() - edges) as f64;
    let (additions, doublings) = method.public_operations();
    let off = (mean(total.0) - additions, mean(total.1) - doublings);
    assert!(off.0.abs() < 1.0 && off.1.abs() < 0.5, "{method}: {off:?}");
}

#[test]
fn radices() {
    for radix in [3, 9, 17, 65, 1001] {
        let method = SignedRadix::new(radix, Edwards.order()).unwrap();
        check(method, |ledger, k| signed_radix(ledger, radix.into(), k));
    }
}

#[test]
fn combs() {
    for (teeth, tables) in [(2, 3), (4, 1), (5, 3), (6, 43), (8, 7), (11, 2)] {
        let (h, v) = (u64::from(teeth), u64::from(tables));
        check(Comb::new(teeth, tables, Edwards.order()).unwrap(), |ledger, k| comb(ledger, h, v, false, k));
        check(SignedComb::new(teeth, tables, Edwards.order()).unwrap(), |ledger, k| {
            comb(ledger, h, v, true, k)
        });
    }
}

#[test]
fn residues() {
    for (m0, m1) in [(3, 2), (11, 4), (11, 8), (11, 9), (31, 7), (127, 5)] {
        let (wide_m0, wide_m1) = (i64::from(m0), i64::from(m1));
        check(M0m1::new(m0, m1, Edwards.order()).unwrap(), |ledger, k| m0m1(ledger, wide_m0, wide_m1, k));
        let method = ResidueDigits::new(m0, m1, Edwards.order()).unwrap();
        check(method, |ledger, k| residue_digits(ledger, wide_m0, wide_m1, k));
    }
}

#[test]
fn signed_residues() {
    for (radix, buckets) in [(33, 2), (65, 3), (67, 2), (193, 4), (511, 2), (1001, 3)] {
        let method = SignedResidueDigits::new(radix, buckets, Edwards.order()).unwrap();
        let values = signed_values(radix.into(), buckets);
        assert_eq!(values.len() as u32, radix - 1);
        check(method, |ledger, k| signed_residue_digits(ledger, radix.into(), &values, buckets as usize, k));
    }
}

/// The listed shapes store as many points as they report, within the limit.
#[test]
fn shapes_stay_within_their_limit() {
    fn check<M: Method>(least: usize) {
        for most in [10, 25, 100, 400, 1600] {
            let shapes = M::shapes(Edwards.order(), most).unwrap();
            assert_eq!(shapes.is_empty(), most < least, "{most}");
            for shape in shapes {
                assert!(shape.entries() <= most, "{shape}");
            }
        }
    }
    check::<SignedRadix>(160);
    check::<Comb>(1);
    check::<SignedComb>(1);
    check::<M0m1>(40);
    check::<ResidueDigits>(40);
    check::<SignedResidueDigits>(200);
}

/// Additions and doublings of both forms, selections of the constant-time one, and the entries.
type Account = (usize, Operations, (f64, f64));

fn account(name: &str) -> Account {
    fn of(method: impl Method, name: &str) -> Account {
        assert_eq!(method.to_string(), name);
        (method.entries(), method.secret_operations(), method.public_operations())
    }
    let (kind, parameters) = name.split_once(':').unwrap();
    let parameters: Vec<u32> = parameters.split(',').map(|number| number.parse().unwrap()).collect();
    let (order, a) = (Edwards.order(), parameters[0]);
    let b = || parameters[1];
    match kind {
        "signed-radix" => of(SignedRadix::new(a, order).unwrap(), name),
        "comb" => of(Comb::new(a, b(), order).unwrap(), name),
        "signed-comb" => of(SignedComb::new(a, b(), order).unwrap(), name),
        "m0m1" => of(M0m1::new(a, b(), order).unwrap(), name),
        "residue-digits" => of(ResidueDigits::new(a, b(), order).unwrap(), name),
        "signed-residue-digits" => of(SignedResidueDigits::new(a, b(), order).unwrap(), name),
        _ => panic!("{name}"),
    }
}

/// Every line of docs/edwards.md contains the entries and counts of its method.
#[test]
fn the_page_has_the_counts_of_its_methods() {
    let page = include_str!("../../../../docs/edwards.md");
    let (mut constant_time, mut lines) = (false, 0);
    for line in page.lines() {
        if line.starts_with("### ") {
            constant_time = line.to_lowercase().contains("constant-time");
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if cells.len() != 12 || !cells[1].ends_with("KiB") || cells[2].starts_with("dalek") {
            continue;
        }
        lines += 1;
        let number = |i: usize| cells[i].parse::<f64>().unwrap();
        let (entries, secret, public) = account(cells[2]);
        assert_eq!(number(3), entries as f64, "{line}");
        assert!((number(4) - entries as f64 * 160.0 / 1024.0).abs() < 0.051, "{line}");
        if constant_time {
            let counts = [secret.additions, secret.doublings, secret.selections].map(|count| count as f64);
            assert_eq!([5, 6, 7].map(number), counts, "{line}");
        } else {
            // The page's counts are those of sixteen scalars.
            assert!((number(5) - public.0).abs() < 1.5 && (number(6) - public.1).abs() < 0.5, "{line}");
        }
    }
    assert!(lines > 70, "{lines}");
}

//! The work of each method except the comb, from its parameters.

use super::{
    average::{LastDigit, Recoding},
    comb::Comb,
    radices::{power_of_two, ratio},
    work::Work,
};
use crate::fixed::{method::Method, secrecy::Secrecy};

/// Products and squarings of `count` powers whose small exponents have `bits` bits in total.
fn small_powers(count: u32, bits: u32) -> f64 {
    1.4 * f64::from(bits) + 3.0 * f64::from(count)
}

/// x^n.
fn power(mut x: f64, mut n: u32) -> f64 {
    let mut power = 1.0;
    while n > 0 {
        if n & 1 == 1 {
            power *= x;
        }
        x *= x;
        n >>= 1;
    }
    power
}

impl Work {
    /// `digits` is the result of [`Shape::digits`](crate::fixed::Shape::digits). It is not used for
    /// combs.
    pub(super) fn new(method: Method, digits: u32, bits: u32, secrecy: Secrecy) -> Self {
        let secret = secrecy == Secrecy::Secret;
        let recoding = |m0, m1, repaired| Recoding { m0: u64::from(m0), m1: u64::from(m1), repaired };
        // The generators of all rows of the entries and of the inverses, and the steps between
        // entries.
        let generators =
            |m1: u32| 2.0 * small_powers(digits, bits) + small_powers(digits, digits * m1.ilog2());
        let recoded = |work: Self, m1: u32| Self {
            buckets: m1,
            divided_digits: digits,
            recoded_digits: digits,
            generators: generators(m1),
            inversions: 1,
            ..work
        };
        match method {
            Method::Radix { radix } => Self::radix(radix, digits, bits, secret),
            Method::Comb { teeth, tables, short_tables } => {
                Comb::new(teeth, tables, short_tables, bits).work(secret)
            }
            Method::ResidueDigits { m0, m1 } if secret => {
                recoded(Self::residue_digits_secret(m0, m1, digits), m1)
            }
            Method::ResidueDigits { m0, m1 } => {
                recoded(Self::residue_digits_public(recoding(m0, m1, true), digits, bits), m1)
            }
            Method::M0m1 { m0, m1 } if secret => recoded(Self::m0m1_secret(m0, m1, digits), m1),
            Method::M0m1 { m0, m1 } => recoded(Self::m0m1_public(recoding(m0, m1, false), digits, bits), m1),
        }
    }

    fn radix(radix: u32, digits: u32, bits: u32, secret: bool) -> Self {
        let shift = radix.is_power_of_two();
        let work = Self {
            entries: u64::from(digits) * u64::from(radix - 1),
            table_products: f64::from(digits),
            copies: 1.0,
            divided_digits: if shift { 0 } else { digits },
            read_digits: if shift { digits } else { 0 },
            generators: small_powers(digits, bits),
            ..Self::default()
        };
        if secret {
            return Self { look_ups: [(f64::from(digits), u64::from(radix)), (0.0, 0)], ..work };
        }
        Self {
            table_products: work.table_products - zero_digits(radix, digits, bits),
            copies: 1.0 - power_of_two(-i64::from(bits)),
            ..work
        }
    }

    fn residue_digits_secret(m0: u32, m1: u32, digits: u32) -> Self {
        Self {
            entries: u64::from(digits) * u64::from(m0) + 1,
            table_products: f64::from(digits + 1),
            products: f64::from(2 * (m1 - 1)),
            look_ups: [(f64::from(digits), u64::from(m0)), (0.0, 0)],
            choices: 1.0,
            bucket_products: f64::from(digits + 1),
            ..Self::default()
        }
    }

    fn residue_digits_public(recoding: Recoding, digits: u32, bits: u32) -> Self {
        let last = recoding.last_digit(digits, bits);
        // A carry is at most the residue before it, so the greatest bucket is the greatest residue.
        let (mut greatest, mut below) = (recoding.m1 as f64, 0.0);
        for bucket in 1..recoding.m1 {
            below += last.bucket[bucket as usize];
            greatest -= below * power(bucket as f64 / recoding.m1 as f64, digits - 1);
        }
        let filled = filled(recoding, &last, digits).iter().sum::<f64>();
        Self {
            entries: u64::from(digits) * recoding.m0 + 1,
            table_products: f64::from(digits) + 1.0 - last.carry[0],
            copies: filled,
            products: filled - 1.0 + greatest - 1.0,
            ..Self::default()
        }
    }

    fn m0m1_secret(m0: u32, m1: u32, digits: u32) -> Self {
        let factors: u32 = (1..m1).map(u32::count_ones).sum();
        let digits_f64 = f64::from(digits);
        Self {
            entries: u64::from(digits) * u64::from(m0) + u64::from(digits) + 1,
            table_products: digits_f64 + 1.0,
            // One correction per digit; the first factor of the reconstruction is copied; bucket 0.
            products: digits_f64 + f64::from(factors),
            squarings: f64::from((m1 - 1).ilog2()),
            look_ups: [(digits_f64, u64::from(m0)), (0.0, 0)],
            choices: digits_f64 + 1.0,
            bucket_products: digits_f64 + 1.0,
            ..Self::default()
        }
    }

    fn m0m1_public(recoding: Recoding, digits: u32, bits: u32) -> Self {
        let last = recoding.last_digit(digits, bits);
        let Recoding { m0, m1, .. } = recoding;
        let filled = filled(recoding, &last, digits);
        let before = f64::from(digits - 1);
        let skipped = 1.0 / (m0 * m1) as f64;
        let used = before * (1.0 - skipped) + last.bucket.iter().sum::<f64>();
        let corrections = before * (1.0 / m1 as f64 - skipped) + last.bucket[0];
        // The probability that the buckets from `bucket` on are empty.
        let empty_from = |bucket: u64| {
            let last = 1.0 - last.bucket[bucket as usize..].iter().sum::<f64>();
            power(bucket as f64 / m1 as f64, digits - 1) * last
        };
        let factors: f64 =
            filled.iter().enumerate().skip(1).map(|(j, p)| f64::from((j as u32).count_ones()) * p).sum();
        let any = 1.0 - empty_from(1);
        Self {
            entries: u64::from(digits) * m0 + u64::from(digits) + 1,
            table_products: used + corrections + 1.0 - last.carry[0],
            copies: filled.iter().sum(),
            products: factors - any + filled[0] * any,
            squarings: (1..=(m1 - 1).ilog2()).map(|bit| 1.0 - empty_from(1 << bit)).sum(),
            ..Self::default()
        }
    }

    /// A lower bound for the work of a residue method with this number of digits and this m0 or a
    /// greater one. For the variable-time form it omits the cost of the last digit.
    pub(super) fn at_best(method: Method, digits: u32, bits: u32, secrecy: Secrecy) -> Self {
        let secret = Self::new(method, digits, bits, Secrecy::Secret);
        let (published, m0, m1) = match method {
            Method::M0m1 { m0, m1 } => (true, m0, m1),
            Method::ResidueDigits { m0, m1 } => (false, m0, m1),
            _ => return secret,
        };
        if secrecy == Secrecy::Secret {
            return secret;
        }
        let (before, m1_f64) = (f64::from(digits - 1), f64::from(m1));
        let filled = (m1_f64 * (1.0 - power(1.0 - 1.0 / m1_f64, digits - 1))).max(1.0);
        let (table_products, products) = if published {
            // A product, and the correction in bucket 0, but nothing for digits 0; and a product by
            // a bucket for each one bit of its index except the first.
            let each = 1.0 + 1.0 / m1_f64 - 2.0 / (m1_f64 * f64::from(m0));
            (before * each, (secret.products - f64::from(digits)) * filled / m1_f64 - 1.0)
        } else {
            let greatest = (m1_f64 * before / (before + 1.0)).max(1.0);
            (before + 1.0, filled + greatest - 2.0)
        };
        Self {
            table_products,
            copies: filled,
            products: products.max(0.0),
            look_ups: [(0.0, 0); 2],
            ..secret
        }
    }
}

/// The probability that each bucket is not empty.
fn filled(recoding: Recoding, last: &LastDigit, digits: u32) -> alloc::vec::Vec<f64> {
    let mut filled = alloc::vec![0.0; recoding.m1 as usize + 1];
    for bucket in recoding.buckets() {
        let skipped = if bucket == 0 { 1.0 / (recoding.m0 * recoding.m1) as f64 } else { 0.0 };
        let missed = 1.0 - 1.0 / recoding.m1 as f64 + skipped;
        let carry = if bucket == 0 { 0.0 } else { last.carry[bucket as usize] };
        let missed_last = 1.0 - last.bucket[bucket as usize] - carry;
        filled[bucket as usize] = 1.0 - power(missed, digits - 1) * missed_last.max(0.0);
    }
    filled
}

/// The average number of zero digits in radix `radix`.
fn zero_digits(radix: u32, digits: u32, bits: u32) -> f64 {
    let radix_f64 = f64::from(radix);
    // Digit i is 0 for ⌊x⌋·R^i + min(x − ⌊x⌋, 1/R)·R^(i+1) exponents, x = 2^bits/R^(i+1).
    let (mut zeros, mut left) = (0.0, digits);
    let mut x = ratio(bits, radix.into(), digits);
    while left > 0 && x < 1e6 {
        let whole = x as u64 as f64;
        zeros += (whole + (radix_f64 * (x - whole)).min(1.0)) / (radix_f64 * x);
        x *= radix_f64;
        left -= 1;
    }
    zeros + f64::from(left) / radix_f64
}

//! Sets of methods: the least work of any in them, one of them to try, and the parts that they fall into.

use alloc::{vec, vec::Vec};

use super::{
    radices::{Radix, power_of_two},
    work::{Comb, Work, power},
};
use crate::fixed::{method::Method, secrecy::Secrecy};

/// The methods, without parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Radix,
    Comb,
    M0m1,
    ResidueDigits,
}

impl Family {
    pub(super) const ALL: [Self; 4] = [Self::Comb, Self::Radix, Self::ResidueDigits, Self::M0m1];

    /// The method of digits with these moduli; m1 = 1 for radix-R.
    fn of_digits(self, m0: u64, m1: u32) -> Method {
        let m0 = m0 as u32;
        match self {
            Self::M0m1 => Method::M0m1 { m0, m1 },
            Self::ResidueDigits => Method::ResidueDigits { m0, m1 },
            _ => Method::Radix { radix: m0 },
        }
    }
}

/// In the public forms a greater radix than the least may leave less to the last digit: this many, spread
/// evenly, are tried for each number of digits.
const TRIES: u64 = 12;

/// The exclusive bound of radices and of m0.
const MOST: u64 = 1 << 24;

/// A set of methods. Ranges include both ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Region {
    /// Combs with so many tables, so many of them with all teeth and the others with one less.
    Combs { teeth: u32, tables: [u32; 2], long: [u32; 2] },
    /// Radix-R (m1 = 1) or a residue method, by places in the list of radices.
    Digits { family: Family, m1: u32, places: [usize; 2] },
    /// A single method.
    One { method: Method, work: Work },
}

/// Everything that there is for exponents of some length.
pub(super) struct Space<'a> {
    /// Ends with radix 2.
    pub(super) radices: &'a [Radix],
    pub(super) bits: u32,
    pub(super) secrecy: Secrecy,
    /// No table has more entries.
    pub(super) most_entries: u64,
}

impl Space<'_> {
    fn secret(&self) -> bool {
        self.secrecy == Secrecy::Secret
    }

    /// A family in regions.
    pub(super) fn family(&self, family: Family) -> Vec<Region> {
        let all = [0, self.radices.len() - 1];
        match family {
            Family::Comb => {
                let tables = [1, self.bits];
                let combs = |teeth| Region::Combs { teeth, tables, long: tables };
                (1..=self.bits.min(24)).map(combs).collect()
            }
            Family::Radix => {
                // Digits in radix 2^k are read off: they cost less than those in the least radix for their number.
                let shifts = (1..MOST.ilog2()).map(|log| {
                    let method = Method::Radix { radix: 1 << log };
                    let work = Work::new(method, self.bits.div_ceil(log), self.bits, self.secrecy);
                    Region::One { method, work }
                });
                shifts.chain([Region::Digits { family, m1: 1, places: all }]).collect()
            }
            Family::M0m1 | Family::ResidueDigits => {
                (2..=255).map(|m1| Region::Digits { family, m1, places: all }).collect()
            }
        }
    }

    /// No method of the region takes less work, in any respect, but for copies: of these none has more. The work itself
    /// where there is one method. None: the region is empty.
    pub(super) fn least_work(&self, region: &Region) -> Option<Work> {
        match *region {
            Region::One { work, .. } => Some(work),
            Region::Combs { teeth, tables, long } => {
                if tables[0] == tables[1] && long[0] == long[1] {
                    return self.comb(teeth, tables[0], long[0]).map(|(_, work)| work);
                }
                self.least_comb(teeth, tables.map(u64::from), long.map(u64::from))
            }
            Region::Digits { family, m1, places: [first, last] } => {
                let Radix { digits, bound, .. } = self.radices[first];
                let m0 = least_m0(self.radices[last].least, m1)?;
                if m0 * u64::from(m1) >= bound {
                    return None;
                }
                if !self.secret() {
                    return Some(self.least_public_digits(family, m0, m1, digits));
                }
                let work = Work::new(family.of_digits(m0, m1), digits, self.bits, self.secrecy);
                if family == Family::Radix && first < last {
                    // Radices 2^k have their own regions.
                    return Some(Work { divided_digits: digits, read_digits: 0, ..work });
                }
                Some(work)
            }
        }
    }

    /// A method of the region with few entries, if there is one.
    pub(super) fn sample(&self, region: &Region) -> Option<(Method, Work)> {
        match *region {
            Region::One { method, work } => Some((method, work)),
            Region::Combs { teeth, tables, long } => self.comb(teeth, tables[0].max(long[0]), long[0]),
            Region::Digits { family, m1, places: [_, last] } => {
                let Radix { digits, least, bound } = self.radices[last];
                let m0 = least_m0(least, m1).filter(|m0| m0 * u64::from(m1) < bound)?;
                let method = family.of_digits(m0, m1);
                Some((method, Work::new(method, digits, self.bits, self.secrecy)))
            }
        }
    }

    /// How far the methods of a region lie apart, as a ratio: 1 for a single one.
    pub(super) fn spread(&self, region: &Region) -> f64 {
        match *region {
            Region::One { .. } => 1.0,
            Region::Combs { tables, long, .. } => tables_ratio(tables).max(long_ratio(tables, long)),
            Region::Digits { places: [first, last], .. } if first < last => {
                self.radices[first].least as f64 / self.radices[last].least as f64
            }
            Region::Digits { .. } if self.secret() => 1.0,
            // Several radices for one number of digits.
            Region::Digits { .. } => f64::INFINITY,
        }
    }

    /// The parts of a region with more than one method.
    pub(super) fn parts(&self, region: &Region) -> Vec<Region> {
        match *region {
            Region::One { .. } => Vec::new(),
            Region::Combs { tables, long, .. } if tables[0] == tables[1] && long[0] == long[1] => Vec::new(),
            Region::Combs { teeth, tables, long } => {
                let by_tables = teeth == 1 || tables_ratio(tables) >= long_ratio(tables, long);
                let combs = |tables: [u32; 2], long: [u32; 2]| {
                    // A comb of one tooth has no tables with one less.
                    let long = if teeth == 1 { tables } else { [long[0], long[1].min(tables[1])] };
                    let tables = [tables[0].max(long[0]), tables[1]];
                    let some = tables[0] <= tables[1] && long[0] <= long[1];
                    some.then_some(Region::Combs { teeth, tables, long })
                };
                let parts = if by_tables {
                    let middle = (u64::from(tables[0]) * u64::from(tables[1])).isqrt() as u32;
                    [[tables[0], middle], [middle + 1, tables[1]]].map(|tables| combs(tables, long))
                } else {
                    let middle = long[0].midpoint(long[1]);
                    [[long[0], middle], [middle + 1, long[1]]].map(|long| combs(tables, long))
                };
                parts.into_iter().flatten().collect()
            }
            Region::Digits { family, m1, places: [first, last] } if first < last => {
                let middle = first.midpoint(last);
                vec![
                    Region::Digits { family, m1, places: [first, middle] },
                    Region::Digits { family, m1, places: [middle + 1, last] },
                ]
            }
            Region::Digits { .. } if self.secret() => Vec::new(),
            Region::Digits { family, m1, places: [place, _] } => self.tries(family, m1, self.radices[place]),
        }
    }

    fn comb(&self, teeth: u32, tables: u32, long: u32) -> Option<(Method, Work)> {
        let short_tables = tables - long;
        let comb = Comb::new(teeth, tables, short_tables, self.bits);
        let method = Method::Comb { teeth, tables, short_tables };
        (!comb.is_degenerate()).then(|| (method, comb.work(self.secret())))
    }

    fn least_comb(&self, teeth: u32, tables: [u64; 2], long: [u64; 2]) -> Option<Work> {
        let (bits, h) = (u64::from(self.bits), u64::from(teeth));
        let total = |tables: u64, long: u64| tables * (h - 1) + long;
        // With so many teeth some tables have no column.
        if total(tables[0], long[0]) >= bits + h {
            return None;
        }
        let most_total = total(tables[1], long[1]).min(bits + h - 1);
        let columns = bits.div_ceil(most_total);
        // Long tables are the first to have a column less. No more columns than there can be spare teeth for.
        let fewer = long[0].min((most_total * columns - bits) / h);
        let long_products = (long[0] * columns - fewer) as f64;
        let entries = tables[0] * ((1 << (h - 1)) - 1) + long[0] * (1 << (h - 1));

        // A column costs this much, so a bit costs least in a column of all teeth. No greater part of the columns is
        // long than of the tables; in the last one teeth may be missing.
        let weight = |teeth: u32| match self.secrecy {
            Secrecy::Secret => 1.0,
            Secrecy::Public => 1.0 - power_of_two(-i64::from(teeth)),
        };
        let (bits_f64, h_f64) = (bits as f64, h as f64);
        let mut products = bits_f64 * weight(teeth) / h_f64;
        if teeth > 1 {
            let part = (long[1] as f64 / tables[0] as f64).min(1.0);
            let in_long = bits_f64.min(part * h_f64 / (h_f64 - 1.0 + part) * (bits_f64 + h_f64));
            products =
                in_long * weight(teeth) / h_f64 + (bits_f64 - in_long) * weight(teeth - 1) / (h_f64 - 1.0);
        }
        let columns = columns as f64;
        let work = Work {
            entries,
            copies: 1.0,
            table_products: products,
            read_digits: self.bits,
            generators: bits_f64,
            ..Work::default()
        };
        if !self.secret() {
            // On the average less than one is skipped because the highest columns are 0.
            return Some(Work { squarings: (columns - 2.0).max(0.0), ..work });
        }
        let products = products.max(tables[0] as f64 * (columns - 1.0).max(1.0)).max(long_products);
        let short_products = products - long_products;
        Some(Work {
            table_products: products,
            squarings: columns - 1.0,
            look_ups: [(long_products, 1 << h), (short_products, 1 << (h - 1))],
            ..work
        })
    }

    /// No less work than this in the public forms, with so many digits or more, for this m0 (the radix, where m1 = 1)
    /// or a greater one, even if it is not the least for its number of digits.
    fn least_public_digits(&self, family: Family, m0: u64, m1: u32, digits: u32) -> Work {
        let digits_f64 = f64::from(digits);
        let method = family.of_digits(m0, m1);
        let secret = Work::new(method, digits, self.bits, Secrecy::Secret);
        let work = Work {
            entries: secret.entries,
            divided_digits: digits,
            recoded_digits: secret.recoded_digits,
            generators: secret.generators,
            inversions: secret.inversions,
            buckets: secret.buckets,
            ..Work::default()
        };
        let m1_f64 = f64::from(m1);
        match family {
            Family::Radix | Family::Comb => {
                // The two highest digits are 0 more often than others.
                let table_products = (digits_f64 * (1.0 - 1.0 / m0 as f64) - 2.0).max(0.0);
                Work { table_products, copies: 1.0, ..work }
            }
            // All digits but the last: one product each and a correction in bucket 0, nothing for digits 0. The
            // first factor of each bucket is copied, so one of the products by the bucket is free.
            Family::M0m1 => {
                // The published form multiplies by a bucket for every set bit of its index.
                let factors: u32 = (1..m1).map(u32::count_ones).sum();
                let filled = 1.0 - power(1.0 - 1.0 / m1_f64, digits - 1);
                let each = 1.0 + 1.0 / m1_f64 - 2.0 / (m1_f64 * m0 as f64);
                Work {
                    table_products: ((digits_f64 - 1.0) * each - 1.0).max(0.0),
                    products: filled * f64::from(factors + 1 - m1),
                    ..work
                }
            }
            // The greatest filled bucket is on average at least m1·n/(n + 1) for n uniform digits. Of a single digit it
            // is m1 for an exponent 0; if there are more than m1 exponents, all buckets are about equally likely.
            Family::ResidueDigits => {
                let filled = (m1_f64 * (1.0 - power(1.0 - 1.0 / m1_f64, digits - 1))).max(1.0);
                let exponents = power_of_two(self.bits.into());
                let greatest = match digits {
                    1 if exponents < 2.0 * m1_f64 => 1.0 + (m1_f64 - 1.0) / exponents,
                    1 => (m1_f64 + 1.0) / 2.0 * (1.0 - m1_f64 / exponents),
                    _ => m1_f64,
                };
                let greatest =
                    greatest.min(m1_f64 * (digits_f64 - 1.0).max(1.0) / digits_f64.max(2.0)).max(1.0);
                Work { table_products: digits_f64, copies: filled, products: filled + greatest - 2.0, ..work }
            }
        }
    }

    /// Methods with one number of digits, for the public forms.
    fn tries(&self, family: Family, m1: u32, radix: Radix) -> Vec<Region> {
        let Radix { digits, least, bound } = radix;
        let most_entries = self.most_entries / u64::from(digits) + 1;
        let most = (bound.div_ceil(m1.into()).min(MOST) - 1).min(most_entries);
        let Some(least) = least_m0(least, m1) else { return Vec::new() };
        let steps = most.saturating_sub(least).min(TRIES);
        let mut regions = Vec::new();
        let mut previous = 0;
        for step in 0..=steps {
            let from = least + most.saturating_sub(least) * step / steps.max(1);
            let Some(m0) = next_coprime(from, m1).filter(|&m0| m0 <= most && m0 > previous) else { continue };
            previous = m0;
            let method = family.of_digits(m0, m1);
            regions.push(Region::One { method, work: Work::new(method, digits, self.bits, self.secrecy) });
        }
        regions
    }
}

fn tables_ratio(tables: [u32; 2]) -> f64 {
    f64::from(tables[1]) / f64::from(tables[0])
}

/// By how much more tables with all teeth make a table longer, at most.
fn long_ratio(tables: [u32; 2], long: [u32; 2]) -> f64 {
    f64::from(tables[0] + long[1]) / f64::from(tables[0] + long[0])
}

/// The least m0 with which the radix m0·m1 is no less than this.
fn least_m0(radix: u64, m1: u32) -> Option<u64> {
    next_coprime(radix.div_ceil(m1.into()), m1)
}

/// All primes up to the greatest m1.
const PRIMES: [u8; 54] = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103,
    107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223,
    227, 229, 233, 239, 241, 251,
];

/// The least number from `from` on, and below [`MOST`], that is coprime to 2..=m1, and 2 at least: then it is greater
/// than m1.
fn next_coprime(from: u64, m1: u32) -> Option<u64> {
    let primes = &PRIMES[..PRIMES.partition_point(|&prime| u32::from(prime) <= m1)];
    let coprime = |candidate: &u64| primes.iter().all(|&prime| !candidate.is_multiple_of(prime.into()));
    (from.max(u64::from(m1) + 1)..MOST).find(coprime)
}

#[cfg(test)]
mod tests {
    use super::next_coprime;
    use crate::fixed::euclid::gcd_vartime;

    #[test]
    fn coprimes_are_the_next() {
        for m1 in 1..=255 {
            let coprime = |m0: u64| m0 >= 2 && (2..=m1).all(|u| gcd_vartime(u, m0 as u32) == 1);
            for from in [0, 1, 2, 100, 255, 256, 1000, 62_000, (1 << 24) - 40] {
                let expected = (from..1 << 24).find(|&m0| coprime(m0));
                assert_eq!(next_coprime(from, m1), expected, "{from}, {m1}");
            }
        }
    }
}

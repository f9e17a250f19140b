//! How much work an exponentiation is: exact for secret exponents, the average over random public ones.

use super::{
    average::{LastDigit, Recoding},
    radices::{power_of_two, ratio},
};
use crate::fixed::{method::Method, secrecy::Secrecy};
use moduli_kernel::Counts;

/// Operations of one exponentiation, as [`Counts`] has them: exact numbers for secret exponents, averages over
/// all exponents of the declared length for public ones. Averages are right to 0.05 products, but for the residue
/// methods in radices below 16 and with a single digit: those to half a product.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ExpectedCounts {
    /// Products of two residues.
    pub products: f64,
    /// Squarings.
    pub squarings: f64,
    /// Products by a prepared operand in two or more pieces.
    pub prepared_products: f64,
    /// Words read by masked look-ups and words written by masked updates.
    pub masked_words: f64,
}

impl From<Counts> for ExpectedCounts {
    fn from(counts: Counts) -> Self {
        Self {
            products: counts.products as f64,
            squarings: counts.squarings as f64,
            prepared_products: counts.prepared_products as f64,
            masked_words: counts.masked_words as f64,
        }
    }
}

/// The work that follows from method and exponents, whatever the split and the kernel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    /// Entries of the table.
    pub(super) entries: u64,
    /// Products by table entries, first factors included.
    pub(super) table_products: f64,
    /// First factors: where entries are not split, these are copied.
    pub(super) copies: f64,
    /// Products of two residues.
    pub(super) products: f64,
    pub(super) squarings: f64,
    /// Masked look-ups: how many, over how many entries, the entry 1 included.
    pub(super) look_ups: [(f64, u64); 2],
    /// Masked choices between two entries.
    pub(super) choices: f64,
    pub(super) buckets: u32,
    /// Products into a masked bucket: all are read, and written.
    pub(super) bucket_products: f64,
    /// Digits cut off the exponent, in a radix that is no power of two.
    pub(super) divided_digits: u32,
    /// Digits recoded as residues.
    pub(super) recoded_digits: u32,
    /// Bits or digits read off the exponent one by one.
    pub(super) read_digits: u32,
    /// About how many products it takes to build the generators of the rows.
    pub(super) generators: f64,
    /// Inversions for that.
    pub(super) inversions: u32,
}

/// Products and squarings of `count` powers with small exponents of `bits` bits in all.
fn small_powers(count: u32, bits: u32) -> f64 {
    1.4 * f64::from(bits) + 3.0 * f64::from(count)
}

/// x^n.
pub(super) fn power(mut x: f64, mut n: u32) -> f64 {
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
    /// `digits` as [`Shape::digits`](crate::fixed::Shape::digits) returns them; not looked at for combs.
    pub(super) fn new(method: Method, digits: u32, bits: u32, secrecy: Secrecy) -> Self {
        let secret = secrecy == Secrecy::Secret;
        let recoding = |m0, m1, repaired| Recoding { m0: u64::from(m0), m1: u64::from(m1), repaired };
        // From row to row of the entries and of the inverses, and from entry to entry.
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
        // A carry is no greater than the residue it follows: the greatest bucket is the greatest residue.
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
            // One correction a digit; the first factor of the reconstruction is copied; bucket 0.
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
        // Nothing in the buckets from `bucket` on.
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

    /// Operations with entries of `entry_words` words in `split` pieces and residues of `residue_words` words.
    pub(super) fn counts(&self, split: u32, entry_words: usize, residue_words: usize) -> ExpectedCounts {
        let (entry, residue) = (entry_words as f64, residue_words as f64);
        let read: f64 = self.look_ups.iter().map(|&(count, entries)| count * entries as f64).sum();
        let updated = 2.0 * f64::from(self.buckets) * residue;
        let unsplit = if split == 1 { self.table_products - self.copies } else { 0.0 };
        ExpectedCounts {
            // Not below 0 by what rounding leaves.
            products: (self.products + unsplit).max(0.0),
            squarings: self.squarings,
            prepared_products: if split == 1 { 0.0 } else { self.table_products },
            masked_words: (read + 2.0 * self.choices) * entry + self.bucket_products * updated,
        }
    }
}

/// Probability of each bucket to be filled.
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

/// Average number of digits 0 in radix `radix`.
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

/// A comb in numbers: the blocks of [`super::super::comb::blocks`] by kind.
#[derive(Clone, Copy)]
pub(super) struct Comb {
    bits: u32,
    teeth: u32,
    /// Columns of the longest blocks; others have one less.
    pub(super) columns: u32,
    /// Long tables (all teeth) and short ones (one tooth less): with all columns, and with one column less.
    full: [u32; 2],
    fewer: [u32; 2],
    /// Bits of the last block past the end of the exponent.
    dead: u32,
}

impl Comb {
    pub(super) fn new(teeth: u32, tables: u32, short_tables: u32, bits: u32) -> Self {
        let counts = [tables - short_tables, short_tables];
        let total = u64::from(tables) * u64::from(teeth) - u64::from(short_tables);
        let columns = u64::from(bits).div_ceil(total);
        let mut spare = total * columns - u64::from(bits);
        let mut fewer = [0; 2];
        for (short, fewer) in fewer.iter_mut().enumerate() {
            let teeth = u64::from(teeth) - short as u64;
            if counts[short] > 0 {
                *fewer = (spare / teeth).min(u64::from(counts[short])) as u32;
                spare -= u64::from(*fewer) * teeth;
            }
        }
        Self {
            bits,
            teeth,
            columns: columns as u32,
            full: [counts[0] - fewer[0], counts[1] - fewer[1]],
            fewer,
            dead: spare as u32,
        }
    }

    /// Whether tables fell away because they have no column: the same comb has another name then.
    pub(super) fn is_degenerate(&self) -> bool {
        self.columns == 1 && self.fewer != [0, 0]
    }

    pub(super) fn entries(&self) -> u64 {
        let tables = |short: usize| {
            let fewer = if self.columns == 1 { 0 } else { self.fewer[short] };
            u64::from(self.full[short] + fewer) * ((1 << (self.teeth as usize - short)) - 1)
        };
        tables(0) + tables(1)
    }

    /// Products of the long and of the short tables.
    fn products(&self) -> [u64; 2] {
        [0, 1].map(|kind| {
            u64::from(self.full[kind]) * u64::from(self.columns)
                + u64::from(self.fewer[kind]) * u64::from(self.columns - 1)
        })
    }

    pub(super) fn work(&self, secret: bool) -> Work {
        let [long, short] = self.products().map(|products| products as f64);
        let work = Work {
            entries: self.entries(),
            table_products: long + short,
            copies: 1.0,
            squarings: f64::from(self.columns - 1),
            read_digits: self.bits,
            generators: f64::from(self.bits),
            ..Work::default()
        };
        if secret {
            return Work { look_ups: [(long, 1 << self.teeth), (short, 1 << (self.teeth - 1))], ..work };
        }
        let zero = |bits: u32| power_of_two(-i64::from(bits));
        let mut zeros = long * zero(self.teeth) + short * zero(self.teeth - 1);
        // The last block has its dead bits in the high columns first.
        let (teeth, full) = match self.full[1] + self.fewer[1] {
            0 => (self.teeth, self.full[0]),
            _ => (self.teeth - 1, self.full[1]),
        };
        let columns = self.columns - u32::from(full == 0);
        let (all, some) = if self.dead == 0 { (0, 0) } else { (self.dead / columns, self.dead % columns) };
        if self.dead > 0 {
            let more = f64::from(some) * zero(teeth - all - u32::from(some > 0));
            zeros += more + f64::from(columns - some) * zero(teeth - all) - f64::from(columns) * zero(teeth);
        }
        // A squaring is skipped while all columns above it are 0.
        let top = self.full[0] * self.teeth + self.full[1] * (self.teeth - 1);
        let total = top + self.fewer[0] * self.teeth + self.fewer[1] * (self.teeth - 1);
        let (mut squarings, mut bits) = (work.squarings, top);
        for column in 1..self.columns {
            let live = bits.saturating_sub(column * all + column.min(some));
            if live > 60 {
                break;
            }
            squarings -= zero(live);
            bits += total;
        }
        Work { table_products: work.table_products - zeros, copies: 1.0 - zero(self.bits), squarings, ..work }
    }
}

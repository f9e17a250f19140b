//! Residue digits that use free negation.

use alloc::{format, vec, vec::Vec};
use core::fmt;

use moduli::Error;
use subtle::Choice;

use super::{
    group::{Group, Operations},
    method::Method,
    radix::{least_radices, sign},
    rows::{Buckets, Sum, multiples, negate_if, select, times_vartime},
    scalar::{BalancedDigits, Scalars},
};

/// Signed residue digits: odd radix R, digits ±2^u·b modulo R with u < s for s buckets, and b from
/// a fixed set of about R/(2·s) numbers.
///
/// Doubling permutes the numbers 1 … (R − 1)/2 modulo R and up to sign; the table stores every s-th
/// number of each cycle. The excess becomes a carry, as in m0m1. The sum over buckets takes s − 1
/// doublings and s − 1 additions. The top row contains all multiples, for bucket 0, so the last
/// carry ends there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedResidueDigits {
    radix: u32,
    buckets: u32,
    scalars: Scalars,
    digits: BalancedDigits,
    /// The number b of each entry of a row.
    row: Vec<u32>,
    /// The code of each |d| from 0 to (R − 1)/2.
    codes: Vec<u32>,
    /// The greatest absolute value of a carry into a digit.
    largest_carry: i64,
}

/// |d| = ±2^u·b − carry·R, where b is entry `place` − 1. Place 0 means 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Code {
    place: u64,
    bucket: u64,
    negative: i64,
    carry: i64,
}

const CARRY_BIAS: i64 = 64;

impl Code {
    fn pack(self) -> u32 {
        let carry = (self.carry + CARRY_BIAS) as u64;
        (self.place << 12 | self.bucket << 9 | (self.negative as u64) << 8 | carry) as u32
    }

    fn unpack(word: u32) -> Self {
        let field = |first: u32, bits: u32| u64::from(word >> first & ((1 << bits) - 1));
        let carry = field(0, 8) as i64 - CARRY_BIAS;
        Self { place: field(12, 20), bucket: field(9, 3), negative: field(8, 1) as i64, carry }
    }
}

impl SignedResidueDigits {
    /// For scalars modulo `order`.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a radix that is even, below 33 or above 2^20, for less than 2 or more than 4
    /// buckets, for an order with less than two digits, and for one that [`Group::order`] does not allow.
    pub fn new(radix: u32, buckets: u32, order: [u64; 4]) -> Result<Self, Error> {
        let scalars = Scalars::new(order)?;
        if radix.is_multiple_of(2) || !(33..=1 << 20).contains(&radix) {
            return Err(Error::parameter("radix", format!("must be odd, from 33 to 2^20, not {radix}")));
        }
        if !(2..=4).contains(&buckets) {
            return Err(Error::parameter("buckets", format!("must be 2 to 4, not {buckets}")));
        }
        let digits = BalancedDigits::new(radix, &scalars);
        if digits.count() < 2 {
            return Err(Error::parameter("radix", "must be below the order of the group"));
        }
        let (row, codes) = cycles(radix, buckets);
        // One more, for a digit that its carry takes out of range.
        let largest_carry = codes.iter().map(|code| code.carry.abs()).max().unwrap_or(0) + 1;
        let codes = codes.into_iter().map(Code::pack).collect();
        Ok(Self { radix, buckets, scalars, digits, row, codes, largest_carry })
    }

    /// Rows below the top one.
    fn low_rows(&self) -> usize {
        self.digits.count() - 1
    }

    fn top_row(&self) -> usize {
        self.digits.largest_top() as usize + self.largest_carry as usize
    }

    /// The digits below the top one as residues, low digit first. Returns the top digit. `look_up`
    /// returns the code of |d|.
    fn recode(&self, k: [u64; 4], look_up: impl Fn(u64) -> u32, mut emit: impl FnMut(Code)) -> i64 {
        let (radix, half) = (i64::from(self.radix), i64::from(self.radix / 2));
        let mut digits = self.digits.cut(&self.scalars, k);
        let mut carry = 0;
        for digit in digits.by_ref().take(self.low_rows()) {
            let digit = digit + carry;
            // One of the two is −1 if the carry took the digit out of range.
            let (above, below) = ((half - digit) >> 63, (digit + half) >> 63);
            let digit = digit - (radix & above) + (radix & below);
            let wrapped = below - above;
            let code = Code::unpack(look_up(digit.unsigned_abs()));
            let negative = digit >> 63;
            let negate = |x: i64| (x ^ negative) - negative;
            carry = wrapped - negate(code.carry);
            emit(Code { negative: code.negative ^ (negative & 1), ..code });
        }
        digits.next().unwrap_or(0) + carry
    }

    /// The code of |d|. Reads all codes.
    fn code(&self, absolute: u64) -> u32 {
        let absolute = absolute as u32;
        let mask = |i: u32| {
            let difference = i ^ absolute;
            ((difference | difference.wrapping_neg()) >> 31).wrapping_sub(1)
        };
        self.codes.iter().zip(0..).fold(0, |word, (code, i)| word | (code & mask(i)))
    }
}

/// The numbers of a row, and the code of each |d| from 0 on.
fn cycles(radix: u32, buckets: u32) -> (Vec<u32>, Vec<Code>) {
    let (wide, half) = (i64::from(radix), radix as usize / 2);
    let mut row = Vec::new();
    let mut codes: Vec<Option<Code>> = vec![None; half + 1];
    codes[0] = Some(Code { place: 0, bucket: 0, negative: 0, carry: 0 });
    for first in 1..=half {
        // `d` is ±2^bucket·b modulo R.
        let (mut d, mut b, mut bucket) = (first as i64, first as i64, 0);
        while codes[d.unsigned_abs() as usize].is_none() {
            if bucket == 0 {
                b = d.abs();
                d = b;
                row.push(b as u32);
            }
            // |d| = ±(2^bucket·b − carry·R).
            let (negative, carry) = (i64::from(d < 0), ((b << bucket) - d) / wide);
            let carry = if d < 0 { -carry } else { carry };
            let code = Code { place: row.len() as u64, bucket, negative, carry };
            codes[d.unsigned_abs() as usize] = Some(code);
            bucket = (bucket + 1) % u64::from(buckets);
            d *= 2;
            d -= wide * i64::from(d > half as i64) - wide * i64::from(d < -(half as i64));
        }
    }
    (row, codes.into_iter().flatten().collect())
}

impl fmt::Display for SignedResidueDigits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "signed-residue-digits:{},{}", self.radix, self.buckets)
    }
}

impl Method for SignedResidueDigits {
    fn shapes(order: [u64; 4], most: usize) -> Result<Vec<Self>, Error> {
        let mut shapes = Vec::new();
        for least in least_radices(Scalars::new(order)?, 1 << 14) {
            for buckets in 2..=4 {
                // The radices near the least one for this number of digits: the lengths of the
                // cycles need not be multiples of s.
                let radices = (0..8).map(|i| (least | 1) + 2 * i).filter(|&radix| radix >= 33);
                for radix in radices {
                    let shape = Self::new(radix, buckets, order)?;
                    if shape.entries() <= most {
                        shapes.push(shape);
                    }
                }
            }
        }
        Ok(shapes)
    }

    fn entries(&self) -> usize {
        self.low_rows() * self.row.len() + self.top_row()
    }

    fn secret_operations(&self) -> Operations {
        let (rows, buckets) = (self.low_rows() as u64, u64::from(self.buckets));
        let look_ups = self.entries() as u64 + rows + 1;
        Operations {
            // Additions into the buckets, of the buckets, and of the top digit.
            additions: (rows - 1) + (buckets - 1) + 1,
            doublings: buckets - 1,
            negations: rows + 1,
            selections: look_ups + Buckets::<()>::selections(rows, buckets),
        }
    }

    fn public_operations(&self) -> (f64, f64) {
        let doublings = f64::from(self.buckets) - 1.0;
        (
            self.low_rows() as f64 * (1.0 - 1.0 / f64::from(self.radix)) - 0.5 / self.top_row() as f64,
            doublings,
        )
    }

    fn build<G: Group>(&self, group: &G, base: &G::Point) -> Vec<G::Point> {
        let (mut table, mut base) = (Vec::with_capacity(self.entries()), *base);
        for _ in 0..self.low_rows() {
            let all = multiples(group, &base, self.radix as usize / 2);
            table.extend(self.row.iter().map(|&b| all[b as usize - 1]));
            base = times_vartime(group, &base, self.radix.into());
        }
        table.extend(multiples(group, &base, self.top_row()));
        table
    }

    fn evaluate<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point {
        let mut buckets = Buckets::new(group, self.buckets as usize);
        let (low, top_row) = table.split_at(self.low_rows() * self.row.len());
        let mut rows = low.chunks(self.row.len());
        let look_up = |row, place, negative| {
            let entry = select(group, group.identity(), row, place);
            negate_if(group, &entry, negative)
        };
        let top = self.recode(
            k,
            |absolute| self.code(absolute),
            |code| {
                let row = rows.next().unwrap_or_default();
                let negative = Choice::from(code.negative as u8);
                buckets.add(group, code.bucket, &look_up(row, code.place, negative));
            },
        );
        let mut sum = Sum::default();
        for point in buckets.points().iter().rev() {
            sum.double(group);
            sum.add(group, point);
        }
        sum.add(group, &look_up(top_row, top.unsigned_abs(), sign(top)));
        sum.finish(group)
    }

    fn evaluate_vartime<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point {
        let mut buckets = [Sum::default(); 4];
        let (low, top_row) = table.split_at(self.low_rows() * self.row.len());
        let mut rows = low.chunks(self.row.len());
        let top = self.recode(
            k,
            |absolute| self.codes[absolute as usize],
            |code| {
                let row = rows.next().unwrap_or_default();
                if let Some(place) = (code.place as usize).checked_sub(1) {
                    buckets[code.bucket as usize].add_signed(group, &row[place], code.negative == 1);
                }
            },
        );
        if let Some(place) = (top.unsigned_abs() as usize).checked_sub(1) {
            buckets[0].add_signed(group, &top_row[place], top < 0);
        }
        let mut sum = Sum::default();
        for bucket in buckets[..self.buckets as usize].iter().rev() {
            sum.double(group);
            sum.add_sum(group, bucket);
        }
        sum.finish(group)
    }

    fn order(&self) -> [u64; 4] {
        self.scalars.order()
    }
}

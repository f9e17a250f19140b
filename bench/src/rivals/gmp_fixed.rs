//! Fixed-base exponentiation with GMP, as other projects compute it, none of it constant-time: a single-table
//! comb (gmpmee), a radix-2^8 table (ElectionGuard's PowRadix) and BGMW in base 256. They multiply by
//! `mpz_mul` and `mpz_mod`. With Montgomery reduction instead, they show how fast these libraries could be.

use super::gmp::{Integer, Montgomery};
use crate::numbers::{Limbs, trim};

/// An implementation of modular products.
pub trait Arithmetic {
    /// A residue.
    type Residue: Default;
    /// The residue of a number below the modulus.
    fn to_montgomery(&mut self, x: &[u64]) -> Self::Residue;
    /// The number of a residue.
    fn from_montgomery(&mut self, x: &Self::Residue) -> Limbs;
    /// `x ← b`.
    fn set(&mut self, x: &mut Self::Residue, b: &Self::Residue);
    /// `x ← x·b`.
    fn multiply(&mut self, x: &mut Self::Residue, b: &Self::Residue);
    /// `x ← x²`.
    fn square(&mut self, x: &mut Self::Residue);
}

/// `mpz_mul` and `mpz_mod`.
pub struct Plain {
    modulus: Integer,
    scratch: Integer,
}

impl Plain {
    /// The arithmetic modulo an odd number.
    pub fn new(modulus: &[u64]) -> Self {
        Self { modulus: Integer::new(modulus), scratch: Integer::default() }
    }
}

impl Arithmetic for Plain {
    type Residue = Integer;

    fn to_montgomery(&mut self, x: &[u64]) -> Integer {
        Integer::new(x)
    }

    fn from_montgomery(&mut self, x: &Integer) -> Limbs {
        x.limbs()
    }

    fn set(&mut self, x: &mut Integer, b: &Integer) {
        x.set(b);
    }

    fn multiply(&mut self, x: &mut Integer, b: &Integer) {
        x.multiply(b, &self.modulus, &mut self.scratch);
    }

    fn square(&mut self, x: &mut Integer) {
        x.square(&self.modulus, &mut self.scratch);
    }
}

impl Arithmetic for Montgomery {
    type Residue = Limbs;

    fn to_montgomery(&mut self, x: &[u64]) -> Limbs {
        Montgomery::to_montgomery(self, x)
    }

    fn from_montgomery(&mut self, x: &Limbs) -> Limbs {
        Montgomery::from_montgomery(self, x)
    }

    fn set(&mut self, x: &mut Limbs, b: &Limbs) {
        x.clone_from(b);
    }

    fn multiply(&mut self, x: &mut Limbs, b: &Limbs) {
        Montgomery::multiply(self, x, b);
    }

    fn square(&mut self, x: &mut Limbs) {
        Montgomery::square(self, x);
    }
}

/// A running product that copies its first factor.
struct Running<'a, A: Arithmetic> {
    arithmetic: &'a mut A,
    value: &'a mut A::Residue,
    started: bool,
}

impl<A: Arithmetic> Running<'_, A> {
    fn multiply(&mut self, b: &A::Residue) {
        if self.started {
            self.arithmetic.multiply(self.value, b);
        } else {
            self.arithmetic.set(self.value, b);
            self.started = true;
        }
    }

    fn square(&mut self) {
        if self.started {
            self.arithmetic.square(self.value);
        }
    }

    fn finish(self) {
        if !self.started {
            *self.value = self.arithmetic.to_montgomery(&[1]);
        }
    }
}

fn bit(e: &[u64], index: u32) -> usize {
    e.get(index as usize / 64).map_or(0, |limb| (limb >> (index % 64)) as usize & 1)
}

fn byte(e: &[u64], index: u32) -> usize {
    e.get(index as usize / 8).map_or(0, |limb| (limb >> (8 * (index % 8))) as usize & 0xff)
}

/// A comb with one table of 2^teeth − 1 products.
pub struct Comb<A: Arithmetic> {
    arithmetic: A,
    columns: u32,
    teeth: u32,
    table: Vec<A::Residue>,
    out: A::Residue,
}

/// The most teeth with which the table fits the budget.
pub fn teeth(budget: u64, modulus_bits: u32, exponent_bits: u32) -> u32 {
    (budget / u64::from(modulus_bits / 8)).max(2).ilog2().min(exponent_bits)
}

impl<A: Arithmetic> Comb<A> {
    /// Builds the table.
    pub fn new(mut arithmetic: A, base: &[u64], exponent_bits: u32, teeth: u32) -> Self {
        let columns = exponent_bits.div_ceil(teeth);
        let mut table: Vec<A::Residue> = Vec::with_capacity(1 << teeth);
        table.push(arithmetic.to_montgomery(&[1]));
        let mut tooth = arithmetic.to_montgomery(base);
        for t in 0..teeth {
            for low in 0..1usize << t {
                let mut product = A::Residue::default();
                arithmetic.set(&mut product, &tooth);
                if low > 0 {
                    arithmetic.multiply(&mut product, &table[low]);
                }
                table.push(product);
            }
            (0..columns).for_each(|_| arithmetic.square(&mut tooth));
        }
        Self { arithmetic, columns, teeth, table, out: A::Residue::default() }
    }

    /// Computes a power.
    pub fn power(&mut self, e: &[u64]) {
        let Self { arithmetic, columns, teeth, table, out } = self;
        let mut running = Running { arithmetic, value: out, started: false };
        for column in (0..*columns).rev() {
            running.square();
            let index =
                (0..*teeth).fold(0, |index, tooth| index | bit(e, column + tooth * *columns) << tooth);
            if index > 0 {
                running.multiply(&table[index]);
            }
        }
        running.finish();
    }

    /// The power computed last.
    pub fn value(&mut self) -> Limbs {
        trim(self.arithmetic.from_montgomery(&self.out))
    }
}

/// A table of g^(j·256^i) for all bytes j and places i: no squarings.
pub struct Radix8<A: Arithmetic> {
    arithmetic: A,
    table: Vec<A::Residue>,
    out: A::Residue,
}

impl<A: Arithmetic> Radix8<A> {
    /// Builds the table.
    pub fn new(mut arithmetic: A, base: &[u64], exponent_bits: u32) -> Self {
        let mut table: Vec<A::Residue> = Vec::new();
        let mut start = arithmetic.to_montgomery(base);
        for _ in 0..exponent_bits.div_ceil(8) {
            table.push(arithmetic.to_montgomery(&[1]));
            for _ in 1..256 {
                let mut next = A::Residue::default();
                arithmetic.set(&mut next, &table[table.len() - 1]);
                arithmetic.multiply(&mut next, &start);
                table.push(next);
            }
            let last = &table[table.len() - 1];
            arithmetic.multiply(&mut start, last);
        }
        Self { arithmetic, table, out: A::Residue::default() }
    }

    /// Computes a power.
    pub fn power(&mut self, e: &[u64]) {
        let Self { arithmetic, table, out } = self;
        let mut running = Running { arithmetic, value: out, started: false };
        for (place, row) in table.chunks(256).enumerate() {
            let digit = byte(e, place as u32);
            if digit > 0 {
                running.multiply(&row[digit]);
            }
        }
        running.finish();
    }

    /// The power computed last.
    pub fn value(&mut self) -> Limbs {
        trim(self.arithmetic.from_montgomery(&self.out))
    }
}

/// BGMW (Brickell, Gordon, McCurley, Wilson 1992) in base 256 for a product of powers: tables of g^(256^i)
/// for all bases, and one pass down the digit values for all of them together.
pub struct Bgmw<A: Arithmetic> {
    arithmetic: A,
    tables: Vec<Vec<A::Residue>>,
    buckets: Vec<A::Residue>,
    running: A::Residue,
    out: A::Residue,
}

impl<A: Arithmetic> Bgmw<A> {
    /// Builds the tables for bases with exponents of these lengths.
    pub fn new(mut arithmetic: A, bases: &[(Limbs, u32)]) -> Self {
        let mut tables = Vec::new();
        for (base, bits) in bases {
            let mut table: Vec<A::Residue> = vec![arithmetic.to_montgomery(base)];
            for _ in 1..bits.div_ceil(8) {
                let mut next = A::Residue::default();
                arithmetic.set(&mut next, &table[table.len() - 1]);
                (0..8).for_each(|_| arithmetic.square(&mut next));
                table.push(next);
            }
            tables.push(table);
        }
        let buckets = (0..256).map(|_| A::Residue::default()).collect();
        Self { arithmetic, tables, buckets, running: A::Residue::default(), out: A::Residue::default() }
    }

    /// Computes the product of the powers with these exponents.
    pub fn power(&mut self, exponents: &[&[u64]]) {
        let Self { arithmetic, tables, buckets, running, out } = self;
        let mut filled = [false; 256];
        for (table, e) in tables.iter().zip(exponents) {
            for (place, entry) in table.iter().enumerate() {
                let digit = byte(e, place as u32);
                if digit > 0 {
                    let value = &mut buckets[digit];
                    let mut bucket = Running { arithmetic, value, started: filled[digit] };
                    bucket.multiply(entry);
                    filled[digit] = true;
                }
            }
        }
        let (mut any, mut result) = (false, false);
        for digit in (1..256).rev() {
            if filled[digit] {
                Running { arithmetic, value: running, started: any }.multiply(&buckets[digit]);
                any = true;
            }
            if any {
                Running { arithmetic, value: out, started: result }.multiply(running);
                result = true;
            }
        }
        Running { arithmetic, value: out, started: result }.finish();
    }

    /// The product computed last.
    pub fn value(&mut self) -> Limbs {
        trim(self.arithmetic.from_montgomery(&self.out))
    }
}

//! Combs of Lim and Lee: several tables that share the doublings.

use alloc::{format, vec::Vec};
use core::fmt;

use moduli::Error;
use subtle::Choice;

use super::{
    group::{Group, Operations},
    method::Method,
    rows::{Sum, negate_if, select, select_one},
    scalar::{Scalars, bit},
};

/// h teeth at a distance of a bits, and v tables at a distance of b columns: look-up (j, c) reads
/// bits a·i + b·j + c of the scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Teeth {
    teeth: u32,
    tables: u32,
    scalars: Scalars,
}

impl Teeth {
    fn new(teeth: u32, tables: u32, order: [u64; 4]) -> Result<Self, Error> {
        let scalars = Scalars::new(order)?;
        let all = Self { teeth, tables, scalars };
        if !(1..=16).contains(&teeth) || tables == 0 || tables > all.distance() {
            return Err(Error::parameter(
                "comb",
                format!("{teeth} teeth and {tables} tables are out of range"),
            ));
        }
        if all.columns() * (tables - 1) >= all.distance() {
            return Err(Error::parameter("comb", format!("one of {tables} tables has no column")));
        }
        Ok(all)
    }

    /// a = ⌈t/h⌉, which is also the number of look-ups.
    fn distance(&self) -> u32 {
        self.scalars.bits().div_ceil(self.teeth)
    }

    /// b = ⌈a/v⌉.
    fn columns(&self) -> u32 {
        self.distance().div_ceil(self.tables)
    }

    /// The bits of the teeth in look-up (j, c), tooth i in bit i; `None` if the last table has no
    /// such column.
    fn at(&self, k: &[u64; 4], table: u32, column: u32) -> Option<u64> {
        let first = self.columns() * table + column;
        let tooth = |i| {
            let place = self.distance() * i + first;
            if place < 256 { bit(k, place) << i } else { 0 }
        };
        (first < self.distance()).then(|| (0..self.teeth).map(tooth).sum())
    }

    /// The sum over all look-ups, column by column from the top.
    fn run<G: Group>(
        &self,
        group: &G,
        k: &[u64; 4],
        mut look_up: impl FnMut(&mut Sum<G::Point>, usize, u64),
    ) -> G::Point {
        let mut sum = Sum::default();
        for column in (0..self.columns()).rev() {
            sum.double(group);
            for table in 0..self.tables {
                if let Some(teeth) = self.at(k, table, column) {
                    look_up(&mut sum, table as usize, teeth);
                }
            }
        }
        sum.finish(group)
    }

    /// 2^(a·i)·P for every tooth i.
    fn powers<G: Group>(&self, group: &G, base: &G::Point) -> Vec<G::Point> {
        let next =
            |power: &G::Point| Some((0..self.distance()).fold(*power, |power, _| group.double(&power)));
        core::iter::successors(Some(*base), next).take(self.teeth as usize).collect()
    }

    /// The first table, followed by the others: 2^(b·j) times it.
    fn extend<G: Group>(&self, group: &G, mut table: Vec<G::Point>) -> Vec<G::Point> {
        let entries = table.len();
        for i in entries..entries * self.tables as usize {
            table.push((0..self.columns()).fold(table[i - entries], |entry, _| group.double(&entry)));
        }
        table
    }

    fn shapes(order: [u64; 4], teeth: u32) -> impl Iterator<Item = (u32, u32)> {
        (1..=256)
            .filter(move |&tables| Self::new(teeth, tables, order).is_ok())
            .map(move |tables| (teeth, tables))
    }
}

/// The comb of h teeth and v tables (Lim and Lee, CRYPTO 1994) with v·(2^h − 1) points. For v = 1
/// it is the paper's Algorithm 3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comb(Teeth);

impl Comb {
    /// For scalars modulo `order`.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless there are 1 to 16 teeth and every table has a column, and for an order
    /// that [`Group::order`] does not allow.
    pub fn new(teeth: u32, tables: u32, order: [u64; 4]) -> Result<Self, Error> {
        Teeth::new(teeth, tables, order).map(Self)
    }

    fn row(&self) -> usize {
        (1 << self.0.teeth) - 1
    }
}

impl fmt::Display for Comb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "comb:{},{}", self.0.teeth, self.0.tables)
    }
}

impl Method for Comb {
    fn shapes(order: [u64; 4], most: usize) -> Result<Vec<Self>, Error> {
        let all = (1..=16).flat_map(|teeth| Teeth::shapes(order, teeth));
        let all =
            all.map(|(teeth, tables)| Self::new(teeth, tables, order)).collect::<Result<Vec<_>, _>>()?;
        Ok(all.into_iter().filter(|shape| shape.entries() <= most).collect())
    }

    fn entries(&self) -> usize {
        self.0.tables as usize * self.row()
    }

    fn secret_operations(&self) -> Operations {
        let (look_ups, columns) = (u64::from(self.0.distance()), u64::from(self.0.columns()));
        let selections = look_ups * self.row() as u64;
        Operations { additions: look_ups - 1, doublings: columns - 1, negations: 0, selections }
    }

    fn public_operations(&self) -> (f64, f64) {
        let (look_ups, columns) = (f64::from(self.0.distance()), f64::from(self.0.columns()));
        (look_ups * (1.0 - 1.0 / (self.row() as f64 + 1.0)) - 1.0, columns - 1.0)
    }

    fn build<G: Group>(&self, group: &G, base: &G::Point) -> Vec<G::Point> {
        let mut table: Vec<G::Point> = Vec::with_capacity(self.entries());
        for power in self.0.powers(group, base) {
            // The entries with this tooth and lower ones.
            let below = table.len();
            table.push(power);
            for i in 0..below {
                table.push(group.add(&table[i], &power));
            }
        }
        self.0.extend(group, table)
    }

    fn evaluate<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point {
        self.0.run(group, &k, |sum, j, teeth| {
            let row = &table[j * self.row()..(j + 1) * self.row()];
            sum.add(group, &select(group, group.identity(), row, teeth));
        })
    }

    fn evaluate_vartime<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point {
        self.0.run(group, &k, |sum, j, teeth| {
            if teeth != 0 {
                sum.add(group, &table[j * self.row() + teeth as usize - 1]);
            }
        })
    }

    fn order(&self) -> [u64; 4] {
        self.0.scalars.order()
    }
}

/// The signed comb of h teeth and v tables: all bits are 1 or −1, so it takes v·2^(h − 1) points,
/// and no column is zero.
///
/// The scalar k is written as Σ (2·b_i − 1)·2^i with the bits b_i of (k + 2^(a·h) − 1)/2 modulo n (Hamburg,
/// *Fast and compact elliptic-curve cryptography*, 2012, section 3.3; first by Hedabou, Pinel and Bénéteau,
/// 2005).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedComb {
    teeth: Teeth,
    /// (2^(a·h) − 1) modulo n.
    offset: [u64; 4],
}

impl SignedComb {
    /// For scalars modulo `order`.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless there are 1 to 16 teeth and every table has a column, and for an order
    /// that [`Group::order`] does not allow.
    pub fn new(teeth: u32, tables: u32, order: [u64; 4]) -> Result<Self, Error> {
        let teeth = Teeth::new(teeth, tables, order)?;
        let add = |a, b| teeth.scalars.add(a, b);
        let ones = |ones, _| add(add(ones, ones), [1, 0, 0, 0]);
        Ok(Self { teeth, offset: (0..teeth.distance() * teeth.teeth).fold([0; 4], ones) })
    }

    fn row(&self) -> usize {
        1 << (self.teeth.teeth - 1)
    }

    fn recode(&self, k: [u64; 4]) -> [u64; 4] {
        self.teeth.scalars.halve(self.teeth.scalars.add(k, self.offset))
    }

    /// The entry for these teeth, and whether to negate it, which the top tooth determines.
    fn entry(&self, teeth: u64) -> (u64, u64) {
        let negative = teeth >> (self.teeth.teeth - 1) ^ 1;
        ((teeth ^ 0u64.wrapping_sub(negative)) & (self.row() as u64 - 1), negative)
    }
}

impl fmt::Display for SignedComb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "signed-comb:{},{}", self.teeth.teeth, self.teeth.tables)
    }
}

impl Method for SignedComb {
    fn shapes(order: [u64; 4], most: usize) -> Result<Vec<Self>, Error> {
        let all = (1..=16).flat_map(|teeth| Teeth::shapes(order, teeth));
        let all =
            all.map(|(teeth, tables)| Self::new(teeth, tables, order)).collect::<Result<Vec<_>, _>>()?;
        Ok(all.into_iter().filter(|shape| shape.entries() <= most).collect())
    }

    fn entries(&self) -> usize {
        self.teeth.tables as usize * self.row()
    }

    fn secret_operations(&self) -> Operations {
        let (look_ups, columns) = (u64::from(self.teeth.distance()), u64::from(self.teeth.columns()));
        let selections = look_ups * self.row() as u64;
        Operations { additions: look_ups - 1, doublings: columns - 1, negations: look_ups, selections }
    }

    fn public_operations(&self) -> (f64, f64) {
        (f64::from(self.teeth.distance()) - 1.0, f64::from(self.teeth.columns()) - 1.0)
    }

    fn build<G: Group>(&self, group: &G, base: &G::Point) -> Vec<G::Point> {
        let powers = self.teeth.powers(group, base);
        let Some((top, below)) = powers.split_last() else { return Vec::new() };
        // Entry 0 has −1 at all teeth below the top; each further tooth adds twice its power.
        let mut table: Vec<G::Point> = Vec::with_capacity(self.entries());
        table.push(below.iter().fold(*top, |sum, power| group.add(&sum, &group.negate(power))));
        for power in below {
            let twice = group.double(power);
            for i in 0..table.len() {
                table.push(group.add(&table[i], &twice));
            }
        }
        self.teeth.extend(group, table)
    }

    fn evaluate<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point {
        self.teeth.run(group, &self.recode(k), |sum, j, teeth| {
            let (entry, negative) = self.entry(teeth);
            let point = select_one(group, &table[j * self.row()..(j + 1) * self.row()], entry);
            sum.add(group, &negate_if(group, &point, Choice::from(negative as u8)));
        })
    }

    fn evaluate_vartime<G: Group>(&self, group: &G, table: &[G::Point], k: [u64; 4]) -> G::Point {
        self.teeth.run(group, &self.recode(k), |sum, j, teeth| {
            let (entry, negative) = self.entry(teeth);
            sum.add_signed(group, &table[j * self.row() + entry as usize], negative == 1);
        })
    }

    fn order(&self) -> [u64; 4] {
        self.teeth.scalars.order()
    }
}

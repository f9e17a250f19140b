//! The amount of work of a comb.

use super::{radices::power_of_two, work::Work};

/// The numbers of a comb's blocks ([`crate::fixed::comb::blocks`]) by kind.
#[derive(Clone, Copy)]
pub(super) struct Comb {
    bits: u32,
    teeth: u32,
    /// Columns of the longest blocks. Other blocks have one less.
    pub(super) columns: u32,
    /// Numbers of long tables (all teeth) and short ones (one tooth less): with all columns, and
    /// with one column less.
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

    /// Whether some tables have no column and are omitted. The comb is then the same as one with
    /// other parameters.
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

    /// Products by entries of the long and of the short tables.
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

//! The formulas of Tables 1 and 2, and those of two methods outside the paper's comparison.

use super::classical::digit_count;
use moduli::fixed::Method;

/// The cost of a squaring in products, as the paper assumes it.
pub const SQUARING: f64 = 0.86;

/// The cost of an exponentiation with a random public exponent, and the storage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Complexity {
    /// Products.
    pub products: f64,
    /// Squarings.
    pub squarings: f64,
    /// The number of values modulo p to store.
    pub storage: u64,
}

impl Complexity {
    /// #MM: the cost in products, where a squaring costs [`SQUARING`].
    pub fn products_in_all(&self) -> f64 {
        self.products + SQUARING * self.squarings
    }

    /// The cost of `method` for exponents below 2^t.
    ///
    /// - Square-and-multiply (`comb:1,1`), radix-R, the comb of one table: Table 1, where every digit takes a
    ///   product.
    /// - m0m1 as published: the total line of Table 2, with the storage that the text and the algorithm
    ///   require. The formula omits step 10 (P(C ≠ 0), about half a product), and ignores that zero digits
    ///   and empty buckets save products. Counts are 0.3 lower to 0.4 higher.
    /// - A comb with h teeth and v > 1 tables (Lim and Lee 1994): ⌈t/h⌉ look-ups, of which one in 2^h is zero
    ///   and the first is assigned, and ⌈t/(h·v)⌉ − 1 squarings.
    /// - m0m1 repaired: at most ℓ + m1 − 1 products; the average is up to one less.
    ///
    /// Short tables of a comb count as full ones. For a method that is in no paper, the counts are
    /// NaN. The parameters are not checked.
    pub fn of(method: Method, t: u32) -> Self {
        let count = |radix: u64| digit_count(radix.max(2), t) as f64;
        match method {
            Method::Comb { teeth: 1, tables: 1, .. } => {
                Self { products: f64::from(t) / 2.0, squarings: f64::from(t) - 1.0, storage: 1 }
            }
            Method::Comb { teeth, tables: 1, .. } => {
                let columns = f64::from(t.div_ceil(teeth));
                Self { products: columns, squarings: columns - 1.0, storage: (1 << teeth) - 1 }
            }
            Method::Comb { teeth, tables, .. } => {
                let non_zero = 1.0 - 1.0 / (1u64 << teeth) as f64;
                Self {
                    products: f64::from(t.div_ceil(teeth)) * non_zero - 1.0,
                    squarings: f64::from(t.div_ceil(teeth * tables)) - 1.0,
                    storage: u64::from(tables) * ((1 << teeth) - 1),
                }
            }
            Method::Radix { radix } => {
                let digits = count(radix.into());
                Self { products: digits, squarings: 0.0, storage: digits as u64 * u64::from(radix - 1) }
            }
            Method::M0m1 { m0, m1 } => {
                let digits = count(u64::from(m0) * u64::from(m1));
                let buckets = f64::from(m1);
                Self {
                    products: digits * (buckets + 1.0) / buckets - buckets + f64::from(hamming_sum(m1)),
                    squarings: f64::from((m1 - 1).ilog2()),
                    storage: (u64::from(m0) + 1) * digits as u64 + 1,
                }
            }
            Method::ResidueDigits { m0, m1 } => {
                let digits = count(u64::from(m0) * u64::from(m1));
                Self {
                    products: digits + f64::from(m1) - 1.0,
                    squarings: 0.0,
                    storage: u64::from(m0) * digits as u64 + 1,
                }
            }
            _ => Self { products: f64::NAN, squarings: f64::NAN, storage: 0 },
        }
    }
}

/// H, the sum of the Hamming weights of 1 … m1 − 1. The paper tabulates it up to m1 = 9.
pub fn hamming_sum(m1: u32) -> u32 {
    (1..m1).map(u32::count_ones).sum()
}

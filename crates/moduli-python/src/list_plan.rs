//! Decides whether a list of public exponents of one base is worth a table that is used for one call only,
//! and which table.

use crypto_bigint::BoxedUint;
use moduli::{Error, FixedBase, MemorySize, Method, Modulus, Secrecy};

/// The memory of such a table, which should stay in the second-level cache.
const BUDGET: MemorySize = MemorySize::mib(1);

/// Lists whose powers would take longer than this one by one, in nanoseconds, are worth the planner, which
/// searches for some milliseconds. Others get the comb with the fewest products.
const PLANNED: f64 = 2e8;

/// The fewest exponents that are worth a table.
const FEWEST: usize = 4;

/// The plan for a list.
pub struct ListPlan {
    /// The predicted time of a power, in nanoseconds.
    pub each: f64,
    choice: Choice,
}

enum Choice {
    /// No table: powers one by one, or side by side in lanes.
    NoTable,
    /// This comb.
    Comb { teeth: u32, tables: u32 },
    /// The table that the planner finds.
    Planned,
}

impl ListPlan {
    /// The plan for `count` exponents of `bits` bits. Without a table, each power takes `each` nanoseconds.
    pub fn new(modulus: &Modulus, count: usize, bits: u32, each: f64) -> Self {
        let (count, long) = (count as f64, f64::from(bits));
        if (count as usize) < FEWEST || bits < 8 {
            return Self { each, choice: Choice::NoTable };
        }
        let entry = 8 * modulus.residue_words() as u64;
        let mut best = (f64::INFINITY, 0.0, 1, 1);
        for teeth in 1..=9u32 {
            for tables in [1, 2, 4, 8] {
                let entries = u64::from(tables) << teeth;
                if entries * entry > BUDGET.0 || teeth * tables > bits {
                    continue;
                }
                let products = long / f64::from(teeth) * (1.0 + 1.0 / f64::from(tables));
                let all = count * products + long + entries as f64;
                if all < best.0 {
                    best = (all, products, teeth, tables);
                }
            }
        }
        let (all, products, teeth, tables) = best;
        // A power without a table uses sliding windows, of which lanes save about a half.
        let alone = 1.2 * long;
        let choice = if all > 0.5 * alone * count {
            Choice::NoTable
        } else if each * count > PLANNED {
            Choice::Planned
        } else {
            Choice::Comb { teeth, tables }
        };
        Self { each: each * products / alone, choice }
    }

    /// Whether the plan is a table.
    pub fn is_table(&self) -> bool {
        !matches!(self.choice, Choice::NoTable)
    }

    /// Builds the table.
    ///
    /// # Errors
    /// As [`moduli::fixed::Builder::build`].
    pub fn table(
        &self,
        modulus: &Modulus,
        base: &BoxedUint,
        count: usize,
        bits: u32,
    ) -> Result<FixedBase, Error> {
        let builder =
            FixedBase::builder(modulus, base).exponent_bits(bits).budget(BUDGET).secrecy(Secrecy::Public);
        match self.choice {
            Choice::Comb { teeth, tables } => {
                builder.method(Method::Comb { teeth, tables, short_tables: 0 }).build()
            }
            _ => builder.count(count as u64).build(),
        }
    }
}

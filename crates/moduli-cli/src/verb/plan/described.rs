//! A plan for JSON.

use moduli::Plan;
use serde::Serialize;

/// The printed data of a plan.
#[derive(Serialize)]
pub struct Described {
    /// The method with its parameters.
    pub method: String,
    /// Pieces of each entry.
    pub split: u32,
    /// The size of the table in bytes.
    pub bytes: u64,
    /// The bytes that an exponentiation writes.
    pub scratch_bytes: u64,
    /// The predicted time of an exponentiation, if no other program uses the shared cache.
    pub microseconds: f64,
    /// The same, if other programs crowd the shared cache.
    pub crowded_microseconds: f64,
    /// The predicted time to build the table.
    pub build_milliseconds: f64,
    /// The number of exponentiations from which the table pays.
    pub break_even: Option<u64>,
    /// Products of two residues in an exponentiation.
    pub products: f64,
    /// Squarings.
    pub squarings: f64,
    /// Products by prepared operands.
    pub prepared_products: f64,
    /// Bytes read and written under masks.
    pub masked_bytes: f64,
}

impl Described {
    /// The plan without its runners-up.
    pub fn new(plan: &Plan) -> Self {
        Self {
            method: plan.shape.method().to_string(),
            split: plan.shape.split(),
            bytes: plan.bytes.0,
            scratch_bytes: plan.scratch_bytes.0,
            microseconds: plan.nanoseconds / 1e3,
            crowded_microseconds: plan.crowded_nanoseconds / 1e3,
            build_milliseconds: plan.build_nanoseconds / 1e6,
            break_even: plan.break_even,
            products: plan.counts.products,
            squarings: plan.counts.squarings,
            prepared_products: plan.counts.prepared_products,
            masked_bytes: 8.0 * plan.counts.masked_words,
        }
    }

    /// The predicted time in microseconds, as a range if it differs between a free and a crowded
    /// cache.
    pub fn range(&self) -> String {
        let [alone, crowded] = self.times();
        if alone == crowded { alone } else { format!("{alone} to {crowded}") }
    }

    /// Whether the printed times for a free and a crowded cache differ.
    pub fn has_range(&self) -> bool {
        let [alone, crowded] = self.times();
        alone != crowded
    }

    fn times(&self) -> [String; 2] {
        [self.microseconds, self.crowded_microseconds].map(|time| format!("{time:.1}"))
    }

    /// The method, with the number of pieces if entries are split.
    pub fn name(&self) -> String {
        let split = if self.split > 1 { format!(" split {}", self.split) } else { String::new() };
        format!("{}{split}", self.method)
    }
}

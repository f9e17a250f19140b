//! A plan as JSON has it.

use moduli::Plan;
use serde::Serialize;

/// What is printed of one plan.
#[derive(Serialize)]
pub struct Described {
    /// The method with its parameters.
    pub method: String,
    /// Pieces of each entry.
    pub split: u32,
    /// Bytes of the table.
    pub bytes: u64,
    /// Bytes that an exponentiation writes to.
    pub scratch_bytes: u64,
    /// Predicted time of an exponentiation, without neighbours on the machine.
    pub microseconds: f64,
    /// The same where neighbours crowd the shared cache.
    pub crowded_microseconds: f64,
    /// Predicted time to build the table.
    pub build_milliseconds: f64,
    /// From so many exponentiations on the table pays for itself.
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

    /// The predicted time in microseconds; from alone to crowded, if these differ.
    pub fn range(&self) -> String {
        let [alone, crowded] = self.times();
        if alone == crowded { alone } else { format!("{alone} to {crowded}") }
    }

    /// Whether neighbours make a difference that is printed.
    pub fn has_range(&self) -> bool {
        let [alone, crowded] = self.times();
        alone != crowded
    }

    fn times(&self) -> [String; 2] {
        [self.microseconds, self.crowded_microseconds].map(|time| format!("{time:.1}"))
    }

    /// The method, and in how many pieces its entries are if they are split.
    pub fn name(&self) -> String {
        let split = if self.split > 1 { format!(" split {}", self.split) } else { String::new() };
        format!("{}{split}", self.method)
    }
}

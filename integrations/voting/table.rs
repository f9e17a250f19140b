//! Powers of a fixed base by moduli. They replace GMPMEE's table in rug-gmpmee, and are variable-time like
//! it. GMP still handles what moduli does not accept.

use crate::on_moduli::{number, power, prepared, taken};
use moduli::{FixedBase, MemorySize, Secrecy};
use rug::Integer;

/// The least and the greatest budget. Between them it is the size of GMPMEE's table: 2^width numbers of the
/// length of the modulus.
const BUDGET: (u64, u64) = (1 << 16, 1 << 30);

pub struct Table {
    modulus: Integer,
    base: Integer,
    exponent_bits: u32,
    budget: MemorySize,
    built: Option<FixedBase>,
}

impl Table {
    pub fn new(modulus: &Integer, width: i64, exponent_bits: i64) -> Self {
        let entry = u64::from(modulus.significant_bits().div_ceil(64) * 8);
        let bytes = if (0..30).contains(&width) { entry << width } else { BUDGET.1 };
        let budget = MemorySize(bytes.clamp(BUDGET.0, BUDGET.1));
        let exponent_bits = u32::try_from(exponent_bits).unwrap_or(u32::MAX);
        Self { modulus: modulus.clone(), base: Integer::ONE.clone(), exponent_bits, budget, built: None }
    }

    pub fn precompute(&mut self, base: &Integer) {
        self.base.clone_from(base);
        self.built = (!base.is_negative()).then(|| prepared(&self.modulus)).flatten().and_then(|p| {
            let base = taken(base);
            let builder = FixedBase::builder(&p, &base).exponent_bits(self.exponent_bits);
            builder.budget(self.budget).secrecy(Secrecy::Public).build().ok()
        });
    }

    pub fn power(&self, exponent: &Integer) -> Integer {
        let table = self.built.as_ref().filter(|_| !exponent.is_negative());
        if let Some(found) = table.and_then(|table| table.pow_long_vartime(&taken(exponent)).ok()) {
            return number(&found);
        }
        let mut x = self.base.clone();
        power(&mut x, exponent, &self.modulus).expect("an inverse");
        x
    }
}

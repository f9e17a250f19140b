//! One fixed base: plans, builds, stores, maps, verifies and measures its table.

use std::{path::Path, sync::Arc, time::Instant};

use crypto_bigint::{BoxedUint, RandomMod};
use moduli::{Error, Exponent, FixedBase, MemorySize, Modulus};
use serde::Serialize;

use crate::{
    failure::Failure,
    io::opened::{self, Memory},
    verb::rate::{Rate, Rounds},
};

/// The number of different exponents in a measurement.
const EXPONENTS: usize = 256;

/// A base with its table.
pub struct Base {
    what: &'static str,
    /// The table, mapped from its file.
    pub table: Arc<FixedBase>,
    build_seconds: f64,
}

/// A line of the report.
#[derive(Serialize)]
pub struct Row {
    /// The name of the base.
    pub what: &'static str,
    /// The name of the method.
    pub method: String,
    /// Its parameters and the split.
    pub parameters: String,
    /// The size of the table in bytes.
    pub table_bytes: u64,
    /// The number of entries, all of which were verified.
    pub entries: u64,
    /// The time to build it on all cores, without planning.
    pub build_seconds: f64,
    /// Exponentiations with the table.
    pub fixed: Rate,
    /// Exponentiations with the same exponents, but without a table.
    pub variable: Rate,
    /// How many times faster the table is on one core.
    pub ratio: f64,
}

impl Base {
    /// Plans and builds a table, stores it in `file` in a private directory, and maps it from
    /// there, which verifies all its entries.
    pub fn new(
        what: &'static str,
        modulus: &Modulus,
        value: &BoxedUint,
        exponent_bits: u32,
        budget: MemorySize,
        file: &Path,
    ) -> Result<Self, Failure> {
        let builder = FixedBase::builder(modulus, value).exponent_bits(exponent_bits);
        let shape = builder.clone().budget(budget).plan()?.shape;
        let start = Instant::now();
        let built = builder.method(shape.method()).split(shape.split()).build()?;
        let build_seconds = start.elapsed().as_secs_f64();
        built.save(file)?;
        drop(built);
        let table = opened::for_base(file, Memory::Mapped, modulus, value)?;
        Ok(Self { what, table: Arc::new(table), build_seconds })
    }

    /// Measures exponentiations with secret exponents, with and without the table.
    pub fn measure(&self, rounds: Rounds) -> Result<Row, Failure> {
        let shape = self.table.shape();
        let bits = shape.exponent_bits();
        let bound = BoxedUint::one_with_precision(bits + 1).unbounded_shl_vartime(bits);
        let exponents = (0..EXPONENTS).map(|_| random_below(&bound)).collect::<Result<Vec<_>, _>>()?;
        let chosen =
            |count: usize| (0..count).map(|i| Exponent::from(&exponents[i % EXPONENTS]).with_bits(bits));
        let fixed = Rate::of(rounds, |count| {
            let exponents = chosen(count).collect::<Result<Vec<_>, _>>()?;
            Ok(self.table.pow_batch(exponents).into_iter().try_for_each(|power| power.map(drop))?)
        })?;
        let variable = Rate::of_each(rounds, |i| {
            let exponent = Exponent::from(&exponents[i % EXPONENTS]).with_bits(bits)?;
            drop(self.table.modulus().pow(self.table.base(), exponent));
            Ok(())
        })?;
        let method = shape.to_string();
        let (method, parameters) = method.split_once(':').unwrap_or((&method, ""));
        Ok(Row {
            what: self.what,
            method: method.to_owned(),
            parameters: parameters.to_owned(),
            table_bytes: self.table.table_bytes().0,
            entries: shape.entries(),
            build_seconds: self.build_seconds,
            fixed,
            variable,
            ratio: fixed.one_core / variable.one_core,
        })
    }
}

/// A uniformly random number below `bound`.
pub fn random_below(bound: &BoxedUint) -> Result<BoxedUint, Failure> {
    let failed = |reason: String| Error::random(reason);
    let bound = Option::from(bound.to_nz()).ok_or_else(|| failed("nothing is below 0".to_owned()))?;
    let number = BoxedUint::try_random_mod_vartime(&mut getrandom::SysRng, &bound);
    Ok(number.map_err(|error| failed(error.to_string()))?)
}

//! Plans: the fastest table for a memory budget, and its cost.

use crypto_bigint::BoxedUint;
use moduli::{Error, MemorySize, Modulus, Planner, Secrecy, error::ParameterError};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyDict,
};

use crate::{cache, error::exception, integer, work};

/// A memory budget: a number of bytes, or text such as "64KiB", "1MiB" or "2GiB".
///
/// # Errors
/// `ValueError` for other text; `TypeError` for other objects.
pub fn bytes(budget: &Bound<'_, PyAny>) -> PyResult<MemorySize> {
    if let Ok(text) = budget.extract::<String>() {
        let named = |error| match error {
            Error::Parameter(ParameterError { reason, .. }) => {
                PyValueError::new_err(format!("budget: {reason}"))
            }
            error => exception(error),
        };
        return text.parse().map_err(named);
    }
    let value = integer::index(budget, "the budget (or text such as \"1MiB\")")?;
    value
        .extract()
        .map(MemorySize)
        .map_err(|_| PyValueError::new_err("the budget must lie between 0 and 2^64"))
}

/// The planner's value for the flag `secret`.
pub fn secrecy(secret: bool) -> Secrecy {
    if secret { Secrecy::Secret } else { Secrecy::Public }
}

/// A table of powers that the planner chose, and its predicted cost. plan and FixedBase make plans.
///
/// Times are for one core of this machine; the time to build the table is for all cores. A plan contains
/// nothing secret.
#[pyclass(frozen, module = "moduli")]
pub struct Plan {
    modulus: BoxedUint,
    secret: bool,
    batch: u64,
    plan: moduli::Plan,
}

impl Plan {
    /// A plan for a modulus and for batches of this many exponents.
    pub fn new(modulus: &Modulus, secret: bool, batch: u64, plan: moduli::Plan) -> Self {
        Self { modulus: modulus.value().as_ref().clone(), secret, batch, plan }
    }

    /// Another plan for the same modulus and batches.
    fn beside(&self, plan: moduli::Plan) -> Self {
        Self { modulus: self.modulus.clone(), plan, ..*self }
    }

    fn row(&self) -> [String; 5] {
        let plan = &self.plan;
        [
            plan.shape.to_string(),
            plan.bytes.to_string(),
            microseconds(plan.nanoseconds),
            microseconds(plan.build_nanoseconds),
            plan.break_even.map_or("never".into(), |count| count.to_string()),
        ]
    }
}

fn microseconds(nanoseconds: f64) -> String {
    let time = nanoseconds / 1e3;
    if time < 100.0 { format!("{time:.1} µs") } else { format!("{time:.0} µs") }
}

#[pymethods]
impl Plan {
    /// The method with its parameters: "radix:R", "comb:TEETH,TABLES", "comb:TEETH,TABLES,SHORT" (SHORT of
    /// the tables have one tooth less), "m0m1:M0,M1" or "residue-digits:M0,M1".
    #[getter]
    fn method(&self) -> String {
        self.plan.shape.method().to_string()
    }

    /// The number of pieces into which each entry is split for storage. 1 means that entries are not split.
    #[getter]
    fn split(&self) -> u32 {
        self.plan.shape.split()
    }

    /// Exponents are below 2**exponent_bits.
    #[getter]
    fn exponent_bits(&self) -> u32 {
        self.plan.shape.exponent_bits()
    }

    /// The modulus.
    #[getter]
    fn modulus<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, &self.modulus)
    }

    /// Whether the plan is for secret exponents, for which look-ups read whole rows.
    #[getter]
    fn secret(&self) -> bool {
        self.secret
    }

    /// The number of exponents in a batch. Times are the share of one exponent in such a batch.
    #[getter]
    fn batch(&self) -> u64 {
        self.batch
    }

    /// The bytes of the table.
    #[getter]
    fn bytes(&self) -> u64 {
        self.plan.bytes.0
    }

    /// The bytes of memory that one exponentiation uses in addition to the table.
    #[getter]
    fn scratch_bytes(&self) -> u64 {
        self.plan.scratch_bytes.0
    }

    /// The predicted time of one exponentiation, in nanoseconds, if no other program uses the shared cache.
    #[getter]
    fn nanoseconds(&self) -> f64 {
        self.plan.nanoseconds
    }

    /// The predicted time of one exponentiation, in nanoseconds, if other programs use the shared cache. It
    /// is longer for tables of 1 to 128 MiB. For larger tables, neither time has been measured.
    #[getter]
    fn crowded_nanoseconds(&self) -> f64 {
        self.plan.crowded_nanoseconds
    }

    /// The predicted time to build the table, in nanoseconds.
    #[getter]
    fn build_nanoseconds(&self) -> f64 {
        self.plan.build_nanoseconds
    }

    /// The number of exponentiations from which the table pays for itself, compared with powers without a
    /// table. None means never.
    #[getter]
    fn break_even(&self) -> Option<u64> {
        self.plan.break_even
    }

    /// The operations of one exponentiation: "products", "squarings", "prepared_products" and "masked_words".
    /// The counts are exact for secret exponents, and otherwise averages over random exponents.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (counts, dict) = (&self.plan.counts, PyDict::new(py));
        dict.set_item("products", counts.products)?;
        dict.set_item("squarings", counts.squarings)?;
        dict.set_item("prepared_products", counts.prepared_products)?;
        dict.set_item("masked_words", counts.masked_words)?;
        Ok(dict)
    }

    /// The best plans of the other methods, the best plan without split, and the best plan at half the bytes,
    /// in order of their predicted times.
    #[getter]
    fn runners_up(&self) -> Vec<Self> {
        let plans = self.plan.runners_up.iter().cloned();
        plans.map(|plan| self.beside(plan)).collect()
    }

    /// Draws time against bytes of tables for the same modulus and exponents, on logarithmic axes. This plan
    /// is marked. Returns the axes.
    ///
    /// `budgets` are numbers of bytes, by default powers of two from 4 KiB to 16 MiB. `ax` are the axes of
    /// Matplotlib to draw on, by default new ones. Needs Matplotlib: pip install '.[plot]' in a clone of
    /// moduli.
    #[pyo3(signature = (ax=None, *, budgets=None))]
    fn plot<'py>(
        slf: &Bound<'py, Self>,
        ax: Option<Bound<'py, PyAny>>,
        budgets: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("moduli._plot")?.call_method1("plot", (slf, ax, budgets))
    }

    fn __repr__(&self) -> String {
        let [shape, bytes, time, build, pays] = self.row();
        let bits = self.plan.shape.exponent_bits();
        format!(
            "<Plan {shape} for exponents of {bits} bits: {bytes}, {time}, built in {build}, pays from {pays}>"
        )
    }

    fn _repr_html_(&self) -> String {
        let mut html = String::from(
            "<table><thead><tr><th>method</th><th>table</th><th>time</th><th>build</th><th>pays from</th></tr></thead><tbody>",
        );
        for (index, plan) in [&self.plan].into_iter().chain(&self.plan.runners_up).enumerate() {
            let plan = self.beside(plan.clone());
            let tag = if index == 0 { "th" } else { "td" };
            let cells = plan.row().map(|cell| format!("<{tag}>{cell}</{tag}>")).concat();
            html += &format!("<tr>{cells}</tr>");
        }
        html + "</tbody></table>"
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a Plan cannot be pickled: its times are of this machine; plan again where it is needed",
        ))
    }
}

/// Plans the fastest table within a memory budget, for powers of a fixed base. The table is not built.
///
/// modulus: odd, at least 3, of at most 65,536 bits.
/// exponent_bits: exponents are below 2**exponent_bits; by default as long as the modulus, at most 131,072.
/// budget: the most bytes that the table may take, a number or text such as "64KiB".
/// secret: whether exponents are secret.
/// count: the number of exponentiations for which the table will be used, if the plan should include the time
/// to build it.
/// batch: how many exponents pow_batch will get at once. If they fill the vectors of all cores, they share
/// look-ups, and larger tables pay off.
///
/// Cost: several milliseconds.
///
/// Raises ValueError for arguments out of range and for a budget that is too small for any table; TypeError
/// for arguments that are not integers.
///
/// >>> p = moduli.group("ffdhe2048").p
/// >>> plan = moduli.plan(p, exponent_bits=256, budget="256KiB")
/// >>> plan.bytes <= 256 * 1024 and plan.exponent_bits == 256
/// True
#[pyfunction]
#[pyo3(signature = (modulus, *, exponent_bits=None, budget=None, secret=true, count=None, batch=None))]
pub fn plan(
    py: Python<'_>,
    modulus: &Bound<'_, PyAny>,
    exponent_bits: Option<&Bound<'_, PyAny>>,
    budget: Option<&Bound<'_, PyAny>>,
    secret: bool,
    count: Option<&Bound<'_, PyAny>>,
    batch: Option<&Bound<'_, PyAny>>,
) -> PyResult<Plan> {
    let modulus = cache::odd(modulus)?;
    let mut planner = Planner::new(&modulus).secrecy(secrecy(secret));
    if let Some(bits) = integer::exponent_bits(exponent_bits)? {
        planner = planner.exponent_bits(bits);
    }
    if let Some(budget) = budget {
        planner = planner.budget(bytes(budget)?);
    }
    if let Some(count) = integer::positive(count, "count")? {
        planner = planner.count(count);
    }
    let batch = integer::positive(batch, "batch")?.unwrap_or(1);
    let planner = planner.batch(batch);
    let plan = work::on_all_cores(py, || planner.plan()).map_err(exception)?;
    Ok(Plan::new(&modulus, secret, batch, plan))
}

//! A base with its table.

use moduli::{Method, Planner};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};
use std::sync::Arc;
use zeroize::Zeroizing;

use crate::{
    cache,
    error::exception,
    integer,
    lists::push,
    modulus::Modulus,
    plan::{self, Plan},
    power::{exponent, residue},
    rows::{Results, Rows},
    table_file::{self, Asked},
    work,
};

/// A base with a table of its powers, which computes base**k modulo a modulus for many exponents k.
///
/// base: an integer that is not 0 modulo the modulus; public.
/// modulus: an odd integer, at least 3, of at most 65,536 bits, or a Modulus.
/// exponent_bits: exponents are below 2**exponent_bits in magnitude; by default as long as the modulus.
/// budget: the most bytes that the table may take, a number or text such as "64KiB"; by default 1 MiB.
/// secret: whether exponents are secret. If so, pow and pow_batch are constant-time. Otherwise they are
/// variable-time and faster.
/// order: an order of the base (or a multiple of it), modulo which longer exponents are reduced.
/// method: a method such as "comb:8,4" instead of the planner's choice.
/// count: the number of exponentiations for which the table will be used, if the plan should include the time
/// to build it.
/// batch: how many exponents pow_batch will get at once. Tables for batches are larger.
///
/// Cost: the plan (several milliseconds), and then about one product modulo the modulus for each entry of the
/// table, on all cores. The object is immutable, and many threads may use it at once. It cannot be pickled:
/// use save and open.
///
/// Raises ValueError for arguments out of range, for a budget that is too small for any table, and for a
/// wrong order.
///
/// >>> group = moduli.group("ffdhe2048")
/// >>> g = moduli.FixedBase(group.g, group.p, exponent_bits=256, budget="64KiB")
/// >>> g.pow(12345) == pow(group.g, 12345, group.p)
/// True
#[pyclass(frozen, module = "moduli")]
pub struct FixedBase {
    /// The table.
    pub table: Arc<moduli::FixedBase>,
    /// Whether exponents are secret.
    pub secret: bool,
    batch: u64,
    plan: moduli::Plan,
}

#[pymethods]
impl FixedBase {
    #[new]
    #[pyo3(signature = (base, modulus, *, exponent_bits=None, budget=None, secret=true, order=None, method=None, count=None, batch=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn new(
        py: Python<'_>,
        base: &Bound<'_, PyAny>,
        modulus: &Bound<'_, PyAny>,
        exponent_bits: Option<&Bound<'_, PyAny>>,
        budget: Option<&Bound<'_, PyAny>>,
        secret: bool,
        order: Option<&Bound<'_, PyAny>>,
        method: Option<&str>,
        count: Option<&Bound<'_, PyAny>>,
        batch: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let modulus = match modulus.cast::<Modulus>() {
            Ok(prepared) => prepared.get().prepared().clone(),
            Err(_) => cache::odd(modulus)?,
        };
        let base = residue(&modulus, &integer::read(base, "the base")?);
        let order = order.map(|order| integer::read(order, "the order")).transpose()?;
        let mut builder = moduli::FixedBase::builder(&modulus, &base).secrecy(plan::secrecy(secret));
        if let Some(bits) = integer::exponent_bits(exponent_bits)? {
            builder = builder.exponent_bits(bits);
        }
        if let Some(budget) = budget {
            builder = builder.budget(plan::bytes(budget)?);
        }
        if let Some(count) = integer::positive(count, "count")? {
            builder = builder.count(count);
        }
        let batch = integer::positive(batch, "batch")?.unwrap_or(1);
        builder = builder.batch(batch);
        if let Some(method) = method {
            builder = builder.method(method.parse::<Method>().map_err(exception)?);
        }
        match &order {
            Some(order) if order.negative => return Err(PyValueError::new_err("order: is negative")),
            Some(order) => builder = builder.order(&order.magnitude),
            None => {}
        }
        let (plan, table) = work::on_all_cores(py, || {
            let plan = builder.plan()?;
            // The plan is made once, and exactly its table is built.
            let builder = builder.method(plan.shape.method()).split(plan.shape.split());
            Ok((plan, builder.build()?))
        })
        .map_err(exception)?;
        Ok(Self { table: Arc::new(table), secret, batch, plan })
    }

    /// Opens a table that save wrote, for the base and the modulus that you expect. A table for another base
    /// or modulus is rejected, and every entry is verified, so the file need not be trusted. Cost: about
    /// that of building the table.
    ///
    /// digest: the checksum of the file (its last 32 bytes), from a trusted source. The checksum determines
    /// every byte of the file. With a digest, you may leave out base and modulus, and verify=False skips
    /// the verification of the entries. Without a digest, verify=False requires secret=False, because
    /// anyone who chose the entries could compute secret exponents from the results.
    ///
    /// mmap: maps the file into memory, so that processes share its pages. Nobody may change or truncate the
    /// file while the table is in use (save is safe, because it replaces the file). The file is read into
    /// memory instead if it was written for another kernel, or if exponents are secret and anyone other
    /// than this user and root can write to it: see is_mapped.
    ///
    /// Raises FileNotFoundError and other OSErrors if the file cannot be opened; ValueError if the file
    /// cannot be read to its end or is not what was expected.
    #[staticmethod]
    #[pyo3(signature = (path, base=None, modulus=None, *, secret=true, verify=true, mmap=false, digest=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn open(
        py: Python<'_>,
        path: &Bound<'_, PyAny>,
        base: Option<&Bound<'_, PyAny>>,
        modulus: Option<&Bound<'_, PyAny>>,
        secret: bool,
        verify: bool,
        mmap: bool,
        digest: Option<&[u8]>,
    ) -> PyResult<Self> {
        let table = table_file::open(
            py,
            &table_file::path(path)?,
            &Asked { base, modulus, digest, verify, secret, mmap },
        )?;
        let plan = py.detach(|| {
            let shape = table.shape();
            let planner = Planner::new(table.modulus())
                .exponent_bits(shape.exponent_bits())
                .secrecy(plan::secrecy(secret));
            planner.method(shape.method()).split(shape.split()).plan()
        });
        Ok(Self { table: Arc::new(table), secret, batch: 1, plan: plan.map_err(exception)? })
    }

    /// Writes the table to a file, which open can read. The new file is complete or not there at all. An
    /// existing file is replaced.
    ///
    /// Raises FileNotFoundError and other OSErrors.
    fn save(&self, py: Python<'_>, path: &Bound<'_, PyAny>) -> PyResult<()> {
        let path = table_file::path(path)?;
        py.detach(|| self.table.save(path)).map_err(exception)
    }

    /// Computes base**k modulo the modulus. If k is negative, the base must have an inverse. If the table is
    /// for secret exponents, constant-time except for the sign of k and its number of 64-bit words.
    ///
    /// Raises ValueError if k is too long, or if k is negative and the base has no inverse.
    fn pow<'py>(&self, k: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = k.py();
        let k = integer::read(k, "the exponent")?;
        let power = work::run(py, self.plan.nanoseconds, || {
            if self.secret { self.table.pow(exponent(&k)) } else { self.table.pow_vartime(exponent(&k)) }
        });
        integer::write(py, &Zeroizing::new(power.map_err(exception)?))
    }

    /// Computes [base**k modulo the modulus for k in ks], on all cores and in the lanes of their vector
    /// registers.
    ///
    /// `ks` is a sequence of integers, or bytes (big-endian numbers of `width` bytes each), or an array
    /// `uint8[n, width]` (big-endian) or `uint64[n, limbs]` (the least significant limb first). The
    /// powers have the same type as ks. In bytes and arrays, each power is as long as the modulus.
    /// Constant-time under the same conditions as pow. Ctrl-C interrupts.
    ///
    /// Raises ValueError that names the row if a k is too long, or if a k is negative and the base has no
    /// inverse.
    #[pyo3(signature = (ks, *, width=None))]
    fn pow_batch<'py>(
        &self,
        ks: &Bound<'py, PyAny>,
        width: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = ks.py();
        let rows = Rows::read(ks, "ks", width)?;
        let mut results = Results::new(py, rows.kind(), rows.count(), self.table.modulus().bits())?;
        work::in_pieces(py, rows.count(), self.plan.nanoseconds, |range| {
            let start = range.start;
            let ks = rows.get(py, range)?;
            let exponents = || ks.iter().map(exponent);
            let one = |k| if self.secret { self.table.pow(k) } else { self.table.pow_vartime(k) };
            let by_one = || exponents().map(one).collect();
            let powers = work::by_one_or_at_once(py, ks.len(), self.plan.nanoseconds, by_one, || {
                if self.secret {
                    self.table.pow_batch(exponents())
                } else {
                    self.table.pow_batch_vartime(exponents())
                }
            });
            push(py, &mut results, start, powers)
        })?;
        Ok(results.finish(py))
    }

    /// The base, reduced modulo the modulus.
    #[getter]
    fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, self.table.base())
    }

    /// The modulus.
    #[getter]
    fn modulus<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, self.table.modulus().value().as_ref())
    }

    /// Exponents are below 2**exponent_bits.
    #[getter]
    fn exponent_bits(&self) -> u32 {
        self.table.shape().exponent_bits()
    }

    /// Whether pow and pow_batch are constant-time.
    #[getter]
    fn secret(&self) -> bool {
        self.secret
    }

    /// The bytes of the table.
    #[getter]
    fn table_bytes(&self) -> u64 {
        self.table.table_bytes().0
    }

    /// Whether the table is in a file that is mapped into memory.
    #[getter]
    fn is_mapped(&self) -> bool {
        self.table.is_mapped()
    }

    /// The plan of the table, with its runners-up. For a table that was opened from a file, there are no
    /// runners-up.
    #[getter]
    fn plan(&self) -> Plan {
        Plan::new(self.table.modulus(), self.secret, self.batch, self.plan.clone())
    }

    fn __repr__(&self) -> String {
        let secret = if self.secret { "secret" } else { "public" };
        format!(
            "<FixedBase modulo {} bits, {secret} exponents of {} bits: {}, {}>",
            self.table.modulus().bits(),
            self.exponent_bits(),
            self.table.shape(),
            self.table.table_bytes()
        )
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let text: String = slf.repr()?.extract()?;
        let text = text.trim_matches(['<', '>']).to_owned();
        let table: String = slf.getattr("plan")?.call_method0("_repr_html_")?.extract()?;
        Ok(format!("<p>{text}</p>{table}"))
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a FixedBase cannot be pickled: save(path) and FixedBase.open(path, …) carry its table",
        ))
    }
}

//! Lists of powers.

use crypto_bigint::BoxedUint;
use moduli::{Error, Modulus};
use pyo3::{exceptions::PyValueError, prelude::*, types::PySequence};
use zeroize::Zeroizing;

use crate::{
    cache::{self, Argument},
    error::of_row,
    integer::{self, Integer, Target},
    list_plan::ListPlan,
    power::{exponent, powmod, residue},
    rows::{Kind, Results, Rows},
    short::{self, Short},
    work,
};

/// Computes [base**y modulo m for y in exponents] for public numbers, like gmpy2.powmod_exp_list.
/// Variable-time. Runs on all cores, except for even m, and for m of at most 128 bits.
///
/// `exponents` is a sequence of integers, or bytes (big-endian numbers of `width` bytes each), or an array
/// `uint8[n, width]` (big-endian) or `uint64[n, limbs]` (the least significant limb first). The powers have
/// the same type as the exponents. In bytes and arrays, each power is as long as m. m is above 0. For long
/// lists, the call builds a temporary table of the base, of at most 1 MiB. If you use a base repeatedly, keep
/// a FixedBase. Ctrl-C interrupts.
///
/// Raises ValueError for m below 1; ValueError that names the row if an exponent is negative and the base has
/// no inverse; TypeError for arguments that are not integers.
///
/// >>> moduli.powmod_exp_list(3, [1, 2, -1], 7)
/// [3, 2, 5]
/// >>> moduli.powmod_exp_list(3, b"\x01\x02\x03", 257, width=1).hex(" ", 2)
/// '0003 0009 001b'
#[pyfunction]
#[pyo3(signature = (base, exponents, m, /, *, width=None))]
pub fn powmod_exp_list<'py>(
    base: &Bound<'py, PyAny>,
    exponents: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
    width: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = m.py();
    let exponents = Rows::read(exponents, "exponents", width)?;
    match of_one_base(base, &exponents, m, Target::Int)? {
        Some(powers) => Ok(powers.finish(py)),
        None => {
            let number = integer::read(m, "the modulus")?;
            rows_by_one(py, m, &number, &exponents, |k| Ok((base.clone(), integer(py, k)?)))
        }
    }
}

/// [base**y modulo m for y in exponents], for public numbers; None for a modulus that the library does not
/// support.
pub fn of_one_base<'py>(
    base: &Bound<'py, PyAny>,
    exponents: &Rows<'py>,
    m: &Bound<'py, PyAny>,
    target: Target,
) -> PyResult<Option<Results<'py>>> {
    let py = m.py();
    let x = integer::read(base, "the base")?;
    let Argument::Odd(modulus) = cache::argument(m)? else { return Ok(None) };
    // For longer moduli a table is faster.
    if modulus.bits() <= 128
        && let (Some(x), Some(m), Some(list)) = (Short::read(base), Short::read(m), exponents.sequence())
        && let Some(results) = short_list(py, target, list, |y| short::power(&x, y, &m))?
    {
        return Ok(Some(results));
    }
    let (count, longest) = (exponents.count(), exponents.longest(py)?);
    let each = work::power(&modulus, longest);
    let x = residue(&modulus, &x);
    let mut results = Results::written_as(target, py, exponents.kind(), count, modulus.bits())?;
    let plan = ListPlan::new(&modulus, count, longest, each);
    let build = || plan.table(&modulus, &x, count, longest);
    // There is no table for a base of 0, or if none fits.
    let table = if plan.is_table() { work::on_all_cores(py, build).ok() } else { None };
    let each = if table.is_some() { plan.each } else { each };
    work::in_pieces(py, count, each, |range| {
        let start = range.start;
        let ks = exponents.get(py, range)?;
        let exponents = || ks.iter().map(exponent);
        let one = |k| match &table {
            Some(table) => table.pow_vartime(k),
            None => modulus.pow_vartime(&x, k),
        };
        let by_one = || exponents().map(one).collect();
        let powers = work::by_one_or_at_once(py, ks.len(), each, by_one, || match &table {
            Some(table) => table.pow_batch_vartime(exponents()),
            None => modulus.pow_batch(exponents().map(|k| (&*x, k))),
        });
        push(py, &mut results, start, powers)
    })?;
    Ok(Some(results))
}

/// The results of `f` for a list, if all items are short and have a result.
fn short_list<'py>(
    py: Python<'py>,
    target: Target,
    list: &Bound<'py, PySequence>,
    f: impl Fn(&Short) -> Option<Short>,
) -> PyResult<Option<Results<'py>>> {
    let count = list.len()?;
    let mut results = Results::written_as(target, py, Kind::List, count, 0)?;
    for index in 0..count {
        let Some(result) = Short::read(&list.get_item(index)?).and_then(|item| f(&item)) else {
            return Ok(None);
        };
        results.push_short(py, result.negative, &result.words)?;
        if index % 4096 == 4095 {
            py.check_signals()?;
        }
    }
    Ok(Some(results))
}

/// Computes [x**exponent modulo m for x in bases], like gmpy2.powmod_base_list.
///
/// `bases` may have the types that the exponents of powmod_exp_list may have, and the powers have the type of
/// the bases. m is above 0.
///
/// If m is odd, the call runs on all cores. It is constant-time in the bases and the exponent, except for
/// their lengths (in bytes and arrays: of their rows), the sign of the exponent, and which bases have no
/// inverse if it is negative. If m is even, the call runs on one core, and is variable-time. Ctrl-C
/// interrupts.
///
/// Raises ValueError for m below 1; ValueError that names the row if the exponent is negative and a base has
/// no inverse; TypeError for arguments that are not integers.
///
/// >>> moduli.powmod_base_list([1, 2, 3], 5, 7)
/// [1, 4, 5]
#[pyfunction]
#[pyo3(signature = (bases, exponent, m, /, *, width=None))]
pub fn powmod_base_list<'py>(
    bases: &Bound<'py, PyAny>,
    exponent: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
    width: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = m.py();
    let bases = Rows::read(bases, "bases", width)?;
    match of_one_exponent(&bases, exponent, m, Target::Int)? {
        Some(powers) => Ok(powers.finish(py)),
        None => {
            let number = integer::read(m, "the modulus")?;
            rows_by_one(py, m, &number, &bases, |x| Ok((integer(py, x)?, exponent.clone())))
        }
    }
}

/// [x**exponent modulo m for x in bases], in constant time; None for a modulus that the library does not
/// support.
fn of_one_exponent<'py>(
    bases: &Rows<'py>,
    exponent: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
    target: Target,
) -> PyResult<Option<Results<'py>>> {
    let py = m.py();
    let y = integer::read(exponent, "the exponent")?;
    let Argument::Odd(modulus) = cache::argument(m)? else { return Ok(None) };
    let each = work::power(&modulus, y.precision());
    let mut results = Results::written_as(target, py, bases.kind(), bases.count(), modulus.bits())?;
    work::in_pieces(py, bases.count(), each, |range| {
        let start = range.start;
        let xs = bases.get(py, range)?;
        let powers = pairs(py, &modulus, each, xs.iter().map(|x| (x, &y)).collect());
        push(py, &mut results, start, powers)
    })?;
    Ok(Some(results))
}

/// As `of_one_exponent`, for public numbers. Faster for short moduli.
pub fn of_one_exponent_vartime<'py>(
    bases: &Rows<'py>,
    exponent: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
    target: Target,
) -> PyResult<Option<Results<'py>>> {
    if let (Some(y), Some(short)) = (Short::read(exponent), Short::read(m))
        && short.is_odd_and_positive()
        && let Some(list) = bases.sequence()
        && let Some(results) = short_list(m.py(), target, list, |x| short::power(x, &y, &short))?
    {
        return Ok(Some(results));
    }
    of_one_exponent(bases, exponent, m, target)
}

/// Computes [x**y modulo m for x, y in zip(bases, exponents)], for as many bases as exponents.
///
/// Both may have the types that the exponents of powmod_exp_list may have. If they are bytes, `width` is the
/// width of the bases, and `exponent_width` that of the exponents. The powers have the type of the bases. m
/// is above 0.
///
/// If m is odd, the call runs on all cores. It is constant-time except for the lengths of the numbers (in
/// bytes and arrays: of their rows), the signs of exponents, and which bases with negative exponents have no
/// inverse. If m is even, the call runs on one core, and is variable-time. Ctrl-C interrupts.
///
/// Raises ValueError for m below 1 and for different counts; ValueError that names the row if an exponent is
/// negative and its base has no inverse; TypeError for arguments that are not integers.
///
/// >>> moduli.powmod_batch([2, 3], [10, 11], 1001)
/// [23, 971]
#[pyfunction]
#[pyo3(signature = (bases, exponents, m, /, *, width=None, exponent_width=None))]
pub fn powmod_batch<'py>(
    bases: &Bound<'py, PyAny>,
    exponents: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
    width: Option<&Bound<'py, PyAny>>,
    exponent_width: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = m.py();
    let (bases, exponents) = rows_of_pairs(bases, exponents, width, exponent_width)?;
    match cache::argument(m)? {
        Argument::Odd(modulus) => of_pairs(py, &modulus, &bases, &exponents),
        Argument::Other(number) => {
            let mut next = 0;
            rows_by_one(py, m, &number, &bases, |x| {
                let ks = exponents.get(py, next..next + 1)?;
                next += 1;
                Ok((integer(py, x)?, integer(py, &ks[0])?))
            })
        }
    }
}

/// The rows of bases and of exponents, of which there must be equally many.
pub fn rows_of_pairs<'py>(
    bases: &Bound<'py, PyAny>,
    exponents: &Bound<'py, PyAny>,
    width: Option<&Bound<'py, PyAny>>,
    exponent_width: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Rows<'py>, Rows<'py>)> {
    let bases = Rows::read(bases, "bases", width)?;
    let exponents = Rows::read(exponents, "exponents", exponent_width)?;
    if bases.count() != exponents.count() {
        let text =
            format!("{} bases and {} exponents: they must be as many", bases.count(), exponents.count());
        return Err(PyValueError::new_err(text));
    }
    Ok((bases, exponents))
}

/// The powers of pairs of a base and an exponent, in constant time.
pub fn of_pairs<'py>(
    py: Python<'py>,
    modulus: &Modulus,
    bases: &Rows<'py>,
    exponents: &Rows<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let each = work::power(modulus, exponents.longest(py)?);
    let mut results = Results::new(py, bases.kind(), bases.count(), modulus.bits())?;
    work::in_pieces(py, bases.count(), each, |range| {
        let start = range.start;
        let (xs, ks) = (bases.get(py, range.clone())?, exponents.get(py, range)?);
        let powers = pairs(py, modulus, each, xs.iter().zip(&ks).collect());
        push(py, &mut results, start, powers)
    })?;
    Ok(results.finish(py))
}

/// The powers of pairs, in constant time, on all cores if there is enough to do.
fn pairs(
    py: Python<'_>,
    modulus: &Modulus,
    each: f64,
    pairs: Vec<(&Integer, &Integer)>,
) -> Vec<Result<BoxedUint, Error>> {
    let bases: Vec<_> = pairs.iter().map(|(x, _)| residue(modulus, x)).collect();
    let residues = || bases.iter().zip(&pairs).map(|(x, (_, k))| (&**x, exponent(k)));
    let by_one = || residues().map(|(x, k)| modulus.pow_signed(x, k)).collect();
    work::by_one_or_at_once(py, pairs.len(), each, by_one, || modulus.pow_batch(residues()))
}

/// Appends the powers of the rows from `start` on to the results.
pub fn push<'py>(
    py: Python<'py>,
    results: &mut Results<'py>,
    start: usize,
    powers: Vec<Result<BoxedUint, Error>>,
) -> PyResult<()> {
    // All powers are wiped, even after an error.
    let powers: Vec<_> = powers.into_iter().map(|power| power.map(Zeroizing::new)).collect();
    for (index, power) in powers.iter().enumerate() {
        match power {
            Ok(power) => results.push(py, power)?,
            Err(error) => return Err(of_row(start + index, error.clone())),
        }
    }
    Ok(())
}

fn integer<'py>(py: Python<'py>, value: &Integer) -> PyResult<Bound<'py, PyAny>> {
    integer::write_signed(py, value.negative, &value.magnitude)
}

/// The powers of rows one by one, for a modulus that is even or longer than the library supports. `pair`
/// gives base and exponent of a row.
fn rows_by_one<'py>(
    py: Python<'py>,
    m: &Bound<'py, PyAny>,
    number: &Integer,
    rows: &Rows<'py>,
    mut pair: impl FnMut(&Integer) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
) -> PyResult<Bound<'py, PyAny>> {
    if number.negative || number.is_zero() {
        return Err(PyValueError::new_err("the modulus must be above 0"));
    }
    let mut results = Results::new(py, rows.kind(), rows.count(), number.magnitude.bits_vartime())?;
    for index in 0..rows.count() {
        let row = rows.get(py, index..index + 1)?;
        let (x, y) = pair(&row[0])?;
        let power = powmod(&x, &y, m).map_err(|error| {
            if error.is_instance_of::<PyValueError>(py) {
                PyValueError::new_err(format!("row {index}: {}", error.value(py)))
            } else {
                error
            }
        })?;
        results.push(py, &integer::read(&power, "the power")?.magnitude)?;
        py.check_signals()?;
    }
    Ok(results.finish(py))
}

//! Batches of numbers, as arguments and as results: lists of integers, bytes and arrays.

use crypto_bigint::BoxedUint;
use moduli_kernel::limbs;
use pyo3::{
    buffer::{Element, ElementType, PyBuffer, PyUntypedBuffer},
    exceptions::{PyMemoryError, PyTypeError, PyValueError},
    intern,
    prelude::*,
    types::{PyByteArray, PyBytes, PyList, PyMemoryView, PySequence, PyString, PyTuple},
};
use std::ops::Range;
use zeroize::Zeroizing;

use crate::{
    integer::{self, Integer, Target},
    memory, text,
};

/// The form of a batch, and of its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Python integers in a list or another sequence.
    List,
    /// Big-endian numbers of one length, concatenated in a `bytes`.
    Bytes,
    /// `uint8[n, width]`, big-endian.
    Array8,
    /// `uint64[n, limbs]`, the least limb first.
    Array64,
}

/// The numbers of an argument.
pub struct Rows<'py> {
    kind: Kind,
    source: Source<'py>,
    count: usize,
    name: &'static str,
}

enum Source<'py> {
    Sequence(Bound<'py, PySequence>),
    /// Rows of this many bytes.
    Bytes(PyBuffer<u8>, usize),
    /// Rows of this many limbs.
    Words(PyBuffer<u64>, usize),
}

impl<'py> Rows<'py> {
    /// Reads the numbers of an argument. `width`, in bytes, is only for `bytes`.
    ///
    /// # Errors
    /// `TypeError` for an argument that holds no numbers; `ValueError` for a wrong `width` or shape.
    pub fn read(
        object: &Bound<'py, PyAny>,
        name: &'static str,
        width: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let width = integer::small(width, "width")?;
        if is_bytes(object) {
            return Self::of_bytes(object, name, width);
        }
        if width.is_some() {
            return Err(PyTypeError::new_err(format!(
                "width goes with bytes; {name} has a length of its own"
            )));
        }
        let listed = object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>();
        if !listed && let Ok(buffer) = PyUntypedBuffer::get(object) {
            return Self::of_array(object, buffer, name);
        }
        if object.is_instance_of::<PyString>() {
            return Err(not_a_batch(object, name)?);
        }
        let Ok(sequence) = object.cast::<PySequence>() else { return Err(not_a_batch(object, name)?) };
        // If the sequence changes meanwhile, its state at the time of the call counts.
        let sequence = sequence.to_list()?.cast_into::<PySequence>()?;
        Ok(Self { kind: Kind::List, count: sequence.len()?, source: Source::Sequence(sequence), name })
    }

    fn of_bytes(object: &Bound<'py, PyAny>, name: &'static str, width: Option<usize>) -> PyResult<Self> {
        let buffer = in_order::<u8>(object, PyUntypedBuffer::get(object)?)?;
        let length = buffer.item_count();
        match width {
            None => {
                Err(PyTypeError::new_err(format!("{name} is bytes: say width=, the bytes of one number")))
            }
            Some(width) if width == 0 || !length.is_multiple_of(width) => Err(PyValueError::new_err(
                format!("{name} has {length} bytes, which is not a multiple of the width {width}"),
            )),
            Some(width) if width > integer::LONGEST / 8 => Err(too_long(name, 8 * width as u128)),
            Some(width) => {
                let count = length / width;
                Ok(Self { kind: Kind::Bytes, source: Source::Bytes(buffer, width), count, name })
            }
        }
    }

    fn of_array(object: &Bound<'py, PyAny>, buffer: PyUntypedBuffer, name: &'static str) -> PyResult<Self> {
        let refuse = |reason: String| Err(PyTypeError::new_err(format!("{name}: {reason}")));
        text::refuse_masked(object, name)?;
        let format = buffer.format().to_string_lossy();
        // This is an array of Python's or gmpy2's integers.
        if format == "O" && buffer.dimensions() == 1 {
            return Self::read(&object.call_method0(intern!(object.py(), "tolist"))?, name, None);
        }
        let native =
            !format.starts_with(if cfg!(target_endian = "little") { ['>', '!'] } else { ['<', '<'] });
        let bytes = match ElementType::from_format(buffer.format()) {
            ElementType::UnsignedInteger { bytes } if native => bytes,
            _ if format.ends_with('s') => {
                return refuse(
                    "arrays of fixed-length strings (dtype 'S…') are refused: NumPy drops the trailing zero bytes of \
                     their elements, and the number with them. Give uint8[n, width]"
                        .into(),
                );
            }
            _ => 0,
        };
        if !matches!(bytes, 1 | 8) {
            return refuse(format!(
                "an array must be uint8[n, width], big-endian, or uint64[n, limbs], the least limb first, in native \
                 byte order; its format is {format:?}. A list of integers works, too"
            ));
        }
        let &[count, length] = buffer.shape() else {
            return Err(PyValueError::new_err(format!(
                "{name} has {} dimension{}; an array must have two, [n, length]. For a list of integers, call tolist()",
                buffer.dimensions(),
                if buffer.dimensions() == 1 { "" } else { "s" }
            )));
        };
        if length == 0 {
            return Err(PyValueError::new_err(format!("{name} has rows without a byte")));
        }
        if length > integer::LONGEST / (8 * bytes) {
            return Err(too_long(name, 8 * bytes as u128 * length as u128));
        }
        let (kind, source) = if bytes == 1 {
            (Kind::Array8, Source::Bytes(in_order(object, buffer)?, length))
        } else {
            (Kind::Array64, Source::Words(in_order(object, buffer)?, length))
        };
        Ok(Self { kind, source, count, name })
    }

    /// The number of numbers.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The objects themselves, if it is a list.
    pub fn sequence(&self) -> Option<&Bound<'py, PySequence>> {
        match &self.source {
            Source::Sequence(sequence) => Some(sequence),
            _ => None,
        }
    }

    /// The form of the batch.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The bits of the longest number: the longest value of a sequence, else the length of a row.
    ///
    /// # Errors
    /// `TypeError` that names the row that is not an integer.
    pub fn longest(&self, py: Python<'py>) -> PyResult<u32> {
        match &self.source {
            Source::Sequence(_) => (0..self.count).try_fold(0, |longest, index| {
                let row = self.get(py, index..index + 1)?;
                Ok(row.iter().map(|value| value.magnitude.bits_vartime()).fold(longest, u32::max))
            }),
            Source::Bytes(_, width) => Ok((8 * *width).try_into().unwrap_or(u32::MAX)),
            Source::Words(_, length) => Ok((64 * *length).try_into().unwrap_or(u32::MAX)),
        }
    }

    /// The numbers of a range. Numbers from bytes and arrays have the precision of their rows, whatever their
    /// values.
    ///
    /// # Errors
    /// `TypeError` that names the row that is not an integer.
    pub fn get(&self, py: Python<'py>, range: Range<usize>) -> PyResult<Vec<Integer>> {
        match &self.source {
            Source::Sequence(sequence) => {
                let row = |index| {
                    let item = sequence.get_item(index)?;
                    integer::read_named(&item, || format!("row {index} of {}", self.name))
                };
                range.map(row).collect()
            }
            Source::Bytes(buffer, width) => {
                let mut bytes = Zeroizing::new(vec![0; *width]);
                let row = |index| {
                    memory::read(py, buffer, index * width, &mut bytes).then_some(()).ok_or_else(vanished)?;
                    let limb = |limb: &[u8]| limb.iter().fold(0, |limb, &byte| limb << 8 | u64::from(byte));
                    let limbs = Zeroizing::new(bytes.rchunks(8).map(limb).collect::<Vec<u64>>());
                    Ok(Integer::from_limbs(false, &limbs))
                };
                range.map(row).collect()
            }
            Source::Words(buffer, length) => {
                let mut limbs = Zeroizing::new(vec![0; *length]);
                let row = |index| {
                    memory::read(py, buffer, index * length, &mut limbs)
                        .then_some(())
                        .ok_or_else(vanished)?;
                    Ok(Integer::from_limbs(false, &limbs))
                };
                range.map(row).collect()
            }
        }
    }
}

/// The error for a buffer that has lost a row.
fn vanished() -> PyErr {
    PyValueError::new_err("the array has changed its size")
}

fn too_long(name: &str, bits: u128) -> PyErr {
    PyValueError::new_err(format!("the rows of {name} have {bits} bits; the maximum is {}", integer::LONGEST))
}

fn is_bytes(object: &Bound<'_, PyAny>) -> bool {
    let of_bytes = |view: &Bound<'_, PyMemoryView>| -> PyResult<bool> {
        let ask = |name| view.getattr(name)?.extract::<usize>();
        // Longer items have their bytes in the order of the machine.
        Ok(ask(intern!(view.py(), "ndim"))? == 1 && ask(intern!(view.py(), "itemsize"))? == 1)
    };
    object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || object.cast::<PyMemoryView>().is_ok_and(|view| of_bytes(view).unwrap_or(false))
}

fn not_a_batch(object: &Bound<'_, PyAny>, name: &str) -> PyResult<PyErr> {
    let kind = object.get_type().name()?;
    Ok(PyTypeError::new_err(format!(
        "{name} must be a sequence of integers, bytes with width=, uint8[n, width] or uint64[n, limbs], not {kind}"
    )))
}

/// The buffer; or the buffer of a copy, if its items are not contiguous or not aligned.
fn in_order<T: Element>(object: &Bound<'_, PyAny>, buffer: PyUntypedBuffer) -> PyResult<PyBuffer<T>> {
    if let Ok(buffer) = buffer.into_typed::<T>()
        && buffer.is_c_contiguous()
    {
        return Ok(buffer);
    }
    let copy = text::in_order(object)?;
    if size_of::<T>() == 1 {
        return PyBuffer::get(&copy);
    }
    PyBuffer::get(&PyMemoryView::from(&copy)?.call_method1(intern!(object.py(), "cast"), ("Q",))?)
}

/// The results of a batch, in the form of its input.
pub enum Results<'py> {
    /// A list of integers.
    List(Bound<'py, PyList>, Target),
    /// Big-endian numbers of this many bytes.
    Bytes(Zeroizing<Vec<u8>>, usize),
    /// An array, its buffer, the bytes of a row, and how many items are filled in.
    Array8(Bound<'py, PyAny>, PyBuffer<u8>, usize, usize),
    /// As `Array8`, with limbs.
    Array64(Bound<'py, PyAny>, PyBuffer<u64>, usize, usize),
}

impl<'py> Results<'py> {
    /// Creates room for `count` numbers below a modulus of `bits` bits. Each takes as many bytes or limbs as
    /// the modulus.
    ///
    /// # Errors
    /// `ImportError` for an array without NumPy; `MemoryError`.
    pub fn new(py: Python<'py>, kind: Kind, count: usize, bits: u32) -> PyResult<Self> {
        Self::written_as(Target::Int, py, kind, count, bits)
    }

    /// As [`Results::new`], with the type of the integers of a list.
    ///
    /// # Errors
    /// As [`Results::new`].
    pub fn written_as(
        target: Target,
        py: Python<'py>,
        kind: Kind,
        count: usize,
        bits: u32,
    ) -> PyResult<Self> {
        let (bytes, limbs) = (bits.div_ceil(8).max(1) as usize, bits.div_ceil(64).max(1) as usize);
        let array =
            |length: usize, kind: &str| py.import("numpy")?.call_method1("empty", ((count, length), kind));
        Ok(match kind {
            Kind::List => Self::List(PyList::empty(py), target),
            Kind::Bytes => {
                let mut all = Vec::new();
                let room = all.try_reserve_exact(count.saturating_mul(bytes));
                room.map_err(|_| PyMemoryError::new_err(format!("{count} results of {bytes} bytes")))?;
                Self::Bytes(Zeroizing::new(all), bytes)
            }
            Kind::Array8 => {
                let array = array(bytes, "uint8")?;
                let buffer = PyBuffer::get(&array)?;
                Self::Array8(array, buffer, bytes, 0)
            }
            Kind::Array64 => {
                let array = array(limbs, "uint64")?;
                let buffer = PyBuffer::get(&array)?;
                Self::Array64(array, buffer, limbs, 0)
            }
        })
    }

    /// Appends a number.
    pub fn push(&mut self, py: Python<'py>, value: &BoxedUint) -> PyResult<()> {
        match self {
            Self::List(list, target) => list.append(target.write_boxed(py, value)?)?,
            Self::Bytes(all, length) => all.extend_from_slice(&big_endian(value, *length)),
            Self::Array8(_, buffer, length, filled) => {
                let bytes = big_endian(value, *length);
                memory::write(py, buffer, *filled, &bytes).then_some(()).ok_or_else(vanished)?;
                *filled += *length;
            }
            Self::Array64(_, buffer, length, filled) => {
                let limbs = limbs::to_limbs(value, *length);
                memory::write(py, buffer, *filled, &limbs[..*length]).then_some(()).ok_or_else(vanished)?;
                *filled += *length;
            }
        }
        Ok(())
    }

    /// Appends a number to a list.
    pub fn push_short(&mut self, py: Python<'py>, negative: bool, words: &[u64]) -> PyResult<()> {
        let Self::List(list, target) = self else { return Err(vanished()) };
        list.append(target.write(py, negative, words)?)
    }

    /// The object that is returned to the caller.
    pub fn finish(self, py: Python<'py>) -> Bound<'py, PyAny> {
        match self {
            Self::List(list, _) => list.into_any(),
            Self::Bytes(all, _) => PyBytes::new(py, &all).into_any(),
            Self::Array8(array, ..) | Self::Array64(array, ..) => array,
        }
    }
}

/// A number as `length` bytes, into which it must fit, the greatest first.
fn big_endian(value: &BoxedUint, length: usize) -> Zeroizing<Vec<u8>> {
    let limbs = limbs::to_limbs(value, length.div_ceil(8));
    let byte = |at: usize| (limbs[at / 8] >> (8 * (at % 8))) as u8;
    Zeroizing::new((0..length).rev().map(byte).collect())
}

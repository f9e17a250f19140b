//! Every error of the library as an exception of Python.

use moduli::{Error, error::TableError};
use pyo3::{
    create_exception,
    exceptions::{PyOSError, PyRuntimeError, PyValueError},
    prelude::*,
};

create_exception!(
    moduli,
    InvalidSignature,
    PyValueError,
    "A signature is malformed, or is none of this message under this key. A ValueError."
);

/// What a check of a signature raises, whatever is wrong with it.
pub fn invalid(error: Error) -> PyErr {
    InvalidSignature::new_err(error.to_string())
}

/// The exception of an error: `ValueError` for what the caller gave, `OSError` where a file could not be read or written,
/// `RuntimeError` for a fault of the machine or its kernels.
pub fn exception(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::File(_) => PyOSError::new_err(text),
        Error::Fault | Error::Kernel(_) | Error::Table(TableError::Layout { .. }) => {
            PyRuntimeError::new_err(text)
        }
        _ => PyValueError::new_err(text),
    }
}

/// The exception of row `index` of a batch: `ValueError` that names the row, `RuntimeError` for a fault.
pub fn of_row(index: usize, error: Error) -> PyErr {
    let text = format!("row {index}: {error}");
    match error {
        Error::Fault | Error::Kernel(_) | Error::Table(TableError::Layout { .. }) => {
            PyRuntimeError::new_err(text)
        }
        _ => PyValueError::new_err(text),
    }
}

//! Converts every error of the library into an exception of Python.

use moduli::{
    Error,
    error::{FileError, FileReason, TableError},
};
use pyo3::{
    create_exception,
    exceptions::{PyOSError, PyRuntimeError, PyValueError},
    prelude::*,
};

create_exception!(
    moduli,
    InvalidSignature,
    PyValueError,
    "A signature is malformed, or is not a signature of this message under this key. A ValueError."
);

/// The exception for a signature that is not valid, whatever is wrong with it.
pub fn invalid(error: Error) -> PyErr {
    InvalidSignature::new_err(error.to_string())
}

/// The exception for an error: `ValueError` for wrong input, `OSError` if a file could not be read or
/// written, `RuntimeError` for a fault of the machine or its kernels.
pub fn exception(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::File(error) => of_file(&error, text),
        Error::Fault | Error::Kernel(_) | Error::Table(TableError::Layout { .. }) => {
            PyRuntimeError::new_err(text)
        }
        _ => PyValueError::new_err(text),
    }
}

/// The exception that Python itself would raise. A refusal by the system has its number, from which Python
/// selects `FileNotFoundError` and similar classes, and the name of the file.
fn of_file(error: &FileError, text: String) -> PyErr {
    let FileReason::Io(reason) = &error.reason else { return PyOSError::new_err(text) };
    // Python selects the exception by the C error number, which on Windows is not the system's number.
    let Some(number) = reason.raw_os_error().filter(|_| cfg!(unix)) else { return PyOSError::new_err(text) };
    let said = reason.to_string();
    let said = said.strip_suffix(&format!(" (os error {number})")).unwrap_or(&said);
    PyOSError::new_err((number, said.to_owned(), error.path.clone()))
}

/// The exception for row `index` of a batch: `ValueError` that names the row, or `RuntimeError` for a fault.
pub fn of_row(index: usize, error: Error) -> PyErr {
    let text = format!("row {index}: {error}");
    match error {
        Error::Fault | Error::Kernel(_) | Error::Table(TableError::Layout { .. }) => {
            PyRuntimeError::new_err(text)
        }
        _ => PyValueError::new_err(text),
    }
}

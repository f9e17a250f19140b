//! Every error of the library as an exception of Python.

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

/// What a check of a signature raises, whatever is wrong with it.
pub fn invalid(error: Error) -> PyErr {
    InvalidSignature::new_err(error.to_string())
}

/// The exception of an error: `ValueError` for what the caller gave, `OSError` where a file could not be read or written,
/// `RuntimeError` for a fault of the machine or its kernels.
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

/// What Python itself would raise: what the system refused has its number, of which Python makes `FileNotFoundError` and its like, and
/// the name of the file.
fn of_file(error: &FileError, text: String) -> PyErr {
    let FileReason::Io(reason) = &error.reason else { return PyOSError::new_err(text) };
    // Those of Windows are not those that Python tells its exceptions by.
    let Some(number) = reason.raw_os_error().filter(|_| cfg!(unix)) else { return PyOSError::new_err(text) };
    let said = reason.to_string();
    let said = said.strip_suffix(&format!(" (os error {number})")).unwrap_or(&said);
    PyOSError::new_err((number, said.to_owned(), error.path.clone()))
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

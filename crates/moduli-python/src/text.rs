//! Reads messages, signatures and keys from Python objects.

use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    intern,
    prelude::*,
    types::{PyBytes, PyMemoryView, PyString},
};
use zeroize::Zeroizing;

/// A copy of the bytes of an object: `bytes`, `bytearray`, or a memoryview, even one that skips bytes. Errors
/// call it `name`.
///
/// # Errors
/// `TypeError` for an object without bytes, such as a list of numbers or a string.
pub fn bytes_of(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Zeroizing<Vec<u8>>> {
    if let Ok(bytes) = object.cast_exact::<PyBytes>() {
        return Ok(Zeroizing::new(bytes.as_bytes().to_vec()));
    }
    if object.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!(
            "{name} must be bytes, not str: encode it, as by .encode()"
        )));
    }
    refuse_masked(object, name)?;
    let Ok(view) = PyMemoryView::from(object) else {
        let kind = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{name} must be bytes, not {kind}")));
    };
    Ok(Zeroizing::new(in_order(&view)?.as_bytes().to_vec()))
}

/// Refuses a masked array of NumPy with masked elements, because its buffer has the values under the mask.
///
/// # Errors
/// `TypeError`.
pub fn refuse_masked(object: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    let py = object.py();
    // Other objects with an attribute `mask` are accepted.
    let mask = object.getattr_opt(intern!(py, "mask")).ok().flatten();
    let any = mask.and_then(|mask| mask.call_method0(intern!(py, "any")).ok());
    if !any.is_some_and(|any| any.is_truthy().unwrap_or(false)) {
        return Ok(());
    }
    let has_elements = object.len().is_ok();
    Err(PyTypeError::new_err(if has_elements {
        format!("{name} is a masked array with masked elements: fill or compress it")
    } else {
        format!("{name} is masked: it has no value")
    }))
}

/// The bytes of an object that exports a buffer, row after row, whatever its layout.
///
/// # Errors
/// `TypeError` for an object that exports no buffer.
pub fn in_order<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let view = PyMemoryView::from(object)?;
    Ok(view.call_method0(intern!(object.py(), "tobytes"))?.cast_into::<PyBytes>()?)
}

/// Copies of the bytes of messages.
///
/// # Errors
/// `TypeError` that names the first object without bytes.
pub fn messages_of(messages: &[Bound<'_, PyAny>]) -> PyResult<Vec<Zeroizing<Vec<u8>>>> {
    let numbered = messages.iter().enumerate();
    numbered.map(|(index, message)| bytes_of(message, &format!("message {index}"))).collect()
}

/// The text of a PEM block, from a string or from bytes.
///
/// # Errors
/// `TypeError` for other objects; `ValueError` for bytes that are not UTF-8.
pub fn pem_of(object: &Bound<'_, PyAny>) -> PyResult<Zeroizing<String>> {
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Zeroizing::new(text.to_str()?.to_owned()));
    }
    let bytes = bytes_of(object, "key")
        .map_err(|_| PyTypeError::new_err("a key is text in PEM, or the bytes of such text"))?;
    let text = str::from_utf8(&bytes).map_err(|_| {
        PyValueError::new_err(
            "key: is not text; a key is text in PEM, and openssl pkey -inform DER makes that of DER",
        )
    })?;
    Ok(Zeroizing::new(text.to_owned()))
}

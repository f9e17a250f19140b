//! Opens table files: what is expected of them, and whether they are mapped.

use moduli::{Error, Expected, FixedBase, fixed::others_can_write};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};
use std::path::{Path, PathBuf};

use crate::{cache, integer, power::residue, work};

/// An object as a path: `str`, `bytes` or a path of `os.PathLike`.
///
/// # Errors
/// `TypeError` if it is not a path.
pub fn path(object: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    object.py().import("os")?.call_method1("fsdecode", (object,))?.extract()
}

/// The arguments of `FixedBase.open`: what the caller knows of the file, and how to open it.
pub struct Asked<'a, 'py> {
    /// The base and the modulus.
    pub base: Option<&'a Bound<'py, PyAny>>,
    pub modulus: Option<&'a Bound<'py, PyAny>>,
    /// The checksum of the file, from a trusted place.
    pub digest: Option<&'a [u8]>,
    /// Whether all entries are computed again.
    pub verify: bool,
    /// Whether exponents are secret.
    pub secret: bool,
    /// Whether the file is mapped.
    pub mmap: bool,
}

/// Opens the file.
///
/// # Errors
/// `ValueError` for a file that differs from what is expected, and for insufficient expectations; `OSError`
/// for a file that Python cannot open.
pub fn open(py: Python<'_>, path: &Path, asked: &Asked<'_, '_>) -> PyResult<FixedBase> {
    let digest = asked.digest.map(<[u8; 32]>::try_from).transpose();
    let digest = digest.map_err(|_| PyValueError::new_err("digest: is not of 32 bytes"))?;
    if asked.secret && !asked.verify && digest.is_none() {
        return Err(PyValueError::new_err(
            "secret exponents need verified entries or a digest: verify=True, digest=…, or secret=False",
        ));
    }
    let base = match (asked.base, asked.modulus) {
        (Some(base), Some(modulus)) => {
            let modulus = cache::odd(modulus)?;
            let base = residue(&modulus, &integer::read(base, "the base")?);
            Some((modulus, base))
        }
        (None, None) => None,
        _ => return Err(unnamed()),
    };
    let verify = asked.verify;
    // The digest identifies the file, but does not show that it has the base and the modulus that the caller
    // expects.
    let expected = match (digest, &base) {
        (Some(digest), _) => Expected::digest(digest),
        (None, Some((modulus, base))) if verify => Expected::base(modulus, base),
        (None, Some((modulus, base))) => Expected::base_unverified(modulus, base),
        (None, None) => return Err(unnamed()),
    };
    // This raises Python's own exception for a file that cannot be read.
    py.import("io")?.call_method1("open", (path, "rb"))?.call_method0("close")?;
    let mapped = asked.mmap && !(asked.secret && others_can_write(path));
    work::on_all_cores(py, || {
        let table = if mapped { map(path, &expected)? } else { FixedBase::open(path, &expected)? };
        if digest.is_some() {
            if let Some((modulus, base)) = &base {
                if table.modulus().value() != modulus.value() {
                    return Err(Error::parameter("modulus", "that of the table is not the expected one"));
                }
                if table.base() != base {
                    return Err(Error::parameter("base", "that of the table is not the expected one"));
                }
            }
            if verify {
                table.verify(None, &|_| {})?;
            }
        }
        Ok(table)
    })
    .map_err(|error: Error| PyValueError::new_err(error.to_string()))
}

fn unnamed() -> PyErr {
    PyTypeError::new_err("open() needs the base and the modulus, or the digest of the file")
}

#[allow(unsafe_code, reason = "the contract of a map can only be handed on to the user")]
fn map(path: &Path, expected: &Expected<'_>) -> Result<FixedBase, Error> {
    // SAFETY: a caller who requests a map guarantees, as the docstring of `open` says, that nobody changes or
    // truncates the file while the table exists. The package itself only replaces files, by renaming,
    // which does not affect a map.
    unsafe { FixedBase::open_mmap(path, expected) }
}

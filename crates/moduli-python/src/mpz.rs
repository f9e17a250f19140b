//! Reads and writes gmpy2's integers directly in memory, without conversion to Python's.
//!
//! The memory layout of an `mpz` is part of gmpy2's C interface (`MPZ_Object` in gmpy2.h) and of GMP's
//! (`__mpz_struct`). It is checked once, by the size of the type, the size of a limb and some numbers. If the
//! check fails, an `mpz` is read by `__index__` and made by its constructor.

use pyo3::{
    exceptions::PyImportError,
    ffi, intern,
    prelude::*,
    sync::PyOnceLock,
    types::{PyCapsule, PyType},
};
use std::{
    ffi::{c_int, c_void},
    mem, slice,
};

/// The fields of an `mpz`.
#[repr(C)]
struct Object {
    header: ffi::PyObject,
    allocated: c_int,
    /// The number of limbs, negative for a negative number.
    size: c_int,
    limbs: *mut u64,
    hash: ffi::Py_hash_t,
}

/// `GMPy_MPZ_New`: a new `mpz`, which is 0.
type New = unsafe extern "C" fn(context: *mut c_void) -> *mut ffi::PyObject;

/// Its index in gmpy2's C interface since version 2.1 (`GMPy_MPZ_New_NUM` in gmpy2.h).
const NEW: usize = 11;

/// gmpy2 in this process.
pub struct Gmpy2 {
    kind: Py<PyType>,
    new: Option<New>,
    one: Py<PyAny>,
    /// Whether its integers have the expected layout.
    is_direct: bool,
}

/// gmpy2, if the process has imported it.
pub fn gmpy2(py: Python<'_>) -> Option<&'static Gmpy2> {
    static FOUND: PyOnceLock<Gmpy2> = PyOnceLock::new();
    FOUND.get(py).or_else(|| {
        let modules =
            py.import(intern!(py, "sys")).and_then(|sys| sys.getattr(intern!(py, "modules"))).ok()?;
        let module = modules.call_method1(intern!(py, "get"), (intern!(py, "gmpy2"),)).ok()?;
        // While gmpy2 is being imported, no result is stored.
        let found = (!module.is_none()).then(|| Gmpy2::new(&module).ok()).flatten()?;
        Some(FOUND.get_or_init(py, || found))
    })
}

impl Gmpy2 {
    fn new(module: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = module.py();
        let kind = module.getattr("mpz")?.cast_into::<PyType>()?;
        let length: usize = kind.getattr("__basicsize__")?.extract()?;
        let limb: usize = module.call_method0("mp_limbsize")?.extract()?;
        let version: String = module.call_method0("version")?.extract()?;
        let minor = version.strip_prefix("2.").and_then(|rest| rest.split('.').next()?.parse::<u32>().ok());
        let is_direct = length == size_of::<Object>() && limb == 64 && minor.is_some_and(|minor| minor > 0);
        let one = kind.call1((1,))?.unbind();
        let new = if is_direct { interface(module).ok() } else { None };
        let mut found = Self { kind: kind.clone().unbind(), new, one, is_direct };
        for text in ["0", "1", "-7", "18446744073709551615", "-340282366920938463463374607431768211457"] {
            let number = kind.call1((text,))?;
            let copy = found.read(&number, |negative, limbs| (negative, limbs.to_vec()));
            let Some((negative, limbs)) = copy else { break };
            let again = found.write(py, negative, &limbs)?;
            found.is_direct &= match again {
                Some(again) => {
                    again.eq(&number)? && again.hash()? == number.hash()? && again.to_string() == text
                }
                None => text == "0" && limbs.is_empty(),
            };
        }
        Ok(found)
    }

    /// Whether it is an `mpz`, which is immutable.
    pub fn is_mpz(&self, object: &Bound<'_, PyAny>) -> bool {
        object.get_type_ptr().cast() == self.kind.as_ptr()
    }

    /// Whether it is an `mpz` that can be read directly.
    fn is_readable(&self, object: &Bound<'_, PyAny>) -> bool {
        self.is_direct && self.is_mpz(object)
    }

    /// Calls `f` with the sign and the limbs of an `mpz`, without leading zeros; returns None if it cannot be
    /// read directly. `f` must not run Python code.
    #[allow(unsafe_code)]
    pub fn read<R>(&self, object: &Bound<'_, PyAny>, f: impl FnOnce(bool, &[u64]) -> R) -> Option<R> {
        if !self.is_readable(object) {
            return None;
        }
        let number = object.as_ptr().cast::<Object>();
        // SAFETY: the object is alive as long as the reference to it, and of gmpy2's type, whose layout was
        // checked. It has this many initialised limbs, and nobody writes to a number that others can
        // see.
        let (size, limbs) = unsafe { ((*number).size, (*number).limbs) };
        let count = size.unsigned_abs() as usize;
        // SAFETY: as above; if there are no limbs, none are read.
        let limbs = if count == 0 { &[][..] } else { unsafe { slice::from_raw_parts(limbs, count) } };
        Some(f(size < 0, limbs))
    }

    /// The type `mpz`.
    pub fn kind<'py>(&self, py: Python<'py>) -> &Bound<'py, PyType> {
        self.kind.bind(py)
    }

    /// The `mpz` for a number; None if it cannot be written directly, or is 0.
    ///
    /// # Errors
    /// `MemoryError`.
    pub fn write<'py>(
        &self,
        py: Python<'py>,
        negative: bool,
        limbs: &[u64],
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let count = limbs.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1);
        if count == 0 || !self.is_direct {
            return Ok(None);
        }
        if let Some(new) = self.new {
            // SAFETY: this is the function of the C interface with the type that the header declares. A null
            // context means the current one, and this thread is attached. It returns a new
            // reference, or null with an exception set.
            #[allow(unsafe_code)]
            let fresh = unsafe { Bound::from_owned_ptr_or_err(py, new(std::ptr::null_mut()))? };
            if self.fill(&fresh, negative, &limbs[..count]) {
                return Ok(Some(fresh));
            }
        }
        // The object has too little room. This creates a number with enough limbs, which are then replaced.
        let fresh = self.one.bind(py).lshift(64 * count - 1)?;
        Ok(self.fill(&fresh, negative, &limbs[..count]).then_some(fresh))
    }

    /// Sets the value of a number that nobody else has seen. If it has too little room, returns false and
    /// writes nothing.
    #[allow(unsafe_code)]
    fn fill(&self, fresh: &Bound<'_, PyAny>, negative: bool, limbs: &[u64]) -> bool {
        // SAFETY: the object is alive.
        let references = unsafe { ffi::Py_REFCNT(fresh.as_ptr()) };
        if !self.is_readable(fresh) || references != 1 {
            return false;
        }
        let number = fresh.as_ptr().cast::<Object>();
        // SAFETY: the object is of gmpy2's type, whose layout was checked, and this is the only reference to
        // it, so nobody reads it meanwhile. This many limbs are allocated, and `limbs` does not
        // overlap them. Its hash is not computed yet.
        unsafe {
            if ((*number).allocated as i64) < limbs.len() as i64 || (*number).hash != -1 {
                return false;
            }
            limbs.as_ptr().copy_to_nonoverlapping((*number).limbs, limbs.len());
            let size = limbs.len() as c_int;
            (*number).size = if negative { -size } else { size };
        }
        true
    }
}

/// `GMPy_MPZ_New`.
fn interface(module: &Bound<'_, PyAny>) -> PyResult<New> {
    let capsule = module.getattr("_C_API")?.cast_into::<PyCapsule>()?;
    // SAFETY: the capsule has the name that gmpy2 gives to the table of its functions, which exists as long
    // as the process. The function at this index has this type in all supported versions.
    #[allow(unsafe_code)]
    let function = unsafe {
        let table = ffi::PyCapsule_GetPointer(capsule.as_ptr(), c"gmpy2._C_API".as_ptr());
        if table.is_null() {
            return Err(PyErr::fetch(module.py()));
        }
        *table.cast::<*mut c_void>().add(NEW)
    };
    if function.is_null() {
        return Err(PyImportError::new_err("gmpy2 has no GMPy_MPZ_New"));
    }
    // SAFETY: a pointer to a function of this type.
    #[allow(unsafe_code)]
    Ok(unsafe { mem::transmute::<*mut c_void, New>(function) })
}

//! Table files.

use moduli::{Expected, FixedBase};
use std::ffi::c_char;

use crate::{
    call::call,
    failure::given,
    fixed_base::FixedBaseHandle,
    input::{number, path as path_of},
    modulus::ModulusHandle,
    output::Slot,
    status::Status,
};

/// Writes a table to a file, for moduli_fixed_base_open.
///
/// path: ends in a zero byte; UTF-8 on systems other than Unix.
///
/// The file appears whole or not at all: it is written under another name in the same folder, and then
/// renamed. If path is a symbolic link, the file that it leads to is replaced; if it leads nowhere, the call
/// fails.
/// Fails with MODULI_STATUS_FILE, MODULI_STATUS_NULL_POINTER.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_save(
    fixed_base: Option<&FixedBaseHandle>,
    path: *const c_char,
) -> Status {
    call([], || {
        let fixed_base = given("fixed_base", fixed_base)?;
        // SAFETY: the header asks for a text that ends in a zero byte.
        Ok(fixed_base.table.save(unsafe { path_of(path) }?)?)
    })
}

/// Reads a table from a file into memory, if it is the expected one.
///
/// out: receives the handle, or NULL if the call fails. moduli_fixed_base_free frees it.
/// base: the base that the table must have. Neither it nor the modulus may come from the file: a table for a
/// modulus that an attacker chose reveals secret exponents.
/// path: ends in a zero byte; UTF-8 on systems other than Unix.
///
/// Checks the checksum and every entry, so the file need not be trusted. A file from another machine is
/// converted if necessary. Variable-time: nothing here is secret. Cost: about that of building the table.
/// Fails with MODULI_STATUS_FILE, whatever is wrong with the file; MODULI_STATUS_NULL_POINTER,
/// MODULI_STATUS_LENGTH.
/// cbindgen:postfix=MODULI_NONNULL(1, 2, 5)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_open(
    modulus: Option<&ModulusHandle>,
    out: *mut *mut FixedBaseHandle,
    base: *const u8,
    base_len: usize,
    path: *const c_char,
) -> Status {
    // SAFETY: the header asks for what `open` asks for.
    unsafe { open(modulus, out, (base, base_len), path, false) }
}

/// As moduli_fixed_base_open, but maps the file read-only, so that processes that open the same file share
/// one copy of its pages.
///
/// As long as the handle exists, nobody may change or truncate the file: a change makes results wrong and can
/// reveal secret exponents, and a truncated page ends the process with a signal. Map only files to which
/// nobody else can write. Replacing the file as moduli_fixed_base_save does, by renaming, is allowed: the
/// mapping keeps the old one.
///
/// A file written for another kernel, and any file on a big-endian machine, is read into memory instead; see
/// moduli_fixed_base_is_mapped. Fails as moduli_fixed_base_open.
/// cbindgen:postfix=MODULI_NONNULL(1, 2, 5)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_open_mapped(
    modulus: Option<&ModulusHandle>,
    out: *mut *mut FixedBaseHandle,
    base: *const u8,
    base_len: usize,
    path: *const c_char,
) -> Status {
    // SAFETY: the header asks for what `open` asks for.
    unsafe { open(modulus, out, (base, base_len), path, true) }
}

/// # Safety
/// `out` is NULL or a place that can be written, `base` is NULL or points to `base_len` bytes, `path` is NULL
/// or ends in a zero byte; a file to be mapped stays as it is.
unsafe fn open(
    modulus: Option<&ModulusHandle>,
    out: *mut *mut FixedBaseHandle,
    (base, base_len): (*const u8, usize),
    path: *const c_char,
    mapped: bool,
) -> Status {
    // SAFETY: as the caller says.
    let out = unsafe { Slot::handle(out) };
    call([&out], || {
        out.check()?;
        let modulus = &given("modulus", modulus)?.modulus;
        // SAFETY: as the caller says.
        let (base, path) = unsafe { (number("base", base, base_len)?, path_of(path)?) };
        let expected = Expected::base(modulus, base.value());
        let table = if mapped {
            // SAFETY: the caller says that nobody changes the file or cuts it short.
            unsafe { FixedBase::open_mmap(path, &expected) }?
        } else {
            FixedBase::open(path, &expected)?
        };
        out.put(FixedBaseHandle::new(table));
        Ok(())
    })
}

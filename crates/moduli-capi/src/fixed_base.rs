//! Tables of the powers of a fixed base: planned, built, asked.

use crypto_bigint::BoxedUint;
use moduli::{FixedBase, MemorySize, Planner, Secrecy};
use std::{
    ffi::{CString, c_char},
    sync::Arc,
};

use crate::{
    call::{AnySecrecy, ask, call, call_for_number, free},
    failure::{Failure, given},
    input::number,
    modulus::{ModulusHandle, bytes_of},
    output::{Buffer, Slot},
    status::Status,
};

/// Whether the exponents of a table will be secret. Decides which table is best; all calls work on every
/// table.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum SecrecyChoice {
    /// Secret: the table is best for the constant-time calls.
    Secret = 0,
    /// Public: the table is best for the calls whose names end in _vartime.
    Public = 1,
}

/// A base with a table of its powers. Immutable: threads may share it.
pub struct FixedBaseHandle {
    pub(crate) table: Arc<FixedBase>,
    method: CString,
}

impl FixedBaseHandle {
    pub(crate) fn new(table: FixedBase) -> Self {
        let method = CString::new(table.shape().to_string()).unwrap_or_default();
        Self { table: Arc::new(table), method }
    }

    /// Bytes of a result.
    pub(crate) fn size(&self) -> usize {
        bytes_of(self.table.modulus())
    }
}

/// A call with one result of a table: `work` computes it, once there is room.
///
/// # Safety
/// `out` is NULL or leads to `out_len` bytes that can be written.
pub(crate) unsafe fn power(
    fixed_base: Option<&FixedBaseHandle>,
    out: *mut u8,
    out_len: usize,
    work: impl FnOnce(&FixedBase) -> Result<BoxedUint, Failure>,
) -> Status {
    // SAFETY: as the caller says.
    unsafe {
        call_for_number((out, out_len), || {
            let fixed_base = given("fixed_base", fixed_base)?;
            Ok((fixed_base.size(), || work(&fixed_base.table)))
        })
    }
}

fn secrecy(value: AnySecrecy) -> Result<Secrecy, Failure> {
    const SECRET: AnySecrecy = SecrecyChoice::Secret as AnySecrecy;
    const PUBLIC: AnySecrecy = SecrecyChoice::Public as AnySecrecy;
    match value {
        SECRET => Ok(Secrecy::Secret),
        PUBLIC => Ok(Secrecy::Public),
        _ => Err(Failure::parameter("secrecy", "is neither MODULI_SECRECY_SECRET nor MODULI_SECRECY_PUBLIC")),
    }
}

/// Plans the table that moduli_fixed_base_build would build for a base that has an inverse, without building
/// it.
///
/// bytes: NULL, or receives the size of the table. nanoseconds: NULL, or receives the predicted time of one
/// power on one core. method, method_len: NULL and 0, or a buffer for the name of the method, such as
/// "comb:5,4", with its terminating zero; 64 bytes are enough.
/// exponent_bits: 1 to 131072; exponents are below 2^exponent_bits. budget: the most bytes that the table may
/// take.
/// secrecy: MODULI_SECRECY_SECRET or MODULI_SECRECY_PUBLIC.
///
/// Nothing here is secret. Cost: milliseconds.
/// Fails with MODULI_STATUS_BUDGET_TOO_SMALL, MODULI_STATUS_PARAMETER, MODULI_STATUS_NULL_POINTER,
/// MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_plan(
    modulus: Option<&ModulusHandle>,
    bytes: *mut u64,
    nanoseconds: *mut u64,
    method: *mut c_char,
    method_len: usize,
    exponent_bits: u32,
    budget: u64,
    secrecy: AnySecrecy,
) -> Status {
    // SAFETY: the header asks for NULL or places that can be written, so many bytes for the text.
    let (bytes, nanoseconds, text) = unsafe {
        (
            Slot::new("bytes", bytes, 0),
            Slot::new("nanoseconds", nanoseconds, 0),
            Buffer::new("method", method.cast(), method_len),
        )
    };
    call([&bytes, &nanoseconds, &text], || {
        let modulus = &given("modulus", modulus)?.modulus;
        let planner = Planner::new(modulus).exponent_bits(exponent_bits).budget(MemorySize(budget));
        let plan = planner.secrecy(self::secrecy(secrecy)?).plan()?;
        if !method.is_null() {
            let name = CString::new(plan.shape.to_string()).unwrap_or_default();
            text.write_front(name.as_bytes_with_nul())?;
        }
        bytes.write(plan.bytes.0);
        nanoseconds.write(plan.nanoseconds.max(0.0).round() as u64);
        Ok(())
    })
}

/// Builds a table of powers of a base: the fastest that fits a budget.
///
/// out: receives the handle, or NULL if the call fails. moduli_fixed_base_free frees it.
/// base: public, any length; it is reduced modulo p first, and must not be 0 then.
/// order, order_len: NULL and 0, or a number with base^order = 1, public. Exponents longer than exponent_bits
/// are reduced modulo it; without it they are rejected.
/// exponent_bits: 1 to 131072; exponents are below 2^exponent_bits. budget: the most bytes that the table may
/// take.
/// secrecy: MODULI_SECRECY_SECRET or MODULI_SECRECY_PUBLIC: what the table is best for.
///
/// Variable-time in the base. Cost: about a product (three for some methods) for each entry, on all cores.
/// Fails with MODULI_STATUS_BASE_ZERO; MODULI_STATUS_BUDGET_TOO_SMALL; MODULI_STATUS_PARAMETER for an
/// argument out of range, for a wrong order, or if there is not enough memory for the table;
/// MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_build(
    modulus: Option<&ModulusHandle>,
    out: *mut *mut FixedBaseHandle,
    base: *const u8,
    base_len: usize,
    order: *const u8,
    order_len: usize,
    exponent_bits: u32,
    budget: u64,
    secrecy: AnySecrecy,
) -> Status {
    // SAFETY: the header asks for a place that can be written.
    let out = unsafe { Slot::handle(out) };
    call([&out], || {
        out.check()?;
        let modulus = &given("modulus", modulus)?.modulus;
        // SAFETY: the header asks for so many bytes behind each pointer.
        let (base, order) = unsafe { (number("base", base, base_len)?, number("order", order, order_len)?) };
        let builder = FixedBase::builder(modulus, base.value())
            .exponent_bits(exponent_bits)
            .budget(MemorySize(budget))
            .secrecy(self::secrecy(secrecy)?);
        let builder = if order_len == 0 { builder } else { builder.order(order.value()) };
        out.put(FixedBaseHandle::new(builder.build()?));
        Ok(())
    })
}

/// Frees a table. NULL is allowed. Signers that use it stay usable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_free(fixed_base: *mut FixedBaseHandle) {
    // SAFETY: the header asks for NULL or a handle that is not used again.
    unsafe { free(fixed_base) };
}

/// Bytes of a result: those of the modulus without leading zeros; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_fixed_base_size(fixed_base: Option<&FixedBaseHandle>) -> usize {
    ask(0, || fixed_base.map_or(0, FixedBaseHandle::size))
}

/// Bytes of the table in memory; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_fixed_base_table_bytes(fixed_base: Option<&FixedBaseHandle>) -> u64 {
    ask(0, || fixed_base.map_or(0, |fixed| fixed.table.table_bytes().0))
}

/// The exponent bits of the table: exponents are below 2 to this power, unless the order is known; 0 for
/// NULL.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_fixed_base_exponent_bits(fixed_base: Option<&FixedBaseHandle>) -> u32 {
    ask(0, || fixed_base.map_or(0, |fixed| fixed.table.shape().exponent_bits()))
}

/// 1 if the table is a file mapped into memory, whose pages processes share; otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_fixed_base_is_mapped(fixed_base: Option<&FixedBaseHandle>) -> u32 {
    ask(0, || fixed_base.map_or(0, |fixed| fixed.table.is_mapped().into()))
}

/// The method of the table with its parameters, such as "comb:5,4" or "radix:64 split 2". Valid as long as
/// the table. "" for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_fixed_base_method(fixed_base: Option<&FixedBaseHandle>) -> *const c_char {
    fixed_base.map_or(c"", |fixed| fixed.method.as_c_str()).as_ptr()
}

//! Tables of the powers of a base.

use moduli::{FixedBase, MemorySize, Secrecy};

use crate::{
    memory::{begin, end, number, write},
    modulus::{AnyModulus, size},
};

/// The best table of at most `budget` bytes for exponents of so many bits, secret ones unless `public`. NULL
/// if it is refused.
///
/// # Safety
/// The bytes are there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_new(
    modulus: &AnyModulus,
    base: *const u8,
    base_len: usize,
    exponent_bits: u32,
    budget: u32,
    public: u32,
) -> *mut FixedBase {
    // SAFETY: as the caller says.
    let made = unsafe { number("base", base, base_len) }.and_then(|base| {
        let builder = FixedBase::builder(modulus.odd()?, base.value())
            .exponent_bits(exponent_bits)
            .budget(MemorySize(budget.into()))
            .secrecy(if public == 0 { Secrecy::Secret } else { Secrecy::Public });
        Ok(builder.build()?)
    });
    begin(made)
}

/// Ends a table.
///
/// # Safety
/// It is one, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_end(table: *mut FixedBase) {
    // SAFETY: as the caller says.
    unsafe { end(table) }
}

/// Bytes of the table.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_fixed_base_bytes(table: &FixedBase) -> u32 {
    table.table_bytes().0 as u32
}

/// `out`, as long as the modulus, ← base^e. Constant-time but for the length of e; with `vartime` the
/// exponent may show.
///
/// # Safety
/// The bytes are there, and room for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_pow(
    table: &FixedBase,
    out: *mut u8,
    e: *const u8,
    e_len: usize,
    vartime: u32,
) -> u32 {
    // SAFETY: as the caller says.
    unsafe {
        write(out, size(table.modulus().bits()), || {
            let e = number("exponent", e, e_len)?;
            Ok(match vartime {
                0 => table.pow(e.exponent()?)?,
                _ => table.pow_vartime(e.exponent()?)?,
            })
        })
    }
}

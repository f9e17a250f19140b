//! 64-bit limbs with `mulx`, `adcx` and `adox` (BMI2 and ADX). Look-ups use AVX2, which all such processors
//! have.
//!
//! The arithmetic and the residues are those of the portable kernel, word for word; only the passes over
//! words differ. They process a factor or a reduction in blocks of eight words (`rows.rs`).

// First, because the other modules use its macros.
#[macro_use]
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod rows;

#[macro_use]
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod chains;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod halves;
mod passes;
mod short;
mod squares;

pub use passes::Adx;

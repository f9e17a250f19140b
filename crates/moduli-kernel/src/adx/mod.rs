//! 64-bit limbs by `mulx`, `adcx` and `adox` (BMI2 and ADX), with look-ups by AVX2, which all such processors have.
//!
//! The arithmetic is that of the portable kernel and so are its residues, word for word; only the passes over words
//! differ. A factor and a reduction are worked off in blocks of eight words (`rows.rs`).

// First, for its macros.
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

//! Inversion modulo an odd number, at word level: division steps in batches of 62, or, for public values,
//! Euclid's algorithm on leading bits.
//!
//! A *division step* (Bernstein and Yang 2019) maps (f, g), with f odd, to (f, (g ± f)/2), (g, (g − f)/2) or
//! (f, g/2). The lowest 62 bits of f and g determine which of these apply, and therefore the combined effect
//! of 62 steps: a matrix of four words. The only arithmetic on long numbers is the application of this
//! matrix.

#[cfg(feature = "internals")]
#[allow(clippy::integer_division_remainder_used, reason = "in tests")]
pub mod checks;
mod constant_time;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod digits;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod inverter;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod transition;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod update;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod vartime;

pub use inverter::Inverter;
pub use vartime::invert_vartime;

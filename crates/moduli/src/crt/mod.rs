//! The Chinese remainder theorem for two factors: reduction modulo each, powers modulo both, and
//! recombination. RSA keys and [`CrtModulus`] use it.

#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod check;
mod factor;
#[cfg(all(test, feature = "std"))]
pub(crate) mod faults;
mod modulus;
#[cfg(all(test, feature = "std"))]
mod price;
mod recombination;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod reduction;
mod word;

#[cfg(feature = "rsa")]
pub(crate) use factor::{Factor, Sessions, pow_both};
pub use modulus::CrtModulus;
#[cfg(feature = "rsa")]
pub(crate) use recombination::Recombination;

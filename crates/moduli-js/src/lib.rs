//! What the npm package calls: functions over linear memory. `js/src/native.js` is their only caller, and
//! keeps what they ask for.
//!
//! Numbers are bytes, the most significant first. A function that can fail gives 0 for that, and
//! [`moduli_error`] then says why.

#[cfg(feature = "checks")]
mod checks;
#[cfg(feature = "costs")]
mod costs;
#[cfg(feature = "package")]
mod error;
#[cfg(feature = "package")]
mod fixed_base;
mod last_error;
#[cfg(feature = "package")]
mod memory;
#[cfg(feature = "package")]
mod modulus;

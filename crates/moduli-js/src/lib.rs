//! What the npm package calls: functions over linear memory. `js/src/native.js` is their only caller, and keeps what they ask for.
//!
//! Numbers are bytes, the most significant first. A function that can fail gives 0 for that, and [`moduli_error`] then says why.

#[cfg(feature = "checks")]
mod checks;
mod error;
mod fixed_base;
mod memory;
mod modulus;

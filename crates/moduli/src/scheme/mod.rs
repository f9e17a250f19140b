//! Schemes that rest on the arithmetic.

pub mod parameters;

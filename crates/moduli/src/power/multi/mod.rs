//! Multi-exponentiation: products of powers of variable bases, computed together.

mod buckets;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod cost;
mod euclid;
mod factors;
mod public;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod queue;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod secret;
#[cfg(test)]
mod tests;

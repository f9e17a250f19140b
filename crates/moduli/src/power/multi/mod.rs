//! Multi-exponentiation: products of powers of variable bases, computed together.

mod buckets;
mod cost;
mod euclid;
mod factors;
mod public;
mod queue;
mod secret;
#[cfg(test)]
mod tests;

//! Multi-exponentiation: products of powers of variable bases, computed together.

mod buckets;
mod cost;
mod euclid;
mod factors;
mod public;
mod queue;
mod running;
mod secret;
mod straus;
#[cfg(test)]
mod tests;

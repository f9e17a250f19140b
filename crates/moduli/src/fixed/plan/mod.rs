//! The planner, which chooses the fastest table within a memory budget.
//!
//! It evaluates radix-R, combs and the two residue methods on a grid of their parameters, in every
//! split that pays, by exact operation counts and the cost table of the running kernel. A look-up
//! for a secret exponent reads a whole row, and these bytes count.

#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod average;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod candidates;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod choose;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod comb;
#[cfg(test)]
mod crowded;
mod methods;
mod planner;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod predict;
mod radices;
mod search;
#[cfg(test)]
mod tests;
mod work;

pub use choose::{Front, Step};
pub use planner::{Plan, Planner};
pub use work::ExpectedCounts;

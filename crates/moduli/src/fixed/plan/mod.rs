//! The planner: which table makes the most of a memory budget.
//!
//! It looks at radix-R, combs and the two residue methods on a grid of their parameters, in every split that is worth its
//! bytes, by exact operation counts and the cost table of the kernel that runs. A look-up for a secret exponent reads its whole row; those
//! bytes count.

mod average;
mod candidates;
mod choose;
mod comb;
#[cfg(test)]
mod crowded;
mod methods;
mod planner;
mod predict;
mod radices;
mod search;
#[cfg(test)]
mod tests;
mod work;

pub use choose::{Front, Step};
pub use planner::{Plan, Planner};
pub use work::ExpectedCounts;

//! Exponentiation of a fixed base: tables, the methods that read them, and the choice among them.

mod batch;
mod build;
mod builder;
mod bytes;
mod comb;
mod digits;
mod divisor;
mod evaluate;
mod fixed_base;
mod layout;
mod plan;
mod product;
mod secrecy;
mod shape;

pub use builder::Builder;
pub use bytes::Bytes;
pub use fixed_base::FixedBase;
pub use plan::{ExpectedCounts, Plan, Planner};
pub use product::Product;
pub use secrecy::Secrecy;
pub use shape::{MAX_ENTRIES, MAX_EXPONENT_BITS, Method, Shape};

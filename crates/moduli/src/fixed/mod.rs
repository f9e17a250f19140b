//! Exponentiation of a fixed base: tables, the methods that read them, and the choice among them.

mod batch;
mod build;
mod builder;
mod bytes;
mod comb;
mod digits;
mod divisor;
mod euclid;
mod evaluate;
#[cfg(feature = "std")]
mod file;
mod fixed_base;
mod layout;
mod method;
mod plan;
mod product;
mod secrecy;
mod shape;
mod storage;
#[cfg(feature = "std")]
mod verify;

pub use builder::Builder;
pub use bytes::Bytes;
#[cfg(feature = "mmap")]
pub use file::others_can_write;
#[cfg(feature = "std")]
#[doc(hidden)]
pub use file::part;
#[cfg(feature = "std")]
pub use file::{Expected, TableInfo};
pub use fixed_base::FixedBase;
pub use method::Method;
pub use plan::{ExpectedCounts, Front, Plan, Planner, Step};
pub use product::Product;
pub use secrecy::Secrecy;
pub use shape::{MAX_ENTRIES, MAX_EXPONENT_BITS, Shape};

//! Exponentiation of a fixed base: tables, the methods that read them, and the choice of a method.

#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod batch;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod build;
mod builder;
mod comb;
mod digits;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod divisor;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod euclid;
mod evaluate;
#[cfg(feature = "std")]
mod file;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod fixed_base;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod layout;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod long;
mod memory_size;
mod method;
mod multi_exponentiation;
mod plan;
mod secrecy;
mod shape;
mod storage;
#[cfg(feature = "std")]
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod verify;

pub use builder::Builder;
#[cfg(feature = "mmap")]
pub use file::others_can_write;
#[cfg(feature = "std")]
pub use file::{Expected, TableInfo, part};
pub use fixed_base::FixedBase;
pub use memory_size::MemorySize;
pub use method::Method;
pub use multi_exponentiation::MultiExponentiation;
pub use plan::{ExpectedCounts, Front, Plan, Planner, Step};
pub use secrecy::Secrecy;
pub use shape::{MAX_ENTRIES, MAX_EXPONENT_BITS, Shape};

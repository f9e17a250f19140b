//! Exponentiation of a fixed base: tables, the methods that read them, and the choice among them.

mod batch;
mod build;
mod builder;
mod comb;
mod digits;
mod divisor;
mod euclid;
mod evaluate;
#[cfg(feature = "std")]
mod file;
mod fixed_base;
mod layout;
mod memory_size;
mod method;
mod multi_exponentiation;
mod plan;
mod secrecy;
mod shape;
mod storage;
#[cfg(feature = "std")]
mod verify;

pub use builder::Builder;
#[cfg(feature = "mmap")]
pub use file::others_can_write;
#[cfg(feature = "std")]
#[doc(hidden)]
pub use file::part;
#[cfg(feature = "std")]
pub use file::{Expected, TableInfo};
pub use fixed_base::FixedBase;
pub use memory_size::MemorySize;
pub use method::Method;
pub use multi_exponentiation::MultiExponentiation;
pub use plan::{ExpectedCounts, Front, Plan, Planner, Step};
pub use secrecy::Secrecy;
pub use shape::{MAX_ENTRIES, MAX_EXPONENT_BITS, Shape};

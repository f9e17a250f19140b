//! Table files. `docs/table-file.md` specifies the format.

mod expected;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod header;
mod info;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod load;
#[cfg(feature = "mmap")]
#[allow(unsafe_code)]
mod map;
pub mod part;
mod save;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod source;

pub use expected::Expected;
pub use info::TableInfo;
#[cfg(feature = "mmap")]
pub use map::others_can_write;

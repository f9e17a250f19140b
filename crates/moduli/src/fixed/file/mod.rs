//! Tables in files. The format is specified in `docs/table-file.md`.

mod expected;
mod header;
mod info;
mod load;
#[cfg(feature = "mmap")]
#[allow(unsafe_code)]
mod map;
#[doc(hidden)]
pub mod part;
mod save;
mod source;

pub use expected::Expected;
pub use info::TableInfo;
#[cfg(feature = "mmap")]
pub use map::others_can_write;

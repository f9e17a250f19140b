//! Kernels at work: what everyone above them holds.

mod dual;
mod lanes;
mod single;

pub use dual::DualSession;
pub use lanes::LaneSession;
pub use single::Session;

//! Sessions: the interface that code above the kernels uses.

mod dual;
mod lanes;
mod single;

pub use dual::DualSession;
pub use lanes::LaneSession;
pub use single::Session;

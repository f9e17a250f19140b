//! Kernels at work: what everyone above them holds.

mod dual;
mod lanes;
mod single;
#[cfg(all(test, feature = "rsa"))]
mod tests;

pub(crate) use dual::DualSession;
pub(crate) use lanes::LaneSession;
pub(crate) use single::Session;

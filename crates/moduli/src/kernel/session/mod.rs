//! Kernels at work: what everyone above them holds.

#[cfg(feature = "rsa")]
mod dual;
mod lanes;
mod single;
#[cfg(all(test, feature = "rsa"))]
mod tests;

#[cfg(feature = "rsa")]
pub(crate) use dual::DualSession;
pub(crate) use lanes::LaneSession;
pub(crate) use single::Session;

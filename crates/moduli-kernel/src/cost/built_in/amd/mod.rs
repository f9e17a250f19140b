//! Costs on AMD's processors.

#[rustfmt::skip]
mod adx;
#[rustfmt::skip]
mod fma50;
#[rustfmt::skip]
mod ifma52;
#[rustfmt::skip]
mod portable;

pub(super) use adx::SIZES as ADX;
pub(super) use fma50::SIZES as FMA50;
pub(super) use ifma52::SIZES as IFMA52;
pub(super) use portable::SIZES as PORTABLE;

//! Costs of each kernel at some sizes, measured on the machine that its file names. `make costs` writes the
//! files of the kernels that this machine can run, and `python3 js/run.py costs` that of the kernel `wasm`,
//! in Node.js. Run them on a quiet machine, and report it if plans change.

#[rustfmt::skip]
mod adx;
#[rustfmt::skip]
mod fma50;
#[rustfmt::skip]
mod ifma52;
#[rustfmt::skip]
mod portable;
#[rustfmt::skip]
mod wasm;

pub(crate) use adx::SIZES as ADX;
pub(crate) use fma50::SIZES as FMA50;
pub(crate) use ifma52::SIZES as IFMA52;
pub(crate) use portable::SIZES as PORTABLE;
pub(crate) use wasm::SIZES as WASM;

//! Costs of each kernel at some sizes, measured on the machine that its file names. `make costs` writes the files anew for the kernels
//! that a machine can run, and `python3 js/run.py costs` that of the kernel `wasm`, in Node.js: do so on a quiet machine, and where plans
//! change, say so.

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

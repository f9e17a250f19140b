//! Wrong code is refused: bytes of the compiled kernels are changed in memory, in this process, one at a
//! time. The process must not do anything else meanwhile, so these tests have a process of their own.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod adx;
mod entries;
mod fma50;
mod ifma52;
mod inversion;
mod lanes;
mod long;
mod moves;
mod patch;
mod prepared;
mod reduction;
mod tally;

//! Operations of the kernels are proved at some sizes; what a proof is refused for; certificates that are tampered with.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod common;
mod digits;
mod doubles;
mod entries;
mod inversion;
mod lanes;
mod pieces;
mod reduction;
mod rows;
mod several;
mod two;
mod words;

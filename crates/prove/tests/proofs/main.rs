//! Operations of the kernels are proved at some sizes; wrong statements and changed certificates are refused.
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

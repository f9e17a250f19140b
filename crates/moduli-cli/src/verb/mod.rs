//! A verb a file, or a folder where it has verbs of its own; and what several share: rates, signing, what `--force` does, the
//! group that a table is of.

mod any_modulus;
pub mod batch_inv;
pub mod demo;
pub mod dsa;
pub mod force;
pub mod groups;
pub mod hdl;
pub mod inv;
pub mod manual;
pub mod plan;
pub mod pow;
pub mod powmod;
pub mod rate;
pub mod reproduce;
pub mod rsa;
pub mod signing;
pub mod table;
pub mod target;

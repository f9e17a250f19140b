//! One file per verb, or a folder if it has subcommands; and parts that several verbs share: rates,
//! signing, the effect of `--force`, and the group of a table.

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

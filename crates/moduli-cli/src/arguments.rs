//! The complete command line. Each verb defines its own options.

use clap::{Parser, Subcommand};

use crate::verb::{
    batch_inv::BatchInv,
    demo::{Demo, Share},
    dsa::Dsa,
    groups::Groups,
    hdl::Hdl,
    inv::Inv,
    manual::{Completions, Manual},
    plan::Plan,
    pow::Pow,
    powmod::Powmod,
    reproduce::Reproduce,
    rsa::Rsa,
    table::Table,
};

/// Modular arithmetic for large moduli: powers, tables within a memory budget, inverses, DSA and RSA.
///
/// Numbers are hexadecimal, with or without 0x; `-` is standard input or output.
#[derive(Parser)]
#[command(name = "moduli", version, propagate_version = true)]
pub struct Arguments {
    /// Print one JSON document instead of text.
    #[arg(long, global = true)]
    pub json: bool,

    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs.
#[derive(Subcommand)]
pub enum Verb {
    Groups(Groups),
    Plan(Plan),
    Table(Table),
    Pow(Pow),
    Powmod(Powmod),
    Hdl(Hdl),
    Inv(Inv),
    BatchInv(BatchInv),
    Dsa(Dsa),
    Rsa(Rsa),
    Demo(Demo),
    Reproduce(Reproduce),
    Completions(Completions),
    Manual(Manual),
    #[command(hide = true, name = "share-table")]
    Share(Share),
}

//! `moduli demo`: plan, build, store, share, use and check tables.

mod ballots;
mod base;
mod documents;
mod oracle;
mod sharing;
mod work;

use std::{
    io::{self, Write},
    sync::Arc,
    time::Instant,
};

use clap::Args;
use moduli::{
    Modulus,
    groups::Group,
    scheme::dsa::{DomainParameters, PrivateKey},
};
use serde::Serialize;

use crate::{
    failure::Failure,
    io::{number, output::Output, progress, scratch::Scratch},
    threads,
    verb::rate::Rounds,
};
use base::{Base, Row};
pub use sharing::Share;
use work::Work;

/// Sign documents and encrypt ballots with tables of a given size, and check every result with another
/// library.
///
/// Takes the group of ElectionGuard 2.1 (4096 bits) and a fresh DSA key (3072 bits), both with exponents of
/// 256 bits; plans, builds, stores, maps and verifies the tables; signs; encrypts (exponential ElGamal); and
/// recomputes every result with the exponentiation of crypto-bigint.
#[derive(Args)]
pub struct Demo {
    /// The most bytes that each table may take.
    #[arg(long, value_name = "SIZE", default_value = "1MiB")]
    budget: String,

    /// How many documents to sign.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    documents: usize,

    /// How many ballots to encrypt.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    ballots: usize,

    #[command(flatten)]
    rounds: Rounds,
}

#[derive(Serialize)]
struct Report {
    tables: Vec<Row>,
    work: Vec<Work>,
    sharing: Option<sharing::Report>,
    kernel: &'static str,
    cores: usize,
    /// The least ratio among the tables.
    all_cores_against_one: f64,
    seconds: f64,
}

impl Demo {
    /// Runs the demonstration. A wrong result is an error.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        let start = Instant::now();
        let budget = number::budget_argument(&self.budget)?;
        let bar = progress::bar(Some(7), "demo");
        let step = |what| {
            bar.set_message(what);
            bar.inc(1);
        };
        let scratch = Scratch::new("demo")?;

        step("keys");
        let election = Group::named("electionguard-v2.1")?;
        let modulus = Modulus::new(election.modulus())?;
        let dsa = Group::named("dsa-3072-256")?;
        let parameters = DomainParameters::new(dsa.modulus(), dsa.order(), dsa.generator())?;
        let key = PrivateKey::generate(&parameters, &mut getrandom::SysRng)?;
        let ballot_key = ballots::Key::new(&election, &modulus)?;

        step("tables");
        let bits = election.exponent_bits();
        let make = |what, modulus: &Modulus, value, bits, file| {
            Base::new(what, modulus, value, bits, budget, &scratch.join(file))
        };
        let g = make("ElectionGuard g", &modulus, election.generator(), bits, "g")?;
        let y = make("ElectionGuard y", &modulus, ballot_key.public(), bits, "y")?;
        let signing = make("DSA 3072 g", parameters.p(), parameters.g(), dsa.exponent_bits(), "dsa")?;

        step("sharing");
        let sharing = sharing::measure(&scratch.join("g"))?;

        step("rates");
        let tables = [&g, &y, &signing]
            .into_iter()
            .map(|base| base.measure(self.rounds))
            .collect::<Result<Vec<Row>, _>>()?;

        step("documents");
        let documents = documents::run(key, Arc::clone(&signing.table), self.documents, self.rounds)?;

        step("ballots");
        let ballots = ballots::run(&election, &ballot_key, &g.table, &y.table, self.ballots, self.rounds)?;

        step("report");
        drop(bar);
        let least = tables.iter().map(|row| row.fixed.factor).fold(f64::INFINITY, f64::min);
        let report = Report {
            work: vec![documents, ballots],
            sharing,
            kernel: modulus.kernel_name(),
            cores: threads::all(),
            all_cores_against_one: least,
            seconds: start.elapsed().as_secs_f64(),
            tables,
        };
        output.print(&report, |out| report.write(out))
    }
}

impl Report {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{:<16} {:<14} {:<16} {:>9} {:>9} {:>10} {:>10} {:>6} {:>12} {:>6}",
            "what",
            "method",
            "parameters",
            "bytes",
            "build ms",
            "1 core/s",
            "all/s",
            "all/1",
            "var. base/s",
            "ratio"
        )?;
        for row in &self.tables {
            writeln!(
                out,
                "{:<16} {:<14} {:<16} {:>9} {:>9.1} {:>10.1} {:>10.1} {:>6.2} {:>12.1} {:>6.2}",
                row.what,
                row.method,
                row.parameters,
                row.table_bytes,
                1e3 * row.build_seconds,
                row.fixed.one_core,
                row.fixed.all_cores,
                row.fixed.factor,
                row.variable.one_core,
                row.ratio
            )?;
        }
        for work in &self.work {
            writeln!(
                out,
                "{:<16} {:<14} {:<16} {:>9} {:>9} {:>10.1} {:>10.1} {:>6.2} {:>12} {:>6}",
                work.what,
                "-",
                "-",
                "-",
                "-",
                work.rate.one_core,
                work.rate.all_cores,
                work.rate.factor,
                "-",
                "-"
            )?;
        }
        let entries: u64 = self.tables.iter().map(|row| row.entries).sum();
        writeln!(out, "tables: all {entries} entries recomputed after mapping the files, none wrong")?;
        for work in &self.work {
            writeln!(out, "{}: {} in {:.2} s; {}", work.what, work.count, work.seconds, work.checked)?;
        }
        match &self.sharing {
            Some(sharing) => sharing.write(out)?,
            None => writeln!(out, "two readers of one mapped table: sizes not available on this system")?,
        }
        writeln!(
            out,
            "all cores / one core: {:.2} at least ({} cores, kernel {})",
            self.all_cores_against_one, self.cores, self.kernel
        )?;
        writeln!(out, "everything in {:.1} s", self.seconds)
    }
}

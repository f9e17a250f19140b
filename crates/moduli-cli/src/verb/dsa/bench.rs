//! `moduli dsa bench`.

use std::{sync::Arc, time::Instant};

use clap::Args;
use moduli::{
    FixedBase,
    scheme::dsa::{Hash, PrivateKey, Signer, Verifier},
};
use serde::Serialize;

use super::keys;
use crate::{
    failure::Failure,
    io::{number, output::Output},
    verb::rate::{Rate, Rounds},
};

/// Measure signatures and verifications per second.
#[derive(Args)]
pub struct Bench {
    /// The group (see `moduli groups`).
    #[arg(long, value_name = "NAME", default_value = "dsa-3072-256")]
    group: String,

    /// The most bytes that the table may take.
    #[arg(long, value_name = "SIZE", default_value = "1MiB")]
    budget: String,

    #[command(flatten)]
    rounds: Rounds,
}

#[derive(Serialize)]
struct Report {
    group: String,
    method: String,
    table_bytes: u64,
    build_seconds: f64,
    signatures: Rate,
    verifications: Rate,
    verifications_without_table: Rate,
}

impl Bench {
    /// Measures and prints.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        let budget = number::budget_argument(&self.budget)?;
        let parameters = keys::named_parameters(&self.group)?;
        let key = PrivateKey::generate(&parameters, &mut getrandom::SysRng)?;
        let public = key.public_key().clone();
        let start = Instant::now();
        let table = FixedBase::builder(parameters.p(), parameters.g())
            .exponent_bits(parameters.q().bits())
            .budget(budget)
            .build()?;
        let table = Arc::new(table);
        let build_seconds = start.elapsed().as_secs_f64();
        let signer = Signer::with_table(key, Hash::Sha256, table.clone())?;
        let signatures = Rate::of_each(self.rounds, |number| Ok(signer.sign(&message(number)).map(drop)?))?;
        // One signature suffices, because verification keeps no state.
        let signature = signer.sign(&message(0))?;
        let verify = |verifier: Verifier| {
            Rate::of_each(self.rounds, |_| Ok(verifier.verify(&message(0), &signature)?))
        };
        let verifications = verify(Verifier::with_table(public.clone(), Hash::Sha256, table.clone())?)?;
        let without_table = verify(Verifier::new(public, Hash::Sha256))?;
        let report = Report {
            group: self.group.clone(),
            method: table.shape().to_string(),
            table_bytes: table.table_bytes().0,
            build_seconds,
            signatures,
            verifications,
            verifications_without_table: without_table,
        };
        output.print(&report, |out| {
            writeln!(out, "{:<28} {:>12} {:>12}", "a second", "one core", "all cores")?;
            for (what, speed) in [
                ("signatures", &report.signatures),
                ("verifications", &report.verifications),
                ("verifications, no table", &report.verifications_without_table),
            ] {
                writeln!(out, "{what:<28} {:>12.1} {:>12.1}", speed.one_core, speed.all_cores)?;
            }
            writeln!(
                out,
                "{}: {}, {} built in {:.3} s",
                report.group,
                report.method,
                table.table_bytes(),
                report.build_seconds
            )
        })
    }
}

fn message(number: usize) -> Vec<u8> {
    format!("message {number}").into_bytes()
}

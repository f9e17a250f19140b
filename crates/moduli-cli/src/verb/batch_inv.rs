//! `moduli batch-inv`: many inversions.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;
use serde::Serialize;

use crate::{
    failure::{self, Failure},
    io::{
        atomic_file::{Access, AtomicFile},
        format::{self, Format},
        input,
        number::{self, Signed},
        output::Output,
        sink::Sink,
        stream::Stream,
    },
    threads,
    verb::{any_modulus::AnyModulus, force::Force},
};

/// Invert many values modulo one number: an odd one, at three products each, or an even one, at an inversion
/// each.
///
/// Reads one value per line (a leading minus negates; --base-10 and --raw-width read other forms) and writes
/// one result per line, in the same order. If a value has no inverse, standard error names its line or row,
/// its result is `none` (in JSON null, in rows of bytes zeros), and the exit status is 1. The time may reveal
/// how many digits a line has, and reveals which values have no inverse, but not the digits.
#[derive(Args)]
pub struct BatchInv {
    /// The modulus: greater than one.
    #[arg(long, value_name = "HEX")]
    modulus: String,

    /// The file with the values; `-` is standard input.
    #[arg(long, value_name = "FILE", default_value = "-")]
    input: PathBuf,

    /// The file for the results; `-` is standard output. The file appears when it is complete.
    #[arg(long, value_name = "FILE", default_value = "-")]
    output: PathBuf,

    #[command(flatten)]
    format: format::Options,

    #[command(flatten)]
    force: Force,

    /// The number of threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// The report on results that were written to a file.
#[derive(Serialize)]
struct Summary {
    count: usize,
    not_invertible: usize,
    output: String,
}

/// The number of values.
struct Totals {
    values: usize,
    not_invertible: usize,
}

impl BatchInv {
    /// Computes block by block.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        self.format.check(output.is_json())?;
        let modulus = AnyModulus::read(&self.modulus)?;
        let format = self.format.format(modulus.bits());
        let totals = threads::with(self.threads.map(usize::from), || {
            if input::is_standard(&self.output) {
                let mut sink = Sink::new(io::stdout(), output.is_json(), format);
                return self.stream(&modulus, format, &mut sink, |error| Failure::output(&error));
            }
            self.force.check(&self.output)?;
            let mut file = AtomicFile::create(&self.output, Access::Usual)?;
            let failed = |error| Failure::file(&self.output, &error);
            let totals = self.stream(&modulus, format, &mut Sink::new(&mut file, false, format), failed)?;
            file.finish(self.force.existing())?;
            if output.is_json() {
                let path = self.output.display().to_string();
                let summary =
                    Summary { count: totals.values, not_invertible: totals.not_invertible, output: path };
                output.print(&summary, |_| Ok(()))?;
            }
            Ok(totals)
        })?;
        if totals.not_invertible > 0 { Err(Failure::Answered) } else { Ok(()) }
    }

    fn stream<W: Write>(
        &self,
        modulus: &AnyModulus,
        format: Format,
        sink: &mut Sink<W>,
        failed: impl Fn(io::Error) -> Failure,
    ) -> Result<Totals, Failure> {
        let stream = Stream { input: &self.input, output: &self.output, verb: "batch-inv", format };
        let mut not_invertible = 0;
        let values = stream.run(sink, failed, |block, before| {
            let magnitudes: Vec<_> = block.iter().map(Signed::magnitude).collect();
            let inverses = modulus.invert_batch(&magnitudes).into_iter().enumerate();
            let results = inverses.map(|(index, inverse)| match inverse {
                Ok(inverse) => Ok(Some(number::signed_inverse(modulus.value(), &inverse, &block[index]))),
                Err(error) => {
                    not_invertible += 1;
                    failure::say(format.at(before + index + 1, error));
                    Ok(None)
                }
            });
            results.collect()
        })?;
        Ok(Totals { values, not_invertible })
    }
}

//! From a stream of numbers, one a line, to a stream of results.

use std::{
    io::{self, Write},
    path::Path,
};

use crypto_bigint::BoxedUint;

use crate::{
    failure::Failure,
    io::{format::Format, input, lines::Lines, number::Signed, progress, sink::Sink},
};

/// Where the numbers come from and the results go.
pub struct Stream<'a> {
    /// A file, or `-` for standard input.
    pub input: &'a Path,
    /// Where the sink writes, in whose way the progress bar must not be.
    pub output: &'a Path,
    /// What the progress bar says.
    pub verb: &'static str,
    /// How the numbers are written.
    pub format: Format,
}

impl Stream<'_> {
    /// Computes block by block and returns how many numbers there were. `compute` takes a block and the count of lines
    /// before it; it gives a result for each number, or `None` where there is none. The first failure ends the stream, after the
    /// results before it were written. `failed` names what the sink writes to.
    pub fn run<W: Write>(
        &self,
        sink: &mut Sink<W>,
        failed: impl Fn(io::Error) -> Failure,
        mut compute: impl FnMut(&[Signed], usize) -> Vec<Result<Option<BoxedUint>, Failure>>,
    ) -> Result<usize, Failure> {
        let (source, length) = input::open(self.input)?;
        let name = self.input.display().to_string();
        let mut lines = Lines::new(&name, source, self.format);
        let bar = progress::bar_beside(self.output, length, self.verb);
        loop {
            let before = lines.lines();
            let block = lines.block()?;
            if block.is_empty() {
                break;
            }
            let mut ended = None;
            for result in compute(&block, before) {
                match result {
                    Ok(Some(value)) => sink.result(&value),
                    Ok(None) => sink.nothing(),
                    Err(failure) => {
                        ended = Some(failure);
                        break;
                    }
                }
                .map_err(&failed)?;
            }
            sink.flush().map_err(&failed)?;
            if let Some(failure) = ended {
                return Err(failure);
            }
            bar.set_position(length.map_or(lines.lines() as u64, |_| lines.bytes()));
        }
        sink.finish(lines.lines()).map_err(&failed)?;
        Ok(lines.lines())
    }
}

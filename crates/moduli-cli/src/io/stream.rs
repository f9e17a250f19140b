//! Computes a stream of results from a stream of numbers.

use std::{
    io::{self, Write},
    path::Path,
};

use crypto_bigint::BoxedUint;

use crate::{
    failure::Failure,
    io::{format::Format, input, lines::Lines, number::Signed, progress, sink::Sink},
};

/// The source of the numbers, and the destination of the results.
pub struct Stream<'a> {
    /// A file, or `-` for standard input.
    pub input: &'a Path,
    /// The path to which the sink writes. The progress bar must not disturb it.
    pub output: &'a Path,
    /// The text of the progress bar.
    pub verb: &'static str,
    /// The format of the numbers.
    pub format: Format,
}

impl Stream<'_> {
    /// Computes block by block and returns how many numbers there were. `compute` takes a block and
    /// the number of lines before it. It returns a result for each number, or `None` if there is
    /// none. The first failure ends the stream, after the results before it have been written and the output
    /// has been ended.
    /// `failed` adds the name of the sink's destination to an error.
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
        let mut count = 0;
        let ended = 'stream: loop {
            let before = lines.lines();
            let block = match lines.block() {
                Ok(block) if block.is_empty() => break Ok(()),
                Ok(block) => block,
                Err(failure) => break Err(failure),
            };
            for result in compute(&block, before) {
                match result {
                    Ok(Some(value)) => sink.result(&value),
                    Ok(None) => sink.nothing(),
                    Err(failure) => break 'stream Err(failure),
                }
                .map_err(&failed)?;
                count += 1;
            }
            sink.flush().map_err(&failed)?;
            bar.set_position(length.map_or(lines.lines() as u64, |_| lines.bytes()));
        };
        sink.finish(count).map_err(&failed)?;
        ended.map(|()| count)
    }
}

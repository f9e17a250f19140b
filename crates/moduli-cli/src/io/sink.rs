//! Results of many computations, written while they come.

use std::io::{self, Write};

/// Results one a line, or as the array of a JSON document that is written while they come.
pub struct Sink<W: Write> {
    out: io::BufWriter<W>,
    json: bool,
    begun: bool,
}

impl<W: Write> Sink<W> {
    /// Writes to `out`.
    pub fn new(out: W, json: bool) -> Self {
        Self { out: io::BufWriter::new(out), json, begun: false }
    }

    /// A result, which is a number.
    pub fn result(&mut self, hex: &str) -> io::Result<()> {
        if self.json {
            self.separate()?;
            return write!(self.out, "\"{hex}\"");
        }
        writeln!(self.out, "{hex}")
    }

    /// The place of a result that does not exist.
    pub fn nothing(&mut self) -> io::Result<()> {
        if self.json {
            self.separate()?;
            return write!(self.out, "null");
        }
        writeln!(self.out, "none")
    }

    fn separate(&mut self) -> io::Result<()> {
        let before = if self.begun { ",\n    " } else { "{\n  \"results\": [\n    " };
        self.begun = true;
        write!(self.out, "{before}")
    }

    /// Hands on what was written so far.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Ends the results, of which there were `count`.
    pub fn finish(&mut self, count: usize) -> io::Result<()> {
        if self.json {
            let before = if self.begun { "\n  ]" } else { "{\n  \"results\": []" };
            writeln!(self.out, "{before},\n  \"count\": {count}\n}}")?;
        }
        self.flush()
    }
}

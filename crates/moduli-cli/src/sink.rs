//! Results of a stream.

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

    /// The next result.
    pub fn result(&mut self, hex: &str) -> io::Result<()> {
        if self.json {
            let before = if self.begun { ",\n    " } else { "{\n  \"results\": [\n    " };
            self.begun = true;
            return write!(self.out, "{before}\"{hex}\"");
        }
        writeln!(self.out, "{hex}")
    }

    /// Lets the reader have what there is.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// The end, after `count` results.
    pub fn finish(&mut self, count: usize) -> io::Result<()> {
        if self.json {
            let before = if self.begun { "\n  ]" } else { "{\n  \"results\": []" };
            writeln!(self.out, "{before},\n  \"count\": {count}\n}}")?;
        }
        self.flush()
    }
}

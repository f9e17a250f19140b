//! Writes the results of many computations as they become available.

use std::io::{self, Write};

use crypto_bigint::BoxedUint;

use crate::io::format::Format;

/// Writes results one per line, or as the array of a JSON document, as they become available.
pub struct Sink<W: Write> {
    out: io::BufWriter<W>,
    json: bool,
    begun: bool,
    format: Format,
}

impl<W: Write> Sink<W> {
    /// Writes to `out`.
    pub fn new(out: W, json: bool, format: Format) -> Self {
        Self { out: io::BufWriter::new(out), json, begun: false, format }
    }

    /// Writes a result.
    pub fn result(&mut self, value: &BoxedUint) -> io::Result<()> {
        let written = self.format.written(value);
        if self.json {
            self.separate()?;
            return self.out.write_all(&[b"\"", &written[..], b"\""].concat());
        }
        self.out.write_all(&written)?;
        if self.format.is_raw() { Ok(()) } else { self.out.write_all(b"\n") }
    }

    /// Writes the placeholder of a missing result. In rows of bytes this is a row of zeros.
    pub fn nothing(&mut self) -> io::Result<()> {
        if self.json {
            self.separate()?;
            return write!(self.out, "null");
        }
        if self.format.is_raw() {
            return self.result(&BoxedUint::zero());
        }
        writeln!(self.out, "none")
    }

    fn separate(&mut self) -> io::Result<()> {
        let before = if self.begun { ",\n    " } else { "{\n  \"results\": [\n    " };
        self.begun = true;
        write!(self.out, "{before}")
    }

    /// Flushes the output.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Ends the output after `count` results.
    pub fn finish(&mut self, count: usize) -> io::Result<()> {
        if self.json {
            let before = if self.begun { "\n  ]" } else { "{\n  \"results\": []" };
            writeln!(self.out, "{before},\n  \"count\": {count}\n}}")?;
        }
        self.flush()
    }
}

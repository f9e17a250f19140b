//! Standard output: text for people, or one JSON document for programs.

use std::io::{self, Write};

use serde::Serialize;

use crate::failure::Failure;

/// Standard output in the requested form.
pub struct Output {
    json: bool,
}

impl Output {
    /// Selects JSON or text.
    pub fn new(json: bool) -> Self {
        Self { json }
    }

    /// Whether a JSON document was requested.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Prints `document` as JSON, or the text that `text` writes.
    pub fn print(
        &self,
        document: &impl Serialize,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        let written = if self.json {
            serde_json::to_writer_pretty(&mut out, document)
                .map_err(io::Error::from)
                .and_then(|()| writeln!(out))
        } else {
            text(&mut out)
        };
        written.and_then(|()| out.flush()).map_err(|error| Failure::output(&error))
    }
}

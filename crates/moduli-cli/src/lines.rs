//! Numbers, one a line, read a block at a time.

use std::io::{BufRead, BufReader, Read};

use moduli::Error;
use zeroize::Zeroizing;

use crate::{
    failure::Failure,
    number::{self, MAX_CHARACTERS, Signed},
};

/// Bytes read at once, and so the most that a block holds but for its last line.
const BUFFER: usize = 1 << 20;

/// The numbers of a stream.
pub struct Lines<'a> {
    name: &'a str,
    reader: BufReader<Box<dyn Read>>,
    line: usize,
    bytes: u64,
}

impl<'a> Lines<'a> {
    /// Reads `source`, called `name` in errors.
    pub fn new(name: &'a str, source: Box<dyn Read>) -> Self {
        Self { name, reader: BufReader::with_capacity(BUFFER, source), line: 0, bytes: 0 }
    }

    /// Lines read so far.
    pub fn lines(&self) -> usize {
        self.line
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next numbers, none at the end: as many as are there without waiting for more, and one at least. Whoever
    /// writes one line and waits for its answer gets it.
    pub fn block(&mut self) -> Result<Vec<Signed>, Failure> {
        let mut block = Vec::new();
        loop {
            match self.number()? {
                Some(number) => block.push(number),
                None => return Ok(block),
            }
            if !self.reader.buffer().contains(&b'\n') {
                return Ok(block);
            }
        }
    }

    fn number(&mut self) -> Result<Option<Signed>, Failure> {
        let mut bytes = Zeroizing::new(Vec::new());
        // Sign, prefix and the end of the line come on top of the digits.
        let limit = MAX_CHARACTERS as u64 + 6;
        self.reader
            .by_ref()
            .take(limit)
            .read_until(b'\n', &mut bytes)
            .map_err(|error| Failure::file(self.name, &error))?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        self.bytes += bytes.len() as u64;
        let text = std::str::from_utf8(&bytes).map_err(|_| self.malformed("not text".to_owned()))?;
        match number::parse_signed(text.trim()) {
            Ok(number) => Ok(Some(number)),
            Err(reason) => Err(self.malformed(reason)),
        }
    }

    fn malformed(&self, reason: String) -> Failure {
        Error::Hex { line: Some(self.line), reason }.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &'static str) -> Result<Vec<String>, Failure> {
        let mut lines = Lines::new("text", Box::new(text.as_bytes()));
        let mut all = Vec::new();
        loop {
            let block = lines.block()?;
            if block.is_empty() {
                return Ok(all);
            }
            all.extend(block.iter().map(|number| {
                format!("{}{}", if number.is_negative() { "-" } else { "" }, number::hex(number.magnitude()))
            }));
        }
    }

    #[test]
    fn lines_end_in_every_way() {
        assert_eq!(read_all("1\n-0x2\r\n 3 \n4").unwrap(), ["1", "-2", "3", "4"]);
        assert_eq!(read_all("").unwrap(), Vec::<String>::new());
    }

    #[test]
    fn a_malformed_line_is_named() {
        for (text, line) in [("1\n2\nx\n4\n", 3), ("\n", 1), ("1\n\n2", 2), ("1\n2\n-\n", 3)] {
            match read_all(text) {
                Err(Failure::Error(Error::Hex { line: Some(found), .. })) => {
                    assert_eq!(found, line, "{text:?}")
                }
                other => panic!("{text:?}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut lines = Lines::new("zeros", Box::new(std::io::repeat(b'0')));
        assert!(matches!(lines.block(), Err(Failure::Error(Error::Hex { line: Some(1), .. }))));
    }
}

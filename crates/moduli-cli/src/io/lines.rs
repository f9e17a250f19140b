//! Numbers, one per line or in rows of bytes, read in blocks.

use std::io::{ErrorKind, Read};

use zeroize::{Zeroize, Zeroizing};

use crate::{
    failure::Failure,
    io::{
        format::Format,
        number::{self, MAX_CHARACTERS, Signed},
    },
};

/// The most bytes per read, and so the most in a block without its last line.
const BLOCK: usize = 1 << 20;

/// The longest line: the digits, a sign, a prefix and the end of the line.
const LINE: usize = MAX_CHARACTERS + 6;

/// The numbers of a stream.
pub struct Lines<'a> {
    name: &'a str,
    source: Box<dyn Read>,
    buffer: Buffer,
    line: usize,
    /// Empty lines after line `line`. At the end of a stream they are ignored; before a number, the
    /// first is an error.
    empty: usize,
    /// The failure that ends the stream, to be returned after the numbers before it.
    failure: Option<Failure>,
    bytes: u64,
    format: Format,
}

/// Bytes that were read but not used yet. They may be secret, so they exist only here: they never
/// move to another allocation, and are wiped when they are used and when the buffer is dropped.
struct Buffer {
    bytes: Zeroizing<Box<[u8]>>,
    start: usize,
    end: usize,
}

impl Buffer {
    fn new() -> Self {
        Self { bytes: Zeroizing::new(vec![0; BLOCK + LINE].into_boxed_slice()), start: 0, end: 0 }
    }

    fn unused(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// The length of the first line with its end, if the buffer contains the end.
    fn line_end(&self, from: usize) -> Option<usize> {
        self.unused()[from..].iter().position(|&byte| byte == b'\n').map(|at| from + at + 1)
    }

    /// Wipes the first `count` bytes.
    fn use_up(&mut self, count: usize) {
        self.bytes[self.start..self.start + count].zeroize();
        self.start += count;
    }

    /// Reads once and returns the number of bytes, which is 0 at the end. There is space if less
    /// than a line is unused.
    fn fill(&mut self, source: &mut dyn Read) -> std::io::Result<usize> {
        let unused = self.end - self.start;
        self.bytes.copy_within(self.start..self.end, 0);
        self.bytes[unused.max(self.start)..self.end].zeroize();
        (self.start, self.end) = (0, unused);
        let room = &mut self.bytes[unused..][..BLOCK];
        loop {
            match source.read(room) {
                Ok(count) => {
                    self.end += count;
                    return Ok(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl<'a> Lines<'a> {
    /// Reads `source`, which errors call `name`.
    pub fn new(name: &'a str, source: Box<dyn Read>, format: Format) -> Self {
        Self { name, source, buffer: Buffer::new(), line: 0, empty: 0, failure: None, bytes: 0, format }
    }

    /// Lines read so far, without empty ones at the end.
    pub fn lines(&self) -> usize {
        self.line
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the next numbers, or none at the end of the stream. Returns at least one number, and
    /// as many as are available without waiting: so a caller can write one line and wait for the
    /// answer. An error in a line is returned after the numbers before it.
    pub fn block(&mut self) -> Result<Vec<Signed>, Failure> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let mut block = Vec::new();
        loop {
            match self.number() {
                Ok(Some(number)) => block.push(number),
                Ok(None) => return Ok(block),
                Err(failure) if block.is_empty() => return Err(failure),
                Err(failure) => {
                    self.failure = Some(failure);
                    return Ok(block);
                }
            }
            if !self.is_next_there() {
                return Ok(block);
            }
        }
    }

    fn is_next_there(&self) -> bool {
        match self.format {
            Format::Raw { read, .. } => self.buffer.unused().len() >= read,
            _ => self.buffer.line_end(0).is_some(),
        }
    }

    fn number(&mut self) -> Result<Option<Signed>, Failure> {
        let length = loop {
            let length = self.line_length()?;
            if length == 0 {
                return Ok(None);
            }
            self.bytes += length as u64;
            let text = std::str::from_utf8(&self.buffer.unused()[..length]);
            if self.format.is_raw() || !text.is_ok_and(|text| text.trim().is_empty()) {
                break length;
            }
            self.buffer.use_up(length);
            self.empty += 1;
        };
        self.line += 1;
        if self.empty > 0 {
            return Err(self.malformed(format!("empty; a {} number is expected", self.format.name())));
        }
        let bytes = &self.buffer.unused()[..length];
        let number = match (self.format, std::str::from_utf8(bytes)) {
            (Format::Raw { read, .. }, _) if length < read => {
                Err(format!("the last number is incomplete: {length} of {read} bytes"))
            }
            (Format::Raw { .. }, _) => Ok(Signed::of_bytes(bytes)),
            (Format::Hexadecimal, Ok(text)) => number::parse_signed(text.trim()),
            (Format::Decimal, Ok(text)) => number::parse_signed_decimal(text.trim()),
            (_, Err(_)) => Err("not text".to_owned()),
        };
        let number = number.map_err(|reason| self.malformed(reason));
        self.buffer.use_up(length);
        number.map(Some)
    }

    /// Loads the next line into the buffer and returns its length, at most the maximum for a line,
    /// and 0 at the end.
    fn line_length(&mut self) -> Result<usize, Failure> {
        if let Format::Raw { read, .. } = self.format {
            return self.row_length(read);
        }
        let mut searched = 0;
        loop {
            if let Some(end) = self.buffer.line_end(searched) {
                return Ok(end.min(LINE));
            }
            searched = self.buffer.unused().len();
            if searched >= LINE {
                return Ok(LINE);
            }
            let count = self.buffer.fill(&mut *self.source);
            if count.map_err(|error| Failure::file(self.name, &error))? == 0 {
                return Ok(searched);
            }
        }
    }

    /// The length of a row, or less at the end.
    fn row_length(&mut self, width: usize) -> Result<usize, Failure> {
        while self.buffer.unused().len() < width {
            let count = self.buffer.fill(&mut *self.source);
            if count.map_err(|error| Failure::file(self.name, &error))? == 0 {
                break;
            }
        }
        Ok(self.buffer.unused().len().min(width))
    }

    fn malformed(&self, reason: String) -> Failure {
        self.format.at(self.line, Failure::Wrong(reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> Result<Vec<String>, Failure> {
        let bytes = std::io::Cursor::new(text.as_bytes().to_vec());
        let mut lines = Lines::new("text", Box::new(bytes), Format::Hexadecimal);
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
        for text in ["", "\n", " \r\n\n"] {
            assert_eq!(read_all(text).unwrap(), Vec::<String>::new(), "{text:?}");
        }
        for end in ["\n\n", "\n\n\n", "\n \n", "\n\r\n", "\n\t", "\n\u{b}\u{a0}\n"] {
            assert_eq!(read_all(&format!("1\n2{end}")).unwrap(), ["1", "2"], "{end:?}");
        }
    }

    #[test]
    fn a_malformed_line_is_named() {
        for (text, line) in
            [("1\n2\nx\n4\n", 3), ("\n1", 1), ("1\n\n2", 2), ("1\n\n \n2", 2), ("1\n2\n-\n", 3)]
        {
            match read_all(text) {
                Err(Failure::AtLine(found, _)) => assert_eq!(found, line, "{text:?}"),
                other => panic!("{text:?}: {other:?}"),
            }
        }
    }

    #[test]
    fn numbers_before_a_bad_line_come_first() {
        for text in ["1\n2\nx\n4\n", "1\n2\n\n4\n"] {
            let mut lines = Lines::new("text", Box::new(text.as_bytes()), Format::Hexadecimal);
            assert_eq!(lines.block().unwrap().len(), 2);
            assert!(matches!(lines.block(), Err(Failure::AtLine(3, _))), "{text:?}");
        }
    }

    #[test]
    fn rows_of_bytes_come_however_they_are_cut() {
        let format = Format::Raw { read: 2, written: 2 };
        let text: &'static [u8] = &[0, 1, 255, 0, 10, 10, 7];
        let mut lines = Lines::new("rows", Box::new(Slow(text)), format);
        let mut all = Vec::new();
        let error = loop {
            match lines.block() {
                Ok(block) => all.extend(block.iter().map(|number| number::hex(number.magnitude()))),
                Err(error) => break error,
            }
        };
        assert_eq!(all, ["1", "ff00", "a0a"]);
        assert!(matches!(error, Failure::AtRow(4, _)));
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut lines = Lines::new("zeros", Box::new(std::io::repeat(b'0')), Format::Hexadecimal);
        assert!(matches!(lines.block(), Err(Failure::AtLine(1, _))));
    }

    /// A source that returns three bytes at a time.
    struct Slow(&'static [u8]);

    impl Read for Slow {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.len().min(3).min(out.len());
            let (now, later) = self.0.split_at(count);
            out[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    /// A buffer that grows would leave a copy of its bytes behind.
    #[test]
    fn numbers_stay_in_one_place_and_are_wiped_there() {
        let text: &'static str =
            Box::leak((" 5".repeat(30_000) + "\n7\n8").replace(' ', "").into_boxed_str());
        let mut lines = Lines::new("slow", Box::new(Slow(text.as_bytes())), Format::Hexadecimal);
        let place = lines.buffer.bytes.as_ptr();
        let mut count = 0;
        loop {
            let block = lines.block().unwrap();
            assert_eq!(lines.buffer.bytes.as_ptr(), place);
            let Buffer { bytes, start, end } = &lines.buffer;
            assert!(bytes[..*start].iter().chain(&bytes[*end..]).all(|&byte| byte == 0));
            if block.is_empty() {
                break;
            }
            count += block.len();
        }
        assert_eq!((count, lines.lines(), lines.bytes()), (3, 3, text.len() as u64));
        assert!(lines.buffer.bytes.iter().all(|&byte| byte == 0));
    }
}

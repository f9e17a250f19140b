//! Compares the command's parsers of text with reference parsers of one line.

use std::io::{self, Read};

use moduli::{KernelChoice, MemorySize, Method, fixed::Shape, groups::Group, scheme::dsa::Hash};
use num_bigint::BigUint;

use crate::{
    failure::Failure,
    input::{Input, big},
    io::{format::Format, lines::Lines, number},
};

/// The first byte says what the rest is. Lines are rare, because wiping their buffer takes as long as a
/// hundred numbers.
pub fn command(data: &[u8]) {
    let mut input = Input::new(data);
    let kind = input.byte() % 16;
    if kind == 0 {
        let step = 1 + usize::from(input.byte());
        return stream(input.rest(), step);
    }
    let text = String::from_utf8_lossy(input.rest());
    match kind % 3 {
        1 => one_number(&text),
        2 => names(&text),
        _ => method(&text),
    }
}

fn one_number(text: &str) {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let parsed = number::parse(text);
    assert_eq!(parsed.is_ok(), all_digits && digits.len() <= number::MAX_CHARACTERS, "{text:?}");
    if let Ok(value) = parsed {
        let expected = BigUint::parse_bytes(digits.as_bytes(), 16).expect("all are digits");
        assert_eq!(big(&value), expected);
        assert_eq!(number::hex(&value), format!("{expected:x}"));
    }
    let _ = number::signed_argument("--option", text);
    if let Ok(digest) = number::digest_argument("--digest", text) {
        assert_eq!(number::hex_of_bytes(&digest), text.to_lowercase());
    }
}

fn names(text: &str) {
    if let Ok(MemorySize(bytes)) = text.parse::<MemorySize>() {
        assert_eq!(bytes.to_string().parse(), Ok(MemorySize(bytes)));
    }
    if let Ok(hash) = Hash::named(text) {
        assert!(hash.name().eq_ignore_ascii_case(text) || Hash::named(hash.name()) == Ok(hash));
    }
    if let Ok(kernel) = KernelChoice::named(text) {
        assert_eq!(kernel.name(), text);
    }
    if let Ok(group) = Group::named(text) {
        assert_eq!(group.name(), text);
    }
}

fn method(text: &str) {
    let Ok(method) = text.parse::<Method>() else { return };
    assert_eq!(method.to_string().parse(), Ok(method));
    for bits in [1, 64, 131_072] {
        if let Ok(shape) = Shape::new(method, 1, bits) {
            assert!(shape.digits() > 0 && shape.entries() > 0);
        }
    }
}

/// A source that returns a few bytes at a time.
struct Slow(Vec<u8>, usize, usize);

impl Read for Slow {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Self(bytes, used, step) = self;
        let count = (*step).min(out.len()).min(bytes.len() - *used);
        out[..count].copy_from_slice(&bytes[*used..][..count]);
        *used += count;
        Ok(count)
    }
}

/// Lines are those between line feeds, without empty ones at the end.
fn stream(bytes: &[u8], step: usize) {
    let mut expected = bytes.split(|&byte| byte == b'\n').collect::<Vec<_>>();
    let is_empty = |line: &[u8]| core::str::from_utf8(line).is_ok_and(|text| text.trim().is_empty());
    while expected.pop_if(|last| is_empty(last)).is_some() {}
    let mut expected = expected
        .iter()
        .map(|line| number::parse_signed(core::str::from_utf8(line).map_err(|_| ())?.trim()).map_err(|_| ()));
    let mut lines = Lines::new("stream", Box::new(Slow(bytes.to_vec(), 0, step)), Format::Hexadecimal);
    let mut count = 0;
    loop {
        match lines.block() {
            Ok(block) if block.is_empty() => {
                assert!(expected.next().is_none(), "a line was left out");
                assert_eq!((lines.lines(), lines.bytes()), (count, bytes.len() as u64));
                return;
            }
            Ok(block) => {
                for number in block {
                    let expected = expected.next().expect("there are as many lines").expect("it is a number");
                    assert_eq!(number.is_negative(), expected.is_negative());
                    assert_eq!(number.magnitude(), expected.magnitude());
                    count += 1;
                }
            }
            Err(Failure::AtLine(line, _)) => {
                // All numbers before it were returned.
                assert!(expected.next().is_some_and(|line| line.is_err()), "line {line} is well-formed");
                assert_eq!(line, count + 1);
                return;
            }
            Err(failure) => panic!("{failure}"),
        }
    }
}

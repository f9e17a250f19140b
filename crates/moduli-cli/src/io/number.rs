//! Hexadecimal numbers as text.

use std::io::{self, Read};

use crypto_bigint::BoxedUint;
use moduli::{Error, MemorySize, SignedExponent, error::ParameterError};
use zeroize::Zeroizing;

use crate::{failure::Failure, io::input};

/// The most characters of a number on one line of input: far more than any supported number has.
pub const MAX_CHARACTERS: usize = 1 << 18;

/// Enough space for such a line, and for the standard library to find its end.
const ROOM: usize = MAX_CHARACTERS + 64;

/// A number with an optional sign. Only a number with a leading `-` counts as signed, because an
/// exponentiation may reveal whether an exponent is signed.
pub struct Signed {
    negative: bool,
    magnitude: BoxedUint,
}

impl Signed {
    /// An unsigned number from its bytes, the most significant first.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self { negative: false, magnitude: BoxedUint::from_be_slice_truncated(bytes, 8 * bytes.len() as u32) }
    }

    /// The number as an exponent.
    pub fn exponent(&self) -> SignedExponent<'_> {
        if self.negative {
            SignedExponent::new(true, &self.magnitude)
        } else {
            SignedExponent::from(&self.magnitude)
        }
    }

    /// Whether it has a leading minus.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// The number without its sign.
    pub fn magnitude(&self) -> &BoxedUint {
        &self.magnitude
    }
}

/// The inverse of a signed number, from the inverse of its magnitude.
pub fn signed_inverse(modulus: &BoxedUint, inverse: &BoxedUint, of: &Signed) -> BoxedUint {
    if of.negative { modulus.wrapping_sub(inverse) } else { inverse.clone() }
}

/// Parses a number, with or without `0x`. Errors do not repeat the number, because it may be
/// secret.
pub fn parse(text: &str) -> Result<BoxedUint, String> {
    let (prefix, digits) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (2, digits),
        None => (0, text),
    };
    if digits.is_empty() {
        return Err("empty; a hexadecimal number is expected".to_owned());
    }
    if digits.len() > MAX_CHARACTERS {
        return Err(format!("{} characters; a number has at most {MAX_CHARACTERS}", digits.len()));
    }
    let mut nibbles = Zeroizing::new(Vec::with_capacity(digits.len() + 1));
    if digits.len() % 2 == 1 {
        nibbles.push(0);
    }
    for (index, character) in digits.chars().enumerate() {
        let nibble = character.to_digit(16).ok_or_else(|| {
            format!("not a hexadecimal number: character {} is {character:?}", prefix + index + 1)
        })?;
        nibbles.push(nibble as u8);
    }
    let bytes: Zeroizing<Vec<u8>> =
        Zeroizing::new(nibbles.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect());
    Ok(BoxedUint::from_be_slice_truncated(&bytes, 8 * bytes.len() as u32))
}

/// [`parse`], but accepts a leading minus.
pub fn parse_signed(text: &str) -> Result<Signed, String> {
    match text.strip_prefix('-') {
        Some(rest) => Ok(Signed { negative: true, magnitude: parse(rest)? }),
        None => Ok(Signed { negative: false, magnitude: parse(text)? }),
    }
}

/// Parses a decimal number with an optional minus. Errors do not repeat it. The time reveals the
/// number of digits, but not the digits.
pub fn parse_signed_decimal(text: &str) -> Result<Signed, String> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    if digits.is_empty() {
        return Err("empty; a decimal number is expected".to_owned());
    }
    if digits.len() > MAX_CHARACTERS {
        return Err(format!("{} characters; a number has at most {MAX_CHARACTERS}", digits.len()));
    }
    // 19 digits at a time; 10/3 bits per digit suffice.
    let mut limbs = Zeroizing::new(vec![0; digits.len() / 19 + 1]);
    let mut begun = 0;
    let mut part = (0, 1);
    for (index, character) in digits.chars().enumerate() {
        let digit = character.to_digit(10).ok_or_else(|| {
            format!("not a decimal number: character {} is {character:?}", usize::from(negative) + index + 1)
        })?;
        part = (10 * part.0 + u64::from(digit), 10 * part.1);
        if (index + 1) % 19 == 0 || index + 1 == digits.len() {
            begun += 1;
            append(&mut limbs[..begun], part);
            part = (0, 1);
        }
    }
    Ok(Signed { negative, magnitude: moduli_kernel::limbs::from_limbs(&limbs) })
}

/// number ← number·factor + summand. The limbs must be sufficient for the result.
fn append(limbs: &mut [u64], (summand, factor): (u64, u64)) {
    let mut carry = u128::from(summand);
    for limb in limbs {
        carry += u128::from(*limb) * u128::from(factor);
        *limb = carry as u64;
        carry >>= 64;
    }
}

/// The value of an option. `-` reads it from standard input, so that a secret need not be on the
/// command line.
pub fn argument(option: &str, text: &str) -> Result<BoxedUint, Failure> {
    parse(text_of(option, text)?.trim()).map_err(|reason| malformed(option, &reason))
}

/// [`argument`], but accepts a leading minus.
pub fn signed_argument(option: &str, text: &str) -> Result<Signed, Failure> {
    parse_signed(text_of(option, text)?.trim()).map_err(|reason| malformed(option, &reason))
}

fn malformed(option: &str, reason: &str) -> Failure {
    Failure::Wrong(format!("{option}: {reason}"))
}

fn text_of(option: &str, text: &str) -> Result<Zeroizing<String>, Failure> {
    if text != "-" {
        return Ok(Zeroizing::new(text.to_owned()));
    }
    read_text(input::standard()?).map_err(|error| malformed(option, &format!("standard input: {error}")))
}

/// Reads slightly more than the length of the longest number.
fn read_text(source: impl Read) -> io::Result<Zeroizing<String>> {
    // Allocated at once, because a growing buffer would leave copies behind that are not wiped.
    let mut read = Zeroizing::new(String::with_capacity(ROOM));
    source.take(MAX_CHARACTERS as u64 + 8).read_to_string(&mut read)?;
    Ok(read)
}

/// In lower case, without `0x` and without leading zeros.
pub fn hex(value: &BoxedUint) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let bytes = value.to_be_bytes();
    let mut text = String::with_capacity(2 * bytes.len());
    for nibble in bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]) {
        if nibble != 0 || !text.is_empty() {
            text.push(char::from(DIGITS[usize::from(nibble)]));
        }
    }
    if text.is_empty() {
        text.push('0');
    }
    text
}

/// A SHA-256 value as the value of an option.
pub fn digest_argument(option: &str, text: &str) -> Result<[u8; 32], Failure> {
    let value = parse(text).map_err(|reason| malformed(option, &reason))?;
    let bytes = value.to_be_bytes();
    match <[u8; 32]>::try_from(&*bytes) {
        Ok(digest) if text.len() == 64 => Ok(digest),
        _ => Err(malformed(option, "not a digest: 64 hexadecimal digits are expected")),
    }
}

/// The value of `--budget`.
pub fn budget_argument(text: &str) -> Result<MemorySize, Failure> {
    text.parse().map_err(|error| match error {
        Error::Parameter(ParameterError { reason, .. }) => malformed("--budget", &reason.to_string()),
        error => error.into(),
    })
}

/// Two digits for every byte.
pub fn hex_of_bytes(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for (text, expected) in [
            ("0", "0"),
            ("0x0", "0"),
            ("00F", "f"),
            ("0Xabc", "abc"),
            ("1234567890abcdef0", "1234567890abcdef0"),
        ] {
            assert_eq!(hex(&parse(text).unwrap()), expected);
        }
    }

    #[test]
    fn decimals_are_those_of_another_library() {
        let mut text = String::new();
        for length in (1..60).chain([1000, 5000]) {
            while text.len() < length {
                text.push(char::from(b'0' + (7 * text.len() * text.len() % 10 + text.len() % 3) as u8 % 10));
            }
            for text in [text.clone(), "9".repeat(length), format!("{}1", "0".repeat(length))] {
                let expected =
                    num_bigint::BigUint::parse_bytes(text.as_bytes(), 10).unwrap().to_str_radix(16);
                let found = parse_signed_decimal(&text).unwrap();
                assert_eq!(
                    (hex(found.magnitude()), found.is_negative()),
                    (expected.clone(), false),
                    "{text}"
                );
                let found = parse_signed_decimal(&format!("-{text}")).unwrap();
                assert_eq!((hex(found.magnitude()), found.is_negative()), (expected, true), "{text}");
            }
        }
        for text in ["", "-", "1a", "0x1", "1 2", "٣"] {
            assert!(parse_signed_decimal(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn text_is_read_into_one_place() {
        // In pieces whose number is not known in advance.
        let ends: [&[u8]; 3] = [b"12", b"345\n", b""];
        let short = read_text(ends[0].chain(ends[1]).chain(ends[2])).unwrap();
        assert_eq!((short.as_str(), short.capacity()), ("12345\n", ROOM));
        let long = read_text(io::repeat(b'7')).unwrap();
        assert_eq!((long.len(), long.capacity()), (MAX_CHARACTERS + 8, ROOM));
    }

    #[test]
    fn what_is_wrong_is_said_without_repeating_it() {
        for (text, expected) in [
            ("", "empty"),
            ("0x", "empty"),
            ("12g4", "character 3 is 'g'"),
            ("0x1_2", "character 4 is '_'"),
            ("--1", "character 1 is '-'"),
            ("1 2", "character 2 is ' '"),
            ("é", "character 1 is 'é'"),
        ] {
            let reason = parse_signed(text).err().unwrap();
            assert!(reason.contains(expected), "{text:?}: {reason}");
        }
    }

    #[test]
    fn a_minus_is_a_sign() {
        let number = parse_signed("-0x1f").unwrap();
        assert!(number.is_negative());
        assert_eq!(hex(number.magnitude()), "1f");
        assert!(!parse_signed("1f").unwrap().is_negative());
    }
}

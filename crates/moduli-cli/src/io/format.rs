//! The formats of numbers in a stream.

use clap::Args;
use crypto_bigint::BoxedUint;

use crate::{failure::Failure, io::number};

/// The options for the format.
#[derive(Args)]
pub struct Options {
    /// Read and write decimal numbers, one per line. Numbers in other options stay hexadecimal.
    #[arg(long)]
    base_10: bool,

    /// Numbers are rows of bytes, the most significant first, without separators: read N bytes each, and
    /// write as many as the modulus has.
    #[arg(long, value_name = "N", conflicts_with = "base_10", value_parser = clap::value_parser!(u32).range(1..=131_072))]
    raw_width: Option<u32>,
}

/// The format of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// One per line.
    #[default]
    Hexadecimal,
    /// One per line.
    Decimal,
    /// Rows of bytes, the most significant first.
    Raw {
        /// The bytes of each number read.
        read: usize,
        /// The bytes of each number written.
        written: usize,
    },
}

impl Options {
    /// The requested format, for results below a modulus of `modulus_bits` bits.
    pub fn format(&self, modulus_bits: u32) -> Format {
        match (self.base_10, self.raw_width) {
            (true, _) => Format::Decimal,
            (false, Some(width)) => {
                Format::Raw { read: width as usize, written: modulus_bits.div_ceil(8) as usize }
            }
            (false, None) => Format::Hexadecimal,
        }
    }

    /// Rejects formats that JSON cannot contain.
    pub fn check(&self, json: bool) -> Result<(), Failure> {
        if json && self.raw_width.is_some() {
            return Err(Failure::Usage("--raw-width writes bytes, not JSON".to_owned()));
        }
        Ok(())
    }
}

impl Format {
    /// Whether numbers are rows of bytes, which have no separators.
    pub fn is_raw(self) -> bool {
        matches!(self, Self::Raw { .. })
    }

    /// The name of the format, if it is text.
    pub fn name(self) -> &'static str {
        if self == Self::Decimal { "decimal" } else { "hexadecimal" }
    }

    /// Adds the position of a number in the stream to a failure. The first number has index 1.
    pub fn at(self, index: usize, failure: impl Into<Failure>) -> Failure {
        match self {
            Self::Raw { .. } => Failure::AtRow(index, Box::new(failure.into())),
            Self::Hexadecimal | Self::Decimal => Failure::at_line(index, failure),
        }
    }

    /// The text or bytes of a number. Variable-time, because results are published.
    pub fn written(self, value: &BoxedUint) -> Vec<u8> {
        match self {
            Self::Hexadecimal => number::hex(value).into_bytes(),
            Self::Decimal => value.to_string_radix_vartime(10).into_bytes(),
            Self::Raw { written, .. } => {
                let bytes = value.to_be_bytes();
                let mut row = vec![0; written.saturating_sub(bytes.len())];
                row.extend_from_slice(&bytes[bytes.len().saturating_sub(written)..]);
                row
            }
        }
    }
}

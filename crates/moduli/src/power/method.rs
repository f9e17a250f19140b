//! The methods of exponentiation.

use alloc::format;
use core::fmt;

use super::{ladder::ladder, left_to_right::left_to_right, right_to_left::right_to_left};
use crate::{access::Access, error::Error, exponent::Magnitude, modulus::Modulus};
use moduli_kernel::{Dimensions, Session};

/// The widest window.
pub const MAX_WINDOW: u32 = 16;

/// The most bytes that the table of one exponentiation may occupy.
pub const MAX_TABLE_BYTES: u64 = 1 << 30;

/// A regular exponentiation of a variable base: the sequence of operations depends only on the
/// declared precision of the exponent.
///
/// [`Modulus::pow_with`](crate::Modulus::pow_with) runs each of them in constant time, with masked look-ups;
/// [`Element::pow_regular_vartime`](crate::Element::pow_regular_vartime) runs it without masks, so that
/// addresses reveal the exponent. [`PowerPlanner`](crate::power::PowerPlanner) finds the fastest. With digits
/// of t bits, exponents are recoded to digits 1 … 2^t (Joye and Tunstall 2009).
///
/// Source: ARITH 2015 (Negre, Plantard and Robert), Section IV.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PowerMethod {
    /// The Montgomery ladder: a product and a squaring per bit, no table.
    Ladder {
        /// Whether they are one combined pair (Algorithm 8).
        common_operand: bool,
    },
    /// Right-to-left 2^t-ary: 2^t + 1 buckets; a product and t squarings per digit, and 2·(2^t − 1)
    /// products at the end.
    RightToLeft {
        /// Bits of a digit, t: 1 … [`MAX_WINDOW`].
        window: u32,
        /// Whether the product and a squaring, and the products at the end, are combined pairs
        /// (Algorithm 9).
        common_operand: bool,
    },
    /// Left-to-right 2^t-ary: a table of 2^t + 1 powers of the base; t squarings and a product per
    /// digit.
    LeftToRight {
        /// Bits of a digit, t: 1 … [`MAX_WINDOW`].
        window: u32,
        /// The number of pieces in which each power is prepared, so that a product by it needs less
        /// reduction. 1 means not prepared; as many as the modulus has words gives Algorithm 10.
        split: u32,
    },
}

/// The algorithm of a [`PowerMethod`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// [`PowerMethod::Ladder`].
    Ladder,
    /// [`PowerMethod::RightToLeft`].
    RightToLeft,
    /// [`PowerMethod::LeftToRight`].
    LeftToRight,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Self; 3] = [Self::Ladder, Self::RightToLeft, Self::LeftToRight];
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ladder => "ladder",
            Self::RightToLeft => "right-to-left",
            Self::LeftToRight => "left-to-right",
        })
    }
}

impl PowerMethod {
    /// Its algorithm.
    pub fn algorithm(self) -> Algorithm {
        match self {
            Self::Ladder { .. } => Algorithm::Ladder,
            Self::RightToLeft { .. } => Algorithm::RightToLeft,
            Self::LeftToRight { .. } => Algorithm::LeftToRight,
        }
    }

    /// Whether products with a common operand share work.
    pub fn common_operand(self) -> bool {
        match self {
            Self::Ladder { common_operand } | Self::RightToLeft { common_operand, .. } => common_operand,
            Self::LeftToRight { split, .. } => split > 1,
        }
    }

    /// The bits of a digit; `None` for the ladder, which has no window.
    pub fn window(self) -> Option<u32> {
        match self {
            Self::Ladder { .. } => None,
            Self::RightToLeft { window, .. } | Self::LeftToRight { window, .. } => Some(window),
        }
    }

    /// The bytes of its table or buckets, for the kernel of `modulus`.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a window or a split out of range, or a table above [`MAX_TABLE_BYTES`].
    pub fn table_bytes(self, modulus: &Modulus) -> Result<u64, Error> {
        self.bytes(modulus.dimensions())
    }

    pub(super) fn bytes(self, kernel: &Dimensions) -> Result<u64, Error> {
        let (window, split) = match self {
            Self::Ladder { .. } => return Ok(0),
            Self::RightToLeft { window, .. } => (window, 1),
            Self::LeftToRight { window, split } => (window, split),
        };
        if !(1..=MAX_WINDOW).contains(&window) {
            return Err(Error::out_of_range("window", window, [1, MAX_WINDOW]));
        }
        let max_split = kernel.max_split as u32;
        if !(1..=max_split).contains(&split) {
            return Err(Error::out_of_range("split", split, [1, max_split]));
        }
        let bytes = 8 * kernel.prepared_words(split as usize) as u64 * ((1 << window) + 1);
        if bytes > MAX_TABLE_BYTES {
            let reason =
                format!("{window} takes a table of {bytes} bytes; at most {MAX_TABLE_BYTES} are allowed");
            return Err(Error::parameter("window", reason));
        }
        Ok(bytes)
    }

    /// `x ← x^exponent` by a method that [`bytes`](Self::bytes) accepts. Constant-time if entries
    /// are [`Masked`](crate::access::Masked).
    pub(super) fn run<A: Access>(
        self,
        session: &mut Session<'_>,
        x: &mut [u64],
        exponent: &Magnitude,
    ) -> Result<(), Error> {
        match self {
            Self::Ladder { common_operand } => {
                ladder(session, x, exponent, common_operand);
                Ok(())
            }
            Self::RightToLeft { window, common_operand } => {
                right_to_left::<A>(session, x, exponent, window, common_operand)
            }
            Self::LeftToRight { window, split } => {
                left_to_right::<A>(session, x, exponent, window, split as usize)
            }
        }
    }
}

/// Prints the [`Algorithm`] and the parameters: `left-to-right, window 5, split 8`.
impl fmt::Display for PowerMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.algorithm().fmt(f)?;
        if let Some(window) = self.window() {
            write!(f, ", window {window}")?;
        }
        match self {
            Self::LeftToRight { split, .. } if *split > 1 => write!(f, ", split {split}"),
            _ if self.common_operand() => write!(f, ", common operand"),
            _ => Ok(()),
        }
    }
}

//! Words with any number of bits.

use crypto_bigint::BoxedUint;

/// A word, lowest bit first.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bits(Vec<bool>);

impl Bits {
    /// A word without bits.
    pub fn new() -> Self {
        Self::default()
    }

    /// The lowest `width` bits of a number.
    pub fn of(value: u64, width: u32) -> Self {
        Self::new().and(value, width)
    }

    /// The lowest `width` bits of a long number.
    pub fn long(value: &BoxedUint, width: u32) -> Self {
        let bit = |i: u32| i < value.bits_precision() && value.bit_vartime(i);
        Self((0..width).map(bit).collect())
    }

    /// This word with the lowest `width` bits of a number above it.
    #[must_use]
    pub fn and(mut self, value: u64, width: u32) -> Self {
        self.0.extend((0..width).map(|i| i < 64 && value >> i & 1 == 1));
        self
    }

    /// The number of bits.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether an odd number of bits is set.
    pub fn odd(&self) -> bool {
        self.0.iter().fold(false, |odd, &bit| odd ^ bit)
    }

    /// Whether all bits are 0.
    pub fn is_zero(&self) -> bool {
        !self.0.contains(&true)
    }

    /// Hexadecimal digits, one for every four bits or part of them.
    pub fn hex(&self) -> String {
        let nibble = |bits: &[bool]| bits.iter().rev().fold(0, |value, &bit| 2 * value + u32::from(bit));
        self.0.chunks(4).rev().filter_map(|bits| char::from_digit(nibble(bits), 16)).collect()
    }

    /// A literal of SystemVerilog.
    pub fn literal(&self) -> String {
        format!("{}'h{}", self.len(), self.hex())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_from_the_top() {
        let word = Bits::of(0x5a, 7).and(3, 2);
        assert_eq!((word.len(), word.hex().as_str()), (9, "1da"));
        assert_eq!(word.literal(), "9'h1da");
        assert_eq!(Bits::of(u64::MAX, 70).hex(), "00ffffffffffffffff");
        assert_eq!(Bits::long(&BoxedUint::from(0xabcdu64), 80).hex(), format!("{:020x}", 0xabcd));
        assert!(Bits::of(8, 3).is_zero() && !Bits::of(8, 4).is_zero());
        assert!(Bits::of(7, 3).odd() && !Bits::of(7, 2).odd() && !Bits::new().odd());
    }
}

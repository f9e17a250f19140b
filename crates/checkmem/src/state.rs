//! Registers and flags, with the marks of their secret bytes.

use iced_x86::{ConditionCode, Register};

/// An integer, with a bit for each byte that is secret.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Int {
    pub(crate) value: u64,
    pub(crate) secret: u8,
}

impl Int {
    pub(crate) fn public(value: u64) -> Self {
        Self { value, secret: 0 }
    }

    /// The low `size` bytes.
    pub(crate) fn cut(self, size: usize) -> Self {
        Self { value: self.value & mask(size), secret: self.secret & bytes(size) }
    }

    pub(crate) fn is_secret(self) -> bool {
        self.secret != 0
    }
}

/// All bits of `size` bytes.
pub(crate) fn mask(size: usize) -> u64 {
    if size >= 8 { u64::MAX } else { (1 << (8 * size)) - 1 }
}

/// A bit for each of `size` bytes.
pub(crate) fn bytes(size: usize) -> u8 {
    if size >= 8 { u8::MAX } else { (1 << size) - 1 }
}

/// The secret bytes of a sum, given those of its operands. Carries make all bytes above the lowest secret
/// byte secret.
pub(crate) fn upward(secret: u8, size: usize) -> u8 {
    (secret | secret.wrapping_neg()) & bytes(size)
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// Sets the lowest bit of each byte that is not zero.
fn filled(bits: u64) -> u64 {
    // The sum cannot carry into the next byte, because the top bit of each byte is excluded.
    (((bits & !(ONES << 7)) + (ONES << 7) - ONES) | bits) >> 7 & ONES
}

/// All bits of the marked bytes.
pub(crate) fn spread(secret: u8) -> u64 {
    // Byte i keeps only bit i.
    filled((u64::from(secret) * ONES) & 0x8040_2010_0804_0201) * 0xff
}

/// The bytes that have a marked bit.
pub(crate) fn gathered(bits: u64) -> u8 {
    // The product moves the lowest bit of byte i to bit 56 + i, and no two terms overlap.
    (filled(bits).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

pub(crate) const CARRY: u8 = 1;
pub(crate) const PARITY: u8 = 2;
pub(crate) const ADJUST: u8 = 4;
pub(crate) const ZERO: u8 = 8;
pub(crate) const SIGN: u8 = 16;
pub(crate) const OVERFLOW: u8 = 32;
pub(crate) const ALL: u8 = 63;

/// One bit for each flag.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flags {
    pub(crate) value: u8,
    pub(crate) secret: u8,
}

impl Flags {
    /// Sets the flags in `which`, all as public or all as secret.
    pub(crate) fn set(&mut self, which: u8, value: u8, secret: bool) {
        self.value = (self.value & !which) | (value & which);
        self.secret = (self.secret & !which) | if secret { which } else { 0 };
    }

    pub(crate) fn has(self, flag: u8) -> bool {
        self.value & flag != 0
    }

    /// The carry flag as a number.
    pub(crate) fn carry(self) -> Int {
        Int { value: u64::from(self.value & CARRY), secret: self.secret & CARRY }
    }

    /// Sets the zero, sign and parity flags from a result.
    pub(crate) fn set_result(&mut self, result: Int, size: usize) {
        let result = result.cut(size);
        let mut value = 0;
        value |= if result.value == 0 { ZERO } else { 0 };
        value |= if result.value >> (8 * size - 1) & 1 == 1 { SIGN } else { 0 };
        value |= if (result.value as u8).count_ones().is_multiple_of(2) { PARITY } else { 0 };
        self.set(ZERO, value, result.is_secret());
        self.set(SIGN, value, result.secret >> (size - 1) & 1 == 1);
        self.set(PARITY, value, result.secret & 1 == 1);
    }

    /// Whether a condition holds, and whether this is secret.
    pub(crate) fn condition(self, condition: ConditionCode) -> (bool, bool) {
        use ConditionCode as C;
        let (has, less) = (|flag| self.has(flag), self.has(SIGN) != self.has(OVERFLOW));
        let (holds, depends) = match condition {
            C::o => (has(OVERFLOW), OVERFLOW),
            C::no => (!has(OVERFLOW), OVERFLOW),
            C::b => (has(CARRY), CARRY),
            C::ae => (!has(CARRY), CARRY),
            C::e => (has(ZERO), ZERO),
            C::ne => (!has(ZERO), ZERO),
            C::be => (has(CARRY) || has(ZERO), CARRY | ZERO),
            C::a => (!has(CARRY) && !has(ZERO), CARRY | ZERO),
            C::s => (has(SIGN), SIGN),
            C::ns => (!has(SIGN), SIGN),
            C::p => (has(PARITY), PARITY),
            C::np => (!has(PARITY), PARITY),
            C::l => (less, SIGN | OVERFLOW),
            C::ge => (!less, SIGN | OVERFLOW),
            C::le => (less || has(ZERO), SIGN | OVERFLOW | ZERO),
            C::g => (!less && !has(ZERO), SIGN | OVERFLOW | ZERO),
            C::None => (true, 0),
        };
        (holds, self.secret & depends != 0)
    }
}

/// Up to 64 bytes, with a mark for each secret byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Vector {
    pub(crate) words: [u64; 8],
    pub(crate) secret: u64,
}

impl Vector {
    pub(crate) fn from_int(x: Int) -> Self {
        Self { words: [x.value, 0, 0, 0, 0, 0, 0, 0], secret: x.secret.into() }
    }

    /// Element `i`, where elements have `size` ≤ 8 bytes.
    pub(crate) fn get(&self, i: usize, size: usize) -> Int {
        let at = i * size;
        let value = self.words[at / 8] >> (8 * (at % 8));
        Int { value, secret: (self.secret >> at) as u8 }.cut(size)
    }

    pub(crate) fn set(&mut self, i: usize, size: usize, x: Int) {
        let at = i * size;
        let shift = 8 * (at % 8);
        let x = x.cut(size);
        let word = &mut self.words[at / 8];
        *word = (*word & !(mask(size) << shift)) | x.value << shift;
        self.secret = (self.secret & !(u64::from(bytes(size)) << at)) | u64::from(x.secret) << at;
    }

    /// The first `size` bytes; the bytes above are zero.
    pub(crate) fn cut(mut self, size: usize) -> Self {
        if size < 64 {
            self.secret &= (1 << size) - 1;
            if !size.is_multiple_of(8) {
                self.words[size / 8] &= mask(size % 8);
            }
            // Most vectors have these sizes: stores of a known length, which a copy of the vector need not
            // wait for.
            match size {
                32 => self.words[4..].fill(0),
                16 => self.words[2..].fill(0),
                _ => self.words[size.div_ceil(8)..].fill(0),
            }
        }
        self
    }
}

/// All registers.
#[derive(Clone, Default)]
pub(crate) struct State {
    pub(crate) ip: u64,
    pub(crate) general: [Int; 16],
    pub(crate) flags: Flags,
    pub(crate) vectors: [Vector; 32],
    /// Mask registers, with a mark for each secret bit.
    pub(crate) masks: [u64; 8],
    pub(crate) mask_secrets: [u64; 8],
}

/// The index of a general register, and whether the name refers to its second byte.
fn place(register: Register) -> (usize, bool) {
    match register {
        Register::AH | Register::CH | Register::DH | Register::BH => {
            (register as usize - Register::AH as usize, true)
        }
        _ => (register.full_register().number(), false),
    }
}

impl State {
    pub(crate) fn read(&self, register: Register) -> Int {
        let (number, second) = place(register);
        let whole = self.general[number];
        if second {
            return Int { value: whole.value >> 8, secret: whole.secret >> 1 }.cut(1);
        }
        whole.cut(register.size())
    }

    /// Follows the processor: 32-bit writes clear the upper half, 8-bit and 16-bit writes leave the rest
    /// unchanged.
    pub(crate) fn write(&mut self, register: Register, x: Int) {
        let (number, second) = place(register);
        let old = self.general[number];
        let size = register.size();
        let x = x.cut(size);
        self.general[number] = match size {
            1 if second => {
                Int { value: (old.value & !0xff00) | x.value << 8, secret: (old.secret & !2) | x.secret << 1 }
            }
            1 | 2 => Int {
                value: (old.value & !mask(size)) | x.value,
                secret: (old.secret & !bytes(size)) | x.secret,
            },
            _ => x,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with a definition byte by byte.
    #[test]
    fn marks_are_spread_and_gathered() {
        for secret in 0..=u8::MAX {
            let bits =
                (0..8).fold(0, |bits, i| bits | if secret >> i & 1 == 1 { 0xff << (8 * i) } else { 0 });
            assert_eq!(spread(secret), bits);
            // Any single bit marks its byte, whatever the other bytes hold.
            for bit in 0..8 {
                assert_eq!(gathered(bits & (ONES << bit)), secret);
            }
            assert_eq!(gathered(bits), secret);
        }
    }
}

//! Instructions on integers: results, flags, and which of their bytes are secret.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::{
    machine::{Machine, Stop, blurred},
    report::Leak,
    state::{ADJUST, ALL, CARRY, Int, OVERFLOW, PARITY, SIGN, ZERO, bytes, gathered, mask, spread, upward},
};

/// The effect of a shift or rotation on bits; the same for values and marks.
type Shift = fn(u64, u32, u32) -> u64;

pub(crate) fn sign_extended(value: u64, size: usize) -> i64 {
    let spare = 64 - 8 * size;
    ((value << spare) as i64) >> spare
}

impl Machine {
    /// x + y + carry, with all flags.
    pub(crate) fn sum(&mut self, x: Int, y: Int, carry: Int, size: usize) -> Int {
        let (x, y) = (x.cut(size), y.cut(size));
        let total = u128::from(x.value) + u128::from(y.value) + u128::from(carry.value);
        let result = Int {
            value: total as u64 & mask(size),
            secret: upward(x.secret | y.secret | carry.secret, size),
        };
        let top = 8 * size - 1;
        let overflow = ((x.value ^ result.value) & (y.value ^ result.value)) >> top & 1;
        self.set_sum(x, y, result, total >> (top + 1) != 0, overflow == 1, size);
        result
    }

    /// x − y − carry, with all flags.
    pub(crate) fn difference(&mut self, x: Int, y: Int, carry: Int, size: usize) -> Int {
        let (x, y) = (x.cut(size), y.cut(size));
        let value = x.value.wrapping_sub(y.value).wrapping_sub(carry.value) & mask(size);
        let result = Int { value, secret: upward(x.secret | y.secret | carry.secret, size) };
        let overflow = ((x.value ^ y.value) & (x.value ^ value)) >> (8 * size - 1) & 1;
        let borrow = u128::from(x.value) < u128::from(y.value) + u128::from(carry.value);
        self.set_sum(x, y, result, borrow, overflow == 1, size);
        result
    }

    pub(crate) fn set_sum(&mut self, x: Int, y: Int, result: Int, carry: bool, overflow: bool, size: usize) {
        let flags = &mut self.state.flags;
        flags.set_result(result, size);
        flags.set(CARRY, u8::from(carry) * CARRY, result.is_secret());
        flags.set(OVERFLOW, u8::from(overflow) * OVERFLOW, result.is_secret());
        let adjust = (x.value ^ y.value ^ result.value) & 0x10 != 0;
        flags.set(ADJUST, u8::from(adjust) * ADJUST, result.secret & 1 == 1);
    }

    pub(crate) fn logic(&mut self, result: Int, size: usize) -> Int {
        self.state.flags.set(CARRY | OVERFLOW | ADJUST, 0, false);
        self.state.flags.set_result(result, size);
        result.cut(size)
    }

    /// Bits of the result are public where an operand is public and 0.
    pub(crate) fn and(x: Int, y: Int) -> Int {
        let zeros = |x: Int| spread(!x.secret) & !x.value;
        let bits = (spread(x.secret) | spread(y.secret)) & !zeros(x) & !zeros(y);
        Int { value: x.value & y.value, secret: gathered(bits) }
    }

    pub(crate) fn or(x: Int, y: Int) -> Int {
        let ones = |x: Int| spread(!x.secret) & x.value;
        let bits = (spread(x.secret) | spread(y.secret)) & !ones(x) & !ones(y);
        Int { value: x.value | y.value, secret: gathered(bits) }
    }

    /// Both halves of x·y, and whether any part is secret.
    pub(crate) fn product(x: Int, y: Int, size: usize, signed: bool) -> (Int, Int, bool) {
        let (x, y) = (x.cut(size), y.cut(size));
        let total = if signed {
            (i128::from(sign_extended(x.value, size)) * i128::from(sign_extended(y.value, size))) as u128
        } else {
            u128::from(x.value) * u128::from(y.value)
        };
        let secret = x.is_secret() || y.is_secret();
        let low = Int { value: total as u64 & mask(size), secret: upward(x.secret | y.secret, size) };
        (low, blurred((total >> (8 * size)) as u64, secret, size), secret)
    }

    pub(crate) fn set_product(&mut self, exceeds: bool, secret: bool) {
        let flags = &mut self.state.flags;
        flags.set(CARRY | OVERFLOW, if exceeds { CARRY | OVERFLOW } else { 0 }, secret);
        flags.set(ZERO | SIGN | PARITY | ADJUST, 0, secret);
    }

    pub(crate) fn multiply(&mut self, i: &Instruction) {
        if i.op_count() > 1 {
            let size = self.size(i, 0);
            let (a, b) = if i.op_count() == 3 { (1, 2) } else { (0, 1) };
            let (x, y) = (self.get(i, a), self.get(i, b));
            let (low, high, secret) = Self::product(x, y, size, true);
            let sign = (sign_extended(low.value, size) >> 63) as u64 & mask(size);
            self.set_product(high.value != sign, secret);
            return self.put(i, 0, low);
        }
        let signed = i.mnemonic() == Mnemonic::Imul;
        let size = self.size(i, 0);
        let (x, y) = (self.state.general[0], self.get(i, 0));
        let (low, high, secret) = Self::product(x, y, size, signed);
        let sign = if signed { (sign_extended(low.value, size) >> 63) as u64 & mask(size) } else { 0 };
        self.set_product(high.value != sign, secret);
        if size == 1 {
            let both = Int { value: low.value | high.value << 8, secret: low.secret | high.secret << 1 };
            return self.state.write(Register::AX, both);
        }
        let [a, d] = match size {
            2 => [Register::AX, Register::DX],
            4 => [Register::EAX, Register::EDX],
            _ => [Register::RAX, Register::RDX],
        };
        self.state.write(a, low);
        self.state.write(d, high);
    }

    pub(crate) fn divide(&mut self, i: &Instruction) -> Result<(), Stop> {
        let size = self.size(i, 0);
        let divisor = self.get(i, 0).cut(size);
        let [a, d] = match size {
            8 => [Register::RAX, Register::RDX],
            4 => [Register::EAX, Register::EDX],
            2 => [Register::AX, Register::DX],
            _ => [Register::AL, Register::AH],
        };
        let (low, high) = (self.state.read(a), self.state.read(d));
        let secret = divisor.is_secret() || low.is_secret() || high.is_secret();
        self.leak_if(secret, Leak::Division);
        let bits = 8 * size as u32;
        let dividend = u128::from(high.value) << bits | u128::from(low.value);
        let (quotient, rest) = if i.mnemonic() == Mnemonic::Div {
            let divisor = u128::from(divisor.value);
            if divisor == 0 || dividend / divisor > mask(size).into() {
                return Err(self.unknown(i));
            }
            (dividend / divisor, dividend % divisor)
        } else {
            let dividend = ((dividend << (128 - 2 * bits)) as i128) >> (128 - 2 * bits);
            let divisor = i128::from(sign_extended(divisor.value, size));
            if divisor == 0 {
                return Err(self.unknown(i));
            }
            ((dividend / divisor) as u128, (dividend % divisor) as u128)
        };
        self.state.write(a, blurred(quotient as u64, secret, size));
        self.state.write(d, blurred(rest as u64, secret, size));
        self.state.flags.set(ALL, 0, secret);
        Ok(())
    }

    pub(crate) fn shift(&mut self, i: &Instruction, moved: Shift, rotates: bool) {
        let size = self.size(i, 0);
        let bits = 8 * size as u32;
        let count = if i.op_count() == 1 { Int::public(1) } else { self.get(i, 1) };
        let limit = if size == 8 { 63 } else { 31 };
        let by = (count.value & limit) as u32;
        let unknown = count.secret & 1 == 1;
        self.update(i, |machine, x| {
            if by == 0 {
                machine.state.flags.secret |= if unknown { ALL } else { 0 };
                return if unknown { blurred(x.value, true, size) } else { x };
            }
            let x = x.cut(size);
            let value = moved(x.value, by, bits) & mask(size);
            let marks = moved(spread(x.secret), by, bits) & mask(size);
            let secret = if unknown { bytes(size) } else { gathered(marks) };
            let result = Int { value, secret };
            let any = x.is_secret() || unknown;
            // The last bit that is shifted out.
            let (sign, bit) = (1 << (bits - 1), |x: u64, n: u32| x.checked_shr(n).unwrap_or(0) & 1 == 1);
            let (carry, overflow) = match i.mnemonic() {
                Mnemonic::Shl | Mnemonic::Sal => {
                    let carry = by <= bits && bit(x.value, bits - by);
                    (carry, carry != (value & sign != 0))
                }
                Mnemonic::Shr => (bit(x.value, by - 1), x.value & sign != 0),
                Mnemonic::Sar => (bit(sign_extended(x.value, size) as u64, by - 1), false),
                Mnemonic::Rol => (value & 1 == 1, (value & 1 == 1) != (value & sign != 0)),
                _ => (value & sign != 0, (value & sign != 0) != bit(value, bits - 2)),
            };
            let flags = &mut machine.state.flags;
            if !rotates {
                flags.set_result(result, size);
                flags.set(ADJUST, 0, any);
                flags.secret |= if unknown { ALL } else { 0 };
            }
            flags.set(CARRY, u8::from(carry) * CARRY, any);
            flags.set(OVERFLOW, u8::from(overflow) * OVERFLOW, any);
            result
        });
    }

    /// `shld` and `shrd`.
    pub(crate) fn double_shift(&mut self, i: &Instruction) {
        let size = self.size(i, 0);
        let bits = 8 * size as u32;
        let (filler, count) = (self.get(i, 1).cut(size), self.get(i, 2));
        let by = (count.value & if size == 8 { 63 } else { 31 }) as u32;
        let unknown = count.secret & 1 == 1;
        let left = i.mnemonic() == Mnemonic::Shld;
        self.update(i, |machine, x| {
            machine.state.flags.secret |= if unknown { ALL } else { 0 };
            if by == 0 || by > bits {
                return if unknown { blurred(x.value, true, size) } else { x };
            }
            let x = x.cut(size);
            let moved = |x: u64, filler: u64| {
                let both = |high: u64, low: u64| u128::from(high) << bits | u128::from(low);
                if left { (both(x, filler) >> (bits - by)) as u64 } else { (both(filler, x) >> by) as u64 }
            };
            let value = moved(x.value, filler.value) & mask(size);
            let marks = moved(spread(x.secret) & mask(size), spread(filler.secret) & mask(size)) & mask(size);
            let any = x.is_secret() || filler.is_secret() || unknown;
            let result = Int { value, secret: if unknown { bytes(size) } else { gathered(marks) } };
            let carry = if left { x.value >> (bits - by) & 1 } else { x.value >> (by - 1) & 1 };
            let overflow = (x.value ^ value) >> (bits - 1) & 1 == 1;
            let flags = &mut machine.state.flags;
            flags.set_result(result, size);
            flags.set(CARRY, carry as u8 * CARRY, any);
            flags.set(OVERFLOW | ADJUST, u8::from(overflow) * OVERFLOW, any);
            flags.secret |= if unknown { ALL } else { 0 };
            result
        });
    }

    /// `bt`, `bts`, `btr` and `btc` on registers, or on memory with an immediate bit number.
    pub(crate) fn bit_test(&mut self, i: &Instruction) -> Result<(), Stop> {
        let size = self.size(i, 0);
        let index = self.get(i, 1);
        if i.op0_kind() == OpKind::Memory && i.op1_kind() == OpKind::Register {
            return Err(self.unknown(i));
        }
        let at = index.value % (8 * size as u64);
        let mnemonic = i.mnemonic();
        if mnemonic == Mnemonic::Bt {
            let x = self.get(i, 0);
            let secret = x.secret >> (at / 8) & 1 == 1 || index.is_secret();
            self.state.flags.set(CARRY, (x.value >> at & 1) as u8, secret);
            return Ok(());
        }
        self.update(i, |machine, x| {
            let secret = x.secret >> (at / 8) & 1 == 1 || index.is_secret();
            machine.state.flags.set(CARRY, (x.value >> at & 1) as u8, secret);
            let value = match mnemonic {
                Mnemonic::Bts => x.value | 1 << at,
                Mnemonic::Btr => x.value & !(1 << at),
                _ => x.value ^ 1 << at,
            };
            Int { value, secret: if index.is_secret() { bytes(size) } else { x.secret } }
        });
        Ok(())
    }

    /// Instructions that find or count bits.
    pub(crate) fn scan(&mut self, i: &Instruction) {
        let size = self.size(i, 1);
        let x = self.get(i, 1).cut(size);
        let bits = 8 * size as u32;
        let mnemonic = i.mnemonic();
        let zero = x.value == 0;
        let value = match mnemonic {
            Mnemonic::Tzcnt | Mnemonic::Bsf if zero => bits,
            Mnemonic::Tzcnt | Mnemonic::Bsf => x.value.trailing_zeros(),
            Mnemonic::Lzcnt if zero => bits,
            Mnemonic::Lzcnt => x.value.leading_zeros() - (64 - bits),
            Mnemonic::Popcnt => x.value.count_ones(),
            _ => 63 - (x.value | 1).leading_zeros(),
        };
        let secret = x.is_secret();
        let result = Int { value: value.into(), secret: u8::from(secret) };
        let keeps = zero && matches!(mnemonic, Mnemonic::Bsf | Mnemonic::Bsr);
        let old = self.get(i, 0);
        let kept = Int { value: old.value, secret: old.secret | if secret { bytes(size) } else { 0 } };
        self.put(i, 0, if keeps { kept } else { result });
        let flags = &mut self.state.flags;
        match mnemonic {
            Mnemonic::Bsf | Mnemonic::Bsr => flags.set(ALL, if zero { ZERO } else { 0 }, secret),
            Mnemonic::Popcnt => flags.set(ALL, if zero { ZERO } else { 0 }, secret),
            _ => {
                let value = if zero { CARRY } else { 0 } | if value == 0 { ZERO } else { 0 };
                flags.set(ALL, value, secret);
            }
        }
    }

    /// `movs` and `stos`, executed once or `rcx` times.
    pub(crate) fn string(&mut self, i: &Instruction, size: u64) {
        let repeats = i.has_rep_prefix();
        let count = if repeats { self.state.general[1] } else { Int::public(1) };
        let (to, from) = (self.state.general[7], self.state.general[6]);
        self.leak_if(count.is_secret(), Leak::Branch);
        let copies = i.op1_kind() == OpKind::MemorySegRSI;
        self.leak_if(to.is_secret() || (copies && from.is_secret()), Leak::Address);
        let x = self.state.general[0];
        for n in 0..count.value {
            let x = if copies { self.load(from.value + n * size, size as usize) } else { x };
            self.store(to.value + n * size, size as usize, x);
        }
        self.state.general[7].value += count.value * size;
        if copies {
            self.state.general[6].value += count.value * size;
        }
        if repeats {
            self.state.general[1] = Int::public(0);
        }
    }
}

pub(crate) fn rotated(x: u64, by: u32, bits: u32) -> u64 {
    let by = by % bits;
    if by == 0 { x } else { x << by | (x & mask(bits as usize / 8)) >> (bits - by) }
}

/// A word whose `count` low bits are set.
pub(crate) fn mask_bits(count: u64) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

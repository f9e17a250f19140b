//! Instructions on single integers.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::{
    integers::{mask_bits, rotated, sign_extended},
    machine::{Machine, Stop, blurred},
    state::{CARRY, Int, OVERFLOW, ZERO, bytes, gathered, mask, spread, upward},
};

impl Machine {
    /// Executes one of these instructions; returns false for others.
    pub(crate) fn scalar(&mut self, i: &Instruction) -> Result<bool, Stop> {
        use Mnemonic as M;
        let size = || match i.op0_kind() {
            OpKind::Register => i.op0_register().size(),
            OpKind::Memory => i.memory_size().size(),
            _ => 8,
        };
        let same = i.op_count() == 2
            && i.op0_kind() == OpKind::Register
            && i.op1_kind() == OpKind::Register
            && i.op0_register() == i.op1_register();
        match i.mnemonic() {
            M::Mov => {
                let x = self.get(i, 1);
                self.put(i, 0, x);
            }
            M::Movzx => {
                let x = self.get(i, 1);
                self.put(i, 0, x);
            }
            M::Movsx | M::Movsxd => {
                let from = self.size(i, 1);
                let x = self.get(i, 1);
                let above = if x.secret >> (from - 1) & 1 == 1 { !bytes(from) } else { 0 };
                let value = sign_extended(x.value, from) as u64;
                self.put(i, 0, Int { value, secret: x.secret | above });
            }
            M::Lea => {
                let (value, secret) = self.effective(i);
                self.put(i, 0, Int { value, secret });
            }
            M::Xor if same => {
                self.put(i, 0, Int::public(0));
                self.logic(Int::public(0), size());
            }
            M::Sub if same => {
                self.put(i, 0, Int::public(0));
                self.difference(Int::public(0), Int::public(0), Int::public(0), size());
            }
            M::Add | M::Adc => {
                let y = self.get(i, 1);
                let carry = if i.mnemonic() == M::Adc { self.state.flags.carry() } else { Int::public(0) };
                self.update(i, |machine, x| machine.sum(x, y, carry, size()));
            }
            M::Sub | M::Sbb => {
                let carry = if i.mnemonic() == M::Sbb { self.state.flags.carry() } else { Int::public(0) };
                if same {
                    let result = self.difference(Int::public(0), Int::public(0), carry, size());
                    self.put(i, 0, result);
                } else {
                    let y = self.get(i, 1);
                    self.update(i, |machine, x| machine.difference(x, y, carry, size()));
                }
            }
            M::Cmp => {
                let (x, y) = (self.get(i, 0), self.get(i, 1));
                let (x, y) = if same { (Int::public(0), Int::public(0)) } else { (x, y) };
                self.difference(x, y, Int::public(0), size());
            }
            M::Neg => {
                self.update(i, |machine, x| machine.difference(Int::public(0), x, Int::public(0), size()))
            }
            M::Inc | M::Dec => {
                let carry = self.state.flags;
                let down = i.mnemonic() == M::Dec;
                self.update(i, |machine, x| {
                    let (one, none) = (Int::public(1), Int::public(0));
                    let result = if down {
                        machine.difference(x, one, none, size())
                    } else {
                        machine.sum(x, one, none, size())
                    };
                    machine.state.flags.set(CARRY, carry.value, carry.secret & CARRY != 0);
                    result
                });
            }
            M::Not => self.update(i, |_, x| Int { value: !x.value, secret: x.secret }),
            M::And | M::Or | M::Xor => {
                let y = self.get(i, 1);
                self.update(i, |machine, x| {
                    let result = match i.mnemonic() {
                        M::And => Self::and(x, y),
                        M::Or => Self::or(x, y),
                        _ => Int { value: x.value ^ y.value, secret: x.secret | y.secret },
                    };
                    machine.logic(result, size())
                });
            }
            M::Test => {
                let (x, y) = (self.get(i, 0), self.get(i, 1));
                self.logic(Self::and(x, y), size());
            }
            M::Mul | M::Imul => self.multiply(i),
            M::Mulx => {
                let size = self.size(i, 0);
                let (x, y) = (self.state.general[2], self.get(i, 2));
                let (low, high, _) = Self::product(x, y, size, false);
                self.put(i, 1, low);
                self.put(i, 0, high);
            }
            M::Adcx | M::Adox => {
                let flag = if i.mnemonic() == M::Adcx { CARRY } else { OVERFLOW };
                let flags = self.state.flags;
                let carry = Int { value: flags.has(flag).into(), secret: u8::from(flags.secret & flag != 0) };
                let (x, y) = (self.get(i, 0), self.get(i, 1));
                let result = self.sum(x, y, carry, size());
                let out = self.state.flags;
                self.state.flags = flags;
                self.state.flags.set(flag, if out.has(CARRY) { flag } else { 0 }, out.secret & CARRY != 0);
                self.put(i, 0, result);
            }
            M::Div | M::Idiv => self.divide(i)?,
            M::Shl | M::Sal => self.shift(i, |x, by, _| x << by, false),
            M::Shr => self.shift(i, |x, by, _| x >> by, false),
            M::Sar => {
                self.shift(
                    i,
                    |x, by, bits| (sign_extended(x, bits as usize / 8) >> by.min(63)) as u64,
                    false,
                );
            }
            M::Rol => self.shift(i, |x, by, bits| rotated(x, by % bits, bits), true),
            M::Ror => self.shift(i, |x, by, bits| rotated(x, bits - by % bits, bits), true),
            M::Rorx | M::Shlx | M::Shrx | M::Sarx => {
                let size = size();
                let bits = 8 * size as u32;
                let (x, count) = (self.get(i, 1).cut(size), self.get(i, 2));
                let by = (count.value % u64::from(bits)) as u32;
                let moved = |x: u64| match i.mnemonic() {
                    M::Rorx => rotated(x, (bits - by) % bits, bits),
                    M::Shlx => x << by,
                    M::Shrx => x >> by,
                    _ => (sign_extended(x, size) >> by) as u64,
                };
                let marks = gathered(moved(spread(x.secret) & mask(size)) & mask(size));
                let secret = if count.secret & 1 == 1 { bytes(size) } else { marks };
                self.put(i, 0, Int { value: moved(x.value) & mask(size), secret });
            }
            M::Shld | M::Shrd => self.double_shift(i),
            M::Bt | M::Bts | M::Btr | M::Btc => self.bit_test(i)?,
            M::Bsf | M::Bsr | M::Tzcnt | M::Lzcnt | M::Popcnt => self.scan(i),
            M::Andn => {
                let (x, y) = (self.get(i, 1), self.get(i, 2));
                let result = Self::and(Int { value: !x.value, secret: x.secret }, y);
                let result = self.logic(result, size());
                self.put(i, 0, result);
            }
            M::Blsr | M::Blsi | M::Blsmsk => {
                let x = self.get(i, 1).cut(size());
                let less = x.value.wrapping_sub(1);
                let value = match i.mnemonic() {
                    M::Blsr => x.value & less,
                    M::Blsi => x.value & x.value.wrapping_neg(),
                    _ => x.value ^ less,
                };
                let result = self.logic(Int { value, secret: upward(x.secret, size()) }, size());
                let carry = (x.value == 0) != (i.mnemonic() == M::Blsi);
                self.state.flags.set(CARRY, u8::from(carry) * CARRY, x.is_secret());
                self.put(i, 0, result);
            }
            M::Bzhi | M::Bextr => {
                let (x, control) = (self.get(i, 1).cut(size()), self.get(i, 2));
                let (start, length) = match i.mnemonic() {
                    M::Bzhi => (0, control.value & 0xff),
                    _ => (control.value & 0xff, control.value >> 8 & 0xff),
                };
                let kept = |x: u64| x.checked_shr(start as u32).unwrap_or(0) & mask_bits(length);
                let secret =
                    if control.is_secret() { bytes(size()) } else { gathered(kept(spread(x.secret))) };
                let result = self.logic(Int { value: kept(x.value), secret }, size());
                if i.mnemonic() == M::Bzhi {
                    let beyond = length >= 8 * size() as u64;
                    self.state.flags.set(CARRY, u8::from(beyond) * CARRY, control.is_secret());
                }
                self.put(i, 0, result);
            }
            M::Bswap => {
                let x = self.get(i, 0);
                let shift = 8 - size() as u32;
                let result = Int {
                    value: x.value.swap_bytes() >> (8 * shift),
                    secret: x.secret.reverse_bits() >> shift,
                };
                self.put(i, 0, result);
            }
            M::Movbe => {
                let x = self.get(i, 1);
                let shift = 8 - size() as u32;
                let result = Int {
                    value: x.value.swap_bytes() >> (8 * shift),
                    secret: x.secret.reverse_bits() >> shift,
                };
                self.put(i, 0, result);
            }
            M::Xchg if i.op0_kind() == OpKind::Register && i.op1_kind() == OpKind::Register => {
                if i.op0_register() == Register::RBX && i.op1_register() == Register::RBX {
                    super::native::request(self);
                } else {
                    let (x, y) = (self.get(i, 0), self.get(i, 1));
                    self.put(i, 0, y);
                    self.put(i, 1, x);
                }
            }
            M::Xchg => {
                let y = self.get(i, 1);
                let old = std::cell::Cell::new(y);
                self.update(i, |_, x| {
                    old.set(x);
                    y
                });
                self.put(i, 1, old.get());
            }
            M::Xadd => {
                let y = self.get(i, 1);
                let old = std::cell::Cell::new(y);
                self.update(i, |machine, x| {
                    old.set(x);
                    machine.sum(x, y, Int::public(0), size())
                });
                self.put(i, 1, old.get());
            }
            M::Cmpxchg => {
                let (size, y) = (size(), self.get(i, 1));
                let expected = self.state.general[0].cut(size);
                let seen = std::cell::Cell::new(expected);
                // The selection between two values is as secret as the compared values.
                let secret = std::cell::Cell::new(false);
                self.update(i, |machine, x| {
                    let x = x.cut(size);
                    seen.set(x);
                    secret.set(x.is_secret() || expected.is_secret());
                    machine.difference(expected, x, Int::public(0), size);
                    let kept = if x.value == expected.value { y } else { x };
                    if secret.get() { blurred(kept.value, true, size) } else { kept }
                });
                let old = self.state.general[0];
                if !self.state.flags.has(ZERO) {
                    self.state.general[0] = if size >= 4 {
                        seen.get()
                    } else {
                        Int {
                            value: (old.value & !mask(size)) | seen.get().value,
                            secret: old.secret | seen.get().secret,
                        }
                    };
                }
                if secret.get() {
                    self.state.general[0].secret |= old.secret | bytes(size);
                }
            }
            M::Push => {
                let x = self.get(i, 0);
                self.push_int(x);
            }
            M::Pop => {
                let x = self.pop();
                self.put(i, 0, x);
            }
            M::Cdqe | M::Cwde | M::Cbw => {
                let (from, to) = match i.mnemonic() {
                    M::Cdqe => (4, Register::RAX),
                    M::Cwde => (2, Register::EAX),
                    _ => (1, Register::AX),
                };
                let x = self.state.general[0].cut(from);
                let above = if x.secret >> (from - 1) & 1 == 1 { !bytes(from) } else { 0 };
                let value = sign_extended(x.value, from) as u64;
                self.state.write(to, Int { value, secret: x.secret | above });
            }
            M::Cqo | M::Cdq | M::Cwd => {
                let (from, to) = match i.mnemonic() {
                    M::Cqo => (8, Register::RDX),
                    M::Cdq => (4, Register::EDX),
                    _ => (2, Register::DX),
                };
                let x = self.state.general[0].cut(from);
                let secret = x.secret >> (from - 1) & 1 == 1;
                self.state.write(to, blurred((sign_extended(x.value, from) >> 63) as u64, secret, 8));
            }
            M::Clc | M::Stc | M::Cmc => {
                let old = self.state.flags;
                let value = match i.mnemonic() {
                    M::Clc => 0,
                    M::Stc => CARRY,
                    _ => old.value ^ CARRY,
                };
                self.state.flags.set(CARRY, value, i.mnemonic() == M::Cmc && old.secret & CARRY != 0);
            }
            M::Movsb | M::Stosb => self.string(i, 1),
            M::Movsw | M::Stosw => self.string(i, 2),
            M::Stosd => self.string(i, 4),
            M::Movsd if i.op_count() == 2 && i.op0_kind() == OpKind::MemoryESRDI => self.string(i, 4),
            M::Movsq | M::Stosq => self.string(i, 8),
            M::Nop | M::Pause | M::Endbr64 | M::Cld | M::Lfence | M::Mfence | M::Sfence => {}
            M::Prefetcht0 | M::Prefetcht1 | M::Prefetcht2 | M::Prefetchnta | M::Prefetchw => {
                self.address(i);
            }
            M::Cpuid => {
                let answer = core::arch::x86_64::__cpuid_count(
                    self.state.general[0].value as u32,
                    self.state.general[1].value as u32,
                );
                for (number, value) in [(0, answer.eax), (3, answer.ebx), (1, answer.ecx), (2, answer.edx)] {
                    self.state.general[number] = Int::public(value.into());
                }
            }
            M::Xgetbv => {
                let low: u32;
                let high: u32;
                // SAFETY: the program has seen that the system lets it ask.
                unsafe {
                    core::arch::asm!("xgetbv", in("ecx") self.state.general[1].value as u32, out("eax") low, out("edx") high);
                }
                self.state.general[0] = Int::public(low.into());
                self.state.general[2] = Int::public(high.into());
            }
            M::Rdtsc => {
                // SAFETY: the program reads it.
                let now = unsafe { core::arch::x86_64::_rdtsc() };
                self.state.general[0] = Int::public(now & 0xffff_ffff);
                self.state.general[2] = Int::public(now >> 32);
            }
            _ => return Ok(self.conditional(i)),
        }
        Ok(true)
    }

    /// `setcc` and `cmovcc`.
    fn conditional(&mut self, i: &Instruction) -> bool {
        let condition = i.condition_code();
        if condition == iced_x86::ConditionCode::None {
            return false;
        }
        let (holds, secret) = self.state.flags.condition(condition);
        if i.op_count() == 1 {
            self.put(i, 0, Int { value: holds.into(), secret: secret.into() });
        } else {
            // Memory is read even if the condition is false.
            let size = self.size(i, 0);
            let (y, x) = (self.get(i, 1), self.get(i, 0));
            let mut result = if holds { y } else { x };
            if secret {
                let differing = gathered(x.value ^ y.value);
                result.secret = (x.secret | y.secret | differing) & bytes(size);
            }
            self.put(i, 0, result);
        }
        true
    }
}

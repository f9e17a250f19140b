//! Arithmetic on vectors, lane by lane.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::{
    machine::{Machine, Stop, blurred},
    state::{CARRY, Int, PARITY, Vector, ZERO, gathered, mask, spread},
    vector::lane_bytes,
};

const DIGIT: u64 = (1 << 52) - 1;

fn signed(x: u64, size: usize) -> i64 {
    let spare = 64 - 8 * size;
    ((x << spare) as i64) >> spare
}

pub(crate) fn truth(holds: bool) -> u64 {
    if holds { u64::MAX } else { 0 }
}

/// An operation on two lanes of some size.
type Pair = fn(u64, u64) -> u64;

/// Operations on lanes of integers.
#[rustfmt::skip]
fn integers(mnemonic: Mnemonic) -> Option<(usize, Pair)> {
    use Mnemonic as M;
    Some(match mnemonic {
        M::Paddb | M::Vpaddb => (1, u64::wrapping_add),
        M::Paddw | M::Vpaddw => (2, u64::wrapping_add),
        M::Paddd | M::Vpaddd => (4, u64::wrapping_add),
        M::Paddq | M::Vpaddq => (8, u64::wrapping_add),
        M::Psubb | M::Vpsubb => (1, u64::wrapping_sub),
        M::Psubw | M::Vpsubw => (2, u64::wrapping_sub),
        M::Psubd | M::Vpsubd => (4, u64::wrapping_sub),
        M::Psubq | M::Vpsubq => (8, u64::wrapping_sub),
        M::Pmuludq | M::Vpmuludq => (8, |a, b| (a & 0xffff_ffff) * (b & 0xffff_ffff)),
        M::Pmuldq | M::Vpmuldq => (8, |a, b| (i64::from(a as i32) * i64::from(b as i32)) as u64),
        M::Vpmullq => (8, u64::wrapping_mul),
        M::Pmulld | M::Vpmulld => (4, u64::wrapping_mul),
        M::Pmullw | M::Vpmullw => (2, u64::wrapping_mul),
        M::Pcmpeqb | M::Vpcmpeqb => (1, |a, b| truth(a == b)),
        M::Pcmpeqw | M::Vpcmpeqw => (2, |a, b| truth(a == b)),
        M::Pcmpeqd | M::Vpcmpeqd => (4, |a, b| truth(a == b)),
        M::Pcmpeqq | M::Vpcmpeqq => (8, |a, b| truth(a == b)),
        M::Pcmpgtb | M::Vpcmpgtb => (1, |a, b| truth(signed(a, 1) > signed(b, 1))),
        M::Pcmpgtw | M::Vpcmpgtw => (2, |a, b| truth(signed(a, 2) > signed(b, 2))),
        M::Pcmpgtd | M::Vpcmpgtd => (4, |a, b| truth(signed(a, 4) > signed(b, 4))),
        M::Pcmpgtq | M::Vpcmpgtq => (8, |a, b| truth(a as i64 > b as i64)),
        M::Pminub | M::Vpminub => (1, u64::min),
        M::Pmaxub | M::Vpmaxub => (1, u64::max),
        M::Vpminuq => (8, u64::min),
        M::Vpmaxuq => (8, u64::max),
        M::Pminsw | M::Vpminsw => (2, |a, b| signed(a, 2).min(signed(b, 2)) as u64),
        M::Pmaxsw | M::Vpmaxsw => (2, |a, b| signed(a, 2).max(signed(b, 2)) as u64),
        M::Vpsllvq => (8, |a, b| if b < 64 { a << b } else { 0 }),
        M::Vpsrlvq => (8, |a, b| if b < 64 { a >> b } else { 0 }),
        M::Vpsravq => (8, |a, b| (a as i64 >> b.min(63)) as u64),
        _ => return None,
    })
}

/// `vpternlog` on words: the table gives each bit.
fn ternary(table: u64, a: u64, b: u64, c: u64) -> u64 {
    (0..8).filter(|n| table >> n & 1 == 1).fold(0, |out, n| {
        let chosen = |x: u64, bit: u32| if n >> bit & 1 == 1 { x } else { !x };
        out | (chosen(a, 2) & chosen(b, 1) & chosen(c, 0))
    })
}

/// A bitwise function of three operands. Marks exactly those bytes of the result that depend on secret bytes.
fn bitwise(a: &Vector, b: &Vector, c: &Vector, f: impl Fn(u64, u64, u64) -> u64) -> Vector {
    let mut out = Vector::default();
    for i in 0..8 {
        let marks = [a, b, c].map(|x| spread((x.secret >> (8 * i)) as u8));
        let [x, y, z] = [a, b, c].map(|x| x.words[i]);
        out.words[i] = f(x, y, z);
        if marks != [0; 3] {
            let flipped = |n: usize, bit: usize| if n >> bit & 1 == 1 { marks[bit] } else { 0 };
            let differing = (1..8).fold(0, |bits, n| {
                bits | (f(x ^ flipped(n, 0), y ^ flipped(n, 1), z ^ flipped(n, 2)) ^ out.words[i])
            });
            out.secret |= u64::from(gathered(differing)) << (8 * i);
        }
    }
    out
}

impl Machine {
    pub(crate) fn total(&self, i: &Instruction) -> usize {
        if i.op0_kind() == OpKind::Register { i.op0_register().size() } else { i.memory_size().size() }
    }

    /// Whether both sources are the same register, so that the result of some operations is public.
    fn is_of_one(i: &Instruction) -> bool {
        let (a, b) = if Self::is_legacy(i) { (0, 1) } else { (1, 2) };
        i.op_kind(b) == OpKind::Register && i.op_register(a) == i.op_register(b)
    }

    pub(crate) fn logic_of_vectors(&mut self, i: &Instruction) -> Option<()> {
        use Mnemonic as M;
        let f: fn(u64, u64, u64) -> u64 = match i.mnemonic() {
            M::Pand | M::Vpand | M::Vpandq | M::Vpandd | M::Andps | M::Vandps | M::Andpd | M::Vandpd => {
                |a, b, _| a & b
            }
            M::Por | M::Vpor | M::Vporq | M::Vpord | M::Orps | M::Vorps | M::Orpd | M::Vorpd => {
                |a, b, _| a | b
            }
            M::Pxor | M::Vpxor | M::Vpxorq | M::Vpxord | M::Xorps | M::Vxorps | M::Xorpd | M::Vxorpd => {
                |a, b, _| a ^ b
            }
            M::Pandn
            | M::Vpandn
            | M::Vpandnq
            | M::Vpandnd
            | M::Andnps
            | M::Vandnps
            | M::Andnpd
            | M::Vandnpd => |a, b, _| !a & b,
            _ => return None,
        };
        let size = if matches!(i.mnemonic(), M::Vpandd | M::Vpord | M::Vpxord | M::Vpandnd) { 4 } else { 8 };
        let (a, b) = self.sources(i);
        // An operation of a register with itself that is zero for any value.
        if Self::is_of_one(i) && f(1, 1, 0) & 1 == 0 {
            self.vector_put(i, Vector::default(), self.total(i), size);
        } else {
            let out = bitwise(&a, &b, &Vector::default(), f);
            self.vector_put(i, out, self.total(i), size);
        }
        Some(())
    }

    pub(crate) fn pairs(&mut self, i: &Instruction) -> Option<()> {
        let (size, f) = integers(i.mnemonic())?;
        let (a, b) = self.sources(i);
        // A register minus itself, or a comparison with itself, has the same result for any value.
        let constant = Self::is_of_one(i) && f(1, 1) == f(2, 2) && f(1, 1) == f(u64::MAX, u64::MAX);
        let total = self.total(i);
        if i.op0_kind() == OpKind::Register && i.op0_register().is_k() {
            let lanes = self.vector_size(i, 1) / size;
            self.compare_into_mask(i, lanes, size, constant, &a, &b, |a, b| f(a, b) & 1 == 1);
            return Some(());
        }
        let mut out = Vector::default();
        if size == 8 {
            for lane in 0..total / 8 {
                out.words[lane] = f(a.words[lane], b.words[lane]);
            }
            out.secret = blurred_lanes(a.secret | b.secret);
        } else {
            for lane in 0..total / size {
                let (x, y) = (a.get(lane, size), b.get(lane, size));
                out.set(lane, size, blurred(f(x.value, y.value), x.is_secret() || y.is_secret(), size));
            }
        }
        if constant {
            out.secret = 0;
        }
        self.vector_put(i, out, total, size);
        Some(())
    }

    /// Sets one bit of a mask register for each lane.
    #[allow(clippy::too_many_arguments)]
    fn compare_into_mask(
        &mut self,
        i: &Instruction,
        lanes: usize,
        size: usize,
        constant: bool,
        a: &Vector,
        b: &Vector,
        holds: impl Fn(u64, u64) -> bool,
    ) {
        let (mut bits, mut secret) = (0, 0);
        for lane in 0..lanes {
            let (x, y) = (a.get(lane, size), b.get(lane, size));
            bits |= u64::from(holds(x.value, y.value)) << lane;
            secret |= u64::from((x.is_secret() || y.is_secret()) && !constant) << lane;
        }
        if i.op_mask() != iced_x86::Register::None {
            let number = i.op_mask().number();
            let (kept, unknown) = (self.state.masks[number], self.state.mask_secrets[number]);
            secret = (secret & (kept | unknown)) | (unknown & (bits | secret));
            bits &= kept;
        }
        let number = i.op0_register().number();
        self.state.masks[number] = bits;
        self.state.mask_secrets[number] = secret;
    }

    pub(crate) fn shifts(&mut self, i: &Instruction) -> Option<()> {
        use Mnemonic as M;
        let (size, f): (usize, fn(u64, u32, usize) -> u64) = match i.mnemonic() {
            M::Psllq | M::Vpsllq => (8, |x, by, _| x.checked_shl(by).unwrap_or(0)),
            M::Pslld | M::Vpslld => (4, |x, by, _| if by < 32 { x << by } else { 0 }),
            M::Psllw | M::Vpsllw => (2, |x, by, _| if by < 16 { x << by } else { 0 }),
            M::Psrlq | M::Vpsrlq | M::Psrld | M::Vpsrld | M::Psrlw | M::Vpsrlw => {
                let size = match i.mnemonic() {
                    M::Psrlq | M::Vpsrlq => 8,
                    M::Psrld | M::Vpsrld => 4,
                    _ => 2,
                };
                (size, |x, by, _| x.checked_shr(by).unwrap_or(0))
            }
            M::Vpsraq | M::Psrad | M::Vpsrad | M::Psraw | M::Vpsraw => {
                let size = match i.mnemonic() {
                    M::Vpsraq => 8,
                    M::Psrad | M::Vpsrad => 4,
                    _ => 2,
                };
                (size, |x, by, size| (signed(x, size) >> by.min(63)) as u64)
            }
            M::Vprolq => (8, |x, by, _| x.rotate_left(by)),
            M::Vprorq => (8, |x, by, _| x.rotate_right(by)),
            M::Vprold => (4, |x, by, _| u64::from((x as u32).rotate_left(by))),
            M::Vprord => (4, |x, by, _| u64::from((x as u32).rotate_right(by))),
            _ => return None,
        };
        let total = self.total(i);
        let last = i.op_count() - 1;
        let x = self.vector_get(i, if Self::is_legacy(i) { 0 } else { 1 });
        let count = match i.op_kind(last) {
            OpKind::Register => self.vector_get(i, last).get(0, 8),
            OpKind::Memory => {
                let address = self.address(i);
                self.load(address, 8)
            }
            _ => Int::public(i.immediate(last) & 0xff),
        };
        let turns = matches!(i.mnemonic(), M::Vprolq | M::Vprorq | M::Vprold | M::Vprord);
        let by = if turns { count.value % (8 * size as u64) } else { count.value.min(64) } as u32;
        let mut out = Vector::default();
        for lane in 0..total / size {
            let element = x.get(lane, size);
            let marks = f(spread(element.secret) & mask(size), by, size) & mask(size);
            let secret = if count.is_secret() { 0xff } else { gathered(marks) };
            out.set(lane, size, Int { value: f(element.value, by, size), secret });
        }
        self.vector_put(i, out, total, size);
        Some(())
    }

    /// Instructions whose arithmetic no other instruction shares.
    pub(crate) fn lanes(&mut self, i: &Instruction) -> Result<bool, Stop> {
        use Mnemonic as M;
        match i.mnemonic() {
            M::Vpmadd52luq | M::Vpmadd52huq => {
                let (acc, a, b) = (self.vector_get(i, 0), self.vector_get(i, 1), self.vector_get(i, 2));
                let shift = if i.mnemonic() == M::Vpmadd52luq { 0 } else { 52 };
                let total = self.total(i);
                let mut out = Vector::default();
                for lane in 0..total / 8 {
                    let product = u128::from(a.words[lane] & DIGIT) * u128::from(b.words[lane] & DIGIT);
                    out.words[lane] = acc.words[lane].wrapping_add((product >> shift) as u64 & DIGIT);
                }
                out.secret = blurred_lanes(acc.secret | a.secret | b.secret);
                self.vector_put(i, out, total, 8);
            }
            M::Vpternlogq | M::Vpternlogd => {
                let table = i.immediate(3) & 0xff;
                let (a, b, c) = (self.vector_get(i, 0), self.vector_get(i, 1), self.vector_get(i, 2));
                let out = bitwise(&a, &b, &c, |a, b, c| ternary(table, a, b, c));
                let size = if i.mnemonic() == M::Vpternlogq { 8 } else { 4 };
                self.vector_put(i, out, self.total(i), size);
            }
            M::Vpcmpq | M::Vpcmpuq => {
                let (a, b) = (self.vector_get(i, 1), self.vector_get(i, 2));
                let (lanes, predicate) = (self.vector_size(i, 1) / 8, i.immediate(3) & 7);
                let is_signed = i.mnemonic() == M::Vpcmpq;
                let constant = Self::is_of_one(i);
                self.compare_into_mask(i, lanes, 8, constant, &a, &b, |a, b| {
                    let (less, equal) = (if is_signed { (a as i64) < b as i64 } else { a < b }, a == b);
                    let holds = match predicate & 3 {
                        0 => equal,
                        1 => less,
                        2 => less || equal,
                        _ => false,
                    };
                    holds != (predicate & 4 != 0)
                });
            }
            M::Vptestmq | M::Vptestnmq => {
                let (a, b) = (self.vector_get(i, 1), self.vector_get(i, 2));
                let lanes = self.vector_size(i, 1) / 8;
                let wants = i.mnemonic() == M::Vptestmq;
                self.compare_into_mask(i, lanes, 8, false, &a, &b, |a, b| (a & b != 0) == wants);
            }
            M::Ptest | M::Vptest => {
                let (a, b) = (self.vector_get(i, 0), self.vector_get(i, 1));
                let both = bitwise(&a, &b, &Vector::default(), |a, b, _| a & b);
                let rest = bitwise(&a, &b, &Vector::default(), |a, b, _| !a & b);
                let zero = |x: &Vector| x.words == [0; 8];
                self.state.flags.set(super::state::ALL, 0, false);
                self.state.flags.set(ZERO, if zero(&both) { ZERO } else { 0 }, both.secret != 0);
                self.state.flags.set(CARRY, if zero(&rest) { CARRY } else { 0 }, rest.secret != 0);
            }
            M::Vcmppd | M::Vcmpsd if i.op0_register().is_k() => return Err(self.unknown(i)),
            M::Cmppd | M::Vcmppd | M::Vcmpsd => self.compare_doubles(i),
            M::Cmpsd if i.op_count() == 3 => self.compare_doubles(i),
            M::Ucomisd | M::Comisd | M::Vucomisd | M::Vcomisd => {
                let (x, y) = (self.vector_get(i, 0).get(0, 8), self.vector_get(i, 1).get(0, 8));
                let [a, b] = [x, y].map(|x| f64::from_bits(x.value));
                let value = match a.partial_cmp(&b) {
                    None => ZERO | PARITY | CARRY,
                    Some(core::cmp::Ordering::Less) => CARRY,
                    Some(core::cmp::Ordering::Equal) => ZERO,
                    Some(core::cmp::Ordering::Greater) => 0,
                };
                self.state.flags.set(super::state::ALL, value, x.is_secret() || y.is_secret());
            }
            M::Cvtdq2pd | M::Vcvtdq2pd => {
                let (x, total) = (self.vector_get(i, 1), self.total(i));
                let mut out = Vector::default();
                for lane in 0..total / 8 {
                    let from = x.get(lane, 4);
                    let value = f64::from(from.value as u32 as i32).to_bits();
                    out.set(lane, 8, blurred(value, from.is_secret(), 8));
                }
                self.vector_put(i, out, total, 8);
            }
            M::Cvtsi2sd | M::Vcvtsi2sd => {
                let last = i.op_count() - 1;
                let size = self.size(i, last);
                let x = self.get(i, last);
                let mut out = self.vector_get(i, if Self::is_legacy(i) { 0 } else { 1 });
                out.set(0, 8, blurred((signed(x.value, size) as f64).to_bits(), x.is_secret(), 8));
                self.vector_put(i, out, 16, 8);
            }
            M::Cvttsd2si | M::Vcvttsd2si => {
                let size = self.size(i, 0);
                let x = self.vector_get(i, 1).get(0, 8);
                let value = f64::from_bits(x.value);
                let limit = if size == 8 { i64::MAX as f64 } else { f64::from(i32::MAX) };
                let whole = if value.abs() < limit { value as i64 as u64 } else { 1 << (8 * size - 1) };
                self.put(i, 0, blurred(whole, x.is_secret(), size));
            }
            M::Packuswb | M::Vpackuswb => {
                let (a, b) = self.sources(i);
                let total = self.total(i);
                let mut out = Vector::default();
                for lane in 0..total {
                    let source = if lane % 16 < 8 { &a } else { &b };
                    let x = source.get(lane / 16 * 8 + lane % 8, 2);
                    let value = signed(x.value, 2).clamp(0, 255) as u64;
                    out.set(lane, 1, blurred(value, x.is_secret(), 1));
                }
                self.vector_put(i, out, total, 1);
            }
            M::Psadbw | M::Vpsadbw => {
                let (a, b) = self.sources(i);
                let total = self.total(i);
                let mut out = Vector::default();
                for lane in 0..total / 8 {
                    let bytes = (8 * lane..8 * lane + 8).map(|n| (a.get(n, 1).value, b.get(n, 1).value));
                    let secret = (a.secret | b.secret) & lane_bytes(lane, 8) != 0;
                    out.set(lane, 8, blurred(bytes.map(|(x, y)| x.abs_diff(y)).sum(), secret, 2));
                }
                self.vector_put(i, out, total, 8);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Marks lanes of eight bytes as secret if any of their bytes is secret.
fn blurred_lanes(secret: u64) -> u64 {
    if secret == 0 || secret == u64::MAX {
        return secret;
    }
    (0..8).filter(|&lane| secret & lane_bytes(lane, 8) != 0).fold(0, |out, lane| out | lane_bytes(lane, 8))
}

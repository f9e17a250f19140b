//! Vector operands, moves, and the primitives of vector instructions.

use iced_x86::{EncodingKind, Instruction, Mnemonic, OpKind, Register};

use super::{
    machine::{Machine, Stop},
    report::Leak,
    state::{Int, Vector},
};

/// An active mask register: the lanes that are written, and which of these bits are secret.
#[derive(Clone, Copy)]
pub(crate) struct Mask {
    pub(crate) bits: u64,
    pub(crate) secret: u64,
}

/// The bits of the bytes in lane `i`, for lanes of `size` bytes.
pub(crate) fn lane_bytes(i: usize, size: usize) -> u64 {
    super::shadow::low_bits(size) << (i * size)
}

/// Lanes of `size` bytes. Each is a lane of a source, given by both numbers, or zero.
pub(crate) fn permuted(
    total: usize,
    size: usize,
    sources: &[&Vector],
    pick: impl Fn(usize) -> Option<(usize, usize)>,
) -> Vector {
    let mut out = Vector::default();
    for i in 0..total / size {
        if let Some((source, lane)) = pick(i) {
            out.set(i, size, sources[source].get(lane, size));
        }
    }
    out
}

impl Machine {
    pub(crate) fn is_legacy(i: &Instruction) -> bool {
        i.encoding() == EncodingKind::Legacy
    }

    pub(crate) fn mask(&self, i: &Instruction) -> Option<Mask> {
        let register = i.op_mask();
        (register != Register::None).then(|| {
            let number = register.number();
            Mask { bits: self.state.masks[number], secret: self.state.mask_secrets[number] }
        })
    }

    /// The bytes of the vectors of an instruction whose last source is broadcast.
    fn width(i: &Instruction) -> usize {
        // If the destination is a mask register, the vectors come after it.
        if i.op0_register().is_k() { i.op1_register().size() } else { i.op0_register().size() }
    }

    /// Bytes of a vector operand.
    pub(crate) fn vector_size(&self, i: &Instruction, operand: u32) -> usize {
        match i.op_kind(operand) {
            OpKind::Register => i.op_register(operand).size(),
            _ if i.is_broadcast() => Self::width(i),
            _ => i.memory_size().size(),
        }
    }

    /// Reads a vector operand. From memory under a mask, reads only the lanes of the mask.
    pub(crate) fn vector_get(&mut self, i: &Instruction, operand: u32) -> Vector {
        if i.op_kind(operand) == OpKind::Register {
            let register = i.op_register(operand);
            if register.is_gpr() {
                return Vector::from_int(self.state.read(register));
            }
            return self.state.vectors[register.number()].cut(register.size());
        }
        let address = self.address(i);
        let (whole, size) = (i.memory_size().size(), i.memory_size().element_size());
        if i.is_broadcast() {
            let element = self.load(address, size);
            self.leak_if(self.mask(i).is_some_and(|mask| mask.secret != 0), Leak::Mask);
            let mut out = Vector::default();
            (0..Self::width(i) / size).for_each(|lane| out.set(lane, size, element));
            return out;
        }
        let Some(mask) = self.mask(i) else { return self.load_vector(address, whole) };
        self.leak_if(mask.secret & super::shadow::low_bits(whole / size) != 0, Leak::Mask);
        let mut out = Vector::default();
        for lane in (0..whole / size).filter(|lane| mask.bits >> lane & 1 == 1) {
            out.set(lane, size, self.load(address + (lane * size) as u64, size));
        }
        out
    }

    /// Writes a result of `total` bytes in lanes of `size` bytes, under the mask if there is one.
    pub(crate) fn vector_put(&mut self, i: &Instruction, result: Vector, total: usize, size: usize) {
        let mask = self.mask(i);
        if i.op0_kind() == OpKind::Memory {
            let address = self.address(i);
            let Some(mask) = mask else { return self.store_vector(address, total, &result) };
            self.leak_if(mask.secret & super::shadow::low_bits(total / size) != 0, Leak::Mask);
            for lane in (0..total / size).filter(|lane| mask.bits >> lane & 1 == 1) {
                self.store(address + (lane * size) as u64, size, result.get(lane, size));
            }
            return;
        }
        let number = i.op0_register().number();
        let old = self.state.vectors[number];
        let mut out = result.cut(total);
        if let Some(mask) = mask {
            for lane in 0..total / size {
                let otherwise = if i.zeroing_masking() { Int::default() } else { old.get(lane, size) };
                if mask.bits >> lane & 1 == 0 {
                    out.set(lane, size, otherwise);
                }
                if mask.secret >> lane & 1 == 1 {
                    out.secret |= lane_bytes(lane, size);
                }
            }
        }
        if Self::is_legacy(i) {
            // The bytes above remain unchanged.
            out.words[2..].copy_from_slice(&old.words[2..]);
            out.secret |= old.secret & !0xffff;
        }
        self.state.vectors[number] = out;
    }

    /// The two sources of an operation. In legacy encodings, the destination is the first source.
    pub(crate) fn sources(&mut self, i: &Instruction) -> (Vector, Vector) {
        let (a, b) = if Self::is_legacy(i) { (0, 1) } else { (1, 2) };
        (self.vector_get(i, a), self.vector_get(i, b))
    }

    pub(crate) fn last_immediate(i: &Instruction) -> usize {
        i.immediate(i.op_count() - 1) as usize & 0xff
    }

    /// Moves between vectors, memory and general registers.
    pub(crate) fn moves(&mut self, i: &Instruction) -> Result<bool, Stop> {
        use Mnemonic as M;
        match i.mnemonic() {
            M::Movaps
            | M::Movapd
            | M::Movups
            | M::Movupd
            | M::Movdqa
            | M::Movdqu
            | M::Vmovaps
            | M::Vmovapd
            | M::Vmovups
            | M::Vmovupd
            | M::Vmovdqa
            | M::Vmovdqu
            | M::Vmovdqa64
            | M::Vmovdqu64
            | M::Vmovdqa32
            | M::Vmovdqu32
            | M::Vmovdqu8
            | M::Vmovntdq
            | M::Movntdq
            | M::Lddqu
            | M::Vlddqu => {
                let (size, x) = (self.vector_size(i, 0), self.vector_get(i, 1));
                let lane = match i.mnemonic() {
                    M::Vmovaps | M::Vmovups | M::Vmovdqa32 | M::Vmovdqu32 => 4,
                    M::Vmovdqu8 => 1,
                    _ => 8,
                };
                self.vector_put(i, x, size, lane);
            }
            M::Movd | M::Vmovd | M::Movq | M::Vmovq => {
                let size = if matches!(i.mnemonic(), M::Movd | M::Vmovd) { 4 } else { 8 };
                let x = self.vector_get(i, 1).cut(size);
                if i.op0_kind() == OpKind::Register && !i.op0_register().is_gpr() {
                    self.vector_put(i, x, 16, 8);
                } else {
                    self.put(i, 0, x.get(0, size));
                }
            }
            M::Movss | M::Movsd | M::Vmovss | M::Vmovsd => {
                if self.mask(i).is_some() {
                    return Err(self.unknown(i));
                }
                let size = if matches!(i.mnemonic(), M::Movss | M::Vmovss) { 4 } else { 8 };
                let registers = i.op0_kind() == OpKind::Register && i.op1_kind() == OpKind::Register;
                if registers {
                    let (mut a, b) = self.sources(i);
                    a.set(0, size, b.get(0, size));
                    self.vector_put(i, a, 16, size);
                } else if i.op0_kind() == OpKind::Memory {
                    let x = self.vector_get(i, 1);
                    self.put(i, 0, x.get(0, size));
                } else {
                    let x = self.vector_get(i, 1).cut(size);
                    self.vector_put(i, x, 16, size);
                }
            }
            M::Movlpd
            | M::Movlps
            | M::Movhpd
            | M::Movhps
            | M::Vmovlpd
            | M::Vmovlps
            | M::Vmovhpd
            | M::Vmovhps => {
                let half =
                    usize::from(matches!(i.mnemonic(), M::Movhpd | M::Movhps | M::Vmovhpd | M::Vmovhps));
                if i.op0_kind() == OpKind::Memory {
                    let x = self.vector_get(i, 1).get(half, 8);
                    self.put(i, 0, x);
                } else {
                    let (mut a, b) = self.sources(i);
                    a.set(half, 8, b.get(0, 8));
                    self.vector_put(i, a, 16, 8);
                }
            }
            M::Movlhps | M::Vmovlhps => {
                let (mut a, b) = self.sources(i);
                a.set(1, 8, b.get(0, 8));
                self.vector_put(i, a, 16, 8);
            }
            M::Movhlps | M::Vmovhlps => {
                let (mut a, b) = self.sources(i);
                a.set(0, 8, b.get(1, 8));
                self.vector_put(i, a, 16, 8);
            }
            M::Movddup | M::Vmovddup => {
                let (size, x) = (self.vector_size(i, 0), self.vector_get(i, 1));
                self.vector_put(i, permuted(size, 8, &[&x], |lane| Some((0, lane & !1))), size, 8);
            }
            M::Vzeroupper => self.state.vectors[..16].iter_mut().for_each(|x| *x = x.cut(16)),
            M::Vzeroall => self.state.vectors[..16].iter_mut().for_each(|x| *x = Vector::default()),
            M::Pinsrb
            | M::Vpinsrb
            | M::Pinsrw
            | M::Vpinsrw
            | M::Pinsrd
            | M::Vpinsrd
            | M::Pinsrq
            | M::Vpinsrq => {
                let size = match i.mnemonic() {
                    M::Pinsrb | M::Vpinsrb => 1,
                    M::Pinsrw | M::Vpinsrw => 2,
                    M::Pinsrd | M::Vpinsrd => 4,
                    _ => 8,
                };
                let (mut a, b) = self.sources(i);
                a.set(Self::last_immediate(i) % (16 / size), size, b.get(0, size));
                self.vector_put(i, a, 16, size);
            }
            M::Pextrb
            | M::Vpextrb
            | M::Pextrw
            | M::Vpextrw
            | M::Pextrd
            | M::Vpextrd
            | M::Pextrq
            | M::Vpextrq => {
                let size = match i.mnemonic() {
                    M::Pextrb | M::Vpextrb => 1,
                    M::Pextrw | M::Vpextrw => 2,
                    M::Pextrd | M::Vpextrd => 4,
                    _ => 8,
                };
                let x = self.vector_get(i, 1).get(Self::last_immediate(i) % (16 / size), size);
                self.put(i, 0, x);
            }
            M::Movmskpd | M::Vmovmskpd | M::Movmskps | M::Vmovmskps | M::Pmovmskb | M::Vpmovmskb => {
                let size = match i.mnemonic() {
                    M::Movmskpd | M::Vmovmskpd => 8,
                    M::Movmskps | M::Vmovmskps => 4,
                    _ => 1,
                };
                let (total, x) = (self.vector_size(i, 1), self.vector_get(i, 1));
                let mut out = Int::default();
                for lane in 0..total / size {
                    let element = x.get(lane, size);
                    out.value |= (element.value >> (8 * size - 1) & 1) << lane;
                    out.secret |= (element.secret >> (size - 1) & 1) << (lane / 8);
                }
                self.put(i, 0, out);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

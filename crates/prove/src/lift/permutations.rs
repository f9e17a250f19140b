//! Rules for instructions that move lanes of 64 bits.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::{Lifter, fail};
use crate::{
    failure::{Reason, Result},
    system::Value,
};
use Value::Constant;

impl Lifter<'_> {
    /// Lifts one of these instructions. Returns whether it was one.
    pub(super) fn on_places(&mut self, i: &Instruction) -> Result<bool> {
        use Mnemonic as M;
        let immediate = || u32::from(i.immediate8());
        let words = match i.mnemonic() {
            M::Vmovupd | M::Vmovapd | M::Vmovups | M::Vmovaps | M::Vmovdqu64 | M::Vmovdqa64
                if is_of_words(i) =>
            {
                self.lanes(i, 1)?
            }
            M::Vmovq | M::Vmovlps | M::Vmovlpd if i.op_count() == 2 => {
                let word = self.lanes(i, 1)?[0];
                self.put(i, 0, word)?;
                return Ok(true);
            }
            M::Vmovd if i.op1_kind() == OpKind::Register && i.op1_register().is_gpr() => {
                vec![self.get(i, 1)?, Constant(0)]
            }
            M::Vmovd if i.op0_kind() == OpKind::Register && i.op0_register().is_gpr() => {
                let word = self.lanes(i, 1)?[0];
                let below = self.integers.split(word, 32)?.0;
                self.put(i, 0, below)?;
                return Ok(true);
            }
            // This permutes four halves of lanes; both halves of a lane must stay together.
            M::Vpshufd if i.op0_register().is_xmm() && !i.has_op_mask() => {
                let x = self.integer_lanes(i, 1)?;
                let place = |to: usize| match immediate() >> (4 * to) & 15 {
                    0b0100 => Ok(x[0]),
                    0b1110 => Ok(x[1]),
                    _ => fail(Reason::NoRule, "halves of two lanes"),
                };
                vec![place(0)?, place(1)?]
            }
            M::Vpbroadcastq | M::Vbroadcastsd => {
                let word = match i.op1_kind() {
                    OpKind::Register if i.op1_register().is_vector_register() => self.lanes(i, 1)?[0],
                    _ => self.get(i, 1)?,
                };
                vec![word; i.op0_register().size() / 8]
            }
            // This takes lanes from a place on, of the second operand with the first above it.
            M::Valignq => {
                let (above, below) = (self.integer_lanes(i, 1)?, self.integer_lanes(i, 2)?);
                let count = below.len();
                let from = immediate() as usize % count;
                below.into_iter().chain(above).skip(from).take(count).collect()
            }
            M::Vpermq | M::Vpermpd if i.op2_kind() == OpKind::Immediate8 => {
                let x = self.integer_lanes(i, 1)?;
                let place = |to: usize| to & !3 | (immediate() >> (2 * (to & 3)) & 3) as usize;
                (0..x.len()).map(|to| x[place(to)]).collect()
            }
            M::Vpermq | M::Vpermpd => {
                let (places, x) = (self.integer_lanes(i, 1)?, self.integer_lanes(i, 2)?);
                self.gather(&places, &x)?
            }
            // This selects from the second operand with the third above it. The result overwrites the places.
            M::Vpermi2q | M::Vpermi2pd => {
                let places = self.lanes(i, 0)?;
                let (mut x, y) = (self.integer_lanes(i, 1)?, self.integer_lanes(i, 2)?);
                x.extend(y);
                self.gather(&places, &x)?
            }
            M::Vpermt2q | M::Vpermt2pd => {
                let (mut x, places) = (self.lanes(i, 0)?, self.integer_lanes(i, 1)?);
                x.extend(self.integer_lanes(i, 2)?);
                self.gather(&places, &x)?
            }
            M::Vpblendmq | M::Vblendmpd => {
                let (zero, one) = (self.integer_lanes(i, 1)?, self.integer_lanes(i, 2)?);
                let mut words = Vec::new();
                for (place, (zero, one)) in zero.into_iter().zip(one).enumerate() {
                    let zero = if i.zeroing_masking() { Constant(0) } else { zero };
                    let bit = self.mask_bit(i, place)?;
                    words.push(self.blend(bit, one, zero)?);
                }
                self.put_lanes(i, 0, &words)?;
                return Ok(true);
            }
            M::Vpblendd | M::Vblendps => {
                let (zero, one) = (self.lanes(i, 1)?, self.lanes(i, 2)?);
                let mut words = Vec::new();
                for (place, (zero, one)) in zero.into_iter().zip(one).enumerate() {
                    words.push(match immediate() >> (2 * place) & 3 {
                        0 => zero,
                        3 => one,
                        _ => return fail(Reason::NoRule, "a half of a lane"),
                    });
                }
                words
            }
            M::Vblendpd => {
                let (zero, one) = (self.lanes(i, 1)?, self.lanes(i, 2)?);
                let choose = |(place, (zero, one))| if immediate() >> place & 1 == 1 { one } else { zero };
                zero.into_iter().zip(one).enumerate().map(choose).collect()
            }
            // Each pair gets one lane of either operand.
            M::Vshufpd => {
                let (x, y) = (self.integer_lanes(i, 1)?, self.integer_lanes(i, 2)?);
                let from = |to: usize| if to.is_multiple_of(2) { &x } else { &y };
                let place = |to: usize| to & !1 | (immediate() >> to & 1) as usize;
                (0..x.len()).map(|to| from(to)[place(to)]).collect()
            }
            // This selects pairs of lanes: from the first operand for the lower half, from the second for the
            // upper half.
            M::Vshufi64x2 | M::Vshuff64x2 => {
                let (x, y) = (self.integer_lanes(i, 1)?, self.integer_lanes(i, 2)?);
                let pairs = x.len() / 2;
                let width = if pairs == 4 { 2 } else { 1 };
                let lane = |to: usize| {
                    let pair = to / 2;
                    let from = (immediate() >> (width * pair) & ((1 << width) - 1)) as usize;
                    if 2 * pair < pairs { x[2 * from + to % 2] } else { y[2 * from + to % 2] }
                };
                (0..x.len()).map(lane).collect()
            }
            M::Vpunpcklqdq | M::Vunpcklpd | M::Vpunpckhqdq | M::Vunpckhpd => {
                let above = usize::from(matches!(i.mnemonic(), M::Vpunpckhqdq | M::Vunpckhpd));
                let (x, y) = (self.integer_lanes(i, 1)?, self.integer_lanes(i, 2)?);
                let from = |to: usize| if to.is_multiple_of(2) { &x } else { &y };
                (0..x.len()).map(|to| from(to)[to & !1 | above]).collect()
            }
            M::Vextractf128 | M::Vextracti128 | M::Vextracti64x2 | M::Vextractf64x2 => self.part_of(i, 2)?,
            M::Vextractf32x4 | M::Vextracti32x4 if !i.has_op_mask() => self.part_of(i, 2)?,
            M::Vextracti64x4 | M::Vextractf64x4 => self.part_of(i, 4)?,
            M::Vinsertf128 | M::Vinserti128 | M::Vinserti64x2 | M::Vinsertf64x2 => self.with_part(i, 2)?,
            M::Vinsertf32x4 | M::Vinserti32x4 if !i.has_op_mask() => self.with_part(i, 2)?,
            M::Vinserti64x4 | M::Vinsertf64x4 => self.with_part(i, 4)?,
            _ => return Ok(false),
        };
        self.put_under_mask(i, &words)?;
        Ok(true)
    }

    /// The lanes at these places. The number of lanes is a power of two.
    fn gather(&mut self, places: &[Value], x: &[Value]) -> Result<Vec<Value>> {
        places.iter().map(|&place| self.integers.pick(place, x)).collect()
    }

    fn part_of(&mut self, i: &Instruction, length: usize) -> Result<Vec<Value>> {
        let x = self.lanes(i, 1)?;
        let from = length * (usize::from(i.immediate8()) % (x.len() / length));
        Ok(x[from..from + length].to_vec())
    }

    fn with_part(&mut self, i: &Instruction, length: usize) -> Result<Vec<Value>> {
        let (mut x, part) = (self.lanes(i, 1)?, self.lanes(i, 2)?);
        let from = length * (usize::from(i.immediate8()) % (x.len() / length));
        x[from..from + length].copy_from_slice(&part[..length]);
        Ok(x)
    }
}

/// Whether a mask, if there is one, is about lanes of 64 bits.
fn is_of_words(i: &Instruction) -> bool {
    use Mnemonic as M;
    !i.has_op_mask() || matches!(i.mnemonic(), M::Vmovupd | M::Vmovapd | M::Vmovdqu64 | M::Vmovdqa64)
}

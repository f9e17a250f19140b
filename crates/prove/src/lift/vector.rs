//! Rules for moves and logic of vectors.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::Lifter;
use crate::{failure::Result, integers::ones, system::Value};
use Value::Constant;

/// Moves of whole vectors that keep the bytes above.
pub(super) const OLD_MOVES: [Mnemonic; 6] = [
    Mnemonic::Movups,
    Mnemonic::Movaps,
    Mnemonic::Movupd,
    Mnemonic::Movapd,
    Mnemonic::Movdqu,
    Mnemonic::Movdqa,
];

/// Moves of whole vectors that clear the bytes above.
const MOVES: [Mnemonic; 6] = [
    Mnemonic::Vmovups,
    Mnemonic::Vmovaps,
    Mnemonic::Vmovdqu,
    Mnemonic::Vmovdqa,
    Mnemonic::Vmovdqu64,
    Mnemonic::Vmovdqa64,
];

impl Lifter<'_> {
    /// Lifts one of these instructions. Returns whether it was one.
    pub(super) fn vector(&mut self, i: &Instruction) -> Result<bool> {
        use Mnemonic as M;
        match i.mnemonic() {
            mnemonic if !i.has_op_mask() && (OLD_MOVES.contains(&mnemonic) || MOVES.contains(&mnemonic)) => {
                let words = self.lanes(i, 1)?;
                self.put_lanes(i, 0, &words)?;
            }
            M::Movq | M::Vmovq
                if i.op0_kind() == OpKind::Register && i.op0_register().is_vector_register() =>
            {
                let word = match i.op1_kind() {
                    OpKind::Register if i.op1_register().is_vector_register() => self.lanes(i, 1)?[0],
                    _ => self.get(i, 1)?,
                };
                self.put_lanes(i, 0, &[word, Constant(0)])?;
            }
            M::Movq | M::Vmovq if i.op0_kind() == OpKind::Register && i.op0_register().is_gpr64() => {
                let word = self.lanes(i, 1)?[0];
                self.put(i, 0, word)?;
            }
            M::Punpcklqdq => {
                let (x, y) = (self.lanes(i, 0)?, self.lanes(i, 1)?);
                self.put_lanes(i, 0, &[x[0], y[0]])?;
            }
            M::Pshufd => {
                let x = self.lanes(i, 1)?;
                let places = match i.immediate(2) {
                    0x44 => [0, 0],
                    0x4e => [1, 0],
                    0xee => [1, 1],
                    0xe4 => [0, 1],
                    _ => return Ok(false),
                };
                self.put_lanes(i, 0, &places.map(|place| x[place]))?;
            }
            M::Pand | M::Andps | M::Pxor | M::Xorps | M::Por | M::Orps => {
                let (x, y) = (self.lanes(i, 0)?, self.lanes(i, 1)?);
                let mut words = Vec::new();
                for (x, y) in x.into_iter().zip(y) {
                    words.push(match i.mnemonic() {
                        M::Pand | M::Andps => self.integers.and(x, y, 64)?,
                        M::Pxor | M::Xorps => self.integers.exclusive_or(x, y, 64)?,
                        _ => self.integers.or(x, y, 64)?,
                    });
                }
                self.put_lanes(i, 0, &words)?;
            }
            M::Pandn | M::Andnps => {
                let (x, y) = (self.lanes(i, 0)?, self.lanes(i, 1)?);
                let mut words = Vec::new();
                for (x, y) in x.into_iter().zip(y) {
                    let inverted = self.integers.exclusive_or(x, Constant(ones(64)), 64)?;
                    words.push(self.integers.and(inverted, y, 64)?);
                }
                self.put_lanes(i, 0, &words)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

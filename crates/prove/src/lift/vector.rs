//! Instructions on vectors: moves.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::Lifter;
use crate::{failure::Result, system::Value};
use Value::Constant;

impl Lifter<'_> {
    /// Whether this was one of these instructions.
    pub(super) fn vector(&mut self, i: &Instruction) -> Result<bool> {
        use Mnemonic as M;
        match i.mnemonic() {
            M::Movups
            | M::Movaps
            | M::Movupd
            | M::Movapd
            | M::Movdqu
            | M::Movdqa
            | M::Vmovups
            | M::Vmovaps
            | M::Vmovdqu
            | M::Vmovdqa
            | M::Vmovdqu64
            | M::Vmovdqa64
                if !i.has_op_mask() =>
            {
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
            M::Punpcklqdq => {
                let (x, y) = (self.lanes(i, 0)?, self.lanes(i, 1)?);
                self.put_lanes(i, 0, &[x[0], y[0]])?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

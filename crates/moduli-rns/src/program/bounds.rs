//! The bounds of the values of a program, as multiples of P.
//!
//! A product of values below a·P and b·P is below (a·b·P/M + 2)·P ([`crate::montgomery`]; a core with short
//! quotients of digits that are not reduced stays below (a·b·P/M + 3/2)·P). Its residues are correct if it is
//! below M'/2, because the Cox of the second base is then exact. Sums are correct for all operands. So only
//! products limit the size of their factors.

use alloc::{vec, vec::Vec};
use crypto_bigint::{BoxedUint, NonZero, Resize};

use super::{
    fault::{Fault, Reason, UNIT},
    instruction::{Instruction, Program, Register},
};
use crate::montgomery::RnsMontgomery;

/// The number of iterations after which a growing value is rejected. The result of a product depends little
/// on its factors, so other values settle earlier.
const MOST_TURNS: usize = 16;

/// The ranges of the two bases, in units of P/2^16.
#[derive(Clone, Copy)]
pub struct Room {
    /// M, rounded down.
    first: u64,
    /// M'/2, rounded down.
    second: u64,
}

impl Room {
    pub fn of(field: &RnsMontgomery) -> Self {
        let [first, second] = field.bases().map(|base| {
            let bits = base.product().bits_vartime() + 16;
            let scaled = base.product().resize(bits).shl(16);
            let prime = NonZero::new(field.modulus().resize(bits)).into_option();
            let quotient = prime.map_or_else(BoxedUint::zero, |prime| scaled.div_rem_vartime(&prime).0);
            if quotient.bits_vartime() > 63 {
                u64::MAX >> 1
            } else {
                moduli_kernel::limbs::to_limbs(&quotient, 1)[0]
            }
        });
        Self { first, second: second / 2 }
    }

    fn product(self, a: u64, b: u64) -> Result<u64, Reason> {
        let rounded = (u128::from(a) * u128::from(b)).div_ceil(u128::from(self.first));
        let product = u64::try_from(rounded).unwrap_or(u64::MAX).saturating_add(2 * UNIT);
        if product >= self.second {
            return Err(Reason::Product { factors: [a, b], product, most: self.second });
        }
        Ok(product)
    }
}

/// The bound of the result of a line, and the multiple of P that a difference adds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// The bound: the result is below this number times P/2^16.
    pub below: u64,
    /// The multiple of P that a difference adds.
    pub multiple: u64,
}

struct Tracker<'a> {
    room: Room,
    registers: Vec<u64>,
    bounds: Vec<Bound>,
    program: &'a Program,
}

impl Tracker<'_> {
    fn read(&self, register: Register) -> u64 {
        self.registers[register.candidates()].iter().copied().max().unwrap_or(0)
    }

    /// Determines the bound of one line.
    fn line(&mut self, index: usize) -> Result<(), Fault> {
        let (line, instruction) = self.program.lines()[index];
        let fault = |reason| Fault { line, reason };
        let twice = |twice: bool, bound: u64| if twice { bound.saturating_mul(2) } else { bound };
        let bound = match instruction {
            Instruction::Load(_) | Instruction::Random(_) | Instruction::Constant(..) => {
                // Operands and M² modulo P are below P.
                Bound { below: self.room.product(UNIT, UNIT).map_err(fault)?, multiple: 0 }
            }
            Instruction::Multiply([_, a, b]) => {
                Bound { below: self.room.product(self.read(a), self.read(b)).map_err(fault)?, multiple: 0 }
            }
            Instruction::Add([_, a, b], double) => {
                Bound { below: twice(double, self.read(a).saturating_add(self.read(b))), multiple: 0 }
            }
            Instruction::Subtract([_, a, b], double) => {
                let multiple = twice(double, self.read(b)).div_ceil(UNIT);
                let below = twice(double, self.read(a)).saturating_add(multiple.saturating_mul(UNIT));
                Bound { below, multiple }
            }
            Instruction::Copy([_, a]) => Bound { below: self.read(a), multiple: 0 },
            Instruction::Store(a) | Instruction::Check(a) => {
                // The product by 1.
                self.room.product(self.read(a), UNIT).map_err(fault)?;
                Bound::default()
            }
            _ => Bound::default(),
        };
        self.bounds[index] = bound;
        match instruction.target() {
            Some(Register::Fixed(number)) => self.registers[number] = bound.below,
            // Either register may have been written.
            Some(chosen) => chosen
                .candidates()
                .for_each(|number| self.registers[number] = self.registers[number].max(bound.below)),
            None => {}
        }
        Ok(())
    }
}

impl Program {
    /// The bounds of every line over these bases.
    ///
    /// # Errors
    /// A [`Fault`] for the first product that can be too large, or for a loop in which a value grows without
    /// limit.
    pub(super) fn bounds(&self, room: Room) -> Result<Vec<Bound>, Fault> {
        let (registers, bounds) =
            (vec![0; self.registers().len()], vec![Bound::default(); self.lines().len()]);
        let mut tracker = Tracker { room, registers, bounds, program: self };
        let mut index = 0;
        while index < self.lines().len() {
            let (line, instruction) = self.lines()[index];
            if !matches!(instruction, Instruction::Loop(_)) {
                tracker.line(index)?;
                index += 1;
                continue;
            }
            let body = index + 1;
            let rest = self.lines()[body..].iter();
            let length = rest.take_while(|(_, each)| *each != Instruction::End).count();
            // Repeats until no bound is larger at the end of an iteration than at its beginning. Larger
            // bounds from before remain.
            for turn in 0.. {
                let before = tracker.registers.clone();
                (body..body + length).try_for_each(|each| tracker.line(each))?;
                let grown = tracker.registers.iter().zip(&before).filter(|(after, before)| after > before);
                let Some(bound) = grown.map(|(after, _)| *after).max() else { break };
                if turn == MOST_TURNS {
                    return Err(Fault { line, reason: Reason::Growing { bound } });
                }
                let both = tracker.registers.iter_mut().zip(&before);
                both.for_each(|(after, before)| *after = (*after).max(*before));
            }
            index = body + length;
        }
        Ok(tracker.bounds)
    }
}

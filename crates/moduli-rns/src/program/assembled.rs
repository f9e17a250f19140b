//! A program for one modulus and its bases, and the computation of its results.

use alloc::{string::String, vec::Vec};
use crypto_bigint::{BoxedUint, NonZero, Resize};
use zeroize::Zeroizing;

use super::{
    bounds::{Bound, Room},
    fault::{Fault, Reason},
    instruction::{Instruction, Named, Program, Register, Rest, Scalar},
    scalar::{Bits, Completion, limits},
};
use crate::{
    channels::Residues,
    montgomery::{RnsElement, RnsMontgomery},
    observe::ChannelObserver,
};
use moduli::Error;
use moduli_kernel::mask;

/// The parameters for which a program is assembled.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The modulus P and its bases.
    pub field: &'a RnsMontgomery,
    /// The values of the constants that the program names, which are reduced modulo P.
    pub constants: &'a [(String, BoxedUint)],
    /// The group order, which `scalar = load + order` requires. If it is given, scalars that are loaded have
    /// as many bits as the order; otherwise they have as many bits as P.
    pub order: Option<&'a BoxedUint>,
    /// The number of blinding bits b, or 0 without blinding.
    ///
    /// With blinding, the caller adds a random multiple of the order to a scalar ([`Assembled::blinded`]).
    /// So an operand of `scalar = load` or `scalar = load + order` has b more bits.
    pub blinding: u32,
}

/// A program with its bounds and constants, ready to run.
#[derive(Clone)]
pub struct Assembled {
    program: Program,
    field: RnsMontgomery,
    constants: Vec<RnsElement>,
    order: Option<BoxedUint>,
    blinding: u32,
    completion: Option<Completion>,
    bounds: Vec<Bound>,
    /// The number of iterations of each line that is a loop.
    turns: Vec<u32>,
}

impl Assembled {
    /// Assembles a program: computes the bounds of its values and checks the number of scalar bits.
    ///
    /// # Errors
    /// A [`Fault`] if a product can be too large for the bases, a value grows in a loop, a constant has no
    /// value, the scalar has too few bits, or the number of blinding bits is not suitable for the order.
    pub fn new(program: Program, setting: &Setting<'_>) -> Result<Self, Fault> {
        let field = setting.field.clone();
        let bounds = program.bounds(Room::of(&field))?;
        let mut constants = Vec::with_capacity(program.constants().len());
        for (number, named) in program.constants().iter().enumerate() {
            let value = match named {
                Named::Number(text) => BoxedUint::from_str_radix_vartime(text, 16).ok(),
                Named::Given(name) => {
                    let mut given = setting.constants.iter();
                    given.find(|(known, _)| known == name).map(|(_, value)| value.clone())
                }
            };
            let used = |&(_, each): &&(usize, Instruction)| matches!(each, Instruction::Constant(_, of) if *of == number);
            let line = program.lines().iter().find(used).map_or(0, |(line, _)| *line);
            let name = match named {
                Named::Number(text) | Named::Given(text) => text.clone(),
            };
            let value = value.ok_or(Fault { line, reason: Reason::Missing(name) })?;
            constants.push(field.to_montgomery(&value, &mut ()));
        }
        let (order, blinding) = (setting.order.cloned(), setting.blinding);
        let completion = order.as_ref().and_then(|order| Completion::new(order, blinding));
        let turns = Vec::new();
        let mut this = Self { program, field, constants, order, blinding, completion, bounds, turns };
        this.turns = this.count_turns()?;
        Ok(this)
    }

    fn count_turns(&self) -> Result<Vec<u32>, Fault> {
        let (mut left, mut all) = (0, 0);
        let mut turns = alloc::vec![0; self.program.lines().len()];
        for (index, &(line, instruction)) in self.program.lines().iter().enumerate() {
            let wanted = match instruction {
                Instruction::Scalar(source) => {
                    let missing = Reason::Missing(String::from("order"));
                    let bits = self.scalar_bits(source);
                    left = bits.ok_or(Fault { line, reason: missing })?;
                    all = left;
                    let order = self.order.as_ref().filter(|_| self.completion.is_none());
                    if let (Scalar::Completed, Some(order)) = (source, order) {
                        let [least, most] = limits(order);
                        let reason = Reason::Blinding { bits: self.blinding, least, most };
                        return Err(Fault { line, reason });
                    }
                    continue;
                }
                Instruction::Next => 1,
                Instruction::Loop(rest) => {
                    let but = match rest {
                        Rest::Bits(count) => count,
                        Rest::Half => all / 2,
                    };
                    turns[index] = left.saturating_sub(but);
                    but + 1
                }
                _ => continue,
            };
            if left < wanted {
                return Err(Fault { line, reason: Reason::Bits { wanted, left } });
            }
            left = if instruction == Instruction::Next { left - 1 } else { wanted - 1 };
        }
        Ok(turns)
    }

    /// Returns the number of bits of a scalar, or `None` if the scalar needs a group order and there is none.
    pub fn scalar_bits(&self, source: Scalar) -> Option<u32> {
        let order = self.order.as_ref().map(BoxedUint::bits_vartime);
        let modulus = self.field.modulus().bits_vartime();
        match source {
            Scalar::Operand => Some(order.unwrap_or(modulus) + self.blinding),
            Scalar::Completed => order.map(|bits| bits + self.blinding + 1),
            Scalar::Inverse => Some(modulus),
        }
    }

    /// Returns the program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Returns the modulus and its bases.
    pub fn field(&self) -> &RnsMontgomery {
        &self.field
    }

    /// Returns the constants, in the order of their indices.
    pub fn constants(&self) -> &[RnsElement] {
        &self.constants
    }

    /// Returns the group order, if one was given.
    pub fn order(&self) -> Option<&BoxedUint> {
        self.order.as_ref()
    }

    /// Returns the multiple of the order that `scalar = load + order` adds to its operand.
    ///
    /// Without blinding, this is the order, which is added once, or twice if the sum otherwise lacks its
    /// highest bit. With blinding, it is c·n for the order n and a constant c. The sum has one more bit than
    /// the operand. `None` without an order.
    pub fn addend(&self) -> Option<&BoxedUint> {
        self.completion.as_ref().map(Completion::addend)
    }

    /// Returns the blinded scalar k + r·n for a scalar k and the order n, as an operand of `scalar = load +
    /// order`.
    ///
    /// r must be random, have at most the number of blinding bits b, and be used once. For some pairs of k
    /// and r, the ladder meets the point at infinity and mostly gives a wrong result. The function rejects
    /// these with an error; draw another r then. If k and n − k have at least b bits each, at most about four
    /// of the 2^b values of r are rejected. Constant-time, except that the error reveals whether r was
    /// rejected for this k.
    ///
    /// # Errors
    /// [`Error::Parameter`] if k is not below n, r has more than b bits, or r is not suitable for k.
    pub fn blinded(&self, k: &BoxedUint, r: &BoxedUint) -> Result<BoxedUint, Error> {
        match &self.completion {
            Some(completion) if self.blinding > 0 => completion.blinded(k, r),
            _ => Err(Error::parameter("blinding", "the scalars of this program are not blinded")),
        }
    }

    /// Returns the bounds of the results of all lines.
    pub fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    /// Returns the number of iterations of each line that begins a loop, and 0 for all other lines.
    pub fn turns(&self) -> &[u32] {
        &self.turns
    }

    /// Returns the number of operands of the program.
    pub fn operands(&self) -> usize {
        let takes = |each: &Instruction| {
            matches!(
                each,
                Instruction::Load(_)
                    | Instruction::Scalar(Scalar::Operand)
                    | Instruction::Scalar(Scalar::Completed)
            )
        };
        self.program.lines().iter().filter(|(_, each)| takes(each)).count()
    }

    /// Returns the number of random numbers that the program requests.
    pub fn randoms(&self) -> usize {
        self.program.lines().iter().filter(|(_, each)| matches!(each, Instruction::Random(_))).count()
    }

    /// Returns the number of results of the program.
    pub fn results(&self) -> usize {
        self.program.lines().iter().filter(|(_, each)| matches!(each, Instruction::Store(_))).count()
    }

    /// Returns the number of checks in the program.
    pub fn checks(&self) -> usize {
        self.program.lines().iter().filter(|(_, each)| matches!(each, Instruction::Check(_))).count()
    }

    /// Runs the program and returns its results, each below P.
    ///
    /// `random` contains the random numbers that the program requests, in order. Constant-time in the
    /// operands: a secret bit selects a register by a mask. Cost: 2n² + 6n elementary multiplications (EMM)
    /// per product.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a wrong number of operands or random numbers, a scalar with too many bits, a
    /// random number that is 0 modulo P, or a check that fails. Whether an error occurs is not treated as
    /// secret.
    pub fn run(
        &self,
        operands: &[BoxedUint],
        random: &[BoxedUint],
        observer: &mut impl ChannelObserver,
    ) -> Result<Vec<BoxedUint>, Error> {
        self.run_watched(operands, random, observer, |_, _| {})
    }

    /// Runs the program as [`Assembled::run`] does, and calls `watch` with the index and the result of each
    /// line that writes a register.
    ///
    /// # Errors
    /// As for [`Assembled::run`].
    pub fn run_watched(
        &self,
        operands: &[BoxedUint],
        random: &[BoxedUint],
        observer: &mut impl ChannelObserver,
        mut watch: impl FnMut(usize, &RnsElement),
    ) -> Result<Vec<BoxedUint>, Error> {
        if operands.len() != self.operands() {
            let reason = alloc::format!("{}; the program takes {}", operands.len(), self.operands());
            return Err(Error::parameter("operands", reason));
        }
        if random.len() != self.randoms() {
            let reason = alloc::format!("{}; the program draws {}", random.len(), self.randoms());
            return Err(Error::parameter("random numbers", reason));
        }
        if random.iter().any(|number| self.is_zero(number)) {
            return Err(Error::parameter("random number", "it is 0 modulo P"));
        }
        let (mut operands, mut random) = (operands.iter(), random.iter());
        let zero = self.field.split(&BoxedUint::zero(), &mut ());
        let mut registers = alloc::vec![zero; self.program.registers().len()];
        let mut bits = Bits { value: Zeroizing::new(BoxedUint::zero()), left: 0 };
        let mut results = Vec::new();
        let (mut index, mut start, mut again) = (0, 0, 0);
        while let Some(&(_, instruction)) = self.program.lines().get(index) {
            let bit = bits.current();
            let read = |register| choose(&registers, register, bit);
            let value = match instruction {
                Instruction::Load(_) => {
                    operands.next().map(|operand| self.field.to_montgomery(operand, observer))
                }
                Instruction::Random(_) => {
                    random.next().map(|number| self.field.to_montgomery(number, observer))
                }
                Instruction::Constant(_, number) => self.constants.get(number).cloned(),
                Instruction::Multiply([_, a, b]) => {
                    let mut product = read(a);
                    self.field.multiply(&mut product, &read(b), observer);
                    Some(product)
                }
                Instruction::Add([_, a, b], twice) => {
                    let mut sum = read(a);
                    self.add(&mut sum, &read(b), observer);
                    Some(self.times(sum, twice, observer))
                }
                Instruction::Subtract([_, a, b], twice) => {
                    let (a, b) = (self.times(read(a), twice, observer), self.times(read(b), twice, observer));
                    let mut difference = self.multiple_of_prime(self.bounds[index].multiple);
                    self.add(&mut difference, &a, observer);
                    let [first, second] = self.field.bases();
                    first.channels().subtract(&mut difference.first, &b.first, observer);
                    second.channels().subtract(&mut difference.second, &b.second, observer);
                    Some(difference)
                }
                Instruction::Copy([_, a]) => Some(read(a)),
                Instruction::Store(a) => {
                    results.push(self.field.from_montgomery(&read(a), observer)?);
                    None
                }
                Instruction::Check(a) => {
                    if !bool::from(self.field.from_montgomery(&read(a), observer)?.is_zero()) {
                        return Err(Error::parameter("operands", "a check of the program fails"));
                    }
                    None
                }
                Instruction::Scalar(source) => {
                    bits = self.scalar(source, &mut operands)?;
                    None
                }
                // The order of a pair does not affect the values.
                Instruction::Places => None,
                Instruction::Next => {
                    bits.left -= 1;
                    None
                }
                Instruction::Loop(_) => {
                    (start, again) = (index, self.turns[index]);
                    None
                }
                Instruction::End => {
                    bits.left -= 1;
                    again -= 1;
                    if again > 0 {
                        index = start;
                    }
                    None
                }
            };
            if let (Some(value), Some(target)) = (value, instruction.target()) {
                watch(index, &value);
                put(&mut registers, target, bit, &value);
            }
            index += 1;
        }
        Ok(results)
    }

    /// Whether P divides this number.
    fn is_zero(&self, number: &BoxedUint) -> bool {
        let bits = number.bits_precision().max(self.field.modulus().bits_precision());
        let prime = NonZero::new(self.field.modulus().resize(bits)).into_option();
        prime.is_none_or(|prime| bool::from(number.resize(bits).rem(&prime).is_zero()))
    }

    fn scalar<'a>(
        &self,
        source: Scalar,
        operands: &mut impl Iterator<Item = &'a BoxedUint>,
    ) -> Result<Bits, Error> {
        let left = self.scalar_bits(source).unwrap_or(0);
        if source == Scalar::Inverse {
            let value = Zeroizing::new(self.field.modulus().wrapping_sub(BoxedUint::from(2u64)));
            return Ok(Bits { value: Zeroizing::new((&*value).resize(left + 1)), left });
        }
        let given = Zeroizing::new(operands.next().cloned().unwrap_or_else(BoxedUint::zero));
        let most = left - u32::from(source == Scalar::Completed);
        if given.bits() > most {
            let reason = alloc::format!("a scalar of more than {most} bits");
            return Err(Error::parameter("operand", reason));
        }
        match (source, &self.completion) {
            (Scalar::Completed, Some(completion)) => completion.completed(&given),
            _ => Ok(Bits { value: Zeroizing::new((&*given).resize(most + 1)), left }),
        }
    }

    /// k·P as residues.
    fn multiple_of_prime(&self, k: u64) -> RnsElement {
        let bits = self.field.modulus().bits_vartime() + 64;
        let multiple = self.field.modulus().resize(bits).wrapping_mul(BoxedUint::from(k));
        self.field.split(&multiple, &mut ())
    }

    fn add(&self, x: &mut RnsElement, y: &RnsElement, observer: &mut impl ChannelObserver) {
        let [first, second] = self.field.bases();
        first.channels().add(&mut x.first, &y.first, observer);
        second.channels().add(&mut x.second, &y.second, observer);
    }

    fn times(&self, x: RnsElement, twice: bool, observer: &mut impl ChannelObserver) -> RnsElement {
        let mut result = x.clone();
        if twice {
            self.add(&mut result, &x, observer);
        }
        result
    }
}

/// Reads a register; selects from a pair by a mask.
fn choose(registers: &[RnsElement], register: Register, bit: bool) -> RnsElement {
    let mut value = registers[register.number(false)].clone();
    if let Register::Chosen { .. } = register {
        assign(&mut value, &registers[register.number(true)], bit);
    }
    value
}

/// Writes a register; selects from a pair by a mask.
fn put(registers: &mut [RnsElement], register: Register, bit: bool, value: &RnsElement) {
    let (without, with) = (register.number(false), register.number(true));
    if without == with {
        registers[with] = value.clone();
    } else {
        assign(&mut registers[with], value, bit);
        assign(&mut registers[without], value, !bit);
    }
}

fn assign(to: &mut RnsElement, value: &RnsElement, when: bool) {
    let when = mask::of(when);
    let each = |to: &mut Residues, value: &Residues| mask::assign(to, value, when);
    each(&mut to.first, &value.first);
    each(&mut to.second, &value.second);
}

//! A program for one modulus and its bases, and what it computes.

use alloc::{string::String, vec::Vec};
use crypto_bigint::{BoxedUint, NonZero, Resize};
use zeroize::Zeroizing;

use super::{
    bounds::{Bound, Room},
    fault::{Fault, Reason},
    instruction::{Instruction, Named, Program, Register, Scalar},
    scalar::{Bits, Completion, limits},
};
use crate::{
    channels::Residues,
    montgomery::{RnsElement, RnsMontgomery},
    observe::ChannelObserver,
};
use moduli::Error;
use moduli_kernel::mask;

/// What a program is assembled for.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The modulus and its bases.
    pub field: &'a RnsMontgomery,
    /// The constants that the program names; taken modulo P.
    pub constants: &'a [(String, BoxedUint)],
    /// The order, for `scalar = load + order`; where there is one, scalars have as many bits, otherwise as many as P.
    pub order: Option<&'a BoxedUint>,
    /// How many bits blind a scalar: an operand of `scalar = load` or `scalar = load + order` has so many more, since the caller
    /// adds a random multiple of the order to it ([`Assembled::blinded`]); 0 if none do.
    pub blinding: u32,
}

/// A program with its bounds and constants, which can be run.
#[derive(Clone)]
pub struct Assembled {
    program: Program,
    field: RnsMontgomery,
    constants: Vec<RnsElement>,
    order: Option<BoxedUint>,
    blinding: u32,
    completion: Option<Completion>,
    bounds: Vec<Bound>,
    /// Of every line that is a loop, how many turns.
    turns: Vec<u32>,
}

impl Assembled {
    /// Checks bounds and numbers of bits.
    ///
    /// # Errors
    /// A [`Fault`]: a product that could be too large for the bases, a value that grows in a loop, a constant without a value,
    /// more bits of the scalar than there are, scalars that so many bits do not blind.
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
        let mut left = 0;
        let mut turns = alloc::vec![0; self.program.lines().len()];
        for (index, &(line, instruction)) in self.program.lines().iter().enumerate() {
            let wanted = match instruction {
                Instruction::Scalar(source) => {
                    let missing = Reason::Missing(String::from("order"));
                    let bits = self.scalar_bits(source);
                    left = bits.ok_or(Fault { line, reason: missing })?;
                    let order = self.order.as_ref().filter(|_| self.completion.is_none());
                    if let (Scalar::Completed, Some(order)) = (source, order) {
                        let [least, most] = limits(order);
                        let reason = Reason::Blinding { bits: self.blinding, least, most };
                        return Err(Fault { line, reason });
                    }
                    continue;
                }
                Instruction::Next => 1,
                Instruction::Loop(but) => {
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

    /// Bits of a scalar; none where an order is missing.
    pub fn scalar_bits(&self, source: Scalar) -> Option<u32> {
        let order = self.order.as_ref().map(BoxedUint::bits_vartime);
        let modulus = self.field.modulus().bits_vartime();
        match source {
            Scalar::Operand => Some(order.unwrap_or(modulus) + self.blinding),
            Scalar::Completed => order.map(|bits| bits + self.blinding + 1),
            Scalar::Inverse => Some(modulus),
        }
    }

    /// The instructions.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The modulus and its bases.
    pub fn field(&self) -> &RnsMontgomery {
        &self.field
    }

    /// The constants in the order of their numbers.
    pub fn constants(&self) -> &[RnsElement] {
        &self.constants
    }

    /// The order, if there is one.
    pub fn order(&self) -> Option<&BoxedUint> {
        self.order.as_ref()
    }

    /// What `scalar = load + order` adds to its operand, whose bits are one fewer than those of the sum: the order, once or twice, or
    /// a multiple of it if scalars are blinded. None without an order, or if so many bits do not blind its scalars.
    pub fn addend(&self) -> Option<&BoxedUint> {
        self.completion.as_ref().map(Completion::addend)
    }

    /// The operand k + r·n of `scalar = load + order` that stands for k where scalars are blinded: r is random and used once.
    /// Constant-time.
    ///
    /// # Errors
    /// [`Error::Parameter`] if k is not below the order n, r has more bits than blind a scalar, or r does not suit k: the ladder would
    /// meet the point at infinity, and mostly give a wrong result, so draw another r. If neither k nor n − k has fewer than b bits, at
    /// most about four r in 2^b do not suit.
    pub fn blinded(&self, k: &BoxedUint, r: &BoxedUint) -> Result<BoxedUint, Error> {
        match &self.completion {
            Some(completion) if self.blinding > 0 => completion.blinded(k, r),
            _ => Err(Error::parameter("blinding", "the scalars of this program are not blinded")),
        }
    }

    /// What is known of the result of every line.
    pub fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    /// The turns of every line that begins a loop, 0 for the others.
    pub fn turns(&self) -> &[u32] {
        &self.turns
    }

    /// How many operands it takes.
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

    /// How many random numbers it draws.
    pub fn randoms(&self) -> usize {
        self.program.lines().iter().filter(|(_, each)| matches!(each, Instruction::Random(_))).count()
    }

    /// How many results it has.
    pub fn results(&self) -> usize {
        self.program.lines().iter().filter(|(_, each)| matches!(each, Instruction::Store(_))).count()
    }

    /// How many checks it makes.
    pub fn checks(&self) -> usize {
        self.program.lines().iter().filter(|(_, each)| matches!(each, Instruction::Check(_))).count()
    }

    /// Runs the program: the results, each below P. Constant-time in the operands: they choose by masks, in which registers values
    /// stand. `random` are the numbers that it draws, in their order. Cost: that of its products, 2n² + 6n EMM each.
    ///
    /// # Errors
    /// [`Error::Parameter`] for another number of operands or random numbers than it takes, a scalar of more bits than it has, a
    /// random number that is 0 modulo P, or a check that fails; that it is so, is no secret.
    pub fn run(
        &self,
        operands: &[BoxedUint],
        random: &[BoxedUint],
        observer: &mut impl ChannelObserver,
    ) -> Result<Vec<BoxedUint>, Error> {
        self.run_watched(operands, random, observer, |_, _| {})
    }

    /// The same; `watch` is shown the index of each line that writes, and what it wrote.
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
                // Values are the same wherever they stand.
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

    /// Whether P divides a number.
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

/// The value of a register, of a pair by a mask.
fn choose(registers: &[RnsElement], register: Register, bit: bool) -> RnsElement {
    let mut value = registers[register.number(false)].clone();
    if let Register::Chosen { .. } = register {
        assign(&mut value, &registers[register.number(true)], bit);
    }
    value
}

/// Writes a value; to one of a pair by a mask.
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

//! The integers that a proof is about, each with one exact equation. These are data only: the lifter writes
//! them, and the prover and the checker read them.

/// The number of an integer.
pub type Id = u32;

/// An integer that is known, or one that depends on symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// The same for all operands and moduli.
    Constant(i128),
    /// One of the integers of a [`System`].
    Variable(Id),
}

/// The definition of an integer. All integers that it names have smaller numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Definition {
    /// Any integer from the first bound to the second.
    Input(i128, i128),
    /// A constant plus multiples of other integers, in ascending order of their numbers.
    Sum(i128, Box<[(Id, i128)]>),
    /// The lower part of a split, by its number.
    Low(u32),
    /// The upper part of a split.
    High(u32),
    /// A word of a product of numbers, by the product's number.
    Word(u32),
    /// The first value where the selector is at the lower end of its interval, the second where it is one
    /// above.
    Choice(Id, Value, Value),
    /// The disjunction of two words, bit by bit: where one of them is zero, it is the other.
    Either(Value, Value),
}

/// The source of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// An integer.
    Single(Id),
    /// The product of two integers.
    Product(Id, Id),
}

/// `source = low + 2^shift·high` with `0 ≤ low < 2^shift`, which determines both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The source.
    pub source: Source,
    /// Bits of the lower part.
    pub shift: u32,
    /// The lower part: an integer of its own, or one that existed before.
    pub low: Value,
    /// The upper part, likewise.
    pub high: Value,
    /// The splits, each with a multiplier, whose equations show that parts which existed before are the
    /// parts of this split.
    pub by: Vec<(u32, i128)>,
    /// The exponent: these equations add up to 2^scale times this one.
    pub scale: u32,
}

/// The product of two numbers of several words, lowest first, has as many words as both together. This is
/// what a function does whose calls are not followed; it is proved separately that the function does so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongProduct {
    /// One number.
    pub first: Vec<Id>,
    /// The other.
    pub second: Vec<Id>,
    /// Their product.
    pub words: Vec<Id>,
}

/// A claim about a double: that it holds an integer, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A product of two integers (or none) plus another integer is what a double holds: it is a multiple of
    /// 2^unit that fits into a double.
    Exact {
        /// The product, if there is one.
        product: Option<(Id, Id)>,
        /// What is added.
        added: Value,
        /// The split of the product by which the product is expressed.
        by: Option<u32>,
        /// The integer that the double holds.
        value: Value,
        /// The exponent.
        unit: u32,
    },
    /// The sum of a split's source and another integer lies in one binade, in which doubles are the multiples
    /// of 2^unit. The double holds the upper part, or that plus one, plus the other integer. The claim
    /// leaves open which, so it holds for every rounding mode.
    Rounded {
        /// The split.
        split: u32,
        /// The other integer, a multiple of 2^unit.
        added: Value,
        /// Whether one is added: an input of its own.
        up: Id,
        /// The integer that the double holds.
        value: Value,
        /// The exponent.
        unit: u32,
    },
    /// An integer lies in one binade, so the bits of the double that holds it are linear in it.
    Bits {
        /// The bits.
        word: Value,
        /// The integer.
        value: Value,
        /// The exponent of the binade.
        exponent: u32,
    },
}

/// All integers and their equations.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The definition of each integer, by its number.
    pub definitions: Vec<Definition>,
    /// All splits, by their numbers.
    pub splits: Vec<Split>,
    /// All products of numbers, by their numbers.
    pub products: Vec<LongProduct>,
    /// The claims about doubles, each of which intervals show.
    pub claims: Vec<Claim>,
}

impl System {
    /// The factors of a product, if the lower part of a split is the product modulo 2^shift: because the
    /// split is of the product, or of a lower part of it that is at least as long.
    pub fn lower_part_of_product(&self, number: u32) -> Option<(Id, Id)> {
        let split = self.splits.get(number as usize)?;
        let of = match split.source {
            Source::Product(x, y) => return Some((x, y)),
            Source::Single(of) => of,
        };
        let Definition::Low(longer) = *self.definitions.get(of as usize)? else { return None };
        let longer = self.splits.get(longer as usize)?;
        match longer.source {
            Source::Product(x, y) if longer.shift >= split.shift => Some((x, y)),
            _ => None,
        }
    }

    /// What a factor is the lower part of, what is above it and the place of that, if the factor is an input
    /// without its highest bit, or a digit of the sum of two numbers.
    pub fn whole_of_factor(&self, id: Id) -> Option<(Id, Id, u32)> {
        let Definition::Low(number) = self.definitions[id as usize] else { return None };
        let split = &self.splits[number as usize];
        let (Source::Single(of), Value::Variable(above)) = (split.source, split.high) else { return None };
        let is_known = match self.definitions[of as usize] {
            Definition::Input(0, high) => high >> split.shift == 1,
            Definition::Sum(..) => self.is_sum_of_digits(of, split.shift),
            _ => false,
        };
        is_known.then_some((of, above, split.shift))
    }

    /// Whether an integer is the sum of a digit of each of two numbers and of what is carried into it. A
    /// digit is an input, the lower part of one, or again a digit of such a sum.
    fn is_sum_of_digits(&self, id: Id, bits: u32) -> bool {
        let Definition::Sum(0, terms) = &self.definitions[id as usize] else { return false };
        let is_part = |&(id, c): &(Id, i128)| {
            let of_split = |number: u32| {
                let split = &self.splits[number as usize];
                match split.source {
                    Source::Single(of) if split.shift == bits => {
                        Some(&self.definitions[of as usize]).zip(Some(of))
                    }
                    _ => None,
                }
            };
            c == 1
                && match self.definitions[id as usize] {
                    Definition::Input(0, high) => high >> bits == 0,
                    Definition::Low(number) => of_split(number).is_some_and(|(definition, of)| {
                        matches!(definition, Definition::Input(..)) || self.is_sum_of_digits(of, bits)
                    }),
                    Definition::High(number) => of_split(number)
                        .is_some_and(|(definition, _)| matches!(definition, Definition::Sum(0, _))),
                    _ => false,
                }
        };
        (2..=3).contains(&terms.len()) && terms.iter().all(is_part)
    }
}

/// The inputs and the results of steps that were not lifted.
#[derive(Clone, Debug, Default)]
pub struct Skipped {
    /// The words that were read.
    pub reads: Vec<Value>,
    /// The registers that were read.
    pub registers_read: Vec<Value>,
    /// The words that the steps leave.
    pub words: Vec<Value>,
    /// The registers that the steps leave.
    pub registers: Vec<Value>,
}

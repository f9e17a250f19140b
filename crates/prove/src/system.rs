//! What a proof is about: integers, each with one exact equation. Data alone; the lifter writes it, and both the search for a proof
//! and the check of one read it.

/// The number of an integer.
pub type Id = u32;

/// An integer that is known, or one that depends on what is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// The same for all operands and moduli.
    Constant(i128),
    /// One of the integers of a [`System`].
    Variable(Id),
}

/// What an integer is. All that it names has a smaller number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Definition {
    /// Any integer from the first bound to the second.
    Input(i128, i128),
    /// A constant and multiples of others, by ascending numbers.
    Sum(i128, Box<[(Id, i128)]>),
    /// The lower part of a split, by its number.
    Low(u32),
    /// The upper part of a split.
    High(u32),
    /// A word of a product of numbers, by the product's number.
    Word(u32),
    /// The first value where the selector is at the lower end of its interval, the second where it is one above.
    Choice(Id, Value, Value),
    /// The disjunction of two words, bit by bit: where one of them is zero, it is the other.
    Either(Value, Value),
}

/// What is cut in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// An integer.
    Single(Id),
    /// The product of two.
    Product(Id, Id),
}

/// `source = low + 2^shift·high` with `0 ≤ low < 2^shift`, which determines both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// What is cut.
    pub source: Source,
    /// Bits of the lower part.
    pub shift: u32,
    /// The lower part: an integer of its own, or one that was there before.
    pub low: Value,
    /// The upper part likewise.
    pub high: Value,
    /// The splits by whose equations, each taken so many times, parts that were there before are shown to be the parts of this one.
    pub by: Vec<(u32, i128)>,
    /// How often: the equations add up to 2^scale times this one.
    pub scale: u32,
}

/// The product of two numbers of several words, lowest first, is a number of as many words as both: what a function does whose calls
/// are not followed. That it does so is proved for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongProduct {
    /// One number.
    pub first: Vec<Id>,
    /// The other.
    pub second: Vec<Id>,
    /// Their product.
    pub words: Vec<Id>,
}

/// What is said of a double: that it holds an integer, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A product of two integers, or none, and another integer are together what a double holds: a multiple of 2^unit that is not too long.
    Exact {
        /// The product.
        product: Option<(Id, Id)>,
        /// What is added.
        added: Value,
        /// The split of the product by which it is taken.
        by: Option<u32>,
        /// What the double holds.
        value: Value,
        /// The exponent.
        unit: u32,
    },
    /// The source of a split and another integer lie in one binade, where doubles are the multiples of 2^unit: the double holds the upper
    /// part, or one more, and the other integer. Which of the two is not said, so that it holds for every way to round.
    Rounded {
        /// The split.
        split: u32,
        /// What is added, a multiple of 2^unit.
        added: Value,
        /// Whether it is one more: an input of its own.
        up: Id,
        /// What the double holds.
        value: Value,
        /// The exponent.
        unit: u32,
    },
    /// An integer lies in one binade: the bits of the double that holds it are linear in it.
    Bits {
        /// The bits.
        word: Value,
        /// The integer.
        value: Value,
        /// The binade.
        exponent: u32,
    },
}

/// All integers and how they hang together.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// What each integer is, by its number.
    pub definitions: Vec<Definition>,
    /// All splits, by their number.
    pub splits: Vec<Split>,
    /// All products of numbers, by their number.
    pub products: Vec<LongProduct>,
    /// What was taken for granted of doubles, each shown by intervals.
    pub claims: Vec<Claim>,
}

impl System {
    /// The factors of a product, if the lower part of a split is that modulo 2^shift: the product was split, or its lower part, as long or
    /// longer.
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

    /// An input and its highest bit, if an integer is what is left of the input without that bit, and how far up the bit stands.
    pub fn without_highest_bit(&self, id: Id) -> Option<(Id, Id, u32)> {
        let Definition::Low(number) = self.definitions[id as usize] else { return None };
        let split = &self.splits[number as usize];
        let (Source::Single(of), Value::Variable(bit)) = (split.source, split.high) else { return None };
        match self.definitions[of as usize] {
            Definition::Input(0, high) if high >> split.shift == 1 => Some((of, bit, split.shift)),
            _ => None,
        }
    }
}

/// What steps that were not lifted were given, and what they left.
#[derive(Clone, Debug, Default)]
pub struct Skipped {
    /// The words that were read.
    pub reads: Vec<Value>,
    /// The registers that were read.
    pub registers_read: Vec<Value>,
    /// The words that were left.
    pub words: Vec<Value>,
    /// The registers.
    pub registers: Vec<Value>,
}

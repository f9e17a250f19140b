//! What a proof consists of: data alone.

use num_bigint::BigInt;

use super::{specification::digits::Multiple, system::Id};

/// An equation of a system, as a sum that is zero. Integers that are defined as sums need none: they are written out everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equation {
    /// The source of a split, less both parts.
    Split(u32),
    /// What a choice takes in the case at hand, less the choice.
    Choice(Id),
    /// A choice as a product, of its selector and what it chooses between, less the choice: see the check of it.
    Chosen(Id),
    /// A product of two numbers, less its words.
    Product(u32),
    /// A relation that was shown before, by its number among these.
    Relation(u32),
    /// The products of rows of a matrix, two by two, less the number that is known to be their sum.
    Correction,
    /// What the lowest digits of a sum carry, by the number of its lemma among these: see [`Cleared`].
    Cleared(u32),
}

/// A multiple of an equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// Of which.
    pub equation: Equation,
    /// How much of it.
    pub multiplier: BigInt,
}

/// What selectors are: at the lower end of the interval, or one above.
pub type Case = Vec<(Id, bool)>;

/// So often the product of two numbers, by the places of their lemmas, is taken by what the numbers are.
pub type Product = (u32, u32, BigInt);

/// What holds in all runs, or in those of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lemma {
    /// An integer is zero, or the sum of several is: 2^weight times it is what these equations make of it, and the interval of that
    /// leaves no other multiple.
    Bounds {
        /// Where it holds.
        case: Case,
        /// The integers.
        variables: Vec<Id>,
        /// The exponent.
        weight: u32,
        /// The equations.
        uses: Vec<Use>,
        /// Products of numbers.
        products: Vec<Product>,
    },
    /// An integer is zero: modulo 2^64 these equations make nothing of it, and it is shorter than that.
    Congruence {
        /// The integer.
        variable: Id,
        /// The equations.
        uses: Vec<Use>,
        /// Splits of a product t·inverse whose lower part is a quotient q, and how often q·n0 + t, zero modulo 2^64, is taken.
        quotients: Vec<(u32, BigInt)>,
    },
    /// A sum of multiples is zero, for all values of integers of few values that do not contradict each other.
    Table {
        /// These integers, in the order in which they are given their values.
        atoms: Vec<Id>,
        /// The sum.
        terms: Vec<(Id, i128)>,
    },
    /// The lowest digits of a sum are cleared by a quotient of as many.
    Cleared(Cleared),
    /// A quotient is estimated by the highest bits of a number: what is seen of it is, by these equations, the number without its lowest
    /// bits.
    Estimate {
        /// The digit.
        digit: Id,
        /// The equations.
        uses: Vec<Use>,
    },
    /// A number of these words, lowest first, is a sum of multiples: what the equations make of it.
    Number {
        /// Where it holds.
        case: Case,
        /// The words.
        words: Vec<Id>,
        /// Bits of each.
        bits: u32,
        /// The equations.
        uses: Vec<Use>,
    },
}

/// Digits B of a sum, and Q ≡ B·N' modulo 2^(52·K) with N'·N ≡ −1, so that B + Q·N is 0 modulo that: of the products of their digits up to
/// column K − 1, less their upper halves above it, and B nothing is left but 2^(52·K) times a carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cleared {
    /// Digits of B, lowest first.
    pub digits: Vec<Id>,
    /// Digits of Q.
    pub quotient: Vec<Id>,
    /// The carry.
    pub carry: Id,
    /// The splits of the products q_s·N_t with s + t = K − 1.
    pub splits: Vec<u32>,
    /// By these equations Q is B·N'.
    pub of_quotient: Vec<Use>,
    /// By these what is left is shorter than 2^(52·K).
    pub of_carry: Vec<Use>,
}

/// What the result is in one case: R times the result by these equations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Where it holds.
    pub case: Case,
    /// The equations.
    pub uses: Vec<Use>,
    /// Products of numbers.
    pub products: Vec<Product>,
}

/// What holds of an atom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Where it holds.
    pub case: Case,
    /// The atom.
    pub atom: Id,
    /// So many times 2 times the atom is what the equations make of it: the exponent.
    pub weight: u32,
    /// The equations.
    pub uses: Vec<Use>,
    /// Products of numbers.
    pub products: Vec<Product>,
}

/// A part of a factor of a row of a matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Of which row.
    pub row: u32,
    /// An integer, or 1.
    pub of: Option<Id>,
    /// So many times.
    pub multiplier: BigInt,
}

/// What shows that a row of an update of an inversion is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowProof {
    /// The equations that take 2^62 times the result back to products of the operands.
    pub uses: Vec<Use>,
    /// What the highest word is short of the highest digit, in multiples of 2^64: a sum of multiples.
    pub above: Vec<(Id, BigInt)>,
    /// The lowest digit of what is divided, which is zero.
    pub lowest: Id,
    /// What the modulus is multiplied by.
    pub multiple: Option<Id>,
}

impl RowProof {
    /// Its bytes, as those of a certificate.
    pub fn bytes(&self) -> usize {
        let outcome = Outcome { case: Vec::new(), uses: self.uses.clone(), products: Vec::new() };
        let certificate = Certificate { outcomes: vec![outcome], ..Certificate::default() };
        certificate.to_bytes().len() + 8 + 12 * self.above.len()
    }
}

/// A proof that a system of equations gives what a statement says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// What the rest stands on, each by the ones before it.
    pub lemmas: Vec<Lemma>,
    /// The digits of the quotient, and the exponents of their weights.
    pub quotient: Vec<(Id, u32)>,
    /// Digits of quotients, what they are multiplied by, and the exponents of their weights, where numbers are digits of 52 bits.
    pub multiples: Vec<(Multiple, Id, u32)>,
    /// What rows of a matrix are multiplied by, where numbers are digits of 50 bits.
    pub parts: Vec<Part>,
    /// Integers of a few values each, of which all are tried.
    pub atoms: Vec<Id>,
    /// What the result is, case by case.
    pub outcomes: Vec<Outcome>,
    /// What excludes the other values of the atoms.
    pub facts: Vec<Fact>,
    /// Where intervals of an index begin in which the result is always the same.
    pub indices: Vec<u64>,
    /// The proof of the part before.
    pub before: Option<Box<Certificate>>,
}

impl Certificate {
    /// How many lemmas there are, in all parts.
    pub fn lemmas(&self) -> usize {
        self.lemmas.len() + self.before.as_ref().map_or(0, |before| before.lemmas())
    }

    /// As bytes, to see how long it is: numbers of equations as they are, multipliers without the zeros at their end.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let number = |out: &mut Vec<u8>, x: u32| out.extend(x.to_le_bytes());
        let multiplier = |out: &mut Vec<u8>, x: &BigInt| {
            let zeros = x.trailing_zeros().unwrap_or(0);
            let bytes = (x >> zeros).to_signed_bytes_le();
            out.extend((zeros as u16).to_le_bytes());
            out.push(bytes.len() as u8);
            out.extend(bytes);
        };
        let put = |out: &mut Vec<u8>, uses: &[Use]| {
            number(out, uses.len() as u32);
            for Use { equation, multiplier: m } in uses {
                let (kind, of) = match *equation {
                    Equation::Split(of) => (0, of),
                    Equation::Choice(of) => (1, of),
                    Equation::Product(of) => (2, of),
                    Equation::Relation(of) => (3, of),
                    Equation::Correction => (4, 0),
                    Equation::Cleared(of) => (5, of),
                    Equation::Chosen(of) => (6, of),
                };
                out.push(kind);
                number(out, of);
                multiplier(out, m);
            }
        };
        let put_case = |out: &mut Vec<u8>, case: &Case| {
            for &(id, above) in case {
                number(out, id);
                out.push(above.into());
            }
        };
        let put_products = |out: &mut Vec<u8>, products: &[Product]| {
            for (a, b, m) in products {
                number(out, *a);
                number(out, *b);
                multiplier(out, m);
            }
        };
        number(&mut out, self.lemmas.len() as u32);
        for lemma in &self.lemmas {
            match lemma {
                Lemma::Bounds { case, variables, weight, uses, products } => {
                    put_case(&mut out, case);
                    variables.iter().for_each(|&variable| number(&mut out, variable));
                    number(&mut out, *weight);
                    put(&mut out, uses);
                    put_products(&mut out, products);
                }
                Lemma::Congruence { variable, uses, quotients } => {
                    number(&mut out, *variable);
                    put(&mut out, uses);
                    for (split, m) in quotients {
                        number(&mut out, *split);
                        multiplier(&mut out, m);
                    }
                }
                Lemma::Cleared(Cleared { digits, quotient, carry, splits, of_quotient, of_carry }) => {
                    let ids = digits.iter().chain(quotient).chain([carry]).chain(splits);
                    ids.for_each(|&id| number(&mut out, id));
                    put(&mut out, of_quotient);
                    put(&mut out, of_carry);
                }
                Lemma::Estimate { digit, uses } => {
                    number(&mut out, *digit);
                    put(&mut out, uses);
                }
                Lemma::Table { atoms, terms } => {
                    atoms.iter().for_each(|&atom| number(&mut out, atom));
                    for &(id, c) in terms {
                        number(&mut out, id);
                        multiplier(&mut out, &BigInt::from(c));
                    }
                }
                Lemma::Number { case, words, bits, uses } => {
                    number(&mut out, *bits);
                    put_case(&mut out, case);
                    words.iter().for_each(|&word| number(&mut out, word));
                    put(&mut out, uses);
                }
            }
        }
        for (id, weight) in &self.quotient {
            number(&mut out, *id);
            number(&mut out, *weight);
        }
        for &(multiple, id, weight) in &self.multiples {
            out.push(multiple as u8);
            number(&mut out, id);
            number(&mut out, weight);
        }
        for Part { row, of, multiplier: m } in &self.parts {
            number(&mut out, *row);
            number(&mut out, of.unwrap_or(Id::MAX));
            multiplier(&mut out, m);
        }
        self.atoms.iter().for_each(|&atom| number(&mut out, atom));
        for Outcome { case, uses, products } in &self.outcomes {
            put_case(&mut out, case);
            put(&mut out, uses);
            put_products(&mut out, products);
        }
        for Fact { case, atom, weight, uses, products } in &self.facts {
            put_case(&mut out, case);
            number(&mut out, *atom);
            number(&mut out, *weight);
            put(&mut out, uses);
            put_products(&mut out, products);
        }
        self.indices.iter().for_each(|index| out.extend(index.to_le_bytes()));
        if let Some(before) = &self.before {
            out.extend(before.to_bytes());
        }
        out
    }
}

/// What the limbs of a result are by some equations, and what is left above them, in multiples of 2^(64·limbs): a sum of multiples.
pub type OfResult = (Vec<(Id, BigInt)>, Vec<Use>);

/// By which equations an inversion begins and ends as it should. Cases of a sign: negative, and not.
#[derive(Clone, Debug, Default)]
pub struct WholeProof {
    /// The first G is V.
    pub begin: Vec<Use>,
    /// The signs of F, of D, and of what is made of D before the last step: −1 or 0.
    pub signs: [Id; 3],
    /// The digits of |F|, the highest one an integer with a sign.
    pub magnitude: Vec<Id>,
    /// In both cases of the sign of F.
    pub of_magnitude: Vec<Vec<Use>>,
    /// The digits of what is made of D before the last step, likewise.
    pub negated: Vec<Id>,
    /// In the four cases of the first two signs.
    pub of_negated: Vec<Vec<Use>>,
    /// In the eight cases of all signs.
    pub of_result: Vec<OfResult>,
}

impl WholeProof {
    /// Its bytes, as a certificate has them.
    pub fn bytes(&self) -> usize {
        let all = self.of_magnitude.iter().chain(&self.of_negated).chain(self.of_result.iter().map(|x| &x.1));
        let outcome =
            |uses: &Vec<Use>| Outcome { case: Vec::new(), uses: uses.clone(), products: Vec::new() };
        let outcomes = all.chain([&self.begin]).map(outcome).collect();
        let above: usize = self.of_result.iter().map(|(above, _)| above.len()).sum();
        let digits = 3 + self.magnitude.len() + self.negated.len();
        Certificate { outcomes, ..Certificate::default() }.to_bytes().len() + 12 * above + 4 * digits
    }
}

//! The data that a proof consists of.

use num_bigint::BigInt;

use super::{specification::digits::Multiple, system::Id};

/// An equation of a system, as a sum that is zero. Integers that are defined as sums need no equation: they
/// are written out everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equation {
    /// The source of a split, less both parts.
    Split(u32),
    /// The value that a choice has in the case at hand, less the choice.
    Choice(Id),
    /// A choice as the product of its selector and the difference of its values, less the choice: see
    /// `add_chosen` of the checker.
    Chosen(Id),
    /// A product of two numbers, less its words.
    Product(u32),
    /// A relation that was shown before, by its number among the relations.
    Relation(u32),
    /// The products of neighbouring rows of a matrix, less the number that is known to be their sum.
    Correction,
    /// The carry of the lowest digits of a sum, by the number of its lemma among such lemmas: see
    /// [`Cleared`].
    Cleared(u32),
}

/// A multiple of an equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The equation.
    pub equation: Equation,
    /// The factor of the equation.
    pub multiplier: BigInt,
}

/// Values of selectors: false is the lower end of the interval, true is one above.
pub type Case = Vec<(Id, bool)>;

/// A product of two numbers, by the places of their lemmas, and its multiplier. The lemmas say what each
/// number is equal to.
pub type Product = (u32, u32, BigInt);

/// A property of all runs, or of those of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lemma {
    /// An integer is zero, or the sum of several is: the equations express 2^weight times it by other
    /// integers, and the interval of that sum contains no other multiple of 2^weight.
    Bounds {
        /// The case in which it holds.
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
    /// The sum of some integers is a constant: the equations express 2^weight times their difference by other
    /// integers, and the interval of that sum contains no other multiple of 2^weight than zero. It is a
    /// relation.
    Constant {
        /// The integers.
        variables: Vec<Id>,
        /// The constant.
        value: BigInt,
        /// The exponent.
        weight: u32,
        /// The equations.
        uses: Vec<Use>,
        /// Products of numbers.
        products: Vec<Product>,
    },
    /// An integer is zero: by these equations it is 0 modulo 2^64, and it is shorter than that.
    Congruence {
        /// The integer.
        variable: Id,
        /// The equations.
        uses: Vec<Use>,
        /// Splits of a product t·inverse whose lower part is a quotient q, each with the multiple of q·n0 +
        /// t, zero modulo 2^64, that is added.
        quotients: Vec<(u32, BigInt)>,
    },
    /// A sum of multiples is zero for all values of a few integers that do not contradict each other. These
    /// integers have few values.
    Table {
        /// These integers, in the order in which they are assigned.
        atoms: Vec<Id>,
        /// The sum.
        terms: Vec<(Id, i128)>,
    },
    /// A quotient clears as many lowest digits of a sum as it has digits.
    Cleared(Cleared),
    /// A quotient is estimated from the highest bits of a number. By these equations, the bits that are used
    /// are the number without its lowest bits.
    Estimate {
        /// The digit.
        digit: Id,
        /// The equations.
        uses: Vec<Use>,
    },
    /// A number of these words, lowest first, is a sum of multiples, which follows from the equations.
    Number {
        /// The case in which it holds.
        case: Case,
        /// The words.
        words: Vec<Id>,
        /// The number of bits of each word.
        bits: u32,
        /// The equations.
        uses: Vec<Use>,
    },
}

/// Digits B of a sum, and Q ≡ B·N' modulo 2^(52·K) with N'·N ≡ −1, so that B + Q·N ≡ 0. Take B and the
/// products of the digits of Q and N up to column K − 1, less their upper halves above that column: only
/// 2^(52·K) times a carry is left.
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
    /// The equations by which Q is B·N'.
    pub of_quotient: Vec<Use>,
    /// The equations by which the rest is shorter than 2^(52·K).
    pub of_carry: Vec<Use>,
}

/// The result in one case: the equations give R times the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The case in which it holds.
    pub case: Case,
    /// The equations.
    pub uses: Vec<Use>,
    /// Products of numbers.
    pub products: Vec<Product>,
}

/// A property of an atom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The case in which it holds.
    pub case: Case,
    /// The atom.
    pub atom: Id,
    /// The exponent: the equations express 2^weight times the atom.
    pub weight: u32,
    /// The equations.
    pub uses: Vec<Use>,
    /// Products of numbers.
    pub products: Vec<Product>,
}

/// A summand of the factor by which a row of a matrix is multiplied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The row.
    pub row: u32,
    /// The integer; None means 1.
    pub of: Option<Id>,
    /// The multiple of the integer.
    pub multiplier: BigInt,
}

/// The proof that a row of an update of an inversion is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowProof {
    /// The equations that express 2^62 times the result by products of the operands.
    pub uses: Vec<Use>,
    /// The difference between the highest digit and the highest word, in multiples of 2^64, as a sum of
    /// multiples.
    pub above: Vec<(Id, BigInt)>,
    /// The lowest digit of the dividend, which is zero.
    pub lowest: Id,
    /// The factor of the modulus.
    pub multiple: Option<Id>,
}

impl RowProof {
    /// Its length in bytes, counted as for a certificate.
    pub fn bytes(&self) -> usize {
        let outcome = Outcome { case: Vec::new(), uses: self.uses.clone(), products: Vec::new() };
        let certificate = Certificate { outcomes: vec![outcome], ..Certificate::default() };
        certificate.to_bytes().len() + 8 + 12 * self.above.len()
    }
}

/// A proof that a system of equations gives what a statement says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The lemmas that the rest uses. Each may use the ones before it.
    pub lemmas: Vec<Lemma>,
    /// The digits of the quotient, with the exponents of their weights.
    pub quotient: Vec<(Id, u32)>,
    /// For numbers of digits of 52 bits: digits of quotients, what they are multiplied by, and the exponents
    /// of their weights.
    pub multiples: Vec<(Multiple, Id, u32)>,
    /// For numbers of digits of 50 bits: the factors of the rows of the matrix.
    pub parts: Vec<Part>,
    /// Integers with a few values each, all of which are tried.
    pub atoms: Vec<Id>,
    /// The result, case by case.
    pub outcomes: Vec<Outcome>,
    /// Facts that exclude values of the atoms.
    pub facts: Vec<Fact>,
    /// The first index of each interval in which the result is always the same.
    pub indices: Vec<u64>,
    /// The proof of the operation's part before this one.
    pub before: Option<Box<Certificate>>,
}

impl Certificate {
    /// The number of lemmas, in all parts.
    pub fn lemmas(&self) -> usize {
        self.lemmas.len() + self.before.as_ref().map_or(0, |before| before.lemmas())
    }

    /// The certificate as bytes, to measure its length: numbers of equations unchanged, multipliers without
    /// trailing zeros.
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
                Lemma::Constant { variables, value, weight, uses, products } => {
                    variables.iter().for_each(|&variable| number(&mut out, variable));
                    multiplier(&mut out, value);
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

/// What is left above the limbs of a result, in multiples of 2^(64·limbs), as a sum of multiples; and the
/// equations that express the limbs.
pub type OfResult = (Vec<(Id, BigInt)>, Vec<Use>);

/// The equations by which an inversion begins and ends as it should. The cases of a sign are: negative, not
/// negative.
#[derive(Clone, Debug, Default)]
pub struct WholeProof {
    /// The equations by which the first G is V.
    pub begin: Vec<Use>,
    /// The signs of F, of D, and of what is made of D before the last step: −1 or 0.
    pub signs: [Id; 3],
    /// The digits of |F|. The highest one is a signed integer.
    pub magnitude: Vec<Id>,
    /// The equations for |F|, in both cases of the sign of F.
    pub of_magnitude: Vec<Vec<Use>>,
    /// The digits of what is made of D before the last step, in the same form.
    pub negated: Vec<Id>,
    /// The equations for these digits, in the four cases of the first two signs.
    pub of_negated: Vec<Vec<Use>>,
    /// The equations for the result, in the eight cases of all signs.
    pub of_result: Vec<OfResult>,
}

impl WholeProof {
    /// Its length in bytes, counted as for a certificate.
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

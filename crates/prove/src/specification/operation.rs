//! The operations that are proved.

use std::fmt;

use super::{Bound, ENTRIES, Formula, Specification, TWICE_SIXTEEN};

/// An operation of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// X ← X·Y.
    Mul,
    /// X ← X².
    Square,
    /// X ← X + Y.
    Add,
    /// X ← X − Y.
    Sub,
    /// X ← the residue of V.
    ToMontgomery,
    /// V ← the value of the residue X.
    FromMontgomery,
    /// X ← V, unchanged.
    Load,
    /// V ← X, unchanged.
    Store,
    /// X and Y are exchanged, or not.
    Swap,
    /// In a row of this many numbers X_i, the one at an index ← Y; none if the index is past them.
    Replace(usize),
    /// X ← X, or one of a row of this many numbers Y_i, by an index.
    Select(usize),
    /// X ← X·Y for Y prepared in this many pieces, two at least.
    MulPrepared(usize),
    /// X_i ← the pieces of Y, prepared in this many pieces.
    Prepare(usize),
    /// X ← X·A and Y ← Y·A.
    MulPair,
    /// X ← X·Y for two moduli at a time.
    MulTwo,
    /// X ← X², likewise.
    SquareTwo,
    /// X ← X·Y for eight residues side by side.
    MulRows,
    /// X ← X², likewise.
    SquareRows,
    /// For each lane, the entry at its index, out of a row and this many others.
    SelectRows(usize),
    /// For each lane of some rows, the residue at its index, out of a residue and this many others.
    LookUpRows(usize),
    /// A residue for each lane of a row.
    Put,
    /// The residue of each lane of a row.
    Take,
    /// Squares a row some times, and meanwhile looks up for each lane the entry at its index, out of this
    /// many rows.
    SquareAndSelect(usize),
    /// X ← X modulo N.
    Reduce,
    /// 62 division steps of an inversion, from the lowest words.
    Jump,
    /// What these division steps do to f and g.
    UpdateFg,
    /// What these division steps do to d and e.
    UpdateDe,
    /// An inversion, from its beginning to its end.
    Invert,
}

impl Operation {
    /// The operations on residues and values, which exist at every length.
    pub const ALL: [Self; 11] = [
        Self::Mul,
        Self::Square,
        Self::Add,
        Self::Sub,
        Self::ToMontgomery,
        Self::FromMontgomery,
        Self::Load,
        Self::Store,
        Self::Swap,
        Self::Replace(ENTRIES),
        Self::Select(ENTRIES),
    ];

    /// Operations of two moduli at a time.
    pub const TWO: [Self; 2] = [Self::MulTwo, Self::SquareTwo];

    /// Operations of rows of residues that multiply.
    pub const ROWS: [Self; 3] = [Self::MulRows, Self::SquareRows, Self::SquareAndSelect(8)];

    /// Operations of rows that move words.
    pub const LANES: [Self; 4] =
        [Self::SelectRows(ENTRIES), Self::LookUpRows(TWICE_SIXTEEN), Self::Put, Self::Take];

    /// An inversion and its parts, which belong to no kernel but are used by all.
    pub const INVERSION: [Self; 4] = [Self::Jump, Self::UpdateFg, Self::UpdateDe, Self::Invert];

    /// The name of the method.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mul => "mul",
            Self::Square => "square",
            Self::Add => "add",
            Self::Sub => "sub",
            Self::ToMontgomery => "to_montgomery",
            Self::FromMontgomery => "from_montgomery",
            Self::Load => "load",
            Self::Store => "store",
            Self::Swap => "swap",
            Self::Replace(_) => "replace",
            Self::Select(_) => "select",
            Self::MulPrepared(_) => "mul_prepared",
            Self::Prepare(_) => "prepare",
            Self::MulPair => "mul_pair",
            Self::MulTwo => "mul_two",
            Self::SquareTwo => "square_two",
            Self::MulRows => "mul_rows",
            Self::SquareRows => "square_rows",
            Self::SelectRows(_) => "select_rows",
            Self::LookUpRows(_) => "look_up_rows",
            Self::Put => "put",
            Self::Take => "take",
            Self::SquareAndSelect(_) => "square_and_select",
            Self::Reduce => "reduce",
            Self::Jump => "jump",
            Self::UpdateFg => "update_fg",
            Self::UpdateDe => "update_de",
            Self::Invert => "invert",
        }
    }

    /// The number of pieces of a prepared operand, or of one that is being prepared; else 1.
    pub fn pieces(self) -> usize {
        if let Self::MulPrepared(pieces) | Self::Prepare(pieces) = self { pieces } else { 1 }
    }

    /// Preparations of operands, in as many pieces as plans for moduli of `words` words may have (round
    /// numbers, and the most), and products by them.
    pub fn prepared(words: usize) -> impl Iterator<Item = Self> {
        let is_round = |pieces: usize| pieces.trailing_zeros() + 3 > pieces.ilog2();
        let pieces = (2..=words).filter(move |&pieces| pieces == words || is_round(pieces));
        pieces.flat_map(|pieces| [Self::MulPrepared(pieces), Self::Prepare(pieces)])
    }

    /// Whether the operation moves words of rows.
    pub fn moves_rows(self) -> bool {
        matches!(self, Self::SelectRows(_) | Self::LookUpRows(_) | Self::Put | Self::Take)
    }

    /// Whether the operation multiplies rows.
    pub fn multiplies_rows(self) -> bool {
        matches!(self, Self::MulRows | Self::SquareRows | Self::SquareAndSelect(_))
    }

    /// Whether the operation multiplies or reduces.
    pub fn is_product(self) -> bool {
        use Operation::{Add, Load, Replace, Select, Store, Sub, Swap};
        !matches!(self, Add | Sub | Load | Store | Swap | Replace(_) | Select(_))
            && !self.moves_rows()
            && !Self::INVERSION.contains(&self)
    }

    /// The specification of this operation, for moduli of `words` words.
    pub fn specification(self, words: usize) -> Specification {
        use Bound::{BelowModulus, Words};
        use Formula as F;
        let (first, second, formula, is_reduced) = match self {
            Self::Mul | Self::MulPair | Self::MulTwo | Self::MulRows => {
                (Words, Some(BelowModulus), F::Product, true)
            }
            Self::Square | Self::SquareTwo | Self::SquareRows | Self::SquareAndSelect(_) => {
                (BelowModulus, None, F::Square, true)
            }
            Self::Add => (BelowModulus, Some(BelowModulus), F::Sum, false),
            Self::Sub => (BelowModulus, Some(BelowModulus), F::Difference, false),
            // The second operand is E.
            Self::ToMontgomery => (Words, Some(BelowModulus), F::Product, true),
            Self::FromMontgomery => (BelowModulus, None, F::First, true),
            Self::Load | Self::Store => (Words, None, F::Copy, false),
            Self::Swap => (Words, Some(Words), F::Exchange, false),
            Self::Select(_) | Self::SelectRows(_) | Self::LookUpRows(_) => {
                (Words, Some(Words), F::Entry, false)
            }
            Self::Put | Self::Take => (Words, None, F::Lowest(64), false),
            // These have files of their own.
            Self::Reduce | Self::Jump | Self::UpdateFg | Self::UpdateDe | Self::Invert => {
                (Words, None, F::Whole, false)
            }
            // This is for the first place; the others have statements of their own.
            Self::Replace(_) => (Words, Some(Words), F::Place(0), false),
            Self::MulPrepared(pieces) => (Words, Some(BelowModulus), F::Pieces(words.div_ceil(pieces)), true),
            // This is for all pieces but the highest; the parts before have statements of their own.
            Self::Prepare(pieces) => (BelowModulus, None, F::Shifted(words.div_ceil(pieces)), true),
        };
        Specification { first, second, formula, is_reduced }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MulPrepared(number)
            | Self::Prepare(number)
            | Self::Replace(number)
            | Self::Select(number)
            | Self::SelectRows(number)
            | Self::LookUpRows(number)
            | Self::SquareAndSelect(number) => f.pad(&format!("{}/{number}", self.name())),
            _ => f.pad(self.name()),
        }
    }
}

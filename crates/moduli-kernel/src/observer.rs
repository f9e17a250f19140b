//! Observers of operations, which count, record or corrupt them. Sessions have one only on request.

/// An operation on Montgomery residues, or on rows of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Into Montgomery form.
    ToMontgomery,
    /// Out of it.
    FromMontgomery,
    /// Into the cheapest form.
    Load,
    /// Out of that.
    Store,
    /// A sum.
    Add,
    /// A difference.
    Sub,
    /// A product.
    Mul,
    /// A square.
    Square,
    /// An operand is prepared.
    Prepare {
        /// In so many pieces.
        split: usize,
    },
    /// A product by a prepared operand.
    MulPrepared {
        /// The pieces it is prepared in.
        split: usize,
    },
    /// Two products by one operand.
    MulPair,
    /// A product modulo each of two moduli, as are the next two.
    MulDual,
    /// Squares.
    SquareDual {
        /// How many, one after the other.
        times: u32,
    },
    /// Two look-ups.
    SelectDual {
        /// Modulo which of the two moduli.
        which: usize,
    },
    /// A masked look-up.
    Select,
    /// A masked update.
    Replace,
    /// A masked swap.
    Swap,
    /// A residue into a lane.
    Put {
        /// Which.
        lane: usize,
    },
    /// A residue out of a lane.
    Take {
        /// Which.
        lane: usize,
    },
    /// A product in all lanes.
    MulLanes,
    /// A square in all lanes.
    SquareLanes,
    /// A masked look-up of rows.
    SelectLanes,
    /// Squares in all lanes, and a masked look-up of rows for the product that follows.
    SquareAndSelectLanes {
        /// How many squares, one after the other.
        times: u32,
    },
    /// A masked look-up of residues, one for each lane.
    LookUpLanes,
}

impl Operation {
    /// The name of the method.
    pub fn name(self) -> &'static str {
        match self {
            Self::ToMontgomery => "to_montgomery",
            Self::FromMontgomery => "from_montgomery",
            Self::Load => "load",
            Self::Store => "store",
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Mul => "mul",
            Self::Square => "square",
            Self::Prepare { .. } => "prepare",
            Self::MulPrepared { .. } => "mul_prepared",
            Self::MulPair => "mul_pair",
            Self::MulDual => "mul_dual",
            Self::SquareDual { .. } => "square_dual",
            Self::SelectDual { .. } => "select_dual",
            Self::Select => "select",
            Self::Replace => "replace",
            Self::Swap => "swap",
            Self::Put { .. } => "put",
            Self::Take { .. } => "take",
            Self::MulLanes => "mul_lanes",
            Self::SquareLanes => "square_lanes",
            Self::SelectLanes => "select_lanes",
            Self::SquareAndSelectLanes { .. } => "square_and_select_lanes",
            Self::LookUpLanes => "look_up_lanes",
        }
    }
}

/// Gets a report of every operation of a [`Session`](super::Session).
pub trait Observer: Send + Sync {
    /// An operation is about to be performed on these operands.
    fn before(&self, operation: Operation, operands: [&[u64]; 3]) {
        let _ = (operation, operands);
    }

    /// An operation has produced this result. Operations on rows, and on residues that are put into them, are
    /// reported only with the feature `internals`.
    fn after(&self, operation: Operation, result: &mut [u64]) {
        let _ = (operation, result);
    }
}

/// An operation of a session, reported if there is an observer: `observed!(session, operation, operands, call, results…)`.
macro_rules! observed {
    ($session:ident, $operation:expr, $operands:expr, $call:expr $(, $result:ident)*) => {
        if let Some(observer) = $session.observer {
            observer.before($operation, $operands);
        }
        $call;
        $(if let Some(observer) = $session.observer {
            observer.after($operation, $result);
        })*
    };
}
pub(super) use observed;

/// The same of an operation that gives rows: `observed_rows!(session, operation, operands, call, results…)`.
macro_rules! observed_rows {
    ($session:ident, $operation:expr, $operands:expr, $call:expr $(, $result:ident)*) => {
        #[cfg(feature = "internals")]
        observed!($session, $operation, $operands, $call $(, $result)*);
        #[cfg(not(feature = "internals"))]
        observed!($session, $operation, $operands, $call);
    };
}
pub(super) use observed_rows;

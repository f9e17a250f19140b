//! Observers of operations. They count, record or corrupt operations. Sessions have one only on request.

/// An operation on Montgomery residues, or on rows of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Into Montgomery form.
    ToMontgomery,
    /// From Montgomery form.
    FromMontgomery,
    /// To the cheapest form.
    Load,
    /// From the cheapest form.
    Store,
    /// A sum.
    Add,
    /// A difference.
    Sub,
    /// A product.
    Mul,
    /// A square.
    Square,
    /// Preparation of an operand.
    Prepare {
        /// The number of pieces.
        split: usize,
    },
    /// A product by a prepared operand.
    MulPrepared {
        /// The number of pieces of the operand.
        split: usize,
    },
    /// Two products by one common operand.
    MulPair,
    /// A product modulo each of two moduli.
    MulDual,
    /// Squares modulo each of two moduli.
    SquareDual {
        /// The number of consecutive squares.
        times: u32,
    },
    /// Two look-ups.
    SelectDual {
        /// The modulus: 0 or 1.
        which: usize,
    },
    /// A masked look-up.
    Select,
    /// A masked update.
    Replace,
    /// A masked swap.
    Swap,
    /// Putting a residue into a lane.
    Put {
        /// The lane.
        lane: usize,
    },
    /// Taking a residue out of a lane.
    Take {
        /// The lane.
        lane: usize,
    },
    /// A product in all lanes.
    MulLanes,
    /// A square in all lanes.
    SquareLanes,
    /// A masked look-up of rows.
    SelectLanes,
    /// Squares in all lanes, with a masked look-up of rows for the next product.
    SquareAndSelectLanes {
        /// The number of consecutive squares.
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

/// Receives a report of every operation of a [`Session`](super::Session).
pub trait Observer: Send + Sync {
    /// Called before an operation on these operands.
    fn before(&self, operation: Operation, operands: [&[u64]; 3]) {
        let _ = (operation, operands);
    }

    /// Called after an operation, with its result. Operations on rows, and on residues that are put into
    /// them, are reported only with the feature `internals`.
    fn after(&self, operation: Operation, result: &mut [u64]) {
        let _ = (operation, result);
    }
}

/// Performs an operation of a session, and reports it if there is an observer:
/// `observed!(session, operation, operands, call, results…)`.
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

/// The same for an operation with rows as results:
/// `observed_rows!(session, operation, operands, call, results…)`.
macro_rules! observed_rows {
    ($session:ident, $operation:expr, $operands:expr, $call:expr $(, $result:ident)*) => {
        #[cfg(feature = "internals")]
        observed!($session, $operation, $operands, $call $(, $result)*);
        #[cfg(not(feature = "internals"))]
        observed!($session, $operation, $operands, $call);
    };
}
pub(super) use observed_rows;

//! Who is told of every operation: what counts, records or spoils them stands in one place, on request only.

/// An operation on Montgomery residues, or on rows of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Enter,
    Leave,
    Load,
    Store,
    Add,
    Sub,
    Mul,
    Square,
    Prepare,
    MulPrepared {
        split: usize,
    },
    MulPair,
    /// Of each of two moduli, as the next two.
    MulDual,
    SquareDual {
        times: u32,
    },
    SelectDual,
    Select,
    Replace,
    Swap,
    Put,
    Take,
    MulLanes,
    SquareLanes,
    SelectLanes,
    LookUpLanes,
}

impl Operation {
    /// The name of the method.
    #[cfg(feature = "std")]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Enter => "enter",
            Self::Leave => "leave",
            Self::Load => "load",
            Self::Store => "store",
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Mul => "mul",
            Self::Square => "square",
            Self::Prepare => "prepare",
            Self::MulPrepared { .. } => "mul_prepared",
            Self::MulPair => "mul_pair",
            Self::MulDual => "mul_dual",
            Self::SquareDual { .. } => "square_dual",
            Self::SelectDual => "select_dual",
            Self::Select => "select",
            Self::Replace => "replace",
            Self::Swap => "swap",
            Self::Put => "put",
            Self::Take => "take",
            Self::MulLanes => "mul_lanes",
            Self::SquareLanes => "square_lanes",
            Self::SelectLanes => "select_lanes",
            Self::LookUpLanes => "look_up_lanes",
        }
    }
}

/// What is reported by a [`Session`](super::Session).
pub(crate) trait Observer: Send + Sync {
    /// An operation is about to be performed on these operands.
    fn before(&self, operation: Operation, operands: [&[u64]; 3]) {
        let _ = (operation, operands);
    }

    /// An operation has given this result.
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

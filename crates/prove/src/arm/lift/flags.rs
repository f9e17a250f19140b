//! Flags, as far as they are followed.

use super::super::machine::{CARRY, NEGATIVE, OVERFLOW, ZEROS};
use crate::system::Value;
use Value::Constant;

/// The known flags. Others are not followed.
#[derive(Clone, Copy, Default)]
pub(super) struct Flags {
    pub(super) carry: Option<Value>,
    pub(super) zero: Option<Value>,
    /// Negative and overflow, where they are known.
    pub(super) signs: Option<(bool, bool)>,
    /// The words that the zero flag compares, where it is not followed otherwise; and whether it does so by
    /// a difference, so that the carry flag compares them, too.
    pub(super) compared: Option<(Value, Value, u32, bool)>,
}

impl Flags {
    /// The flags with their recorded values.
    pub(super) fn known(flags: u8) -> Self {
        let bit = |flag: u8| Some(Constant(i128::from(flags & flag != 0)));
        let signs = Some((flags & NEGATIVE != 0, flags & OVERFLOW != 0));
        Self { carry: bit(CARRY), zero: bit(ZEROS), signs, compared: None }
    }

    /// The flags with a carry, and the words that are compared.
    pub(super) fn of(carry: Value, compared: Option<(Value, Value, u32, bool)>) -> Self {
        Self { carry: Some(carry), zero: None, signs: None, compared }
    }

    /// The flags with only a carry.
    pub(super) fn with(carry: Value) -> Self {
        Self::of(carry, None)
    }

    /// The carry, where it is followed.
    pub(super) fn followed_carry(&self) -> Value {
        self.carry.unwrap_or(Constant(0))
    }

    /// The flags that are followed, with their recorded values.
    pub(super) fn known_values(&self, recorded: u8) -> impl Iterator<Item = (Value, i128)> + use<> {
        [(self.carry, CARRY), (self.zero, ZEROS)]
            .into_iter()
            .filter_map(move |(value, flag)| Some((value?, i128::from(recorded & flag != 0))))
    }
}

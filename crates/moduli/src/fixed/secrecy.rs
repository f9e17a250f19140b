//! Whether exponents are secret.

/// Whether exponents are secret: the planner optimises for this. Both kinds of call work on any
/// table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Secrecy {
    /// Exponents are secret: look-ups read whole rows, and the planner counts these bytes.
    #[default]
    Secret,
    /// Exponents are public: the `_vartime` calls will be used.
    Public,
}

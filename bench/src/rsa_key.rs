//! The numbers of an RSA key.

use crate::numbers::Limbs;

/// A key: n, e, d, p, q and the CRT values.
pub struct Key {
    pub n: Limbs,
    pub e: Limbs,
    pub d: Limbs,
    pub p: Limbs,
    pub q: Limbs,
    pub dp: Limbs,
    pub dq: Limbs,
    pub q_inverse: Limbs,
}

//! One factor of a modulus, and powers modulo both factors.

use super::reduction::Reduction;
use crate::exponent::Magnitude;
use crate::{error::Error, modulus::Modulus, power::pow_x2};
use moduli_kernel::{Session, Words};

/// A factor of a modulus, with the constants that reduce long numbers modulo it.
#[derive(Clone)]
pub(crate) struct Factor {
    pub(crate) modulus: Modulus,
    entering: Reduction,
}

/// The sessions for one operation: modulo n, and modulo both factors.
pub(crate) struct Sessions<'a> {
    pub(crate) n: Session<'a>,
    pub(crate) p: Session<'a>,
    pub(crate) q: Session<'a>,
}

impl Factor {
    /// For values of at most `longest` bits.
    pub(crate) fn new(modulus: Modulus, longest: u32) -> Self {
        Self { entering: Reduction::entering(&modulus, longest), modulus }
    }

    /// The residue of a value with `bits` public bits. Constant-time; cost: a product for each
    /// chunk of the factor's length.
    pub(crate) fn reduce(&self, session: &mut Session<'_>, value: &[u64], bits: u32) -> Words {
        self.entering.residue(session, value, bits)
    }

    /// The constants that a test corrupts or classifies.
    #[cfg(test)]
    pub(crate) fn constants(&mut self) -> &mut [Words] {
        &mut self.entering.factors
    }
}

impl<'a> Sessions<'a> {
    pub(crate) fn new(n: &'a Modulus, [p, q]: [&'a Factor; 2]) -> Self {
        Self { n: n.session(), p: p.modulus.session(), q: q.modulus.session() }
    }
}

/// Raises the value, of `value_bits` public bits, to an exponent modulo each factor. Both exponents
/// have the same public length, and the two powers are computed side by side. Constant-time.
///
/// # Errors
/// [`Error::Parameter`] if there is not enough memory for the tables.
pub(crate) fn pow_both(
    [p, q]: [&Factor; 2],
    sessions: &mut Sessions<'_>,
    (value, value_bits): (&[u64], u32),
    exponents: [&Magnitude; 2],
) -> Result<[Words; 2], Error> {
    let Sessions { p: of_p, q: of_q, .. } = sessions;
    let bases = [p.reduce(of_p, value, value_bits), q.reduce(of_q, value, value_bits)];
    pow_x2([of_p, of_q], [&bases[0], &bases[1]], exponents)
}

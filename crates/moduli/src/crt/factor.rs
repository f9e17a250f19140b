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
        // The modulus is secret: its constants are computed here, and not during a power.
        modulus.prepare_powers();
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
/// have the same public length, and the two powers are computed side by side, in the form of residues for
/// powers if both moduli have one. Constant-time.
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
    let [Some(mut for_p), Some(mut for_q)] =
        [p, q].map(|factor| factor.modulus.power_session_of_two(exponents[0].bits()))
    else {
        return pow_x2([of_p, of_q], [&bases[0], &bases[1]], exponents);
    };
    let bases = [moved(&bases[0], of_p, &mut for_p), moved(&bases[1], of_q, &mut for_q)];
    let powers = pow_x2([&for_p, &for_q], [&bases[0], &bases[1]], exponents)?;
    Ok([moved(&powers[0], &mut for_p, of_p), moved(&powers[1], &mut for_q, of_q)])
}

/// The residue of the same number in another session. Constant-time.
fn moved(residue: &[u64], from: &mut Session<'_>, to: &mut Session<'_>) -> Words {
    let (mut value, mut out) = (from.value(), to.residue());
    from.from_montgomery(&mut value, residue);
    to.to_montgomery(&mut out, &value);
    out
}

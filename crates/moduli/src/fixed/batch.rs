//! Many exponents at once.

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;

use super::{fixed_base::FixedBase, secrecy::Secrecy};
use crate::{error::Error, exponent::Exponent};

impl FixedBase {
    /// [`FixedBase::pow`] of every exponent, in order, on all cores with the feature `rayon`. Uniform.
    ///
    /// # Errors
    /// As for [`FixedBase::pow`], for the first exponent that fails.
    pub fn pow_batch<'e, E: Into<Exponent<'e>>>(
        &self,
        exponents: impl IntoIterator<Item = E>,
    ) -> Result<Vec<BoxedUint>, Error> {
        self.run_batch(Secrecy::Uniform, exponents)
    }

    /// [`FixedBase::pow_vartime`] of every exponent, in order, on all cores with the feature `rayon`.
    ///
    /// # Errors
    /// As for [`FixedBase::pow`], for the first exponent that fails.
    pub fn pow_batch_vartime<'e, E: Into<Exponent<'e>>>(
        &self,
        exponents: impl IntoIterator<Item = E>,
    ) -> Result<Vec<BoxedUint>, Error> {
        self.run_batch(Secrecy::Public, exponents)
    }

    fn run_batch<'e, E: Into<Exponent<'e>>>(
        &self,
        secrecy: Secrecy,
        exponents: impl IntoIterator<Item = E>,
    ) -> Result<Vec<BoxedUint>, Error> {
        let exponents: Vec<Exponent<'e>> = exponents.into_iter().map(Into::into).collect();
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            let powers: Vec<_> = exponents
                .par_iter()
                .map_init(|| self.state(), |state, e| self.run(self.kernel(), secrecy, e, state))
                .collect();
            // Collected first, so that the error reported is that of the first exponent.
            powers.into_iter().collect()
        }
        #[cfg(not(feature = "rayon"))]
        {
            let mut state = self.state();
            exponents.iter().map(|e| self.run(self.kernel(), secrecy, e, &mut state)).collect()
        }
    }
}

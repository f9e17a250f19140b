//! Randomness from the caller's generator.

use signature::rand_core::TryCryptoRng;

use crate::error::Error;

/// Fills `bytes` with random bytes. Reports a failure of the generator as an [`Error`].
pub(crate) fn fill<R: TryCryptoRng + ?Sized>(rng: &mut R, bytes: &mut [u8]) -> Result<(), Error> {
    rng.try_fill_bytes(bytes).map_err(Error::random)
}

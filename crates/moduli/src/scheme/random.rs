//! Randomness from a generator of the caller's.

use signature::rand_core::TryCryptoRng;

use crate::error::Error;

/// Random bytes, with the failure of a generator as an [`Error`].
pub(crate) fn fill<R: TryCryptoRng + ?Sized>(rng: &mut R, bytes: &mut [u8]) -> Result<(), Error> {
    rng.try_fill_bytes(bytes).map_err(Error::random)
}

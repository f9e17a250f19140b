//! What must be known about a table file before it is used.

use crypto_bigint::BoxedUint;

use super::{header::Header, source::DIGEST_BYTES};
use crate::{error::Error, modulus::Modulus};

/// What the opener of a table file knows about it from elsewhere.
///
/// The checksum of a file finds accidents, not attackers: a table for a base of someone's choice tells them
/// secret exponents. So there is no opening without an expectation.
#[derive(Clone, Copy)]
pub struct Expected<'a>(Kind<'a>);

#[derive(Clone, Copy)]
enum Kind<'a> {
    Base(&'a Modulus, &'a BoxedUint),
    Digest([u8; DIGEST_BYTES]),
}

impl<'a> Expected<'a> {
    /// The table is for `base` (reduced first) modulo `modulus`, and will run on the kernel of `modulus`.
    ///
    /// That the entries are powers of the base is then still the word of the file: see
    /// [`crate::FixedBase::verify`].
    pub fn base(modulus: &'a Modulus, base: &'a BoxedUint) -> Self {
        Self(Kind::Base(modulus, base))
    }

    /// The file is the one with this checksum (its last 32 bytes, [`super::TableInfo::digest`]), learnt from a
    /// trusted place. It fixes every byte of the file. The table will run on the kernel of [`Modulus::new`].
    pub fn digest(digest: [u8; 32]) -> Self {
        Self(Kind::Digest(digest))
    }

    /// The modulus that the table will run on, if the file is the expected one.
    pub(super) fn modulus(&self, header: &Header, digest: &[u8; DIGEST_BYTES]) -> Result<Modulus, Error> {
        let refuse = |name, reason| Err(Error::parameter(name, reason));
        match self.0 {
            Kind::Base(modulus, _) if *modulus.value().as_ref() != header.modulus => {
                refuse("modulus", "of the table is not the expected one")
            }
            Kind::Base(modulus, base) if modulus.reduce(base) != header.base => {
                refuse("base", "of the table is not the expected one")
            }
            Kind::Base(modulus, _) => Ok(modulus.clone()),
            Kind::Digest(expected) if expected != *digest => {
                refuse("checksum", "of the file is not the expected one")
            }
            Kind::Digest(_) => Modulus::new(&header.modulus),
        }
    }
}

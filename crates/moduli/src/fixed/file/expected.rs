//! What must be known about a table file before it is used.

use crypto_bigint::BoxedUint;

use super::{header::Header, source::DIGEST_BYTES};
use crate::{error::Error, modulus::Modulus};

/// What the opener of a table file knows about it from elsewhere.
///
/// The checksum of a file finds accidents, not attackers: a table for a base, or with entries, of someone's choice tells
/// them secret exponents. So there is no opening without an expectation.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a>(Kind<'a>);

#[derive(Clone, Copy, Debug)]
enum Kind<'a> {
    Base { modulus: &'a Modulus, base: &'a BoxedUint, verify: bool },
    Digest([u8; DIGEST_BYTES]),
}

impl<'a> Expected<'a> {
    /// The table is for `base` (reduced first) modulo `modulus`, and will run on the kernel of `modulus`. Opening
    /// verifies all entries, as [`crate::FixedBase::verify`] does: on all cores with the feature `rayon`, in about the
    /// time that building the table takes (milliseconds for 1 MiB). Nothing in the file has to be trusted then.
    pub fn base(modulus: &'a Modulus, base: &'a BoxedUint) -> Self {
        Self(Kind::Base { modulus, base, verify: true })
    }

    /// Like [`Expected::base`], but the entries are not looked at: for public exponents, for which the `_vartime`
    /// functions serve, and for verifying later.
    ///
    /// That the entries are powers of the base is then the word of whoever wrote the file. Functions of secret
    /// exponents refuse the table with [`Error::Table`] until [`crate::FixedBase::verify`] has found all
    /// entries right or [`crate::FixedBase::trust_unverified_entries`] was called.
    pub fn base_unverified(modulus: &'a Modulus, base: &'a BoxedUint) -> Self {
        Self(Kind::Base { modulus, base, verify: false })
    }

    /// The file is the one with this checksum (its last 32 bytes, [`super::TableInfo::digest`]), learnt from a
    /// trusted place. It fixes every byte of the file, so that the entries need no check. The table will run on the
    /// kernel of [`Modulus::new`].
    pub fn digest(digest: [u8; 32]) -> Self {
        Self(Kind::Digest(digest))
    }

    /// The modulus that the table will run on, if the file is the expected one.
    pub(super) fn modulus(&self, header: &Header, digest: &[u8; DIGEST_BYTES]) -> Result<Modulus, Error> {
        let refuse = |name, reason| Err(Error::parameter(name, reason));
        match self.0 {
            Kind::Base { modulus, .. } if *modulus.value().as_ref() != header.modulus => {
                refuse("modulus", "that of the table is not the expected one")
            }
            Kind::Base { modulus, base, .. } if modulus.reduce(base) != header.base => {
                refuse("base", "that of the table is not the expected one")
            }
            Kind::Base { modulus, .. } => Ok(modulus.clone()),
            Kind::Digest(expected) if expected != *digest => {
                refuse("checksum", "that of the file is not the expected one")
            }
            Kind::Digest(_) => Modulus::new(&header.modulus),
        }
    }

    /// Whether whoever expects this trusts every byte of the file.
    pub(super) fn trusts_file(&self) -> bool {
        matches!(self.0, Kind::Digest(_))
    }

    /// Whether all entries are to be verified before the table is given out.
    pub(super) fn verifies(&self) -> bool {
        matches!(self.0, Kind::Base { verify: true, .. })
    }
}

//! What the caller must know about a table file before using it.

use crypto_bigint::BoxedUint;

use super::{header::Header, source::DIGEST_BYTES};
use crate::{error::Error, modulus::Modulus};

/// What the caller knows about a table file, independently of the file.
///
/// The checksum of a file detects accidents, not attacks. If an attacker chooses the base or the entries of a
/// table, its results reveal secret exponents. So every call that opens a file requires an expectation.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a>(Kind<'a>);

#[derive(Clone, Copy, Debug)]
enum Kind<'a> {
    Base { modulus: &'a Modulus, base: &'a BoxedUint, verify: bool },
    Digest([u8; DIGEST_BYTES]),
}

impl<'a> Expected<'a> {
    /// The table is for `base` (reduced first) modulo `modulus`, and uses the kernel of `modulus`. Opening
    /// verifies all entries, as [`crate::FixedBase::verify`] does: on all cores with the feature `rayon`, in
    /// about the time that building the table takes (milliseconds for 1 MiB). Then nothing in the file need
    /// be trusted.
    pub fn base(modulus: &'a Modulus, base: &'a BoxedUint) -> Self {
        Self(Kind::Base { modulus, base, verify: true })
    }

    /// Like [`Expected::base`], but the entries are not checked: for public exponents (with the `_vartime`
    /// functions), or if you verify later.
    ///
    /// Then you trust the writer of the file that the entries are powers of the base. Functions for secret
    /// exponents reject the table with [`Error::Table`] until [`crate::FixedBase::verify`] has verified all
    /// entries or [`crate::FixedBase::trust_unverified_entries`] has been called.
    pub fn base_unverified(modulus: &'a Modulus, base: &'a BoxedUint) -> Self {
        Self(Kind::Base { modulus, base, verify: false })
    }

    /// The file is the one with this checksum (its last 32 bytes, [`super::TableInfo::digest`]), from a
    /// trusted source. It determines every byte of the file, so the entries need no check. The table uses the
    /// kernel of [`Modulus::new`].
    pub fn digest(digest: [u8; 32]) -> Self {
        Self(Kind::Digest(digest))
    }

    /// The modulus of the table, if the file is the expected one.
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

    /// Whether the caller trusts every byte of the file.
    pub(super) fn trusts_file(&self) -> bool {
        matches!(self.0, Kind::Digest(_))
    }

    /// Whether to verify all entries before the table is returned.
    pub(super) fn verifies(&self) -> bool {
        matches!(self.0, Kind::Base { verify: true, .. })
    }
}

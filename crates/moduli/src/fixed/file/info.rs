//! What a table file says about itself.

use alloc::string::String;
use crypto_bigint::BoxedUint;
use std::path::Path;

use super::{header::Header, load::read_file};
use crate::{
    error::Error,
    fixed::{memory_size::MemorySize, shape::Shape},
};

/// What a table file says about itself, for display. The writer of the file chose these values, so do not
/// trust them. They have been checked as far as possible without the base, including the checksum, but the
/// entries have not been checked.
#[derive(Debug)]
pub struct TableInfo {
    header: Header,
    digest: [u8; 32],
}

impl TableInfo {
    /// Reads the file at `path` once, from front to back, in constant memory.
    ///
    /// # Errors
    /// [`Error::File`] as for [`crate::FixedBase::open`], but files for unknown kernels can be read.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        read_file(path.as_ref(), |mut source| {
            let header = Header::read(&mut source)?;
            source.skip_words(header.body_words())?;
            Ok(Self { header, digest: source.finish()? })
        })
    }

    /// Method, parameters, split and exponent length.
    pub fn shape(&self) -> &Shape {
        &self.header.shape
    }

    /// The modulus: odd and greater than 1.
    pub fn modulus(&self) -> &BoxedUint {
        &self.header.modulus
    }

    /// The base: below the modulus and not zero.
    pub fn base(&self) -> &BoxedUint {
        &self.header.base
    }

    /// The order of the base, if one was recorded; opening the table checks that it is one.
    pub fn order(&self) -> Option<&BoxedUint> {
        self.header.order.as_ref()
    }

    /// The layout of the residues, named by the kernel that the file was written for.
    pub fn layout(&self) -> String {
        self.header.layout_name()
    }

    /// Number of entries.
    pub fn entries(&self) -> u64 {
        self.header.shape.entries()
    }

    /// Bytes of the entries, without header and checksum.
    pub fn table_bytes(&self) -> MemorySize {
        MemorySize(8 * self.header.body_words())
    }

    /// The checksum, which identifies the file: for [`super::Expected::digest`], if it comes from a trusted
    /// source.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }
}

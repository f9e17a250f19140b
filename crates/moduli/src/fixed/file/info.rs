//! The description that a table file contains.

use alloc::string::String;
use crypto_bigint::BoxedUint;
use std::path::Path;

use super::{header::Header, load::read_file};
use crate::{
    error::Error,
    fixed::{memory_size::MemorySize, shape::Shape},
};

/// The description that a table file contains, for display. The writer of the file chose these
/// values, so do not trust them. They were checked as far as possible without the base, including
/// the checksum, but the entries were not.
#[derive(Debug)]
pub struct TableInfo {
    header: Header,
    digest: [u8; 32],
}

impl TableInfo {
    /// Reads the file at `path` once, from start to end, in constant memory.
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

    /// The method with its parameters, the split, and the length of exponents.
    pub fn shape(&self) -> &Shape {
        &self.header.shape
    }

    /// The modulus, odd and greater than 1.
    pub fn modulus(&self) -> &BoxedUint {
        &self.header.modulus
    }

    /// The base, nonzero and below the modulus.
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

    /// The number of entries.
    pub fn entries(&self) -> u64 {
        self.header.shape.entries()
    }

    /// The size of the entries in bytes, without header and checksum.
    pub fn table_bytes(&self) -> MemorySize {
        MemorySize(8 * self.header.body_words())
    }

    /// The checksum, which identifies the file. Use it with [`super::Expected::digest`] if the file
    /// comes from a trusted source.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }
}

//! Reads table files into memory.

use alloc::{format, string::ToString, vec::Vec};
use std::{fs, fs::File, io::Read, path::Path};

use super::{
    expected::Expected,
    header::Header,
    source::{DIGEST_BYTES, Source},
};
use crate::{
    error::{Error, FileReason, TableError},
    fixed::{fixed_base::FixedBase, shape::Shape, storage::Storage},
    modulus::Modulus,
    parallel,
};
use moduli_kernel::{Arithmetic, KernelChoice, Words};

/// Entries that one thread converts at a time.
const CONVERTED_AT_ONCE: usize = 256;

/// The products of two words that the squarings of the longest exponent may always cost: about a
/// second.
const WORD_PRODUCTS: u64 = 1 << 30;

/// The further products allowed for each word of entries: some seconds per MiB.
const WORD_PRODUCTS_A_WORD: u64 = 1 << 15;

impl FixedBase {
    /// Reads a table from a file into memory. The file must be the expected one.
    ///
    /// Checks sizes against the length of the file, before anything is allocated; the checksum; that modulus,
    /// base, method and parameters are valid and consistent; that an order, if there is one, is an order of
    /// the base; and, with [`Expected::base`], that every entry is the right power of the base.
    ///
    /// A file written for a kernel of another layout is converted, in memory for both forms
    /// ([`FixedBase::was_converted`]); its entries are then split into fewer pieces if the running kernel
    /// supports fewer. Cost: reading and hashing the file; at most three exponentiations with exponents of
    /// the table's length, and two inversions; to verify, as much as building the table; to convert, about
    /// six products per entry. A short file must not cause long work. So exponents of more than 128 bits per
    /// entry are rejected if their squarings need more than 2^30 products of 64-bit words, unless the digest
    /// of the file is trusted.
    ///
    /// # Errors
    /// [`Error::File`] with the path, for every failure.
    pub fn open(path: impl AsRef<Path>, expected: &Expected<'_>) -> Result<Self, Error> {
        read_file(path.as_ref(), |source| Self::read(source, expected))
    }

    /// Reads a table from a stream of `length` bytes, with the checks and the cost of [`FixedBase::open`].
    /// Memory is allocated for at most `length` bytes (and, if necessary, for the converted table).
    ///
    /// # Errors
    /// [`Error::File`] with `-` for the path.
    pub fn read_from(reader: impl Read, length: u64, expected: &Expected<'_>) -> Result<Self, Error> {
        Self::read(Source::new(reader, length), expected).map_err(|reason| Error::file("-", reason))
    }

    fn read(mut source: Source<impl Read>, expected: &Expected<'_>) -> Result<Self, FileReason> {
        let header = Header::read(&mut source)?;
        let body = source.words(header.body_words())?;
        let digest = source.finish()?;
        load(&header, &digest, Storage::Owned(body), expected)
    }
}

/// Opens the regular file at `path` and returns its length. Does not wait for a pipe or a device.
pub(super) fn open_regular(path: &Path) -> Result<(File, u64), FileReason> {
    let regular = |metadata: fs::Metadata| {
        if metadata.is_file() { Ok(metadata.len()) } else { Err(FileReason::from("is not a regular file")) }
    };
    regular(fs::metadata(path)?)?;
    let file = File::open(path)?;
    let length = regular(file.metadata()?)?;
    Ok((file, length))
}

/// Reads the file at `path` and adds the path to errors.
pub(super) fn read_file<T>(
    path: &Path,
    read: impl FnOnce(Source<File>) -> Result<T, FileReason>,
) -> Result<T, Error> {
    open_regular(path)
        .and_then(|(file, length)| read(Source::new(file, length)))
        .map_err(|reason| Error::file(path.display().to_string(), reason))
}

/// Creates a table from the data read, if it is the expected one. The caller has checked the
/// checksum.
pub(super) fn load(
    header: &Header,
    digest: &[u8; DIGEST_BYTES],
    body: Storage,
    expected: &Expected<'_>,
) -> Result<FixedBase, FileReason> {
    Ok(assemble(header, digest, body, expected)?)
}

fn assemble(
    header: &Header,
    digest: &[u8; DIGEST_BYTES],
    body: Storage,
    expected: &Expected<'_>,
) -> Result<FixedBase, Error> {
    let modulus = expected.modulus(header, digest)?;
    if !expected.trusts_file() {
        check_work(header, &modulus)?;
    }
    let same_layout = modulus.kernel().layout() == header.layout;
    let written_for = if same_layout {
        modulus.clone()
    } else {
        let unknown = || Error::Table(TableError::Layout { layout: header.layout_name() });
        let choice = KernelChoice::for_layout(header.layout).ok_or_else(unknown)?;
        Modulus::with_kernel(modulus.value(), choice)?
    };
    check_words(written_for.arithmetic(), header, body.words())?;
    if header.shape.method().needs_inverse() {
        modulus.invert_vartime(&header.base)?;
    }
    let (shape, table) = if same_layout {
        (header.shape, body)
    } else {
        let shape = &header.shape;
        let split = shape.split().min(modulus.dimensions().max_split as u32);
        let shape = Shape::new(shape.method(), split, shape.exponent_bits())?;
        (shape, Storage::Converted(convert(&written_for, header, body.words(), &modulus, split as usize)?))
    };
    let (base, order) = (modulus.reduce(&header.base), header.order.as_ref());
    let table = FixedBase::assemble(&modulus, base, shape, table, order, expected.trusts_file())?;
    if expected.verifies() {
        moduli_kernel::fault!("a table whose entries nobody verifies", "moduli-suite table_file::trust", {
            return Ok(table.trust_unverified_entries());
        });
        table.verify(None, &|_| {})?;
    }
    Ok(table)
}

/// Rejects a header that would cause too much work for the length of the file. Checking an order,
/// preparing for negative exponents and verifying entries all take as many squarings as exponents
/// have bits.
fn check_work(header: &Header, modulus: &Modulus) -> Result<(), Error> {
    let (bits, entries) = (u64::from(header.shape.exponent_bits()), header.shape.entries());
    let words = modulus.dimensions().limbs as u64;
    let work = (bits * words * words).saturating_sub(WORD_PRODUCTS);
    if work <= WORD_PRODUCTS_A_WORD.saturating_mul(entries.saturating_mul(words)) {
        return Ok(());
    }
    let reason = format!(
        "{bits} bits cause too much work for {entries} entries; modulo {} bits, a table needs {} entries, or a trusted \
         digest, which makes the checks unnecessary",
        modulus.bits(),
        work.div_ceil(WORD_PRODUCTS_A_WORD * words)
    );
    Err(Error::parameter("exponent bits", reason))
}

/// Checks that `kernel` can have written a body.
fn check_words(arithmetic: &Arithmetic, header: &Header, words: &[u64]) -> Result<(), Error> {
    let (kernel, split) = (arithmetic.dimensions(), header.shape.split());
    if split as usize > kernel.max_split {
        return Err(Error::out_of_range("split", split, [1, kernel.max_split as u32]));
    }
    let sizes = [kernel.residue_words as u64, kernel.prepared_words(split as usize) as u64];
    if sizes != [header.residue_words, header.entry_words] {
        let [residue, entry] = sizes;
        return Err(Error::parameter(
            "sizes",
            format!(
                "{} and {} words for a residue and an entry; the kernel {} has {residue} and {entry}",
                header.residue_words, header.entry_words, kernel.name
            ),
        ));
    }
    if !arithmetic.are_residues_vartime(words) {
        return Err(Error::parameter("entries", "some are not residues of the modulus"));
    }
    Ok(())
}

/// Converts the entries for another kernel.
fn convert(
    from: &Modulus,
    header: &Header,
    words: &[u64],
    to: &Modulus,
    split: usize,
) -> Result<Words, Error> {
    let (read_size, write_size) = (header.entry_words as usize, to.dimensions().prepared_words(split));
    let out = write_size.checked_mul(words.len() / read_size).and_then(Words::try_zero);
    let mut out = out.ok_or_else(|| Error::memory("table", "its entries, converted,"))?;
    let runs = words.chunks(CONVERTED_AT_ONCE * read_size);
    let work: Vec<_> = runs.zip(out.chunks_mut(CONVERTED_AT_ONCE * write_size)).collect();
    parallel::for_each(work, |(read, write)| {
        let (mut reader, mut writer) = (from.session(), to.session());
        let (mut residue, mut value, mut entered) = (reader.residue(), reader.value(), writer.residue());
        for (entry, out) in read.chunks_exact(read_size).zip(write.chunks_exact_mut(write_size)) {
            residue.copy_from_slice(reader.one());
            reader.mul_prepared(&mut residue, entry, header.shape.split() as usize);
            reader.from_montgomery(&mut value, &residue);
            writer.to_montgomery(&mut entered, &value);
            writer.prepare(out, &entered, split);
        }
    });
    Ok(out)
}

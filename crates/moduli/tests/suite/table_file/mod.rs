//! Table files: written files can be read, damaged ones are rejected, wrong entries are found.

mod convert;
mod damage;
mod forge;
mod format;
mod headers;
mod mutations;
mod round_trip;
mod save;
mod share;
mod trust;
mod verify;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use crypto_bigint::BoxedUint;
use moduli::{Error, Expected, FixedBase, KernelChoice, Modulus};

/// A directory that is removed at the end of the test.
pub(crate) struct Directory(PathBuf);

impl Directory {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("moduli-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A file with this content.
    pub(crate) fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

pub(crate) fn hex(text: &str) -> BoxedUint {
    BoxedUint::from_str_radix_vartime(text, 16).unwrap()
}

/// A prime of 130 bits (three 64-bit limbs, the top one nearly empty), an element, and its prime
/// order.
pub(crate) fn group() -> (BoxedUint, BoxedUint, BoxedUint) {
    let p = hex("3ffffffec000000000000006ffffffdd1");
    (p, hex("197121e9dc698d4b969f7dc2b97af7826"), hex("fffffffb"))
}

/// Every method, with and without split. All of them are valid for 130 bits.
pub(crate) const SHAPES: &[(&str, u32)] = &[
    ("radix:2", 1),
    ("radix:7", 2),
    ("radix:16", 3),
    ("comb:1,1", 1),
    ("comb:3,2", 1),
    ("comb:4,3,2", 2),
    ("comb:5,1", 3),
    ("m0m1:11,8", 1),
    ("residue-digits:11,8", 1),
    ("residue-digits:7,6", 2),
    ("residue-digits:101,10", 3),
];

pub(crate) fn modulus(value: &BoxedUint, choice: KernelChoice) -> Modulus {
    Modulus::with_kernel(value, choice).unwrap()
}

pub(crate) fn build(p: &Modulus, g: &BoxedUint, method: &str, split: u32, bits: u32) -> FixedBase {
    let builder = FixedBase::builder(p, g).exponent_bits(bits).method(method.parse().unwrap());
    builder.split(split).build().unwrap()
}

pub(crate) fn bytes_of(table: &FixedBase) -> Vec<u8> {
    let mut bytes = Vec::new();
    table.write_to(&mut bytes).unwrap();
    bytes
}

pub(crate) fn read(bytes: &[u8], expected: &Expected<'_>) -> Result<FixedBase, Error> {
    FixedBase::read_from(bytes, bytes.len() as u64, expected)
}

/// The reason of a file error, which must name `path`.
pub(crate) fn reason<T>(result: Result<T, Error>, path: &Path) -> String {
    match result.map(|_| ()) {
        Err(Error::File(error)) => {
            assert_eq!(Path::new(&error.path), path);
            error.reason.to_string()
        }
        other => panic!("{other:?}"),
    }
}

pub(crate) fn open_mapped(path: &Path, expected: &Expected<'_>) -> Result<FixedBase, Error> {
    // SAFETY: the tests change no file while it is mapped.
    unsafe { FixedBase::open_mmap(path, expected) }
}

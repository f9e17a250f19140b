//! Table files with a right checksum: each is refused, or rejected by `verify`, or right.

use std::{fs, path::PathBuf, sync::OnceLock};

use crypto_bigint::BoxedUint;
use moduli::{Error, Expected, FixedBase, KernelChoice, Modulus, TableInfo, error::TableError};
use moduli_kernel::internals::{PORTABLE4, PORTABLE8};
use sha2::{Digest, Sha256};

use crate::input::Input;

/// The offset of the lengths that bound the work; docs/table-file.md has the offsets.
const EXPONENT_BITS: usize = 68;
const MODULUS_BYTES: usize = 72;
const NUMBERS: usize = 84;

/// The limit of word products for a file whose digest is trusted; the library sets none for such a file.
const MOST_WORK: u64 = 1 << 20;

/// Every method, split and not.
const SHAPES: [(&str, u32); 8] = [
    ("radix:2", 1),
    ("radix:16", 3),
    ("comb:1,1", 1),
    ("comb:4,3,2", 2),
    ("comb:5,1", 1),
    ("m0m1:11,8", 1),
    ("residue-digits:11,8", 1),
    ("residue-digits:7,6", 2),
];

/// Layouts, one of them unknown.
const LAYOUTS: [&[u8]; 6] = [b"limbs64 ", b"limbs8  ", b"limbs4  ", b"lanes52 ", b"digits50", b"limbs16 "];

/// A valid file, and the base and modulus of its table.
struct Good {
    modulus: Modulus,
    base: BoxedUint,
    file: Vec<u8>,
}

fn hex(text: &str) -> BoxedUint {
    BoxedUint::from_str_radix_vartime(text, 16).expect("it is hexadecimal")
}

/// A table of each shape for a prime of 130 bits and its base of order 2^32 − 5, and for one of 18 bits by
/// each small kernel.
fn good() -> &'static [Good] {
    static GOOD: OnceLock<Vec<Good>> = OnceLock::new();
    GOOD.get_or_init(|| {
        let (p, g) = (hex("3ffffffec000000000000006ffffffdd1"), hex("197121e9dc698d4b969f7dc2b97af7826"));
        let (small, h) = (hex("3ffdd"), hex("2fabc"));
        let mut groups = vec![
            (p.clone(), g.clone(), Some(hex("fffffffb")), 32, KernelChoice::PORTABLE),
            (p, g, None, 40, KernelChoice::FMA50),
        ];
        groups.extend([PORTABLE8, PORTABLE4].map(|kernel| (small.clone(), h.clone(), None, 12, kernel)));
        groups.retain(|(.., kernel)| kernel.is_supported());
        let mut good = Vec::new();
        for (p, base, order, bits, kernel) in groups {
            let modulus = Modulus::with_kernel(&p, kernel).expect("it is odd");
            for (method, split) in SHAPES {
                let method = method.parse().expect("there is such a method");
                let builder = FixedBase::builder(&modulus, &base).exponent_bits(bits).method(method);
                let builder = builder.split(split.min(modulus.max_split()));
                let builder = if let Some(order) = &order { builder.order(order) } else { builder };
                let mut file = Vec::new();
                builder
                    .build()
                    .expect("it can be built")
                    .write_to(&mut file)
                    .expect("memory can be written to");
                good.push(Good { modulus: modulus.clone(), base: base.clone(), file });
            }
        }
        good
    })
}

/// A good file, changed as the input says, or the input itself.
fn forge(good: &Good, input: &mut Input<'_>) -> Vec<u8> {
    let mut file = good.file.clone();
    let start = field(&file, 12) as usize;
    while !input.is_empty() {
        let length = file.len();
        match input.byte() % 8 {
            // A field of the header: a small number, or any.
            0 => {
                let at = 8 + 4 * input.below((NUMBERS - 8) / 4);
                put(&mut file, at, &u32::from(input.byte()).to_le_bytes());
            }
            1 => {
                let at = 8 + 4 * input.below((NUMBERS - 8) / 4);
                put(&mut file, at, &(input.word(4) as u32).to_le_bytes());
            }
            // The next number up or down.
            2 => {
                let at = 8 + 4 * input.below((NUMBERS - 8) / 4);
                let step = input.of(&[1, u32::MAX, 64, 64u32.wrapping_neg(), 8, 8u32.wrapping_neg()]);
                let value = field(&file, at).wrapping_add(step);
                put(&mut file, at, &value.to_le_bytes());
            }
            3 => put(&mut file, 16, input.of(&LAYOUTS)),
            // The numbers.
            4 => {
                let (at, count) = (NUMBERS + input.below(start - NUMBERS), 1 + input.below(20));
                put(&mut file, at, input.take(count));
            }
            // Words of the body.
            5 => {
                let (at, count) = (start + input.below(length.max(start + 1) - start), 1 + input.below(20));
                put(&mut file, at, input.take(count));
            }
            // Two words of the body exchanged.
            6 => {
                let words = (length.saturating_sub(start + 32) / 8).max(1);
                let (a, b) = (start + 8 * input.below(words), start + 8 * input.below(words));
                if a.max(b) + 8 <= length {
                    (0..8).for_each(|i| file.swap(a + i, b + i));
                }
            }
            // Another length.
            _ => file.resize((length + input.below(129)).saturating_sub(64), 0),
        }
    }
    file
}

fn put(file: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(place) = file.get_mut(at..at + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}

/// A field of the header, zero where the file is shorter.
fn field(file: &[u8], at: usize) -> u32 {
    file.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes)
}

/// Corrects the checksum and returns it.
fn seal(file: &mut [u8]) -> [u8; 32] {
    let Some(end) = file.len().checked_sub(32) else { return [0; 32] };
    let digest: [u8; 32] = Sha256::digest(&file[..end]).into();
    file[end..].copy_from_slice(&digest);
    digest
}

fn read(file: &[u8], expected: &Expected<'_>) -> Option<FixedBase> {
    match FixedBase::read_from(file, file.len() as u64, expected) {
        Ok(table) => Some(table),
        Err(Error::File(_)) => None,
        Err(error) => panic!("another error than that of a file: {error}"),
    }
}

/// A table that passes `verify` computes powers of its base.
fn assert_powers(table: &FixedBase) {
    let bits = table.shape().exponent_bits();
    for k in [0u64, 1, 0x5555_5555_5555_5555, u64::MAX] {
        let k = BoxedUint::from(if bits < 64 { k >> (64 - bits) } else { k });
        let expected = table.modulus().pow(table.base(), &k);
        assert_eq!(table.pow(&k).expect("the table is verified"), expected);
        assert_eq!(table.pow_vartime(&k).expect("the exponent fits"), expected);
    }
}

fn info(file: &[u8]) -> Result<TableInfo, Error> {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    let path = PATH.get_or_init(|| std::env::temp_dir().join(format!("moduli-fuzz-{}", std::process::id())));
    fs::write(path, file).expect("a temporary file can be written");
    let info = TableInfo::read(path);
    let _ = fs::remove_file(path);
    info
}

/// The first byte chooses a good file, or none: then the rest is the file.
pub fn table(data: &[u8]) {
    let mut input = Input::new(data);
    let choice = usize::from(input.byte());
    let good = &good()[choice % good().len()];
    let mut file = if choice == 255 { input.rest().to_vec() } else { forge(good, &mut input) };
    let digest = seal(&mut file);
    let words = u64::from(field(&file, MODULUS_BYTES).div_ceil(8));
    if words.saturating_mul(words).saturating_mul(field(&file, EXPONENT_BITS).into()) > MOST_WORK {
        return;
    }

    let info = info(&file);
    let (p, g) = (&good.modulus, &good.base);
    let unverified = read(&file, &Expected::base_unverified(p, g));
    let verified = read(&file, &Expected::base(p, g));
    if let Some(table) = unverified {
        assert_eq!((table.modulus().value(), table.base()), (p.value(), g));
        let one = BoxedUint::one();
        let _ = table.pow_vartime(&one);
        assert_eq!(table.pow(&one), Err(Error::Table(TableError::Unverified)));
        assert_eq!(table.verify(None, &|_| {}).is_ok(), verified.is_some());
        if verified.is_some() {
            assert_powers(&table);
        }
    } else {
        assert!(verified.is_none(), "refused unverified and taken verified");
    }
    if let Some(table) = &verified {
        assert_powers(table);
    }

    let Some(table) = read(&file, &Expected::digest(digest)) else { return };
    let info = info.expect("a table that opens can be looked at");
    assert_eq!((info.digest(), info.base(), info.order()), (digest, table.base(), table.order()));
    assert_eq!(info.modulus(), table.modulus().value().as_ref());
    if !table.was_converted() {
        let mut again = Vec::new();
        table.write_to(&mut again).expect("memory can be written to");
        assert!(again == file, "a table has two files");
    }
    if table.verify(None, &|_| {}).is_ok() {
        assert_powers(&table);
    } else {
        // Wrong, but still a table: whatever it computes, it does not panic.
        let _ = table.pow(&BoxedUint::one());
    }
}

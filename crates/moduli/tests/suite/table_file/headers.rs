//! Wrong headers with a right checksum.

use moduli::{Error, Expected, FixedBase, KernelChoice, Modulus, error::TableError};

use crate::table_file::{build, bytes_of, forge, group, modulus, read};

fn file() -> (Modulus, FixedBase, Vec<u8>) {
    let (p, g, order) = group();
    let p = modulus(&p, KernelChoice::PORTABLE);
    let builder = FixedBase::builder(&p, &g).exponent_bits(40).method("comb:4,2".parse().unwrap());
    let table = builder.order(&order).build().unwrap();
    let bytes = bytes_of(&table);
    (p, table, bytes)
}

/// The file is rejected for every expectation, and the reason contains `what`.
#[track_caller]
fn refused(forged: &[u8], what: &str) {
    let (p, table, _) = file();
    for expected in [Expected::base(&p, table.base()), Expected::digest(forge::digest(forged))] {
        match read(forged, &expected).map(|_| ()) {
            Err(Error::File(error)) => assert!(error.reason.to_string().contains(what), "{error}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_offsets_are_right() {
    let (p, table, bytes) = file();
    let expected = Expected::base(&p, table.base());
    assert_eq!(forge::seal(bytes.clone()), bytes);
    assert!(read(&forge::with(&bytes, forge::LAYOUT, b"limbs64 "), &expected).is_ok());
    let fields = [
        (forge::RESIDUE_WORDS, 3),
        (forge::RESIDUE_WORDS + 4, 0),
        (forge::ENTRY_WORDS, 3),
        (forge::ENTRIES, 30),
        (forge::METHOD, 2),
        (forge::PARAMETERS, 4),
        (forge::PARAMETERS + 4, 2),
        (forge::PARAMETERS + 8, 0),
        (forge::SPLIT, 1),
        (forge::EXPONENT_BITS, 40),
        (forge::MODULUS_BYTES, 17),
        (forge::BASE_BYTES, 17),
        (forge::ORDER_BYTES, 4),
    ];
    for (offset, value) in fields {
        assert_eq!(forge::u32_at(&bytes, offset), value, "at {offset}");
    }
}

#[test]
fn sizes_that_do_not_fit_the_file() {
    let (_, _, bytes) = file();
    for entries in [0u64, 29, 31, 1 << 32, 1 << 60, 1 << 61, u64::MAX] {
        refused(&forge::with(&bytes, forge::ENTRIES, &entries.to_le_bytes()), "its header requires");
    }
    for words in [0u64, 2, 4, 1 << 40, 1 << 61, u64::MAX] {
        refused(&forge::with(&bytes, forge::ENTRY_WORDS, &words.to_le_bytes()), "its header requires");
    }
    for number in [forge::MODULUS_BYTES, forge::BASE_BYTES, forge::ORDER_BYTES] {
        for length in [1u32 << 14 | 2, 1 << 20, 1 << 30, u32::MAX] {
            refused(&forge::with(&bytes, number, &length.to_le_bytes()), "bytes; at most");
        }
        refused(&forge::with(&bytes, number, &1000u32.to_le_bytes()), "claims a header of");
    }
    for total in [0u32, 64, 127, 192, 1 << 31, u32::MAX] {
        refused(&forge::with(&bytes, 12, &total.to_le_bytes()), "claims a header of");
    }
}

#[test]
fn products_of_sizes_that_overflow_back_to_the_right_length() {
    let (_, _, bytes) = file();
    // entries·words·8 = 30·3·8 modulo 2^64.
    for (entries, words) in [(30u64, 3u64 | 1 << 60), (30 | 1 << 61, 3), (30 | 1 << 63, 3 | 1 << 62)] {
        let forged = forge::with(&bytes, forge::ENTRIES, &entries.to_le_bytes());
        let forged = forge::with(&forged, forge::ENTRY_WORDS, &words.to_le_bytes());
        refused(&forged, "its header requires");
    }
}

#[test]
fn entries_and_words_exchanged() {
    let (_, _, bytes) = file();
    // The product, and so the length, is unchanged.
    for (entries, words) in [(90u64, 1u64), (45, 2), (15, 6), (1, 90)] {
        let forged = forge::with(&bytes, forge::ENTRIES, &entries.to_le_bytes());
        refused(&forge::with(&forged, forge::ENTRY_WORDS, &words.to_le_bytes()), "has 30");
    }
    for words in [0u64, 2, 4, u64::MAX] {
        let forged = forge::with(&bytes, forge::RESIDUE_WORDS, &words.to_le_bytes());
        refused(&forged, "words for a residue");
    }
}

#[test]
fn parameters_out_of_range() {
    let (_, _, bytes) = file();
    let fields = |offset: usize, fields: &[u32]| {
        let bytes_of_fields: Vec<u8> = fields.iter().flat_map(|field| field.to_le_bytes()).collect();
        forge::with(&bytes, offset, &bytes_of_fields)
    };
    for method in [0, 5, 6, 256, u32::MAX] {
        refused(&fields(forge::METHOD, &[method]), "is unknown");
    }
    // Parameters that a method does not have must be zero.
    refused(&fields(forge::METHOD, &[1, 16, 1, 0]), "is unknown");
    refused(&fields(forge::METHOD, &[3, 11, 8, 1]), "is unknown");
    refused(&fields(forge::METHOD, &[4, 11, 8, 1]), "is unknown");
    for radix in [0, 1, 1 << 24, u32::MAX] {
        refused(&fields(forge::METHOD, &[1, radix, 0, 0]), "radix");
    }
    for teeth in [0, 25, 1 << 31, u32::MAX] {
        refused(&fields(forge::METHOD, &[2, teeth, 2, 0]), "teeth");
    }
    for tables in [0, 41, u32::MAX] {
        refused(&fields(forge::METHOD, &[2, 4, tables, 0]), "tables");
    }
    refused(&fields(forge::METHOD, &[2, 4, 2, 2]), "short tables");
    for method in [3, 4] {
        for m0 in [0, 1, 1 << 24, u32::MAX] {
            refused(&fields(forge::METHOD, &[method, m0, 8, 0]), "m0");
        }
        for m1 in [0, 1, 256, u32::MAX] {
            refused(&fields(forge::METHOD, &[method, 1_000_003, m1, 0]), "m1");
        }
        refused(&fields(forge::METHOD, &[method, 15, 3, 0]), "shares a factor");
    }
    refused(&fields(forge::METHOD, &[3, 11, 8, 0, 2]), "not split");
    for split in [0, 1 << 31, u32::MAX] {
        refused(&fields(forge::SPLIT, &[split]), "split");
    }
    for split in [2, 3] {
        refused(&fields(forge::SPLIT, &[split]), "words for a residue");
    }
    for bits in [0, (1 << 17) + 1, 1 << 31, u32::MAX] {
        refused(&fields(forge::EXPONENT_BITS, &[bits]), "exponent bits");
    }
    // Shapes in range that have another number of entries.
    refused(&fields(forge::METHOD, &[1, 16, 0, 0]), "claims 30 entries");
    refused(&fields(forge::METHOD, &[2, 24, 40, 39]), "claims 30 entries");
    refused(&fields(forge::METHOD, &[2, 24, 1 << 17, 0, 1, 1 << 17]), "at most 4294967296");
    refused(&fields(forge::METHOD, &[1, 3, 0, 0, 1, 1 << 17]), "claims 30 entries");
    refused(&fields(forge::METHOD, &[1, (1 << 24) - 1, 0, 0, 1, 1 << 17]), "at most 4294967296");
}

#[test]
fn numbers_that_are_not_allowed() {
    let (_, table, bytes) = file();
    let (p, g) = (forge::NUMBERS, forge::NUMBERS + 17);
    let order = g + 17;
    refused(&forge::with(&bytes, p, &[0xd0]), "modulus is even");
    refused(&forge::with(&bytes, p, &[0; 17]), "modulus that is zero");
    refused(&forge::with(&bytes, p + 16, &[0]), "modulus that is zero or begins with zeros");
    refused(&forge::with(&bytes, g, &[0; 17]), "base that is zero");
    refused(&forge::with(&bytes, g, &[0xff; 17]), "base that is not below the modulus");
    let modulus = bytes[p..p + 17].to_vec();
    refused(&forge::with(&bytes, g, &modulus), "base that is not below the modulus");
    refused(&forge::with(&bytes, order, &[0; 4]), "order that is zero");
    refused(&forge::with(&bytes, order, &[0xfa]), "not an order of the base");
    refused(&forge::with(&bytes, forge::EXPONENT_BITS, &31u32.to_le_bytes()), "order: is longer");
    refused(&forge::with(&bytes, order + 4, &[1]), "not padded with zeros");
    assert_eq!(table.order().unwrap().bits_vartime(), 32);

    // The modulus 1, in a file that matches it otherwise.
    let p = Modulus::with_kernel(&crypto_bigint::BoxedUint::from(3u64), KernelChoice::PORTABLE).unwrap();
    let three = bytes_of(&build(&p, &crypto_bigint::BoxedUint::one(), "comb:4,2", 1, 40));
    refused(&forge::with(&three, forge::NUMBERS, &[1]), "greater than 1");
}

#[test]
fn lengths_of_numbers_that_are_not_the_shortest() {
    let (_, _, bytes) = file();
    // The order includes a byte of the padding: 5 bytes, the top one zero. The modulus includes one
    // byte of the base.
    refused(&forge::with(&bytes, forge::ORDER_BYTES, &5u32.to_le_bytes()), "order that is zero or begins");
    refused(&forge::with(&bytes, forge::ORDER_BYTES, &3u32.to_le_bytes()), "not padded with zeros");
    let none = forge::with(&bytes, forge::ORDER_BYTES, &0u32.to_le_bytes());
    refused(&none, "not padded with zeros");
    let lengths = [18u32, 16].map(u32::to_le_bytes).concat();
    refused(&forge::with(&bytes, forge::MODULUS_BYTES, &lengths), "");
}

#[test]
fn entries_that_are_not_residues() {
    let (_, _, bytes) = file();
    let body = bytes.len() - 32 - 30 * 24;
    let (modulus, last) = (forge::NUMBERS, 24 * 29);
    let mut p = [0; 24];
    p[..17].copy_from_slice(&bytes[modulus..modulus + 17]);
    for residue in [p, [0xff; 24]] {
        for entry in [0, 24 * 7, last] {
            refused(&forge::with(&bytes, body + entry, &residue), "not residues");
        }
    }
    p[0] -= 1;
    let (q, table, _) = file();
    let expected = Expected::base_unverified(&q, table.base());
    let opened = read(&forge::with(&bytes, body + last, &p), &expected).unwrap();
    assert_eq!(opened.verify(None, &|_| {}), Err(Error::Table(TableError::Entry { index: 29 })));
}

/// Words that the vectors cannot multiply, or that no entry contains, are rejected before any
/// arithmetic.
#[test]
fn words_that_no_entry_of_the_kernel_holds() {
    let (p, g, _) = group();
    let limbs = p.to_words().to_vec();
    let digits = (0..4).map(|i| p.shr(52 * i).to_words()[0] & ((1 << 52) - 1)).collect::<Vec<u64>>();
    let doubles = [0.5, -1.0, -0.0, f64::NAN, f64::INFINITY, 1e-310, (1u64 << 51) as f64];
    let cases = [
        (KernelChoice::IFMA52, vec![digits, vec![1 << 52], vec![u64::MAX], vec![0, 0, 0, 1 << 51]]),
        (KernelChoice::FMA50, doubles.map(|double| vec![double.to_bits()]).to_vec()),
        (KernelChoice::ADX, vec![limbs.clone(), vec![u64::MAX; 3]]),
        (KernelChoice::AARCH64, vec![limbs, vec![u64::MAX; 3]]),
    ];
    for (choice, wrong) in cases.into_iter().filter(|(choice, _)| choice.is_supported()) {
        let p = modulus(&p, choice);
        for split in 1..=2 {
            let table = build(&p, &g, "comb:4,2", split, 40);
            let bytes = bytes_of(&table);
            let field = |offset| forge::u32_at(&bytes, offset) as usize;
            let (residue, entry) = (8 * field(forge::RESIDUE_WORDS), 8 * field(forge::ENTRY_WORDS));
            let body = bytes.len() - 32 - entry * field(forge::ENTRIES);
            for at in [body, bytes.len() - 32 - residue] {
                for words in &wrong {
                    let words: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                    let read = read(&forge::with(&bytes, at, &words), &Expected::base(&p, table.base()));
                    let Err(Error::File(error)) = read.map(|_| ()) else { panic!("{choice:?} {split}") };
                    assert!(error.to_string().contains("not residues"), "{choice:?} {split}: {error}");
                }
            }
        }
    }
}

//! A reader written only from `docs/table-file.md`, with another big-integer library.

use crypto_bigint::BoxedUint;
use moduli::{Expected, FixedBase, KernelChoice, Method, groups::Group};
use num_bigint::BigUint;
use sha2::{Digest, Sha256};

use crate::table_file::{bytes_of, group, modulus, read};

fn u32_at(file: &[u8], offset: usize) -> usize {
    u32::from_le_bytes(file[offset..][..4].try_into().unwrap()) as usize
}

fn u64_at(file: &[u8], offset: usize) -> u64 {
    u64::from_le_bytes(file[offset..][..8].try_into().unwrap())
}

struct File<'a> {
    layout: &'a [u8],
    modulus: BigUint,
    base: BigUint,
    order: Option<BigUint>,
    entries: Vec<&'a [u8]>,
}

fn parse(file: &[u8]) -> File<'_> {
    assert_eq!(&file[..8], b"\x89moduli\n");
    assert_eq!(u32_at(file, 8), 1);
    let header = u32_at(file, 12);
    assert_eq!(header % 64, 0);
    let lengths = [72, 76, 80].map(|offset| u32_at(file, offset));
    let mut offset = 84;
    let [modulus, base, order] = lengths.map(|length| {
        offset += length;
        BigUint::from_bytes_le(&file[offset - length..offset])
    });
    assert!(file[offset..header].iter().all(|&byte| byte == 0) && header - offset < 64);
    let order = (lengths[2] > 0).then_some(order);
    let (words, entries) = (u64_at(file, 32) as usize, u64_at(file, 40) as usize);
    let end = header + 8 * words * entries;
    assert_eq!(&file[end..], &Sha256::digest(&file[..end])[..]);
    let entries = file[header..end].chunks(8 * words).collect();
    File { layout: &file[16..24], modulus, base, order, entries }
}

/// An entry in a layout.
fn entry(layout: &[u8], value: &BigUint, p: &BigUint, split: usize) -> Vec<u8> {
    match layout {
        b"limbs64 " => limbs64(value, p, split),
        b"lanes52 " => lanes52(value, p, split),
        b"digits50" => digits50(value, p, split),
        _ => panic!("{layout:?} is not in the document"),
    }
}

fn lanes52(value: &BigUint, p: &BigUint, split: usize) -> Vec<u8> {
    let d = (p.bits() as usize + 8).div_ceil(52);
    let [blocks, digits] = match d {
        ..=20 => [4, d.div_ceil(4)],
        21..=80 => [8, d.div_ceil(8)],
        _ => [d.div_ceil(8), 8],
    };
    let whole = match d {
        25..=30 => 30,
        57..=60 => 60,
        _ => blocks * digits,
    };
    let mut bytes = Vec::new();
    for i in 0..split {
        let shift = if split == 1 { whole } else { digits * blocks.div_ceil(split) * (i + 1) };
        let piece = (value << (52 * shift)) % p;
        let digit = |i: usize| u64::try_from((&piece >> (52 * i)) % (BigUint::from(1u32) << 52)).unwrap();
        for word in 0..blocks * digits {
            let place = if d <= 80 { digits * (word % blocks) + word / blocks } else { word };
            bytes.extend(digit(place).to_le_bytes());
        }
    }
    bytes
}

fn digits50(value: &BigUint, p: &BigUint, split: usize) -> Vec<u8> {
    let one = BigUint::from(1u32);
    let log2 = |d: u64| (0..).find(|&log| d < 2 << log).unwrap();
    let d = (1..).map(|half| 2 * half).find(|&d| 50 * d >= p.bits() + 55 + log2(d)).unwrap() as usize;
    let quads = d.div_ceil(4);
    let power = |digits: usize| (value << (50 * digits)) % p;
    let digit = |x: &BigUint, i: usize| u64::try_from((x >> (50 * i)) % (&one << 50)).unwrap() as f64;
    let words = |x: &BigUint| -> Vec<f64> { (0..4 * quads).map(|i| digit(x, i)).collect() };
    let entry: Vec<f64> = if split == 1 {
        words(&power(d))
    } else if split <= quads {
        let c = 4 * quads.div_ceil(split);
        (0..split).flat_map(|i| words(&power(c * (i + 1)))).collect()
    } else {
        let rows: Vec<Vec<f64>> = (0..d).map(|j| words(&power(j))).collect();
        let blocks = (0..4 * quads).step_by(16).flat_map(|first| {
            let last = (first + 16).min(4 * quads);
            rows.iter().flat_map(move |row| &row[first..last])
        });
        let mut entry: Vec<f64> = blocks.copied().collect();
        let products = rows.chunks(2).flat_map(|pair| pair[0].iter().zip(&pair[1]).enumerate());
        let correction: BigUint =
            products.map(|(i, (&a, &b))| (BigUint::from(a as u64) * (b as u64)) << (50 * i)).sum();
        entry.extend(words(&correction));
        entry
    };
    entry.into_iter().flat_map(f64::to_le_bytes).collect()
}

fn limbs64(value: &BigUint, p: &BigUint, split: usize) -> Vec<u8> {
    let n = (p.bits() as usize).div_ceil(64);
    let c = n.div_ceil(split);
    let mut bytes = Vec::new();
    for i in 0..split {
        let shift = if split == 1 { 64 * n } else { 64 * (c * i + c + 1) };
        let mut piece = ((value << shift) % p).to_bytes_le();
        piece.resize(8 * n, 0);
        bytes.extend(piece);
    }
    bytes
}

/// The exponents of all entries of a table, as the document specifies them; true means negative.
fn exponents(file: &[u8]) -> Vec<(bool, BigUint)> {
    let [method, a, b, c] = [48, 52, 56, 60].map(|offset| u32_at(file, offset));
    let bits = u32_at(file, 68);
    let mut exponents = Vec::new();
    let digits = |radix: usize| {
        (0..).find(|&count| BigUint::from(radix).pow(count) >= BigUint::from(1u32) << bits).unwrap()
    };
    match method {
        1 => {
            for i in 0..digits(a) {
                exponents.extend((1..a).map(|j| (false, BigUint::from(a).pow(i) * j)));
            }
        }
        2 => {
            let teeth: Vec<usize> = (0..b).map(|table| if table < b - c { a } else { a - 1 }).collect();
            let total: usize = teeth.iter().sum();
            let columns = bits.div_ceil(total);
            let (mut spare, mut first) = (total * columns - bits, 0);
            for h in teeth {
                let mut columns = columns;
                if h <= spare {
                    spare -= h;
                    columns -= 1;
                }
                if columns == 0 {
                    continue;
                }
                for subset in 1..1usize << h {
                    let ones = (0..h).filter(|i| subset >> i & 1 == 1);
                    exponents.push((false, ones.map(|i| BigUint::from(1u32) << (first + i * columns)).sum()));
                }
                first += h * columns;
            }
        }
        3 | 4 => {
            let count = digits(a * b);
            for i in 0..count {
                exponents.extend((0..a).map(|j| (false, BigUint::from(a * b).pow(i) * (1 + b * j))));
            }
            let first = if method == 3 { 0 } else { count };
            exponents.extend((first..=count).map(|i| (true, BigUint::from(a * b).pow(i))));
        }
        other => panic!("docs/table-file.md has no method {other}"),
    }
    exponents
}

#[test]
fn files_hold_what_the_document_says() {
    for kernel in KernelChoice::ALL.iter().filter(|kernel| kernel.is_supported()) {
        let (p, g, order) = group();
        check_files(*kernel, &p, &g, Some(&order));
        // Residues have fewer digits than words.
        for name in ["modp1536", "modp3072"] {
            let group = Group::named(name).unwrap();
            check_files(*kernel, group.modulus(), group.generator(), None);
        }
    }
}

fn check_files(kernel: KernelChoice, p: &BoxedUint, g: &BoxedUint, order: Option<&BoxedUint>) {
    let p = modulus(p, kernel);
    let shapes = [
        ("radix:2", 1),
        ("radix:7", 2),
        ("comb:4,3,2", 1),
        ("comb:3,50", 1),
        ("comb:5,2", 3),
        ("m0m1:11,8", 1),
        ("residue-digits:11,8", 2),
        ("radix:3", u32::MAX as usize),
    ];
    assert_eq!(Method::missing_in(shapes.map(|(method, _)| method)), []);
    for (method, split) in shapes {
        let split = split.min(p.max_split() as usize);
        let builder = FixedBase::builder(&p, g).exponent_bits(70).method(method.parse().unwrap());
        let builder = builder.split(split as u32);
        for order in core::iter::once(None).chain(order.map(Some)) {
            let builder = order.map_or(builder.clone(), |order| builder.clone().order(order));
            let bytes = bytes_of(&builder.build().unwrap());
            let file = parse(&bytes);
            assert_eq!(file.modulus.to_bytes_be(), trimmed(p.value().as_ref()));
            assert_eq!(file.base.to_bytes_be(), trimmed(g));
            assert_eq!(file.order.map(|order| order.to_bytes_be()), order.map(trimmed));
            let exponents = exponents(&bytes);
            assert_eq!(exponents.len(), file.entries.len(), "{method}");
            for (found, (negative, exponent)) in file.entries.iter().zip(exponents) {
                let power = file.base.modpow(&exponent, &file.modulus);
                let power = if negative { power.modinv(&file.modulus).unwrap() } else { power };
                let expected = entry(file.layout, &power, &file.modulus, split);
                assert_eq!(*found, expected, "{} {method} split {split}", kernel.name());
            }
            assert!(read(&bytes, &Expected::base(&p, g)).is_ok());
        }
    }
}

fn trimmed(value: &BoxedUint) -> Vec<u8> {
    value.to_be_bytes().iter().copied().skip_while(|&byte| byte == 0).collect()
}

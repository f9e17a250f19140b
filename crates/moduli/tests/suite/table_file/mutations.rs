//! Random changes with a right checksum are rejected, found by `verify`, or harmless.

use crypto_bigint::BoxedUint;
use moduli::{Error, Expected, FixedBase, KernelChoice, Modulus, error::TableError};
use moduli_kernel::internals::{PORTABLE4, PORTABLE8};
use testing::Random;

use crate::table_file::{SHAPES, build, bytes_of, forge, group, hex, modulus, read};

/// Random choices.
struct Choices(Random);

impl Choices {
    fn next(&mut self) -> u64 {
        self.0.word()
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

const LAYOUTS: [&[u8; 8]; 4] = [b"limbs64 ", b"limbs8  ", b"limbs4  ", b"limbs16 "];

/// One change to a file whose body begins at `start`.
fn mutate(file: &mut [u8], start: usize, random: &mut Choices) {
    let end = file.len() - 32;
    match random.below(10) {
        // Any byte.
        0 | 1 => {
            let at = random.below(end);
            file[at] ^= 1 << random.below(8);
        }
        // The fields of the header.
        2..=4 => {
            let at = 8 + 4 * random.below((forge::NUMBERS - 8) / 4);
            let old = forge::u32_at(file, at);
            let new = match random.below(4) {
                0 => random.next() as u32 >> random.below(32),
                1 => old.wrapping_add(1),
                2 => old.wrapping_sub(1),
                _ => random.of(&[0, 1, 2, 3, 24, 255, 1 << 24, 1 << 31, u32::MAX]),
            };
            file[at..at + 4].copy_from_slice(&new.to_le_bytes());
        }
        // The numbers.
        5 | 6 => {
            let at = forge::NUMBERS + random.below(start - forge::NUMBERS);
            let any = random.next() as u8;
            file[at] = random.of(&[0, 1, 2, 0x7f, 0xff, any]);
        }
        7 => {
            let layout = random.of(&LAYOUTS);
            file[forge::LAYOUT..forge::LAYOUT + 8].copy_from_slice(layout);
        }
        // A few bytes of the body, or an exchange of two of its words.
        8 => {
            let at = start + random.below(end - start);
            let count = random.below(9).min(end - at);
            let byte = random.next() as u8;
            file[at..at + count].fill(byte);
        }
        _ => {
            let words = (end - start) / 8;
            let (a, b) = (start + 8 * random.below(words), start + 8 * random.below(words));
            (0..8).for_each(|i| file.swap(a + i, b + i));
        }
    }
}

/// A table that passes `verify` computes powers of its base.
fn assert_sound(table: &FixedBase) {
    let bits = table.shape().exponent_bits();
    for k in [1u64, 0x5555_5555_5555_5555, u64::MAX].map(|k| if bits < 64 { k >> (64 - bits) } else { k }) {
        let k = BoxedUint::from(k);
        assert_eq!(table.pow(&k).unwrap(), table.modulus().pow_vartime(table.base(), &k).unwrap());
    }
}

fn run(p: &Modulus, g: &BoxedUint, order: Option<&BoxedUint>, bits: u32, rounds: u32, seed: u64) -> [u32; 3] {
    let mut random = Choices(Random(seed));
    let mut outcomes = [0; 3];
    let files: Vec<_> = SHAPES
        .iter()
        .map(|&(method, split)| {
            let builder = FixedBase::builder(p, g).exponent_bits(bits).method(method.parse().unwrap());
            let builder = builder.split(split);
            bytes_of(&if let Some(order) = order { builder.order(order) } else { builder }.build().unwrap())
        })
        .collect();
    for round in 0..rounds {
        let mut file = files[random.below(files.len())].clone();
        let start = forge::u32_at(&file, 12) as usize;
        for _ in 0..1 + random.below(3) {
            mutate(&mut file, start, &mut random);
        }
        let file = forge::seal(file);
        let by_base = Expected::base_unverified(p, g);
        let by_digest = Expected::digest(forge::digest(&file));
        for (expected, is_base) in [(by_base, true), (by_digest, false)] {
            let Ok(table) = read(&file, &expected) else {
                outcomes[0] += 1;
                continue;
            };
            if is_base {
                assert_eq!(table.modulus().value(), p.value(), "round {round}");
                assert_eq!(table.base(), g, "round {round}");
            }
            let right = table.verify(None, &|_| {}).is_ok();
            if is_base {
                assert_eq!(read(&file, &Expected::base(p, g)).is_ok(), right, "round {round}");
            }
            if !right {
                // The entries are wrong, but computing with them does not panic.
                let _ = table.pow_vartime(&BoxedUint::from(1u64));
                let power = table.pow(&BoxedUint::from(1u64));
                assert!(!is_base || power == Err(Error::Table(TableError::Unverified)), "round {round}");
                outcomes[1] += 1;
            } else {
                assert_sound(&table);
                outcomes[2] += 1;
            }
        }
    }
    outcomes
}

#[test]
fn random_changes_never_panic_and_never_pass_for_something_else() {
    let (p, g, order) = group();
    let large = run(&modulus(&p, KernelChoice::PORTABLE), &g, Some(&order), 32, 3000, 1);
    let small = run(&modulus(&hex("3ffdd"), PORTABLE4), &hex("2fabc"), None, 12, 3000, 2);
    let bytes = run(&modulus(&hex("3ffdd"), PORTABLE8), &hex("2fabc"), None, 12, 1000, 3);
    for outcomes in [large, small, bytes] {
        // All three outcomes occur: not every change is rejected on opening.
        assert!(outcomes.iter().all(|&count| count > 20), "{outcomes:?}");
    }
}

#[test]
fn an_unchanged_file_passes() {
    let (p, g, _) = group();
    let p = modulus(&p, KernelChoice::PORTABLE);
    assert_sound(&read(&bytes_of(&build(&p, &g, "comb:4,2", 1, 32)), &Expected::base(&p, &g)).unwrap());
}

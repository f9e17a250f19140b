//! Tests with operands at the bounds that the kernel claims. Random operands never come near them.

use alloc::{vec, vec::Vec};

use num_bigint::BigUint;

use super::{
    constants::{BOUND, Code, Ifma52},
    divisor::places,
};
use crate::{contract::Kernel, dimensions, internals::is_emulated};

fn one() -> BigUint {
    BigUint::from(1u32)
}

fn power(bits: usize) -> BigUint {
    one() << bits
}

/// The longest and the shortest moduli for each number of digits, and of each length the largest and the
/// smallest; above ten digits in a lane, some of these; and the usual lengths.
fn subjects() -> impl Iterator<Item = Subject> {
    let counts = (1..=82).chain([88, 89, 160, 996, 1000]);
    let edges = counts.flat_map(|digits: usize| [52 * digits - 8, (52 * digits).saturating_sub(59).max(2)]);
    let lengths = edges.chain([1024, 1536, 2048, 3072, 4096]);
    // If the code is interpreted, the largest modulus of some lengths of each kind.
    let some = [1, 2, 4, 5, 8, 11, 16, 17, 20, 21, 24, 29, 30, 32, 33, 40, 41, 58, 64, 65, 80, 81, 88]
        .map(|digits| 52 * digits - 8);
    let interpreted = is_emulated();
    let lengths = lengths.filter(move |bits| !interpreted || some.contains(bits));
    let moduli = lengths.flat_map(move |bits| {
        [power(bits) - 1u32, power(bits - 1) + 1u32].into_iter().take(if interpreted { 1 } else { 2 })
    });
    moduli.filter(|p| p.bit(0)).map(|p| Subject::new(&p))
}

struct Subject {
    kernel: Ifma52,
    p: BigUint,
    /// The number of digits by which a product reduces, as in `docs/table-file.md`.
    reduced: usize,
    /// The number of digits that a factor may have if the other one is below N.
    any: usize,
}

impl Subject {
    fn new(p: &BigUint) -> Self {
        let sizes = dimensions::of_52_bits("ifma52", p.bits() as usize).unwrap();
        let kernel = Ifma52::new(&p.to_u64_digits(), sizes).unwrap();
        let digits = (p.bits() as usize + 8).div_ceil(52);
        let reduced = match digits {
            ..=20 => digits.next_multiple_of(4),
            25..=30 => 30,
            57..=60 => 60,
            _ => digits.next_multiple_of(8),
        };
        assert!(power(52 * reduced) >= p * 256u32, "{} bits", p.bits());
        let any = if matches!(kernel.code, Code::Strips(_)) { reduced } else { digits };
        Self { kernel, p: p.clone(), reduced, any }
    }

    fn words(&self) -> usize {
        self.kernel.dimensions.residue_words
    }

    fn places(&self) -> impl Iterator<Item = usize> + use<> {
        let Ifma52 { blocks, digits, code, .. } = &self.kernel;
        places(*blocks, *digits, matches!(code, Code::Strips(_)))
    }

    fn residue(&self, value: &BigUint) -> Vec<u64> {
        let mut words = vec![0; self.words()];
        for (i, place) in self.places().enumerate() {
            words[place] = u64::try_from((value >> (52 * i)) % power(52)).unwrap();
        }
        assert_eq!(self.value(&words), *value);
        words
    }

    fn value(&self, residue: &[u64]) -> BigUint {
        let digits: Vec<u64> = self.places().map(|place| residue[place]).collect();
        digits.iter().rev().fold(BigUint::ZERO, |value, &digit| (value << 52) + digit)
    }

    /// Whether `found`·2^(52·`digits`) is `expected` modulo N, and below `bound`·N.
    fn check(&self, what: &str, found: &[u64], digits: usize, expected: &BigUint, bound: u64) {
        let (found, p) = (self.value(found), &self.p);
        assert!(found < p * bound, "{what}: {} N and more, {} bits", &found / p, p.bits());
        assert_eq!((found << (52 * digits)) % p, expected % p, "{what} modulo {p:x}");
    }

    /// The largest residues that results and sums may be, and some with digits of all ones.
    fn operands(&self) -> Vec<BigUint> {
        let ones = (&self.p * BOUND).bits() as usize - 1;
        let bound = &self.p * BOUND;
        vec![&bound - 1u32, power(ones) - 1u32, &self.p * 4u32 - 1u32, bound - power(52 * (ones / 52))]
    }
}

/// For the tests.
pub fn products_of_residues_at_the_bounds() {
    for subject in subjects() {
        let (kernel, p, reduced) = (&subject.kernel, &subject.p, subject.reduced);
        let mut scratch = vec![0; kernel.dimensions.scratch_words];
        let operands = subject.operands();
        for a in &operands {
            let mut x = subject.residue(a);
            kernel.square(&mut x, &mut scratch);
            subject.check("square", &x, reduced, &(a * a), 4);
            for b in &operands {
                let (mut x, y) = (subject.residue(a), subject.residue(b));
                kernel.mul(&mut x, &y, &mut scratch);
                subject.check("product", &x, reduced, &(a * b), 4);
                let mut x = subject.residue(a);
                kernel.add(&mut x, &y, &mut scratch);
                subject.check("sum", &x, 0, &(a + b), BOUND);
                let mut x = subject.residue(a);
                kernel.sub(&mut x, &y, &mut scratch);
                subject.check("difference", &x, 0, &(a + p * BOUND - b), BOUND);
            }
            let mut out = vec![0; kernel.dimensions.limbs];
            kernel.from_montgomery(&mut out, &subject.residue(a), &mut scratch);
            let left = out.iter().rev().fold(BigUint::ZERO, |value, &limb| (value << 64) + limb);
            assert!(left < *p);
            assert_eq!((left << (52 * reduced)) % p, a % p, "leave modulo {p:x}");
        }
        let (a, b) = (power(52 * subject.any) - 1u32, p - 1u32);
        for [first, second] in [[&a, &b], [&b, &a]] {
            let mut x = subject.residue(first);
            kernel.mul(&mut x, &subject.residue(second), &mut scratch);
            subject.check("product by any digits", &x, reduced, &(&a * &b), 4);
        }
    }
}

/// For the tests.
pub fn products_by_pieces_at_the_bounds() {
    for subject in subjects() {
        let kernel = &subject.kernel;
        let mut scratch = vec![0; kernel.dimensions.scratch_words];
        let piece = subject.residue(&(&subject.p - 1u32));
        for split in 2..=kernel.dimensions.max_split {
            let digits = kernel.digits * kernel.blocks.div_ceil(split);
            for a in subject.operands() {
                let parts = (0..split).map(|i| (&a >> (52 * digits * i)) % power(52 * digits));
                let expected = parts.sum::<BigUint>() * (&subject.p - 1u32);
                let mut x = subject.residue(&a);
                kernel.mul_prepared(&mut x, &piece.repeat(split), split, &mut scratch);
                subject.check("product by pieces", &x, digits, &expected, split as u64 + 3);
            }
        }
    }
}

/// For the tests.
pub fn products_of_two_moduli_at_the_bounds() {
    for subject in subjects() {
        let (kernel, reduced) = (&subject.kernel, subject.reduced);
        let lanes = kernel.lanes();
        let rows = lanes.map_or(0, |lanes| lanes.scratch_words());
        let mut scratch = vec![0; kernel.dimensions.scratch_words.max(rows)];
        let mut both = crate::one_by_one::dual(kernel, kernel);
        let operands = subject.operands();
        let at = |i: usize| &operands[i % operands.len()];
        for i in 0..operands.len() {
            for j in 0..operands.len() {
                let (mut x, mut y) = (subject.residue(at(i)), subject.residue(at(j)));
                let (a, b) = (subject.residue(at(j)), subject.residue(at(i + 1)));
                both.begin([&mut x, &mut y]);
                both.mul([&mut x, &mut y], [&a, &b]);
                both.end([&mut x, &mut y]);
                subject.check("product at a time with another", &x, reduced, &(at(i) * at(j)), 4);
                subject.check("product at a time with another", &y, reduced, &(at(j) * at(i + 1)), 4);
                let (mut x, mut y) = (subject.residue(at(i)), subject.residue(at(j)));
                both.begin([&mut x, &mut y]);
                both.square([&mut x, &mut y], 1);
                both.end([&mut x, &mut y]);
                subject.check("square at a time with another", &x, reduced, &(at(i) * at(i)), 4);
                subject.check("square at a time with another", &y, reduced, &(at(j) * at(j)), 4);
            }
        }
        let Some(lanes) = lanes else { continue };
        let (mut x, mut y) = (vec![0; lanes.row_words()], vec![0; lanes.row_words()]);
        for lane in 0..lanes.lanes() {
            lanes.put(&mut x, lane, &subject.residue(at(lane)));
            lanes.put(&mut y, lane, &subject.residue(at(lane / 2)));
        }
        // Row i holds operand i in each lane.
        let words = subject.words();
        let residues: Vec<u64> = (0..8).flat_map(|i| subject.residue(at(i))).collect();
        let table: Vec<u64> = (residues.chunks_exact(words))
            .flat_map(|residue| {
                let mut row = vec![0; lanes.row_words()];
                (0..8).for_each(|lane| lanes.put(&mut row, lane, residue));
                row
            })
            .collect();
        let mut found = vec![1; lanes.row_words()];
        let indices: Vec<u64> = (0..8).collect();
        lanes.select(&mut found, &table, &indices);
        assert_eq!(found, x, "selected rows");
        found.fill(1);
        lanes.look_up(&mut found, &residues[..words], &residues[words..], &indices);
        assert_eq!(found, x, "residues looked up");
        let mut square = x.clone();
        lanes.square(&mut square, &mut scratch);
        lanes.mul(&mut x, &y, &mut scratch);
        let mut found = vec![0; subject.words()];
        for lane in 0..lanes.lanes() {
            lanes.take(&mut found, &x, lane);
            subject.check("product in a lane", &found, reduced, &(at(lane) * at(lane / 2)), 4);
            lanes.take(&mut found, &square, lane);
            subject.check("square in a lane", &found, reduced, &(at(lane) * at(lane)), 4);
        }
    }
}

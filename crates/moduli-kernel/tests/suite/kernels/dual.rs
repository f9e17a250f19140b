//! Two moduli at a time.

use moduli_kernel::internals::dual;
use num_bigint::BigUint;

use crate::kernels::{
    candidate::{is_tiny, kernels},
    operands::{Random, moduli},
    subject::{GUARD, Subject},
};

/// Performs the same steps on two chains side by side, for any two moduli.
pub fn check_dual(first: &Subject, second: &Subject, random: &mut Random) {
    let scratch = first.kernel.dimensions().scratch_words.max(second.kernel.dimensions().scratch_words);
    let context = || {
        format!(
            "{}, {}: p={:x}, q={:x}",
            first.kernel.dimensions().name,
            second.kernel.dimensions().name,
            first.p,
            second.p
        )
    };
    let mut scratch = first.rubbish(scratch + 1);
    let words = scratch.len() - 1;
    scratch[words] = GUARD;
    let mut both = dual(&*first.kernel, &*second.kernel);
    let [mut a, mut b] = [0; 2].map(|_| random.value(first.p.bits()) % &first.p);
    let [mut c, mut d] = [0; 2].map(|_| random.value(second.p.bits()) % &second.p);
    let (mut x, mut factor) = (first.to_montgomery(&a), first.to_montgomery(&b));
    let (mut y, mut other_factor) = (second.to_montgomery(&c), second.to_montgomery(&d));
    for (round, times) in [1, 3, 0, 2, 1, 6].into_iter().enumerate() {
        match round {
            // Extreme values for one chain with the current values of the other, and sums, which are as large
            // as residues can be.
            2 => (a, b) = (&first.p - 1u32, &first.p - 1u32),
            3 => (c, d) = (BigUint::ZERO, &second.p - 1u32),
            4 => (c, b) = (&second.p - 1u32, BigUint::from(1u32) % &first.p),
            _ => {}
        }
        if (2..5).contains(&round) {
            (x, factor) = (first.to_montgomery(&a), first.to_montgomery(&b));
            (y, other_factor) = (second.to_montgomery(&c), second.to_montgomery(&d));
        }
        if round > 3 {
            for _ in 0..4 {
                let (sum, other_sum) = (x.clone(), y.clone());
                first.kernel.add(&mut x, &sum, &mut scratch[..words]);
                second.kernel.add(&mut y, &other_sum, &mut scratch[..words]);
                (a, c) = ((&a + &a) % &first.p, (&c + &c) % &second.p);
            }
        }
        both.begin([&mut x, &mut y]);
        both.mul([&mut x, &mut y], [&factor, &other_factor]);
        both.end([&mut x, &mut y]);
        (a, c) = (a * &b % &first.p, c * &d % &second.p);
        assert_eq!(
            [first.from_montgomery(&x), second.from_montgomery(&y)],
            [a.clone(), c.clone()],
            "product: {}",
            context()
        );
        both.begin([&mut x, &mut y]);
        both.square([&mut x, &mut y], times);
        // Two operations without `end` between them.
        both.mul([&mut x, &mut y], [&factor, &other_factor]);
        both.end([&mut x, &mut y]);
        for _ in 0..times {
            (a, c) = (&a * &a % &first.p, &c * &c % &second.p);
        }
        (a, c) = (a * &b % &first.p, c * &d % &second.p);
        assert_eq!(
            [first.from_montgomery(&x), second.from_montgomery(&y)],
            [a.clone(), c.clone()],
            "squares: {}",
            context()
        );
    }
    // Entries of a row, including the first one and an index past the end.
    for (which, subject) in [first, second].into_iter().enumerate() {
        let row =
            [subject.to_montgomery(&BigUint::ZERO), subject.to_montgomery(&(&subject.p - 1u32))].concat();
        let [mut u, mut v] = [0; 2].map(|_| vec![GUARD; row.len() / 2]);
        for (i, j) in [(0, 1), (1, 1), (1, 2), (u64::MAX, 0)] {
            both.select(which, [&mut u, &mut v], &row, [i, j]);
            for (found, index) in [(&u, i), (&v, j)] {
                let entry = row.chunks_exact(found.len()).nth(index.min(5) as usize);
                assert_eq!(
                    found[..],
                    *entry.unwrap_or(&vec![0; found.len()]),
                    "entry {index}: {}",
                    context()
                );
            }
        }
    }
    assert_eq!(scratch[words], GUARD, "written past the scratch space: {}", context());
}

#[test]
fn two_moduli_at_a_time() {
    for candidate in kernels().filter(|candidate| !is_tiny(*candidate)) {
        let mut random = Random(5);
        for limbs in (1..=66).chain([80, 120, 130, 240]) {
            let moduli = moduli(64 * limbs, 64, &mut random);
            let subjects: Vec<_> = moduli.iter().map(|p| Subject::new(candidate, p)).collect();
            for (i, first) in subjects.iter().enumerate() {
                check_dual(first, &subjects[(i + 1) % subjects.len()], &mut random);
            }
            // A modulus of another size, and another kernel.
            let shorter =
                Subject::new(candidate, &moduli.last().map(|p| (p >> 70u32) | BigUint::from(3u32)).unwrap());
            check_dual(&subjects[0], &shorter, &mut random);
            check_dual(&shorter, &subjects[0], &mut random);
            for other in kernels().filter(|other| !is_tiny(*other)) {
                check_dual(&subjects[0], &Subject::new(other, &subjects[1].p), &mut random);
            }
        }
    }
}

#[test]
fn the_last_of_any_number_of_entries_is_found() {
    for candidate in kernels().filter(|candidate| !is_tiny(*candidate)) {
        let mut random = Random(6);
        for limbs in [4, 8, 16] {
            let p = moduli(64 * limbs, 64, &mut random).swap_remove(0);
            let [first, second] = [0; 2].map(|_| Subject::new(candidate, &p));
            let mut both = dual(&*first.kernel, &*second.kernel);
            let size = first.kernel.dimensions().residue_words;
            let residues = (0..65).flat_map(|_| first.to_montgomery(&(random.value(p.bits()) % &p)));
            let entries: Vec<u64> = residues.collect();
            let [mut u, mut v] = [0; 2].map(|_| vec![GUARD; size]);
            for count in 1..=65 {
                let row = &entries[..size * count];
                both.select(0, [&mut u, &mut v], row, [count as u64 - 1, 0]);
                assert_eq!([&u[..], &v], [&row[size * (count - 1)..], &row[..size]], "the last of {count}");
            }
        }
    }
}

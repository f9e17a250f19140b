//! Products to two moduli beside each other.

use num_bigint::BigUint;

use crate::kernels::{
    candidate::kernels,
    operands::{Random, moduli},
    subject::{GUARD, Subject},
};

/// Steps of two chains beside each other, to any two moduli.
fn check_beside(first: &Subject, second: &Subject, random: &mut Random) {
    let scratch = first.kernel.scratch_words().max(second.kernel.scratch_words());
    let context =
        || format!("{}, {}: p={:x}, q={:x}", first.kernel.name(), second.kernel.name(), first.p, second.p);
    let mut scratch = first.rubbish(scratch + 1);
    let words = scratch.len() - 1;
    scratch[words] = GUARD;
    let [mut a, mut b] = [0; 2].map(|_| random.value(first.p.bits()) % &first.p);
    let [mut c, mut d] = [0; 2].map(|_| random.value(second.p.bits()) % &second.p);
    let (mut x, mut factor) = (first.enter(&a), first.enter(&b));
    let (mut y, mut other_factor) = (second.enter(&c), second.enter(&d));
    for (round, times) in [1, 3, 0, 2, 1, 6].into_iter().enumerate() {
        match round {
            // Extremes of the one beside what the other has come to, and sums, which are residues as large as any.
            2 => (a, b) = (&first.p - 1u32, &first.p - 1u32),
            3 => (c, d) = (BigUint::ZERO, &second.p - 1u32),
            4 => (c, b) = (&second.p - 1u32, BigUint::from(1u32) % &first.p),
            _ => {}
        }
        if (2..5).contains(&round) {
            (x, factor) = (first.enter(&a), first.enter(&b));
            (y, other_factor) = (second.enter(&c), second.enter(&d));
        }
        if round > 3 {
            for _ in 0..4 {
                let (sum, other_sum) = (x.clone(), y.clone());
                first.kernel.add(&mut x, &sum, &mut scratch[..words]);
                second.kernel.add(&mut y, &other_sum, &mut scratch[..words]);
                (a, c) = ((&a + &a) % &first.p, (&c + &c) % &second.p);
            }
        }
        let kernel = &*second.kernel;
        first.kernel.mul_beside(&mut x, &factor, kernel, &mut y, &other_factor, &mut scratch[..words]);
        (a, c) = (a * &b % &first.p, c * &d % &second.p);
        assert_eq!([first.leave(&x), second.leave(&y)], [a.clone(), c.clone()], "product: {}", context());
        first.kernel.square_beside(&mut x, kernel, &mut y, times, &mut scratch[..words]);
        for _ in 0..times {
            (a, c) = (&a * &a % &first.p, &c * &c % &second.p);
        }
        assert_eq!([first.leave(&x), second.leave(&y)], [a.clone(), c.clone()], "squares: {}", context());
    }
    assert_eq!(scratch[words], GUARD, "written past the scratch space: {}", context());
}

#[test]
fn products_beside_each_other() {
    for candidate in kernels().filter(|candidate| !candidate.tiny) {
        let mut random = Random(5);
        for limbs in (1..=66).chain([80, 120, 130, 240]) {
            let moduli = moduli(64 * limbs, 64, &mut random);
            let subjects: Vec<_> = moduli.iter().map(|p| Subject::new(candidate, p)).collect();
            for (i, first) in subjects.iter().enumerate() {
                check_beside(first, &subjects[(i + 1) % subjects.len()], &mut random);
            }
            // Of another size, and by another kernel.
            let shorter =
                Subject::new(candidate, &moduli.last().map(|p| (p >> 70u32) | BigUint::from(3u32)).unwrap());
            check_beside(&subjects[0], &shorter, &mut random);
            check_beside(&shorter, &subjects[0], &mut random);
            for other in kernels().filter(|other| !other.tiny) {
                check_beside(&subjects[0], &Subject::new(other, &subjects[1].p), &mut random);
            }
        }
    }
}

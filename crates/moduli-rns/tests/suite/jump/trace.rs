//! What an observer hears of a jump, and what it costs.

use crypto_bigint::Resize;
use moduli_rns::{
    base::BaseShape,
    fields::Field,
    inverse::Jump,
    observe::{ChannelCounts, Counter, Phase},
};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

use crate::frame::{Trace, common_factor, edges, lopsided};

/// The constant-time variant does the same for every operand, invertible or not: operations on channels and
/// steps of the word arithmetic. The variable-time one does not, so the test can tell.
#[test]
fn one_trace_for_every_operand() {
    for (name, shape, k) in [
        ("P-256", BaseShape::new(8, 33), 32),
        ("P-256", BaseShape::new(8, 33), 64),
        ("P-192", BaseShape::new(12, 17), 16),
        ("brainpoolP384r1", BaseShape::new(7, 64), 61),
    ] {
        let prime = Field::named(name).unwrap().prime();
        // 3P is composite: some operands are not invertible.
        for p in [big(&prime), big(&prime) * 3u32] {
            let jump = Jump::new(&boxed(&p), shape, k).unwrap();
            let trace = |a: &BigUint, vartime: bool| {
                let mut trace = Trace::default();
                let a = boxed(&(a % &p)).resize(jump.modulus().bits_precision());
                let _ = match vartime {
                    false => jump.invert_observed(&a, &mut trace),
                    true => jump.invert_observed_vartime(&a, &mut trace),
                };
                trace
            };
            let expected = trace(&BigUint::from(1u32), false);
            assert!(expected.0.len() > 100);
            let mut random = Random(6);
            let mut operands = edges(&p);
            operands.extend(lopsided(&p, p.bits() as u32));
            operands.extend((0..50).map(|_| random.below(p.bits() as u32)));
            let refused = |a: &BigUint| common_factor(a.clone(), p.clone()) != BigUint::from(1u32);
            assert_eq!(
                operands.iter().filter(|a| **a != BigUint::ZERO && refused(a)).count() > 10,
                p > big(&prime)
            );
            assert!(operands.iter().all(|a| trace(a, false) == expected), "{name}, k = {k}");
            let expected = trace(&BigUint::from(1u32), true);
            assert!(operands.iter().any(|a| trace(a, true) != expected), "{name}, k = {k}");
        }
    }
}

/// The counts of the loop, each in n = 8 channels of 33 bits for P-256.
fn cost(k: u32, vartime: bool, operands: usize) -> (ChannelCounts, u64) {
    let prime = Field::named("P-256").unwrap().prime();
    let jump = Jump::new(&prime, BaseShape::new(8, 33), k).unwrap();
    let (mut random, mut sum, mut largest) = (Random(7), ChannelCounts::default(), 0);
    for _ in 0..operands {
        let mut counter = Counter::default();
        let a = boxed(&random.below(256));
        let result = match vartime {
            false => jump.invert_observed(&a, &mut counter),
            true => jump.invert_observed_vartime(&a, &mut counter),
        };
        result.unwrap();
        let counts = counter.of(Phase::Loop);
        largest = largest.max(counts.multiplications + counts.small_products);
        sum += counts;
    }
    (sum, largest)
}

/// EMM and MAC, in multiples of n: exactly for the constant-time variant, on average and at most for the
/// other.
#[test]
fn the_cost_at_p_256() {
    for (k, jumps, multiplications, small_products) in
        [(32, 16, 130.0, 24.75), (57, 9, 103.5, 13.75), (64, 8, 92.25, 12.25)]
    {
        let (counts, _) = cost(k, false, 1);
        assert_eq!(counts.outer, jumps, "k = {k}");
        assert_eq!(counts.multiplications as f64 / 8.0, multiplications, "k = {k}");
        assert_eq!(counts.small_products as f64 / 8.0, small_products, "k = {k}");
        assert_eq!(counts.cox, 2 * jumps - 1, "k = {k}");
    }
    for (k, average, most) in [(32, 128.0, 131.0), (57, 68.15, 76.0), (64, 65.5, 78.0)] {
        let operands = 500;
        let (sum, largest) = cost(k, true, operands);
        let measured = (sum.multiplications + sum.small_products) as f64 / operands as f64 / 8.0;
        println!("k = {k}: {measured:.2} on average, at most {:.2}", largest as f64 / 8.0);
        assert!((measured - average).abs() < 0.01 * average, "k = {k}: {measured}");
        assert!(largest as f64 / 8.0 <= most, "k = {k}: {largest}");
    }
}

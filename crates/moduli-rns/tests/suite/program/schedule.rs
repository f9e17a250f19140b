//! Schedules: how long they are, and what a machine makes of them that knows nothing of the program.

use moduli_rns::{
    curves::Curve,
    program::{Assembled, Program, Schedule, Setting, Timing},
};
use num_bigint::BigUint;
use testing::{Random, big};

use super::{POWER, SIGNATURE, SUMS, WEIERSTRASS, assemble, field, machine::Machine, results};

const TIMING: Timing = Timing { channels: 8, chunks: 2, read: 8 };

fn p256(text: &str) -> (Assembled, Schedule) {
    let curve = Curve::named("P-256").unwrap();
    let field = field(&big(&curve.prime().unwrap()), 8, 33);
    let constants = [("a".to_owned(), curve.a().unwrap()), ("b3".to_owned(), curve.triple_b())];
    let setting = Setting { field: &field, constants: &constants, order: Some(&curve.order()), blinding: 0 };
    let program = Assembled::new(Program::parse(text).unwrap(), &setting).unwrap();
    let schedule = Schedule::new(&program, TIMING);
    (program, schedule)
}

/// A random number that is not 0 modulo any P of these tests.
fn some(random: &mut Random) -> BigUint {
    random.below(7).max(BigUint::from(1u32))
}

/// 26 issues a product, 53 cycles if nothing else is to be done.
#[test]
fn products_overlap() {
    let field = field(&big(&moduli_rns::fields::Field::named("P-256").unwrap().prime()), 8, 33);
    let cycles = |text: &str| Schedule::new(&assemble(text, &field).unwrap(), TIMING).cycles();
    let start = "a = constant 2\nb = constant 3\n";
    let none = cycles(start);
    let of = |products: &str| cycles(&format!("{start}{products}")) - none;
    // The constants are read as soon as they are there.
    assert_eq!(of("a = a * b"), 52);
    assert_eq!(of("a = a * b\nb = b * b"), 64);
    assert_eq!(of("a = a * b\na = a * b"), 106);
    let wide: String = (0..20).map(|k| format!("x{k} = a * b\n")).collect();
    assert!(of(&wide) < 20 * 27 + 60, "{}", of(&wide));
}

#[test]
fn scalar_multiplication_on_p256_takes_less_than_115_000_cycles() {
    let cycles = [WEIERSTRASS, POWER, SIGNATURE].map(|text| p256(text).1.cycles());
    assert!(cycles[0] < 110_000 && cycles[1] < 17_500 && cycles[2] < 18_000, "{cycles:?}");
}

/// With a delay of every result and rows that are interrupted by nothing, as a core has them; other latencies
/// and shapes too.
#[test]
fn a_machine_that_issues_the_words_agrees_with_the_program() {
    let mut random = Random(35);
    for text in [WEIERSTRASS, POWER, SIGNATURE] {
        let (program, schedule) = p256(text);
        for number in [70, 3u32] {
            let operands: Vec<BigUint> = (0..program.operands()).map(|_| random.below(256)).collect();
            let expected = results(&program, &operands.iter().collect::<Vec<_>>());
            let made = Machine::run(&program, &schedule, &operands, &BigUint::from(number));
            assert_eq!(made, (expected, schedule.cycles()));
        }
    }
    let p = BigUint::from(251u32);
    for (channels, width, chunks, read) in [(1, 17, 1, 8), (2, 17, 1, 9), (3, 40, 3, 8), (5, 24, 2, 11)] {
        let program = assemble(POWER, &field(&p, channels, width)).unwrap();
        let schedule = Schedule::new(&program, Timing { channels, chunks, read });
        for _ in 0..20 {
            let operands = [random.below(8), random.below(8)];
            let expected = results(&program, &[&operands[0], &operands[1]]);
            let made = Machine::run(&program, &schedule, &operands, &some(&mut random));
            assert_eq!(made, (expected, schedule.cycles()));
        }
    }
}

/// Scalars that are taken while others are looked at, or by nobody; operands that are loaded into a place
/// that is still read.
const CROWDED: &str = "
    pairs = random
    q[1] = load
    q[0] = load
    x = load
    x = load
    scalar = load
    next
    q[~bit] = x + q[bit]
    z = q[bit]
    scalar = prime - 2
    next
    y = z * q[~bit]
    scalar = load
    loop but 90
      q[bit] = q[0] * q[~bit]
      z = 2(q[bit] - y)
      q[~bit] = z * y
    end
    store q[bit]
    next
    store q[bit]
    x = load
    y = load
    x = x - y
    store x
    scalar = load";

#[test]
fn crowded_programs_are_issued_as_they_are_read() {
    let mut random = Random(36);
    let p = random.odd(100);
    for text in [SUMS, CROWDED] {
        for (channels, width, chunks, read) in [(8, 17, 1, 8), (4, 33, 2, 8), (3, 40, 3, 9), (2, 64, 4, 8)] {
            let program = assemble(text, &field(&p, channels, width)).unwrap();
            let schedule = Schedule::new(&program, Timing { channels, chunks, read });
            for _ in 0..6 {
                let operands: Vec<BigUint> = (0..program.operands()).map(|_| random.below(100)).collect();
                let expected = results(&program, &operands.iter().collect::<Vec<_>>());
                let made = Machine::run(&program, &schedule, &operands, &some(&mut random));
                assert_eq!(made, (expected, schedule.cycles()));
            }
        }
    }
}

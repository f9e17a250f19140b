//! What the tests of several inverters share: operands that are hard, and an ear for everything that an
//! observer hears.

use moduli_rns::observe::{ChannelObserver, Phase};
use num_bigint::BigUint;

/// The greatest common divisor.
pub fn common_factor(mut a: BigUint, mut b: BigUint) -> BigUint {
    while a != BigUint::ZERO {
        (a, b) = (&b % &a, a);
    }
    b
}

/// 1, 2, 3, 6 and what lies below P; powers of 2 and 3 and their inverses; what lies around P/2 and P/3.
pub fn edges(p: &BigUint) -> Vec<BigUint> {
    let mut edges: Vec<BigUint> = [0u32, 1, 2, 3, 4, 6, 12].map(BigUint::from).to_vec();
    edges.extend([1u32, 2, 3, 4, 6, 12].map(|x| p - x));
    for base in [2u32, 3] {
        let mut power = BigUint::from(1u32);
        while power < *p {
            edges.push(power.clone());
            edges.extend(power.modinv(p));
            edges.push(p - &power);
            power *= base;
        }
        let part = p / base;
        edges.extend((0u32..5).map(|x| &part + x));
        edges.extend((1u32..5).map(|x| &part - x));
    }
    edges
}

/// Operands for which the lattice has a very short vector (d, c) after h bits: d·P + c·A ≡ 0 modulo 2^h, so
/// that one of U3, V3 is as large as can be and the other as small.
pub fn lopsided(p: &BigUint, bits: u32) -> Vec<BigUint> {
    let mut operands = Vec::new();
    for h in (0..bits).step_by(23).chain([bits - 1]) {
        let modulus = BigUint::from(1u32) << h;
        for (d, c) in [(1u32, 1u32), (1, 3), (2, 1), (5, 7), (1 << 16, 1), (3, 65_537)] {
            if let Some(inverse) = BigUint::from(c).modinv(&modulus) {
                operands.push(&modulus - (inverse * d * p) % &modulus);
            }
        }
    }
    operands.retain(|a| a < p);
    operands
}

/// Everything that an observer hears, in order.
#[derive(Default, PartialEq)]
pub struct Trace(pub Vec<(char, usize)>);

impl ChannelObserver for Trace {
    fn multiplications(&mut self, count: usize) {
        self.0.push(('M', count));
    }
    fn additions(&mut self, count: usize) {
        self.0.push(('A', count));
    }
    fn small_products(&mut self, count: usize) {
        self.0.push(('s', count));
    }
    fn cox(&mut self) {
        self.0.push(('c', 0));
    }
    fn outer(&mut self) {
        self.0.push(('o', 0));
    }
    fn inner(&mut self) {
        self.0.push(('i', 0));
    }
    fn phase(&mut self, phase: Phase) {
        self.0.push(('p', phase as usize));
    }
}

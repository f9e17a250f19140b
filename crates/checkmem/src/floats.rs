//! Arithmetic on doubles.

use iced_x86::{Instruction, Mnemonic};

use super::{
    lanes::truth,
    machine::{Machine, blurred},
    report::Leak,
    state::Vector,
};

type PairOfDoubles = fn(f64, f64) -> f64;

/// Operations on lanes of doubles, and whether they change only the lowest lane.
#[rustfmt::skip]
fn doubles(mnemonic: Mnemonic) -> Option<(bool, PairOfDoubles)> {
    use Mnemonic as M;
    Some(match mnemonic {
        M::Addpd | M::Vaddpd => (false, |a, b| a + b),
        M::Addsd | M::Vaddsd => (true, |a, b| a + b),
        M::Subpd | M::Vsubpd => (false, |a, b| a - b),
        M::Subsd | M::Vsubsd => (true, |a, b| a - b),
        M::Mulpd | M::Vmulpd => (false, |a, b| a * b),
        M::Mulsd | M::Vmulsd => (true, |a, b| a * b),
        M::Divpd | M::Vdivpd => (false, |a, b| a / b),
        M::Divsd | M::Vdivsd => (true, |a, b| a / b),
        M::Minpd | M::Vminpd => (false, |a, b| if a < b { a } else { b }),
        M::Minsd | M::Vminsd => (true, |a, b| if a < b { a } else { b }),
        M::Maxpd | M::Vmaxpd => (false, |a, b| if a > b { a } else { b }),
        M::Maxsd | M::Vmaxsd => (true, |a, b| if a > b { a } else { b }),
        M::Sqrtsd | M::Vsqrtsd => (true, |_, b| b.sqrt()),
        M::Sqrtpd | M::Vsqrtpd => (false, |_, b| b.sqrt()),
        _ => return None,
    })
}

/// Compares as this predicate says; NaNs are unordered.
fn compared(a: f64, b: f64, predicate: u64) -> bool {
    let (order, unordered) = (a.partial_cmp(&b), a.is_nan() || b.is_nan());
    let holds = match predicate & 3 {
        0 => a == b,
        1 => order.is_some_and(|order| order.is_lt()),
        2 => order.is_some_and(|order| order.is_le()),
        _ => unordered,
    };
    let negated = predicate & 4 != 0;
    // From 8 on, the result for unordered operands is inverted; 11 is always false, and 15 always true.
    match predicate & 15 {
        11 => false,
        15 => true,
        8.. => {
            if unordered {
                !negated
            } else {
                holds != negated
            }
        }
        _ => holds != negated,
    }
}

impl Machine {
    pub(crate) fn floats(&mut self, i: &Instruction) -> Option<()> {
        if let Some((scalar, f)) = doubles(i.mnemonic()) {
            let single = matches!(i.mnemonic(), Mnemonic::Sqrtpd | Mnemonic::Vsqrtpd);
            let (a, b) = if single {
                let x = self.vector_get(i, 1);
                (x, x)
            } else {
                self.sources(i)
            };
            let total = self.total(i);
            let mut out = if scalar { a } else { Vector::default() };
            for lane in 0..if scalar { 1 } else { total / 8 } {
                let (x, y) = (a.get(lane, 8), b.get(lane, 8));
                let secret = x.is_secret() || y.is_secret();
                let value = f(f64::from_bits(x.value), f64::from_bits(y.value)).to_bits();
                out.set(lane, 8, blurred(value, secret, 8));
            }
            use Mnemonic as M;
            let slow = matches!(
                i.mnemonic(),
                M::Divpd | M::Vdivpd | M::Divsd | M::Vdivsd | M::Sqrtsd | M::Vsqrtsd | M::Sqrtpd | M::Vsqrtpd
            );
            self.leak_if(slow && (a.secret | b.secret) != 0, Leak::Division);
            self.vector_put(i, out, total, 8);
            return Some(());
        }
        self.fused(i)
    }

    /// Products with a sum. The name of the instruction gives the order of operands, and the signs.
    fn fused(&mut self, i: &Instruction) -> Option<()> {
        use Mnemonic as M;
        // The operand that is added, the sign of the product, the sign of the summand, and whether only the
        // lowest lane changes.
        let (added, product, sum, scalar) = match i.mnemonic() {
            M::Vfmadd132pd => (1, 1.0, 1.0, false),
            M::Vfmadd213pd => (2, 1.0, 1.0, false),
            M::Vfmadd231pd => (0, 1.0, 1.0, false),
            M::Vfmsub132pd => (1, 1.0, -1.0, false),
            M::Vfmsub213pd => (2, 1.0, -1.0, false),
            M::Vfmsub231pd => (0, 1.0, -1.0, false),
            M::Vfnmadd132pd => (1, -1.0, 1.0, false),
            M::Vfnmadd213pd => (2, -1.0, 1.0, false),
            M::Vfnmadd231pd => (0, -1.0, 1.0, false),
            M::Vfmadd132sd => (1, 1.0, 1.0, true),
            M::Vfmadd213sd => (2, 1.0, 1.0, true),
            M::Vfmadd231sd => (0, 1.0, 1.0, true),
            M::Vfnmadd213sd => (2, -1.0, 1.0, true),
            M::Vfnmadd231sd => (0, -1.0, 1.0, true),
            _ => return None,
        };
        let operands = [0, 1, 2].map(|operand| self.vector_get(i, operand));
        let factors: [usize; 2] = match added {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        };
        let total = self.total(i);
        let mut out = if scalar { operands[0] } else { Vector::default() };
        for lane in 0..if scalar { 1 } else { total / 8 } {
            let [a, b, c] = [factors[0], factors[1], added].map(|n| operands[n].get(lane, 8));
            let secret = a.is_secret() || b.is_secret() || c.is_secret();
            let [x, y, z] = [a, b, c].map(|x| f64::from_bits(x.value));
            out.set(lane, 8, blurred((product * x).mul_add(y, sum * z).to_bits(), secret, 8));
        }
        self.vector_put(i, out, total, 8);
        Some(())
    }

    pub(crate) fn compare_doubles(&mut self, i: &Instruction) {
        let scalar = matches!(i.mnemonic(), Mnemonic::Cmpsd | Mnemonic::Vcmpsd);
        let predicate = i.immediate(i.op_count() - 1);
        let (a, b) = self.sources(i);
        let total = self.total(i);
        let mut out = if scalar { a } else { Vector::default() };
        for lane in 0..if scalar { 1 } else { total / 8 } {
            let (x, y) = (a.get(lane, 8), b.get(lane, 8));
            let holds = compared(f64::from_bits(x.value), f64::from_bits(y.value), predicate);
            out.set(lane, 8, blurred(truth(holds), x.is_secret() || y.is_secret(), 8));
        }
        self.vector_put(i, out, total, 8);
    }
}

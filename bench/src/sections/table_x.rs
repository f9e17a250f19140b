//! Measures Table X of ARITH 2015 on this machine.

use moduli::power::PowerMethod;
use moduli_papers::common_operand::TABLE_10_PRINTED;

use super::{exponentiation::exponents, operations::operands};
use crate::{
    bench::{Bench, Section, Table},
    contest::Contest,
    numbers::{from_uint, to_uint},
};

/// The six regular exponentiations.
pub const SECTION: Section = Section {
    name: "table-x",
    title: "Table X of ARITH 2015: regular exponentiations with and without common operands",
    about: "The paper is Negre, Plantard and Robert, *Efficient modular exponentiation based on multiple \
            multiplications by a common operand*. Exponent and modulus have 1024, 2048 or 4096 bits, and digits \
            have 5 bits. The methods are regular as in the paper (look-ups without masks), on every kernel. \
            Columns with CMM use pairs of products that share an operand; the column with MBCO uses products by \
            prepared operands. It prepares the powers in as many pieces as the kernel allows, as Algorithm 10 \
            does.",
    baseline: "ladder",
    run,
};

const NAMES: [&str; 6] = [
    "ladder",
    "ladder with CMM",
    "right-to-left",
    "right-to-left with CMM",
    "left-to-right",
    "left-to-right with MBCO",
];

fn run(bench: &mut Bench) {
    let sizes: &[u32] = if bench.quick { &[1024] } else { &[1024, 2048, 4096] };
    let mut rows = Vec::new();
    for (column, &bits) in sizes.iter().enumerate() {
        let (modulus, _, base) = operands(bits);
        let exponents: Vec<_> = exponents(bits).iter().map(|limbs| to_uint(limbs)).collect();
        let (base, exponents) = (&to_uint(&base), &exponents);
        for own in &bench.moduli(&modulus) {
            let methods = [
                PowerMethod::Ladder { common_operand: false },
                PowerMethod::Ladder { common_operand: true },
                PowerMethod::RightToLeft { window: 5, common_operand: false },
                PowerMethod::RightToLeft { window: 5, common_operand: true },
                PowerMethod::LeftToRight { window: 5, split: 1 },
                PowerMethod::LeftToRight { window: 5, split: own.max_split() },
            ];
            let mut contest = Contest::new(format!("{bits}, {}", own.kernel_name()));
            for (name, method) in NAMES.into_iter().zip(methods) {
                contest.enter(
                    name,
                    "",
                    base.clone(),
                    move |x, i| {
                        let power =
                            own.element(base).pow_regular_vartime(&exponents[i % exponents.len()], method);
                        *x = power.expect("the parameters are in range").to_uint();
                    },
                    |x| from_uint(x),
                );
            }
            let outcome = bench.contest(contest);
            for pair in [0, 2, 4] {
                let printed = [0, 1].map(|form| TABLE_10_PRINTED[pair + form][column] as f64);
                let ratio = outcome.ratio(NAMES[pair], NAMES[pair + 1]).unwrap_or(f64::NAN);
                let saved = |ratio: f64| format!("{:.1} %", 100.0 * (1.0 - ratio));
                rows.push(vec![
                    bits.to_string(),
                    NAMES[pair].to_string(),
                    own.kernel_name().to_string(),
                    saved(1.0 / ratio),
                    saved(printed[1] / printed[0]),
                ]);
            }
        }
    }
    let columns = ["bits", "exponentiation", "kernel", "saved by common operands", "printed in the paper"];
    let columns = columns.map(String::from).to_vec();
    bench.table(Table { title: "What common operands save".to_string(), columns, rows });
}

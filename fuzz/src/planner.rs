//! The planner: the guarantees of every plan; and small planned tables compute powers.

use moduli::{
    Error, FixedBase, KernelChoice, MemorySize, Method, Modulus, Plan, Planner, Secrecy, error::TableError,
    fixed::ExpectedCounts,
};
use moduli_kernel::internals::{PORTABLE4, PORTABLE8};

use crate::input::{Input, boxed};

/// The longest exponents and the largest tables that are used in computations.
const MOST_BITS: u32 = 192;
const MOST_BYTES: u64 = 1 << 13;

/// The largest budget that the planner itself fills.
const MOST_BUDGET: u64 = 1 << 33;

fn parameter(input: &mut Input<'_>) -> u32 {
    match input.byte() % 4 {
        0 | 1 => u32::from(input.byte()),
        2 => input.word(2) as u32,
        _ => input.word(4) as u32,
    }
}

fn method(input: &mut Input<'_>) -> Option<Method> {
    let [a, b] = [parameter(input), parameter(input)];
    match input.byte() % 8 {
        0 => Some(Method::Radix { radix: a }),
        1 => Some(Method::Comb { teeth: a, tables: b, short_tables: parameter(input) }),
        2 => Some(Method::M0m1 { m0: a, m1: b }),
        3 => Some(Method::ResidueDigits { m0: a, m1: b }),
        _ => None,
    }
}

/// Sizes add up, and every number can be printed.
fn check(plan: &Plan, modulus: &Modulus, budget: Option<u64>) {
    let entry =
        8 * modulus.kernel().foreseen(modulus.bits()).unwrap().prepared_words(plan.shape.split() as usize)
            as u64;
    assert_eq!(plan.bytes, MemorySize(plan.shape.entries().saturating_mul(entry)));
    assert!(budget.is_none_or(|budget| plan.bytes.0 <= budget), "{plan:?}");
    let ExpectedCounts { products, squarings, prepared_products, masked_words } = plan.counts;
    let numbers =
        [plan.nanoseconds, plan.build_nanoseconds, products, squarings, prepared_products, masked_words];
    assert!(plan.crowded_nanoseconds.is_finite() && plan.crowded_nanoseconds >= plan.nanoseconds, "{plan:?}");
    assert!(numbers.iter().all(|number| number.is_finite() && *number >= 0.0), "{plan:?}");
    // At least a product and at most a few thousand for every bit of an exponent.
    let bits = f64::from(plan.shape.exponent_bits());
    assert!(products + squarings + prepared_products <= 600.0 + 4.0 * bits, "{plan:?}");
    assert!(plan.scratch_bytes.0 > 0 && plan.break_even != Some(0), "{plan:?}");
    for other in &plan.runners_up {
        assert!(other.runners_up.is_empty() && other.shape != plan.shape);
        check(other, modulus, budget);
    }
}

/// Modulus, exponent length, budget and wishes, then a base and an exponent for the table if that is small.
pub fn planner(data: &[u8]) {
    let mut input = Input::new(data);
    let bits = 2 + input.below(511) as u32;
    let p = boxed(&input.odd(bits));
    let kernels = [KernelChoice::ALL, &[PORTABLE8, PORTABLE4]].concat();
    let Ok(modulus) = Modulus::with_kernel(&p, input.of(&kernels)) else { return };
    let exponent_bits = match input.byte() % 4 {
        0 | 1 => 1 + u32::from(input.byte()),
        2 => 1 + input.word(2) as u32,
        _ => 1 + input.word(3) as u32 % 131_072,
    };
    let mut budget = match input.byte() % 4 {
        0 => None,
        1 => Some(input.word(8) >> (input.byte() % 64)),
        _ => Some(input.word(3)),
    };
    let secrecy = input.of(&[Secrecy::Secret, Secrecy::Public]);
    let costs = modulus.costs();
    let mut planner = Planner::new(&modulus).exponent_bits(exponent_bits).secrecy(secrecy).costs(&costs);
    let flags = input.byte();
    if flags & 1 != 0 {
        let bytes = 1 + usize::from(flags >> 6);
        planner = planner.count(input.word(2 * bytes));
    }
    let split = (flags & 2 != 0).then(|| parameter(&mut input));
    if let Some(split) = split {
        planner = planner.split(split);
    }
    let method = method(&mut input);
    if let Some(method) = method {
        planner = planner.method(method);
    } else {
        budget = Some(budget.map_or(MOST_BUDGET, |budget| budget.min(MOST_BUDGET)));
    }
    if let Some(budget) = budget {
        planner = planner.budget(MemorySize(budget));
    }
    planner = planner.invertible(flags & 4 == 0);

    let plan = match planner.plan() {
        Ok(plan) => plan,
        Err(Error::BudgetTooSmall { budget, smallest }) => {
            assert!(budget < smallest);
            let plan = planner.budget(MemorySize(smallest)).plan().expect("the smallest budget works");
            assert!(plan.bytes.0 <= smallest);
            return;
        }
        Err(Error::Parameter(_)) => return,
        Err(error) => panic!("{error}"),
    };
    check(&plan, &modulus, budget);
    assert_eq!(plan.shape.exponent_bits(), exponent_bits);
    assert!(split.is_none_or(|split| split == plan.shape.split()));
    assert!(method.is_none_or(|method| method == plan.shape.method()));
    assert!(method.is_some() || flags & 4 == 0 || !plan.shape.method().needs_inverse());

    if exponent_bits <= MOST_BITS && plan.bytes.0 <= MOST_BYTES {
        let base = boxed(&input.number(bits));
        let builder = FixedBase::builder(&modulus, &base).exponent_bits(exponent_bits);
        let built = builder.method(plan.shape.method()).split(plan.shape.split()).build();
        let table = match built {
            Ok(table) => table,
            Err(Error::Table(TableError::BaseZero) | Error::NotInvertible { .. }) => return,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(table.table_bytes(), plan.bytes);
        let k = boxed(&input.number(exponent_bits));
        let expected = modulus.pow(&base, &k);
        assert_eq!(table.pow(&k).expect("the exponent fits"), expected);
        assert_eq!(table.pow_vartime(&k).expect("the exponent fits"), expected);
    }
}

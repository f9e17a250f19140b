//! The parts of an inversion are proved at some lengths; wrong statements and certificates are refused; and
//! the number of jumps is what theorems require.

use num_bigint::BigInt;
use prove::{
    certificate::{Equation, RowProof, Use, WholeProof},
    checker::{check_jump, check_row, check_whole},
    failure::Reason,
    inversion::{LIMBS_OF_JUMPS, Update, prove_row, prove_whole, record},
    specification::inversion::{Jump, Row, STEPS, State, Whole},
    system::{Definition, System, Value},
};

/// A change of a row: its name, and the change.
type Wrong<'a> = (&'a str, &'a dyn Fn(&mut Row));
type Tampered<'a> = (&'a str, &'a dyn Fn(&mut RowProof));

fn refuses_rows(system: &System, integers: &prove::integers::Integers, row: &Row, other: &Row) {
    let proof = prove_row(integers, row).unwrap();
    check_row(system, row, &proof).unwrap();
    let wrong: [Wrong<'_>; 8] = [
        ("factors exchanged", &|row| row.factors.reverse()),
        ("one factor twice", &|row| row.factors[1] = row.factors[0]),
        ("numbers exchanged", &|row| row.numbers.reverse()),
        ("one number twice", &|row| row.numbers[1] = row.numbers[0].clone()),
        ("digits exchanged", &|row| row.result.swap(0, 1)),
        ("a limb less", &|row| row.limbs -= 1),
        ("factors of the other row", &|row| row.factors = other.factors),
        ("result of the other row", &|row| row.result = other.result.clone()),
    ];
    let refuses = |what: &str, row: &Row| {
        assert!(check_row(system, row, &proof).is_err(), "{what}, by the same equations");
        let found = prove_row(integers, row).and_then(|proof| check_row(system, row, &proof));
        assert!(found.is_err(), "{what}");
    };
    for (what, change) in wrong {
        let mut row = row.clone();
        change(&mut row);
        refuses(what, &row);
    }
    if let Some((modulus, inverse)) = &row.modulus {
        let without = Row { modulus: None, ..row.clone() };
        refuses("no modulus", &without);
        let mut exchanged = modulus.clone();
        exchanged.swap(0, 1);
        refuses(
            "digits of the modulus exchanged",
            &Row { modulus: Some((exchanged, *inverse)), ..row.clone() },
        );
        let another = (modulus.clone(), row.numbers[0][0]);
        refuses("another inverse", &Row { modulus: Some(another), ..row.clone() });
    }
    let tampered: [Tampered<'_>; 6] = [
        ("without an equation", &|proof| proof.uses.truncate(proof.uses.len() - 1)),
        ("an equation twice", &|proof| proof.uses.push(proof.uses[0].clone())),
        ("nothing above the highest word", &|proof| proof.above.clear()),
        ("another lowest digit", &|proof| proof.lowest += 1),
        ("another multiple", &|proof| proof.multiple = Some(proof.lowest)),
        ("an equation that is not there", &|proof| {
            proof.uses.push(Use { equation: Equation::Split(u32::MAX), multiplier: 1.into() });
        }),
    ];
    for (what, change) in tampered {
        let mut proof = proof.clone();
        let had_any = !proof.above.is_empty();
        change(&mut proof);
        let is_same = what.starts_with("nothing above") && !had_any;
        assert!(is_same || check_row(system, row, &proof).is_err(), "{what}");
    }
}

/// The lengths: one digit above a limb, several, and no bits of the modulus in the highest digit.
#[test]
fn updates() {
    for limbs in [1, 2, 5, 30, 31, 32, 62, 64] {
        let recording = record(limbs, false, 7).unwrap();
        for update in [Update::Exact, Update::Modular] {
            let (lifting, rows) = recording.lift_update(update).unwrap();
            let [of_f, of_g] = &rows[..] else { panic!("two rows") };
            let integers = &lifting.lifted.integers;
            refuses_rows(&integers.system, integers, of_f, of_g);
            refuses_rows(&integers.system, integers, of_g, of_f);
        }
    }
}

/// A split or a choice that differs from the code's is refused.
#[test]
fn other_equations_of_updates() {
    let recording = record(2, false, 7).unwrap();
    let (lifting, rows) = recording.lift_update(Update::Modular).unwrap();
    let integers = &lifting.lifted.integers;
    let proof = prove_row(integers, &rows[0]).unwrap();
    let refuses = |what: &str, change: &dyn Fn(&mut System)| {
        let mut system = integers.system.clone();
        change(&mut system);
        assert!(check_row(&system, &rows[0], &proof).is_err(), "{what}");
    };
    for Use { equation, .. } in &proof.uses {
        let Equation::Split(number) = *equation else { continue };
        refuses("a split at another place", &|system| system.splits[number as usize].shift -= 1);
    }
    let is_choice = |definition: &&Definition| matches!(definition, Definition::Choice(..));
    assert_eq!(integers.system.definitions.iter().filter(is_choice).count(), 4, "by two signs, of two rows");
    refuses("choices turned round", &|system| {
        for definition in &mut system.definitions {
            if let Definition::Choice(_, first, second) = definition {
                std::mem::swap(first, second);
            }
        }
    });
    refuses("a longer factor", &|system| {
        let [u, _] = rows[0].factors;
        system.definitions[u as usize] = Definition::Input(-(1 << 62) - 1, 1 << 62);
    });
}

#[test]
fn jumps() {
    for limbs in [2, 4] {
        let recording = record(limbs, true, 7).unwrap();
        let (lifting, jump) = recording.lift_jump(&recording.find_jump().unwrap()).unwrap();
        let system = &lifting.lifted.integers.system;
        check_jump(system, &jump).unwrap();
        let refuses = |what: &str, change: &dyn Fn(&mut Jump)| {
            let mut jump = jump.clone();
            change(&mut jump);
            let failure = check_jump(system, &jump).expect_err(what);
            assert_eq!(failure.reason, Reason::Refused, "{what}");
        };
        refuses("words of the matrix exchanged", &|jump| jump.matrix.swap(1, 2));
        refuses("halves exchanged", &|jump| jump.halves.swap(0, 1));
        refuses("a step less", &|jump| jump.steps.truncate(STEPS - 1));
        refuses("a step twice", &|jump| jump.steps[5] = jump.steps[4].clone());
        refuses("rows exchanged", &|jump| {
            jump.halves[0].pairs = jump.halves[0].pairs.map(|[f, g]| [g, f]);
        });
        for i in [0, 1, 17, STEPS / 2 - 1, STEPS / 2, STEPS - 1] {
            let step = |what: &str, change: &dyn Fn(&State, &mut State)| {
                refuses(what, &|jump| {
                    let (before, after) = &mut jump.steps[i];
                    change(before, after);
                });
            };
            step("ζ as it was", &|before, after| after.zeta.0 = before.zeta.0);
            step("f as it was", &|before, after| after.f.0 = before.f.0);
            step("g as it was", &|before, after| after.g.0 = before.g.0);
            step("the row of g as it was", &|before, after| after.row_of_g = before.row_of_g);
            step("f for g", &|_, after| after.g.0 = after.f.0);
            step("a whole row for half", &|_, after| after.row_of_f.1 ^= true);
            step("a row that is zero", &|_, after| after.row_of_f.0 = Value::Constant(0));
        }
        // Use words that are not any words.
        let (before, _) = &jump.steps[3];
        let (half, [bit, _]) = (before.f.1.unwrap(), before.g.1.unwrap());
        for id in [half, bit] {
            let mut system = system.clone();
            system.definitions[id as usize] = Definition::Input(0, 0);
            assert!(check_jump(&system, &jump).is_err(), "an input that is known");
        }
    }
}

/// An inversion makes as many jumps as the theorem in the specification requires. The same number is enough
/// by another theorem, which is proved in HOL Light (`Divstep/divstep_bounds.ml`,
/// DIVSTEP_ENDTOEND_BITS_SIMPLE): for odd f and 0 ≤ g ≤ f ≤ 2^b, n steps are enough if 9437·b + 1 ≤ 4096·n.
/// This holds up to 5184 bits, and at most lengths above.
#[test]
fn the_number_of_jumps_is_enough() {
    let of_theorem = |limbs: usize| {
        let bits = BigInt::from(64 * limbs);
        let steps: BigInt = (bits * 45907 + 30179) / 19929;
        usize::try_from((steps + STEPS - 1) / STEPS).unwrap()
    };
    for limbs in [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 31, 32, 48] {
        let recording = record(limbs, true, 3).unwrap();
        for update in [Update::Exact, Update::Modular] {
            let jumps = recording.calls.iter().filter(|call| call.update == update).count();
            assert_eq!(jumps, of_theorem(limbs), "{limbs} limbs");
        }
    }
    let is_formal = |limbs: &usize| 9437 * 64 * limbs < 4096 * STEPS * of_theorem(*limbs);
    assert!((1..=81).all(|limbs| is_formal(&limbs)));
    assert!([120, 128, 240, 256].iter().all(is_formal));
}

/// Whole inversions, of few and of many limbs, and where the highest digit has no bits of the modulus, or
/// two.
#[test]
fn wholes() {
    let proved = record(LIMBS_OF_JUMPS, true, 7).unwrap();
    let ends = proved.find_jump().unwrap();
    for limbs in [1, 2, 5, 30, 31, 32] {
        let recording = record(limbs, true, 7).unwrap();
        let (lifting, whole) = recording.lift_whole(&proved, &ends).unwrap();
        let integers = &lifting.lifted.integers;
        let proof = prove_whole(integers, &whole).unwrap();
        check_whole(&integers.system, &whole, &proof).unwrap();
        let refuses = |what: &str, change: &dyn Fn(&mut Whole, &mut WholeProof)| {
            let (mut whole, mut proof) = (whole.clone(), proof.clone());
            change(&mut whole, &mut proof);
            let failure = check_whole(&integers.system, &whole, &proof).expect_err(what);
            assert_eq!(failure.reason, Reason::Refused, "{what}");
            if let Ok(found) = prove_whole(integers, &whole) {
                let is_of_proof = what.ends_with(", by the certificate");
                assert!(is_of_proof || check_whole(&integers.system, &whole, &found).is_err(), "{what}");
            }
        };
        let last = whole.jumps.len() - 1;
        refuses("a jump less", &|whole, _| whole.jumps.truncate(last));
        refuses("two jumps exchanged", &|whole, _| whole.jumps.swap(1, 2));
        refuses("a jump that goes on from an earlier one", &|whole, _| {
            whole.jumps[2].jump.registers_read = whole.jumps[1].jump.registers_read.clone();
        });
        refuses("lowest words exchanged", &|whole, _| whole.jumps[2].jump.reads.reverse());
        refuses("words of the matrix exchanged", &|whole, _| whole.jumps[2].update_de.reads.swap(1, 2));
        refuses("the matrix of another jump", &|whole, _| {
            let (earlier, later) = whole.jumps.split_at_mut(2);
            later[0].update_fg.reads[..4].copy_from_slice(&earlier[1].update_fg.reads[..4]);
        });
        refuses("D for F", &|whole, _| {
            let (of_d, of_f) =
                (whole.jumps[last].update_de.words.clone(), &mut whole.jumps[last].update_fg.words);
            *of_f = of_d;
        });
        refuses("another value", &|whole, _| whole.value[0] = whole.jumps[0].update_de.words.len() as u32);
        refuses("no inverse of the modulus", &|whole, _| whole.inverse = whole.modulus[0]);
        refuses("another ζ at first", &|whole, _| {
            whole.jumps[0].jump.registers_read = vec![Value::Constant(0)]
        });
        refuses("E that begins with 0", &|whole, _| {
            let digits = whole.modulus.len();
            whole.jumps[0].update_de.reads[4 + digits] = Value::Constant(0);
        });
        refuses("another mask", &|whole, _| whole.exists = whole.result[0]);
        refuses("a mask that is known", &|whole, _| whole.exists = Value::Constant((1 << 64) - 1));
        refuses("a limb that is another", &|whole, _| whole.result[0] = whole.exists);
        refuses("signs exchanged, by the certificate", &|_, proof| proof.signs.swap(0, 1));
        refuses("one sign twice, by the certificate", &|_, proof| proof.signs[2] = proof.signs[0]);
        refuses("cases exchanged, by the certificate", &|_, proof| proof.of_result.swap(0, 7));
        refuses("cases of D exchanged, by the certificate", &|_, proof| proof.of_negated.swap(0, 3));
        refuses("no equations, by the certificate", &|_, proof| proof.begin.clear());
        refuses("D for |F|, by the certificate", &|_, proof| proof.magnitude = proof.negated.clone());
        refuses("a case less, by the certificate", &|_, proof| proof.of_result.truncate(7));
        refuses("an equation less, by the certificate", &|_, proof| {
            proof.of_result[5].1.pop();
        });
    }
}

/// A choice, a split or a mask that differs from the code's is refused.
#[test]
fn other_equations_of_wholes() {
    let proved = record(LIMBS_OF_JUMPS, true, 7).unwrap();
    let recording = record(3, true, 7).unwrap();
    let (lifting, whole) = recording.lift_whole(&proved, &proved.find_jump().unwrap()).unwrap();
    let integers = &lifting.lifted.integers;
    let proof = prove_whole(integers, &whole).unwrap();
    let refuses = |what: &str, change: &dyn Fn(&mut System)| {
        let mut system = integers.system.clone();
        change(&mut system);
        assert!(check_whole(&system, &whole, &proof).is_err(), "{what}");
    };
    let is_choice = |id: &usize| matches!(integers.system.definitions[*id], Definition::Choice(..));
    let choices: Vec<usize> = (0..integers.system.definitions.len()).filter(is_choice).collect();
    // The choices: by the sign of F, of the digits of both; by both signs of D, of the digits of the modulus;
    // and those of the mask.
    let digits = whole.modulus.len();
    assert_eq!(choices.len(), 4 * digits + digits - 1);
    for id in choices {
        refuses("a choice turned round", &|system| {
            if let Definition::Choice(_, first, second) = &mut system.definitions[id] {
                std::mem::swap(first, second);
            }
        });
    }
    for Use { equation, .. } in proof.of_result.iter().flat_map(|(_, uses)| uses) {
        let Equation::Split(number) = *equation else { continue };
        refuses("a split at another place", &|system| system.splits[number as usize].shift -= 1);
    }
    refuses("a modulus of another length", &|system| {
        let Value::Variable(digit) = whole.modulus[0] else { panic!("a digit that is known") };
        system.definitions[digit as usize] = Definition::Input(0, 1 << 62);
    });
}

//! Scalars that are blinded by a multiple of the order: which factors suit, and that the results are right.

use moduli_rns::{
    curves::Curve,
    program::{Schedule, Timing},
};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

use super::{
    curves::{GENERATOR, Tiny, is_prime, program},
    field,
    machine::Machine,
    results_with,
};

/// Every k with every r, on curves and for numbers of bits that can be blinded: what suits gives the
/// multiple, what does not mostly another point, and is as rare as it is said to be.
#[test]
fn every_factor_for_every_scalar_of_tiny_curves() {
    let (mut blinded, mut refused, mut wrong, mut curves) = (0, 0, 0, 0);
    for (p, a) in [(31, 28), (61, 58), (67, 0)] {
        let of_p = (1..p).map(|b| Tiny { p, a, b });
        for curve in of_p {
            let order = curve.points().len() as u64 + 1;
            if !is_prime(order) || order == p || curves == 6 {
                continue;
            }
            let field = field(&BigUint::from(p), 2, 17);
            for blinding in 1..8 {
                let [a, b, n] = [a, curve.b, order].map(BigUint::from);
                let Ok(program) = program(&field, &a, &b, &n, blinding) else { continue };
                curves += 1;
                let point = curve.points()[blinding as usize];
                let mut multiple = None;
                for k in 0..order {
                    let expected = multiple.map_or([0, 0], |(x, y)| [x, y]).map(BigUint::from);
                    for r in 0..1u64 << blinding {
                        let operand = program.blinded(&boxed(&BigUint::from(k)), &boxed(&BigUint::from(r)));
                        let plain = BigUint::from(k + r * order);
                        let [x, y] = [point.0, point.1].map(BigUint::from);
                        let random = BigUint::from(1 + (k + 3 * r) % (p - 1));
                        let given = results_with(&program, &[&x, &y, &plain], &random);
                        let what = format!("{k} + {r}·{order}, y² = x³ + {a}·x + {b} modulo {p}");
                        if let Ok(operand) = operand {
                            assert_eq!(big(&operand), plain, "{what}");
                            assert_eq!(given, expected, "{what}");
                            blinded += 1;
                        } else {
                            let error = operand.unwrap_err().to_string();
                            assert!(
                                error.contains("it does not suit this scalar: draw another one"),
                                "{error}"
                            );
                            wrong += usize::from(given != expected);
                            let least = k.min(order - 1 - k);
                            assert!(least < 2 << blinding, "{what}");
                            refused += 1;
                        }
                    }
                    multiple = curve.add(multiple, Some(point));
                }
            }
        }
    }
    let counts = format!("{curves} {blinded} {refused} {wrong}");
    assert!(curves == 6 && refused > 50 && wrong > refused / 4 && blinded > 10 * refused, "{counts}");
}

/// Edges of scalars with random factors, zeros and ones; cycles; what a core's words make of it.
#[test]
fn blinded_scalars_of_named_curves() {
    let mut random = Random(41);
    for (name, bits, most) in [("P-256", 96, 1.32), ("secp256k1", 160, 1.53)] {
        let curve = Curve::named(name).unwrap();
        let [p, a, b, n] =
            [curve.prime().unwrap(), curve.a().unwrap(), curve.b(), curve.order()].map(|value| big(&value));
        let field = field(&p, 8, 33);
        let [plain, blinded] = [0, bits].map(|bits| program(&field, &a, &b, &n, bits).unwrap());
        let point = match name {
            "P-256" => GENERATOR.map(|text| BigUint::parse_bytes(text.as_bytes(), 16).unwrap()),
            // Every point of that curve is of its order.
            _ => [BigUint::from(1u32), root(&(BigUint::from(1u32) + &b), &p)],
        };
        let one = BigUint::from(1u32);
        let edges = [BigUint::ZERO, one.clone(), BigUint::from(2u32), &n - 2u32, &n - 1u32];
        for k in edges.into_iter().chain([random.below(250), random.below(250)]) {
            let expected = results_with(&plain, &[&point[0], &point[1], &k], &one);
            for r in [BigUint::ZERO, (&one << bits) - 1u32, random.below(bits)] {
                let Ok(operand) = blinded.blinded(&boxed(&k), &boxed(&r)) else {
                    assert!(k.bits() < 3 || (&n - &k).bits() < 3, "{name} {k} {r}");
                    continue;
                };
                let number = random.below(200) + 1u32;
                let operand = big(&operand);
                assert_eq!(results_with(&blinded, &[&point[0], &point[1], &operand], &number), expected);
            }
        }
        let timing = Timing { channels: 8, chunks: 2, read: 8 };
        let [before, after] = [&plain, &blinded].map(|program| Schedule::new(program, timing));
        assert!(
            (after.cycles() as f64) < most * before.cycles() as f64,
            "{} {}",
            after.cycles(),
            before.cycles()
        );
        let operand = random.below(250) + random.below(bits) * &n;
        let expected = results_with(&blinded, &[&point[0], &point[1], &operand], &one);
        let operands = [point[0].clone(), point[1].clone(), operand];
        let made = Machine::run(&blinded, &after, &operands, &random.below(7).max(one));
        assert_eq!(made, (expected, after.cycles()), "{name}");
    }
}

/// A square root modulo a prime that is 3 modulo 4.
fn root(square: &BigUint, p: &BigUint) -> BigUint {
    let root = square.modpow(&((p + 1u32) >> 2), p);
    assert_eq!(&root * &root % p, square % p);
    root
}

#[test]
fn what_does_not_blind_is_refused() {
    let order = |name: &str| big(&Curve::named(name).unwrap().order());
    let of = |name: &str, bits: u32| {
        let curve = Curve::named(name).unwrap();
        let [p, a, b] = [curve.prime().unwrap(), curve.a().unwrap(), curve.b()].map(|value| big(&value));
        program(&field(&p, 8, 33), &a, &b, &order(name), bits).map_err(|fault| fault.to_string())
    };
    let said = "bits do not blind scalars of this order: at least";
    assert!(of("P-256", 34).err().unwrap().contains(&format!("34 {said} 35 and at most 253 do")));
    assert!(of("P-256", 254).err().unwrap().contains(&format!("254 {said} 35 and at most 253 do")));
    assert!(of("secp256k1", 128).err().unwrap().contains(&format!("128 {said} 130 and at most 253 do")));
    let program = of("P-256", 40).unwrap();
    let one = BigUint::from(1u32);
    let n = order("P-256");
    let blinded = |k: &BigUint, r: &BigUint| {
        program.blinded(&boxed(k), &boxed(r)).map(|operand| big(&operand)).map_err(|error| error.to_string())
    };
    let most = (&one << 40) - 1u32;
    let wide = BigUint::from(7u32) << 100;
    assert_eq!(blinded(&wide, &most), Ok(&wide + &most * &n));
    assert!(blinded(&n, &one).unwrap_err().contains("scalar: must be below the order"));
    assert!(blinded(&one, &(&most + 1u32)).unwrap_err().contains("random factor: must have at most 40 bits"));
    // c is even and no multiple of 4.
    assert!(blinded(&one, &BigUint::from(2u32)).unwrap_err().contains("random factor: it does not suit"));
    let run = |operand: BigUint| {
        let operands = [BigUint::from(5u32), one.clone(), operand].map(|value| boxed(&value));
        program.run(&operands, &[boxed(&one)], &mut ()).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(run((&n << 40) - 1u32), Ok(()));
    assert!(run(&n << 40).unwrap_err().contains("must be below the order times 2^b"));
    assert!(run(&one << 296).unwrap_err().contains("a scalar of more than 296 bits"));
    let plain = of("P-256", 0).unwrap();
    let error = plain.blinded(&boxed(&one), &boxed(&one)).unwrap_err().to_string();
    assert!(error.contains("the scalars of this program are not blinded"), "{error}");
}

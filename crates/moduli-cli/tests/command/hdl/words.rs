//! Every word of the cores with plus-minus methods and with Fermat's method.

use num_bigint::BigUint;

use super::{Files, P256, number};
use crate::support::Directory;

/// f·P/D and the share of the offset, for a value ≡ x: the centred f for which (X + f·P)/D is an
/// integer.
fn multiple(x: u64, p: &BigUint, divisor: u64) -> i64 {
    let p = i64::try_from(p % divisor).unwrap();
    let d = divisor as i64;
    (-(d + 1) / 2 + 1..=d / 2).find(|f| (x as i64 + f * p).rem_euclid(d) == 0).unwrap()
}

fn check(files: &Files) {
    let (n, w) = (files.scalar("N"), files.scalar("W"));
    let p = &files.vector("PRIME")[0];
    assert_eq!(p.bits(), files.scalar("L") as u64);
    let (moduli, second) = (files.vector("MODULI1"), files.vector("MODULI2"));
    let big_m: BigUint = moduli.iter().product();
    let big_second: BigUint = second.iter().product();
    let (chunks, chunk_w) = (files.scalar("CHUNKS"), files.scalar("CHUNK_W"));
    assert!(chunks * chunk_w > w && chunk_w <= 18);
    let fermat = files.scalar("VARIANT") == 0;
    let offset = if fermat { p.clone() } else { p * 12u32 };
    let q = (1u64 << files.scalar("A2")) * 3u64.pow(files.scalar("A3") as u32);
    let divisors: Vec<u64> = (2..=q).filter(|d| !fermat && q.is_multiple_of(*d)).collect();
    let expansion = |c: &BigUint, m: &BigUint| -> BigUint {
        (0..chunks).map(|k| ((c << (chunk_w * k)) % m) << (k * w)).sum()
    };
    let word = |hex: &str| format!("{hex} of channel");
    for (i, m) in moduli.iter().enumerate() {
        let (mul, add) = (files.memory(&format!("mul_{i:04}")), files.memory(&format!("add_{i:04}")));
        assert_eq!((mul.len(), add.len()), (files.scalar("MUL_DEPTH"), files.scalar("ADD_DEPTH")));
        let t_inverse = (&big_m / m).modinv(m).unwrap();
        assert_eq!(files.vector("COMPLEMENTS1")[i], (BigUint::from(1u32) << w) - m);
        assert_eq!(mul[0], expansion(&((BigUint::from(1u32) << w) % m), m));
        assert_eq!(mul[1], expansion(&t_inverse, m));
        let inverse = |d: u64| BigUint::from(d).modinv(m).unwrap();
        for (k, &d) in divisors.iter().enumerate() {
            assert_eq!(mul[2 + k], expansion(&inverse(d), m), "{}", word("D^-1"));
        }
        let scaled = |x: &BigUint| x * &t_inverse % m;
        let c1 = scaled(&offset);
        let base: Vec<usize> =
            files.vector("GROUP_BASE").iter().map(|base| usize::try_from(base).unwrap()).collect();
        let one = (&c1 + &t_inverse) % m;
        let fixed =
            [BigUint::ZERO, c1.clone(), (&c1 + m - scaled(p)) % m, one.clone(), (&c1 + scaled(p)) % m];
        for (g, expected) in fixed.iter().enumerate() {
            assert_eq!(&add[base[g]], expected, "group {g}");
        }
        assert_eq!(files.vector("INNER_ONE")[i], one);
        assert_eq!(files.vector("INNER_MINUS_ONE")[i], (&c1 + m - &t_inverse) % m);
        for (name, share) in [("ALONE_GROUP", 1), ("PLUS_GROUP", 2), ("MINUS_GROUP", 0)] {
            let groups = files.vector(name);
            for &d in &divisors {
                let (twos, threes) = (d.trailing_zeros(), (d >> d.trailing_zeros()).ilog(3));
                let group = usize::try_from(&groups[(twos + 5 * threes) as usize]).unwrap();
                if group == 0 {
                    assert_ne!(name, "ALONE_GROUP");
                    continue;
                }
                assert_eq!(files.vector("GROUP_TWOS")[group], BigUint::from(twos));
                assert_eq!(files.vector("GROUP_THREES")[group], BigUint::from(threes));
                let k = divisors.iter().position(|other| *other == d).unwrap();
                assert_eq!(files.vector("GROUP_MUL")[group], BigUint::from(2 + k));
                for x in 0..d {
                    let f = multiple(x, p, d);
                    let term = scaled(p) * f.unsigned_abs() % m;
                    let term = if f < 0 { m - term } else { term };
                    let surplus = BigUint::from(1u32) << w;
                    let sum = term + &c1 * (d - share);
                    let sum = if name == "MINUS_GROUP" { sum + m - surplus % m } else { sum };
                    let place = ((x % 3u64.pow(threes)) << twos | (x % (1 << twos))) as usize;
                    assert_eq!(add[base[group] + place], sum * inverse(d) % m, "{name} {d} {x}");
                }
            }
        }
        for (name, address) in [("mul", 1), ("add", base[1]), ("add", add.len() - 1), ("add", base[4])] {
            let memory = if name == "mul" { &mul } else { &add };
            assert_eq!(files.case_word(name, Some(i), address), memory[address]);
        }
        if files.scalar("MULTIPLY") == 1 {
            let ext = files.memory(&format!("ext_{i:04}"));
            let other = &second[i];
            let t_second = (&big_second / other).modinv(other).unwrap();
            let reduce_first = m - (p * (&big_m / m)).modinv(m).unwrap() % m;
            let reduce_second = (&big_second / other) * big_m.modinv(other).unwrap() % other;
            let square = &big_m * &big_m % p;
            let cube = &square * &big_m % p;
            let fixed = [
                ((BigUint::from(1u32) << w), m),
                (BigUint::from(1u32), m),
                ((BigUint::from(1u32) << w), other),
                (t_second.clone(), other),
                (&square * &reduce_first, m),
                (&square * &t_second * &reduce_second, other),
                (reduce_first.clone(), m),
                (&t_second * &reduce_second, other),
                (&big_m % p, m),
                ((&big_m % p) * &t_second, other),
            ];
            let mut expected: Vec<(BigUint, &BigUint)> = fixed.to_vec();
            expected.extend((0..chunks).map(|k| (&reduce_first << (chunk_w * k), m)));
            expected.extend((0..chunks).map(|k| (&reduce_second << (chunk_w * k), other)));
            let scaled_prime = p * &t_second;
            expected.extend((0..n).map(|k| {
                let inverse = moduli[(i + k) % n].modinv(other).unwrap();
                (inverse * &scaled_prime, other)
            }));
            expected.push((other - &scaled_prime % other, other));
            expected.extend((0..n).map(|k| (&big_second / &second[(i + k) % n], m)));
            expected.push((m - &big_second % m, m));
            expected.push((&cube * &reduce_first, m));
            expected.push((&cube * &t_second * &reduce_second, other));
            for (address, (value, modulus)) in expected.iter().enumerate() {
                assert_eq!(ext[address], expansion(&(value % *modulus), modulus), "ext {address}");
                assert_eq!(files.case_word("ext", Some(i), address), ext[address]);
            }
        }
    }
    let (out, all) = (files.memory("out"), BigUint::from(1u32) << (w * n));
    let digit = |value: &BigUint, j: usize| (value >> (w * j)) % (BigUint::from(1u32) << w);
    for j in 0..n {
        for (i, m) in moduli.iter().enumerate() {
            assert_eq!(out[j * (n + 1) + i], digit(&(&big_m / m), j));
        }
        assert_eq!(out[j * (n + 1) + n], digit(&(&all - &big_m), j));
        assert_eq!(files.case_word("out", None, j * (n + 1)), out[j * (n + 1)]);
        assert_eq!(files.vector("OUT_OFFSET")[j], digit(&((&all + p - &offset) % &all), j));
    }
    let (two, three) = (1u64 << files.scalar("A2"), 3u64.pow(files.scalar("A3") as u32));
    for (modulus, suffix) in [(two, "2"), (three, "3")] {
        let negative = |x: &BigUint| (modulus - u64::try_from(x % modulus).unwrap()) % modulus;
        assert_eq!(files.scalar(&format!("PRIME{suffix}")) as u64, u64::try_from(p % modulus).unwrap());
        assert_eq!(files.scalar(&format!("NEG_M{suffix}")) as u64, negative(&big_m));
        assert_eq!(files.scalar(&format!("NEG_C{suffix}")) as u64, negative(&offset));
        for (i, m) in moduli.iter().enumerate() {
            assert_eq!(files.vector(&format!("WEIGHTS{suffix}"))[i], (&big_m / m) % modulus);
        }
    }
}

#[test]
fn every_word_is_what_it_should_be() {
    let directory = Directory::new();
    for (k, (shape, more)) in [
        ([P256, "33", "8", "binary-ternary"], &[][..]),
        (["P-224", "22", "12", "binary"], &["--contexts", "2"]),
        (["curve25519", "33", "8", "wide"], &[]),
        (["P-192", "17", "13", "wide"], &["--wide-modulus", "72"]),
        (["P-256", "64", "5", "fermat"], &["--check"]),
        (["3f1", "8", "3", "binary-ternary"], &["--operations", "invert"]),
        (["3f1", "17", "1", "wide"], &["--operations", "invert"]),
        // Moduli that are only coprime to Q.
        (["3f1", "18", "2", "wide"], &["--operations", "invert"]),
        (["3f1", "22", "3", "binary-ternary"], &[]),
    ]
    .into_iter()
    .enumerate()
    {
        check(&Files::write(&directory, &format!("core{k}"), shape, more));
    }
}

/// Moduli are ≡ 1 modulo Q, unless this costs a fold that others save.
#[test]
fn moduli_save_a_fold() {
    let directory = Directory::new();
    let invert = &["--operations", "invert"][..];
    for (k, (shape, more, q, folds, one)) in [
        (["P-256", "33", "8", "binary-ternary"], &[][..], 12u32, 0, true),
        (["P-256", "33", "8", "wide"], &[], 144, 0, true),
        (["P-384", "33", "12", "wide"], &[], 144, 0, false),
        (["P-521", "33", "16", "wide"], &[], 144, 0, false),
        (["P-384", "29", "14", "binary-ternary"], &[], 12, 0, false),
        (["P-256", "22", "12", "wide"], invert, 144, 0, false),
        // One base of such moduli needs no fold.
        (["P-384", "33", "12", "wide"], invert, 144, 0, true),
        // Other moduli would save nothing.
        (["P-384", "24", "17", "binary-ternary"], &[], 12, 1, true),
    ]
    .into_iter()
    .enumerate()
    {
        let files = Files::write(&directory, &format!("core{k}"), shape, more);
        assert_eq!(files.scalar("EXTRA_FOLDS"), folds, "{shape:?}");
        let moduli = files.vector("MODULI1");
        assert_eq!(moduli.iter().all(|m| m % q == BigUint::from(1u32)), one, "{shape:?}");
    }
}

/// The program of an exponentiation gives the exponent P − 2.
#[test]
fn programs_lead_to_the_exponent() {
    let directory = Directory::new();
    for (name, more) in [("best", &[][..]), ("binary", &["--window", "binary"])] {
        let files = Files::write(&directory, name, [P256, "33", "8", "fermat"], more);
        let power = |index: usize| BigUint::from(2 * index + 1);
        let mut reached = power(files.scalar("FIRST_POWER"));
        for (k, word) in files.memory("program").iter().take(files.scalar("TURNS")).enumerate() {
            let word = usize::try_from(word).unwrap();
            reached <<= word & 0xffff;
            if word >> 24 == 1 {
                assert!(word >> 16 & 0xff < files.scalar("ODD_POWERS"));
                reached += power(word >> 16 & 0xff);
            }
            assert_eq!(files.case_word("program", None, k), BigUint::from(word));
        }
        assert_eq!(reached + 2u32, number(P256));
    }
}

//! Every word of the cores with division steps.

use std::fs;

use num_bigint::BigUint;

use super::{Files, P256};
use crate::support::Directory;

/// Checks the multipliers and words of a core with division steps.
fn check_division(files: &Files) {
    let (n, w, k) = (files.scalar("N"), files.scalar("W"), files.scalar("JUMP_STEPS"));
    let p = &files.vector("PRIME")[0];
    let (moduli, one) = (files.vector("MODULI1"), BigUint::from(1u32));
    let big_m: BigUint = moduli.iter().product();
    let (chunks, chunk_w) = (files.scalar("CHUNKS"), files.scalar("CHUNK_W"));
    assert_eq!((files.scalar("VARIANT"), k), (4, (w - 1).min(62).min(p.bits() as usize - 1)));
    assert_eq!(files.scalar("JUMPS"), ((45907 * p.bits() as usize + 26313) / 19929).div_ceil(k));
    assert!(files.scalar("JUMPS") * k < 1 << (files.scalar("DELTA_W") - 1));
    let power = &one << k;
    // −1/P and −M modulo 2^k.
    let minus = |x: &BigUint| (&power - x % &power) % &power;
    let factor = minus(&p.modinv(&power).unwrap());
    assert_eq!(files.vector("WORD_M"), [minus(&big_m), minus(&big_m) * &factor % &power]);
    for (i, m) in moduli.iter().enumerate() {
        assert!(!fs::exists(format!("{}/mul_{i:04}.hex", files.directory)).unwrap());
        // After the constants of products.
        let start = if files.scalar("MULTIPLY") == 1 { 10 + 2 * chunks + 2 * (n + 1) + 2 } else { 0 };
        let mul = files.memory(&format!("ext_{i:04}")).split_off(start);
        let expansion = |c: &BigUint, m: &BigUint| -> BigUint {
            (0..chunks).map(|chunk| ((c << (chunk_w * chunk)) % m) << (chunk * w)).sum()
        };
        let (big, t_inverse) = (&big_m / m, (&big_m / m).modinv(m).unwrap());
        let half = BigUint::from(2u32).modinv(m).unwrap();
        let divided = half.modpow(&BigUint::from(k), m);
        let negative = |x: BigUint| m - x % m;
        let mut expected = vec![expansion(&negative(p * &t_inverse), m)];
        expected.extend((0..n).map(|j| expansion(&(&t_inverse << (w * j)), m)));
        expected.extend((0..chunks).map(|c| expansion(&negative(&divided << (chunk_w * c)), m)));
        expected.push(expansion(&(p * &t_inverse * &divided), m));
        expected.push(expansion(&negative(p * &t_inverse * &half), m));
        expected.push(expansion(&one, m));
        expected.extend([expansion(&big, &power), expansion(&(&big * &factor), &power)]);
        expected.push(BigUint::ZERO);
        assert_eq!(mul[..expected.len()], expected, "channel {i}");
        assert!(mul[expected.len()..].iter().all(|word| *word == BigUint::ZERO));
        assert_eq!(files.case_word("ext", Some(i), start + 1), mul[1]);
        assert_eq!(files.vector("INNER_ONE")[i], t_inverse);
        assert_eq!(files.vector("INNER_MINUS_ONE")[i], m - &t_inverse);
        let memory = fs::exists(format!("{}/add_{i:04}.hex", files.directory)).unwrap();
        assert_eq!(memory, files.scalar("MULTIPLY") == 1);
        if memory {
            let (add, base) = (files.memory(&format!("add_{i:04}")), files.vector("GROUP_BASE"));
            let words = [
                BigUint::ZERO,
                BigUint::ZERO,
                negative(p * &t_inverse),
                t_inverse.clone(),
                p * &t_inverse % m,
            ];
            for (base, word) in base.iter().zip(words) {
                assert_eq!(add[usize::try_from(base).unwrap()], word);
            }
        }
    }
    let digit = |j: usize| (p >> (w * j)) % (&one << w);
    assert_eq!(files.vector("OUT_OFFSET"), (0..n).map(digit).collect::<Vec<_>>());
    // Values from −4·P to 4·P are read; in the other base, values to 3·P.
    let t = files.scalar("T");
    let error = |t: usize| -> BigUint {
        // Σ (2^(w−t) + 2·r)/m, in units of 2^(−100)/M.
        moduli
            .iter()
            .map(|m| ((&one << (w - t)) + ((&one << w) - m) * 2u32) * (&big_m << 100u32) / m + 1u32)
            .sum()
    };
    let holds = |t: usize| error(t) <= (&big_m << 99u32) - (p << 102u32);
    assert!(holds(t));
    assert!(files.scalar("MULTIPLY") == 1 || t == 1 || !holds(t - 1));
}

#[test]
fn every_word_of_division_steps_is_what_it_should_be() {
    let directory = Directory::new();
    for (i, (shape, more)) in [
        ([P256, "33", "8", "divstep"], &[][..]),
        (["P-192", "17", "13", "divstep"], &["--check", "--blind"]),
        (["P-521", "36", "15", "divstep"], &["--operations", "invert"]),
        (["curve25519", "64", "5", "divstep"], &[]),
        // 251 is one of the moduli; and the least P.
        (["fb", "8", "3", "divstep"], &["--operations", "invert"]),
        (["9", "17", "1", "divstep"], &["--operations", "invert"]),
    ]
    .into_iter()
    .enumerate()
    {
        check_division(&Files::write(&directory, &format!("core{i}"), shape, more));
    }
}

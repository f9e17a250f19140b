//! `moduli hdl`: the files of a core against their definitions, by another library; expectations; refusals.

use std::fs;

use num_bigint::BigUint;

use crate::support::{Directory, Run, hex_numbers, moduli, moduli_with};

const P256: &str = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";

/// Runs the verb for a prime, a width, a number of channels and a method.
fn hdl(shape: [&str; 4], more: &[&str]) -> Run {
    let [prime, width, channels, inversion] = shape;
    let fixed = ["hdl", "--prime", prime, "--width", width, "--channels", channels, "--inversion", inversion];
    moduli(fixed.iter().chain(more))
}

fn number(hex: &str) -> BigUint {
    BigUint::parse_bytes(hex.as_bytes(), 16).unwrap()
}

/// A core as its files have it.
struct Files {
    package: String,
    case: String,
    directory: String,
}

impl Files {
    fn write(directory: &Directory, name: &str, shape: [&str; 4], more: &[&str]) -> Self {
        let directory = directory.join(name);
        let run = hdl(shape, &[more, &["-o", &directory]].concat()).ok();
        assert_eq!(run.stdout, format!("{directory}\n"));
        let read = |name: &str| fs::read_to_string(format!("{directory}/{name}")).unwrap();
        Self { package: read("moduli_rns_params_pkg.sv"), case: read("moduli_rns_rom_case.sv"), directory }
    }

    fn scalar(&self, name: &str) -> usize {
        let start = format!("parameter int {name} = ");
        let line = self.package.lines().find_map(|line| line.trim().strip_prefix(&start)).unwrap();
        line.strip_suffix(';').unwrap().parse().unwrap()
    }

    /// The elements of a vector, the first first.
    fn vector(&self, name: &str) -> Vec<BigUint> {
        let rest = self.package.split(&format!("] {name} = ")).nth(1).unwrap();
        let body = rest.split(';').next().unwrap();
        let mut elements: Vec<BigUint> =
            body.split("'h").skip(1).map(|part| number(part.split([',', '\n']).next().unwrap())).collect();
        elements.reverse();
        elements
    }

    fn memory(&self, name: &str) -> Vec<BigUint> {
        let text = fs::read_to_string(format!("{}/{name}.hex", self.directory)).unwrap();
        text.lines().map(number).collect()
    }

    /// What a table in SystemVerilog yields at an address.
    fn case_word(&self, module: &str, channel: Option<usize>, address: usize) -> BigUint {
        let mut body = self.case.split(&format!("module moduli_rns_rom_{module}")).nth(1).unwrap();
        body = body.split("endmodule").next().unwrap();
        if let Some(channel) = channel {
            body = body.split(&format!("gen_channel_{channel}\n")).nth(1).unwrap();
        }
        // An array of constants, the highest address first, or a `case`.
        if let Some(words) = body.split("Words = {\n").nth(1) {
            let words: Vec<&str> = words.split("\n    };").next().unwrap().lines().collect();
            let word = words.iter().rev().nth(address).unwrap();
            return number(word.split("'h").nth(1).unwrap().trim_end_matches(','));
        }
        body = body.split("endcase").next().unwrap();
        let label = format!("'d{address}: ");
        match body.lines().find(|line| line.contains(&label)) {
            Some(line) => number(line.split("'h").nth(1).unwrap().strip_suffix(';').unwrap()),
            None => BigUint::ZERO,
        }
    }
}

/// f·P/D and the share of the offset, for a value ≡ x: what makes (X + f·P)/D whole, centred.
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

/// The multipliers and words of a core by division steps.
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
        // Behind the constants of products.
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
    // Values from −4·P to 4·P are read, 3·P in the other base.
    let t = files.scalar("T");
    let error = |t: usize| -> BigUint {
        // Σ (2^(w−t) + 2·r)/m in units of 2^(−100)/M.
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
        // 251 is one of the moduli; the least P.
        (["fb", "8", "3", "divstep"], &["--operations", "invert"]),
        (["9", "17", "1", "divstep"], &["--operations", "invert"]),
    ]
    .into_iter()
    .enumerate()
    {
        check_division(&Files::write(&directory, &format!("core{i}"), shape, more));
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
        // Moduli that are merely coprime to Q.
        (["3f1", "18", "2", "wide"], &["--operations", "invert"]),
        (["3f1", "22", "3", "binary-ternary"], &[]),
    ]
    .into_iter()
    .enumerate()
    {
        check(&Files::write(&directory, &format!("core{k}"), shape, more));
    }
}

/// Moduli are ≡ 1 modulo Q, but where that would take a fold that others do not.
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
        // One base of such moduli takes no fold.
        (["P-384", "33", "12", "wide"], invert, 144, 0, true),
        // Nothing is saved.
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

/// The program of an exponentiation leads to P − 2.
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

#[test]
fn summaries_and_headers_agree_with_the_package() {
    let directory = Directory::new();
    let path = directory.join("core");
    let json = hdl(["P-256", "33", "8", "wide"], &["--json", "-o", &path]).ok().json();
    let read = |name: &str| fs::read_to_string(format!("{path}/{name}")).unwrap();
    let (package, header) = (read("moduli_rns_params_pkg.sv"), read("moduli_rns_params.h"));
    for (name, value) in json["parameters"].as_object().unwrap() {
        assert!(package.contains(&format!("parameter int {name} = {value};")), "{name}");
        assert!(header.contains(&format!("#define MODULI_RNS_PARAM_{name} {value}\n")), "{name}");
    }
    assert_eq!((&json["prime"], &json["inversion"]), (&P256.into(), &"wide".into()));
    assert_eq!(json["moduli"][1].as_array().unwrap().len(), 8);
    let files = fs::read_dir(&path).unwrap().count();
    assert_eq!(files, 3 + 3 * 8 + 1);
}

/// Every name that one core declares is another one's under a prefix, and nothing refers to the plain names any more.
#[test]
fn prefixed_cores_share_no_name() {
    let directory = Directory::new();
    let rtl = concat!(env!("CARGO_MANIFEST_DIR"), "/../../hdl/rtl");
    let shape = ["P-192", "33", "6", "binary"];
    let plain = directory.join("plain");
    hdl(shape, &["-o", &plain, "--rtl", rtl]).ok();
    let path = directory.join("core");
    hdl(shape, &["-o", &path, "--rtl", rtl, "--prefix", "order"]).ok();
    let names = |path: &str| -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.ends_with(".hex"))
            .collect();
        names.sort();
        names
    };
    // All of hdl/rtl is copied as it is, and the rest is what is written without.
    for file in fs::read_dir(rtl).unwrap() {
        let file = file.unwrap();
        let copy = format!("{plain}/{}", file.file_name().display());
        assert_eq!(fs::read(file.path()).unwrap(), fs::read(copy).unwrap());
    }
    let listed = fs::read_to_string(format!("{plain}/moduli_rns.f")).unwrap();
    let mut listed: Vec<&str> = listed.lines().collect();
    assert_eq!(listed[..2], ["moduli_rns_params_pkg.sv", "moduli_rns_pkg.sv"]);
    listed.extend(["moduli_rns.f", "moduli_rns_params.h", "moduli_rns_rom_mem.sv"]);
    listed.sort_unstable();
    assert_eq!(names(&plain), listed);
    // A word for a word, in names and in texts.
    assert_eq!(names(&path), names(&plain).iter().map(|name| format!("order_{name}")).collect::<Vec<_>>());
    for name in names(&plain) {
        let text = fs::read_to_string(format!("{path}/order_{name}")).unwrap();
        let roots = text.matches("moduli_rns").count() + text.matches("MODULI_RNS").count();
        let prefixed = text.matches("order_moduli_rns").count() + text.matches("ORDER_MODULI_RNS").count();
        assert!(roots == prefixed && roots > 0, "{name}");
        let back = text.replace("order_moduli_rns", "moduli_rns").replace("ORDER_MODULI_RNS", "MODULI_RNS");
        assert_eq!(back, fs::read_to_string(format!("{plain}/{name}")).unwrap());
    }
    // The same prefix replaces it, another one does not.
    hdl(shape, &["-o", &path, "--rtl", rtl, "--prefix", "order", "--force"]).ok();
    hdl(shape, &["-o", &path, "--rtl", rtl, "--force"]).fails(1, &["order_moduli_rns", "not replaced"]);
    hdl(shape, &["-o", &path, "--prefix", "order", "--force"]).fails(2, &["--rtl"]);
    hdl(shape, &["-o", &path, "--rtl", rtl, "--prefix", "a-b", "--force"]).fails(2, &["--prefix"]);
    hdl(shape, &["-o", &path, "--rtl", &plain[1..], "--force"]).fails(1, &["no such file"]);
}

#[test]
fn directories_appear_whole() {
    let directory = Directory::new();
    let shape = ["P-192", "33", "6", "binary"];
    let path = directory.join("core");
    hdl(shape, &["-o", &path]).ok();
    hdl(shape, &["-o", &path]).fails(1, &["core", "exists already", "--force"]);
    hdl(["P-192", "33", "7", "binary"], &["-o", &path, "--force"]).ok();
    assert!(fs::exists(format!("{path}/add_0006.hex")).unwrap());
    hdl(shape, &["-o", &path, "--force"]).ok();
    assert!(!fs::exists(format!("{path}/add_0006.hex")).unwrap());
    for name in ["notes.txt", "mine.hex", "add_6.hex", "out_0001.hex"] {
        let foreign = directory.file(&format!("core/{name}"), "mine");
        hdl(shape, &["-o", &path, "--force"]).fails(1, &[name, "not replaced"]);
        fs::remove_file(foreign).unwrap();
    }
    let file = directory.file("file", "mine");
    hdl(shape, &["-o", &file, "--force"]).fails(1, &["file", "no directory"]);
    hdl(shape, &["-o", &directory.join("no/such")]).fails(1, &["no such file"]);
    hdl(["P-192", "16", "6", "binary"], &["-o", &directory.join("refused")]).fails(1, &["channels"]);
    assert_eq!(directory.names(), ["core", "file"]);
}

#[test]
fn shapes_that_cannot_work_are_refused() {
    let directory = Directory::new();
    let path = directory.join("core");
    let refused = |shape, more: &[&str], parts: &[&str]| {
        hdl(shape, &[more, &["-o", &path]].concat()).fails(1, parts);
    };
    refused(["P-256", "32", "8", "binary-ternary"], &[], &["channels", "at least 9", "at least 33 bits"]);
    refused(["3f1", "8", "3", "binary-ternary"], &[], &["two bases of 3 moduli", "at least 10 bits"]);
    refused(["P-256", "8", "8", "fermat"], &[], &["two bases", "at least"]);
    refused(["P-256", "65", "8", "binary"], &[], &["width", "8 to 64"]);
    refused(["P-256", "33", "0", "binary"], &[], &["channels", "1 to 1024"]);
    refused(["9", "33", "2", "binary-ternary"], &[], &["modulus", "factor 3"]);
    refused(["8", "33", "2", "binary"], &[], &["even"]);
    refused(["1", "33", "2", "binary"], &[], &["greater than 1"]);
    refused(["P-255", "33", "8", "binary"], &[], &["no field", "P-256"]);
    refused(["curve25518", "33", "8", "binary"], &[], &["no field", "curve25519"]);
    refused(["2^255-19", "33", "8", "binary"], &[], &["--prime", "character 2"]);
    refused(["P-256", "33", "8", "wide"], &["--wide-modulus", "720"], &["Q: 720", "4, 8 or 16"]);
    refused(["P-256", "33", "8", "wide"], &["--wide-modulus", "10"], &["Q", "multiples of 4"]);
    refused(["P-256", "33", "8", "binary"], &["--contexts", "5"], &["contexts", "8 cycles", "1 to 4"]);
    refused(["P-256", "33", "8", "wide"], &["--contexts", "6"], &["contexts", "9 cycles", "1 to 5"]);
    refused(["P-256", "33", "8", "binary"], &["--contexts", "0"], &["contexts", "1 to 4"]);
    refused(["P-256", "33", "8", "fermat"], &["--contexts", "2"], &["contexts", "one inversion"]);
    refused(["P-256", "33", "8", "divstep"], &["--contexts", "2"], &["contexts: 2", "one operand"]);
    refused(["7", "33", "2", "divstep"], &[], &["prime: P of 3 bits", "of 4"]);
    refused(["P-256", "32", "8", "divstep"], &[], &["channels", "at least 9"]);
    refused(["10", "33", "2", "divstep"], &[], &["even"]);
    let check = ["--operations", "invert", "--check"];
    refused(["P-256", "33", "8", "binary"], &check, &["check", "two bases"]);
    let blind = ["--operations", "invert", "--blind"];
    refused(["P-256", "33", "8", "binary"], &blind, &["blind", "two bases"]);
    refused(["P-256", "33", "8", "fermat"], &["--blind"], &["blind", "no blinding"]);
    let wrong = |shape, more: &[&str], parts: &[&str]| {
        hdl(shape, &[more, &["-o", &path]].concat()).fails(2, parts);
    };
    wrong(["P-256", "33", "8", "fermat"], &["--operations", "invert"], &["--operations", "two bases"]);
    wrong(["P-256", "33", "8", "binary"], &["--wide-modulus", "12"], &["--wide-modulus"]);
    wrong(["P-256", "33", "8", "binary"], &["--window", "binary"], &["--window"]);
    wrong(["P-256", "33", "8", "magic"], &[], &["magic"]);
    wrong(["P-256", "33", "8", "binary"], &["--trace"], &["--expect"]);
    hdl(["P-256", "33", "8", "binary"], &[]).fails(2, &["--output"]);
    assert!(directory.names().is_empty());
}

/// What is allowed and hardly meant is told, and done.
#[test]
fn cores_that_are_hardly_meant_are_told() {
    let directory = Directory::new();
    let path = directory.join("core");
    let told = |shape, more: &[&str]| -> String {
        let run = hdl(shape, &[more, &["--force", "-o", &path]].concat());
        assert_eq!((run.status, run.stdout.as_str()), (0, format!("{path}\n").as_str()));
        run.stderr
    };
    let shape = ["P-192", "33", "6", "binary"];
    assert_eq!(told(shape, &["--contexts", "4"]), "");
    assert_eq!(told(shape, &["--check"]), "");
    let serial = told(shape, &["--contexts", "4", "--check"]);
    assert!(serial.starts_with("moduli: note: with --check") && serial.contains("--contexts 4"), "{serial}");
    assert_eq!(told(["3f1", "17", "2", "fermat"], &[]), "");
    assert_eq!(told(["4c9", "17", "2", "binary"], &[]), "");
    let composite = told(["4c9", "17", "2", "fermat"], &[]);
    assert!(
        composite.starts_with("moduli: note: P is composite") && composite.contains("error 2"),
        "{composite}"
    );
}

/// Results by another library, steps as counted; every step follows from the one before.
#[test]
fn expectations_are_right() {
    let p = number(P256);
    let mut operands = hex_numbers(5, 6, 63);
    operands.extend(["0", "1", "2", "3"].map(String::from));
    operands.extend([1u32, 2].map(|x| (&p - x).to_str_radix(16)));
    operands.extend([p.to_str_radix(16), (&p + 2u32).to_str_radix(16), "f".repeat(64)]);
    let input = operands.join("\n") + "\n";
    for inversion in ["binary", "binary-ternary", "wide", "fermat", "divstep"] {
        let arguments =
            ["hdl", "--prime", "P-256", "--width", "33", "--channels", "8", "--inversion", inversion];
        let run = moduli_with(arguments.iter().chain(&["--expect", "-"]), &input).ok();
        assert_eq!(run.stdout.lines().count(), operands.len());
        for (line, operand) in run.stdout.lines().zip(&operands) {
            let fields: Vec<&str> = line.split(' ').collect();
            match number(operand).modinv(&p) {
                Some(inverse) => assert_eq!(fields[..2], [inverse.to_str_radix(16).as_str(), "0"]),
                None => assert_eq!(fields[..2], ["0", "1"]),
            }
            if inversion != "fermat" && fields[1] == "0" {
                let inv = ["inv", "--modulus", P256, "--value", operand, "--algorithm", inversion, "--count"];
                let counted = moduli(inv.iter().chain(&["--width", "33", "--channels", "8"])).ok().stdout;
                let of = |name: &str| -> u32 {
                    let line = counted.lines().find_map(|line| line.strip_prefix(name)).unwrap();
                    line.trim().parse().unwrap()
                };
                // Jumps are no steps of their own.
                let outer = if inversion == "divstep" { 0 } else { of("outer iterations") };
                let steps = outer + of("inner iterations");
                assert_eq!(fields[2], steps.to_string());
            }
        }
        if inversion == "fermat" {
            moduli_with(arguments.iter().chain(&["--expect", "-", "--trace"]), &input).fails(2, &["--trace"]);
            continue;
        }
        let trace = moduli_with(arguments.iter().chain(&["--expect", "-", "--trace"]), &input).ok().stdout;
        let plain: Vec<&str> = trace.lines().filter(|line| !line.starts_with("step")).collect();
        assert_eq!(plain, run.stdout.lines().collect::<Vec<_>>());
        let (mut next, by) = (0, if inversion == "divstep" { 32 } else { 1 });
        for line in trace.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            if fields[0] == "step" {
                assert_eq!(fields[1], next.to_string());
                let first = if inversion == "divstep" { "jump" } else { "load" };
                assert!(fields.len() == 3 + 4 + 5 + 4 * 9 && (next > 0 || fields[2] == first));
                assert!(next == 0 || (fields[2] == first) == (inversion == "divstep"));
                next += by;
            } else {
                assert_eq!(fields[2], (next - by).to_string());
                next = 0;
            }
        }
    }
    let arguments = ["hdl", "--prime", "b", "--width", "17", "--channels", "1", "--inversion", "binary"];
    let with = |input: &str| moduli_with(arguments.iter().chain(&["--expect", "-"]), input);
    // 55 = 5·11: no inverse of 5; by Fermat's method most are wrong, which its check finds.
    let composite = |inversion: &str| {
        let shape = ["hdl", "--prime", "37", "--width", "17", "--channels", "2", "--inversion", inversion];
        moduli_with(shape.iter().chain(&["--expect", "-"]), "0\n5\n2\n1\n")
    };
    let errors = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split(' ').nth(1).unwrap().to_owned()).collect()
    };
    assert_eq!(errors(&composite("binary").ok().stdout), ["1", "1", "0", "0"]);
    let fermat = composite("fermat");
    assert_eq!(
        (errors(&fermat.stdout).as_slice(), fermat.status),
        (["1", "2", "2", "0"].map(String::from).as_slice(), 0)
    );
    assert!(fermat.stderr.contains("note: P is composite") && fermat.stderr.lines().count() == 1);
    with("f\n10\n").complains(1, &["line 2", "0 to 2^4"]);
    with("-1\n").complains(1, &["line 1"]);
    with("x\n").complains(1, &["line 1"]);
    assert_eq!(with("").ok().stdout, "");
}

//! `moduli hdl --program`: the words of programs, their additions to the memories, their results,
//! and rejected options.

use std::fs;

use num_bigint::BigUint;

use super::{Files, hdl};
use crate::support::{Directory, moduli};

const TINY: [&str; 4] = ["fb", "17", "2", "fermat"];
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../hdl/programs");

#[test]
fn programs_add_words_constants_and_addends() {
    let directory = Directory::new();
    let place = directory.join("core");
    let [power, curve] = ["power", "weierstrass"].map(|name| format!("{ROOT}/{name}.rns"));
    let options = ["--program", &power, "--program", &curve, "--curve", "P-256", "-o", &place, "--json"];
    let said = hdl(["P-256", "33", "8", "fermat"], &options).ok().stdout;
    assert!(said.contains("17326") && said.contains("109213"), "{said}");
    let files = Files::read(place);
    let of = |name: &str| files.scalar(name);
    assert_eq!([of("RESIDENT"), of("SCALAR_BITS"), of("ORDER_BITS"), of("OPERAND_W")], [2, 256, 256, 256]);
    assert_eq!(of("SCALAR_DIGITS"), 8);
    let words = files.memory("words");
    assert_eq!(words.len(), of("WORDS_DEPTH"));
    // The first word loads an operand, and the last but one ends the program.
    let control = |word: &BigUint| (word >> of("ARGUMENT_W")) % 16u32;
    assert_eq!(control(&words[0]), BigUint::from(3u32));
    let ends = words.iter().filter(|word| control(word) == BigUint::from(12u32)).count();
    assert_eq!(ends, 2);
    assert!(words.iter().all(|word| word.bits() <= of("WORD_W") as u64));
    // The constants after those of every core: 2, then those of the programs, in both bases.
    let (n, chunks, chunk_w, w) = (of("N"), of("CHUNKS"), of("CHUNK_W"), of("W"));
    let first = 10 + 2 * chunks + 2 * n + 4;
    for channel in 0..n {
        let extension = files.memory(&format!("ext_{channel:04}"));
        let two = (0..chunks).map(|k| BigUint::from(2u32) << (k * (chunk_w + w))).sum::<BigUint>();
        assert_eq!(extension[first], two);
        // 1 is a constant of both programs and of every core.
        assert_eq!(extension[first + 1], extension[8]);
        assert_eq!(extension[first + 2], extension[9]);
    }
}

/// With a guard, the words are the same with a parity bit on top. There are as many results as
/// `store` lines.
#[test]
fn words_have_a_parity_with_a_guard() {
    let directory = Directory::new();
    let curve = format!("{ROOT}/weierstrass.rns");
    let options = ["--program", &curve, "--curve", "P-256", "--check"];
    let shape = ["P-256", "33", "8", "fermat"];
    let checked = Files::write(&directory, "checked", shape, &options);
    let guarded = Files::write(&directory, "guarded", shape, &[&options[..], &["--guard"]].concat());
    assert_eq!(guarded.scalar("WORD_W"), checked.scalar("WORD_W") + 1);
    for (plain, word) in checked.memory("words").iter().zip(&guarded.memory("words")) {
        assert_eq!(&(word % (BigUint::from(1u32) << checked.scalar("WORD_W"))), plain);
        assert_eq!(word.count_ones() % 2, 0);
    }
    assert_eq!(guarded.vector("PROGRAM_RESULTS")[0], BigUint::from(2u32));
    // Twice its cycles, and some more.
    assert!(guarded.vector("PROGRAM_PATIENCE")[0] > BigUint::from(200_000u32));
    let place = directory.join("none");
    for more in [&["--guard"][..], &["--guard", "--program", &curve, "--curve", "P-256"]] {
        hdl(shape, &[more, &["-o", &place]].concat())
            .fails(2, &["--guard requires", "--redundant", "--check"]);
    }
}

/// Operands have as many more bits as blind a scalar, and the number added to them is a multiple of
/// the order.
#[test]
fn scalars_are_blinded() {
    let directory = Directory::new();
    let curve = format!("{ROOT}/weierstrass.rns");
    let options = ["--program", &curve, "--curve", "P-256"];
    let shape = ["P-256", "33", "8", "fermat"];
    let files = Files::write(&directory, "core", shape, &[&options[..], &["--blinding", "96"]].concat());
    let of = |name: &str| files.scalar(name);
    assert_eq!(
        [of("SCALAR_BITS"), of("ORDER_BITS"), of("OPERAND_W"), of("SCALAR_DIGITS")],
        [352, 352, 352, 11]
    );
    let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
    let order = BigUint::parse_bytes(order.as_bytes(), 16).unwrap();
    let addend = &files.vector("ORDER")[0];
    assert_eq!((addend % &order, addend.bits()), (BigUint::ZERO, 353));
    assert!(addend >> 300u32 == BigUint::from(1u32) << 52);
    let place = directory.join("other");
    for (bits, said) in [("33", "33 bits do not blind scalars of this order"), ("5000", "blinding: 5000")] {
        let run = hdl(shape, &[&options[..], &["--blinding", bits, "-o", &place]].concat());
        assert!(run.status == 1 && run.stderr.contains(said), "{}", run.stderr);
    }
}

/// A difference x − y + k·P contains an excess of 2^w.
#[test]
fn addends_of_differences() {
    let directory = Directory::new();
    let program = directory.join("difference.rns");
    fs::write(&program, "x = load\ny = load\nx = 2(x - y)\nstore x\n").unwrap();
    let files = Files::write(&directory, "core", TINY, &["--program", &program]);
    for (channel, m) in files.vector("MODULI1").iter().enumerate() {
        let addends = files.memory(&format!("add_{channel:04}"));
        // Twice a value below 3·P; M is more than large enough.
        let right = (5u32 * 251u32 + m * 2u32 - (2u32 << 17) % m) % m;
        assert!(addends[5..].contains(&right), "{channel}");
    }
}

#[test]
fn results_of_programs() {
    let directory = Directory::new();
    let operands = directory.join("operands");
    let generator = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296 \
                     4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";
    fs::write(&operands, format!("{generator} 0\n\n{generator} 1\n{generator} 2\n")).unwrap();
    let program = format!("{ROOT}/weierstrass.rns");
    let options = ["--program", &program, "--curve", "p-256", "--expect", &operands];
    let said = hdl(["P-256", "33", "8", "fermat"], &options).ok().stdout;
    let double = "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978 \
                  7775510db8ed040293d9ac69f7430dbba7dade63ce982299e04b79d227873d1";
    assert_eq!(said, format!("0 0\n{generator}\n{double}\n"));
}

#[test]
fn errors_in_programs_are_named() {
    let directory = Directory::new();
    let (place, program) = (directory.join("core"), directory.join("p.rns"));
    let refused = |text: &str, more: &[&str]| {
        fs::write(&program, text).unwrap();
        let options = [&["--program", &program, "-o", &place], more].concat();
        let run = hdl(TINY, &options);
        (run.status, run.stderr)
    };
    const A: &str = "x = constant a\nstore x\n";
    let long = "x = load\n".repeat(513);
    for (text, more, status, reason) in [
        ("x = load\nx = x * y\n", &[][..], 1, "p.rns: line 2: y is read before it is written"),
        (A, &[], 1, "line 1: no value is given for the constant a"),
        (A, &["--constant", "a"], 2, "--constant a: must be NAME=HEX"),
        (A, &["--constant", "a=xyz"], 1, "--constant a: not a hexadecimal number"),
        (A, &["--constant", "a=5", "--constant", "a=6"], 2, "--constant a=6: a has a value already"),
        (A, &["--constant", "=8"], 2, "--constant =8: must be NAME=HEX"),
        ("x = load\n", &["--curve", "P-257"], 1, "no curve is called \"P-257\"; there are P-256"),
        ("x = load\n", &["--curve", "P-384"], 1, "P-384 is over the integers modulo ffffffff"),
        ("x = load\n", &["--order", "8"], 1, "order: must be odd, with 4 to 9 bits"),
        ("x = load\n", &["--order", "3"], 1, "order: must be odd, with 4 to 9 bits"),
        ("x = load\n", &["--order", "201"], 1, "order: must be odd, with 4 to 9 bits"),
        ("x = load\n", &[], 1, "p.rns: a program without a result"),
        ("", &[], 1, "p.rns: a program without a result"),
        (&long, &[], 1, "p.rns: line 513: a program has at most 512 instructions"),
    ] {
        let (given, said) = refused(text, more);
        assert_eq!(given, status, "{text} {said}");
        assert!(said.contains(reason), "{said}");
    }
    let growing = "x = load\nscalar = load\nloop\nx = x + x\nend\nstore x\n";
    assert!(refused(growing, &[]).1.contains("line 3: a value grows from turn to turn: beyond "));
    // Programs require Fermat's method, and the options of programs require a program.
    let shape = ["hdl", "--prime", "fb", "--channels", "2", "--width", "17"];
    let other = ["--inversion", "binary", "--program", &program, "-o", &place];
    assert!(moduli(shape.iter().chain(&other)).stderr.contains("--program requires --inversion fermat"));
    assert_eq!(hdl(TINY, &["--order", "fb", "-o", &place]).status, 2);
}

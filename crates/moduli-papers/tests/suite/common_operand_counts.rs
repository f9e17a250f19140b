//! The paper on products by a common operand (ARITH 2015): its Tables I to IX, its claims, and the
//! regularity of its exponentiations.

use crypto_bigint::BoxedUint;
use moduli_papers::common_operand::{
    CountedMontgomery, Exponentiation, Form, Formulas, Meter, Operation, Size, TABLE_9, TABLE_9_PRINTED,
    TABLE_10_PRINTED, WordCounts, best_window, common_operand_text, savings, slip, stored_words, tables,
};
use testing::{Random, boxed, extremes};

use Exponentiation::{Ladder, LeftToRight, RightToLeft};

fn check_tables(size: Size) {
    for table in tables(size).unwrap() {
        for line in &table.lines {
            let place = format!("{}, {}, {size:?}", table.name, line.what);
            assert_eq!(line.counted, line.exact, "{place}");
            let (too_much, left_out) = slip(&table, &line.what, size)
                .map_or(((0, 0), (0, 0)), |slip| (slip.too_much, slip.left_out));
            let counted = (line.counted.additions, line.counted.multiplications);
            let printed = (line.printed.additions, line.printed.multiplications);
            assert_eq!(printed.0 + left_out.0, counted.0 + too_much.0, "ADD, {place}");
            assert_eq!(printed.1 + left_out.1, counted.1 + too_much.1, "MUL, {place}");
        }
        // The steps are complete, and the paper's sums are right, except for Algorithm 4.
        if let Some((total, steps)) = table.lines.split_last().filter(|(total, _)| total.what == "total") {
            let sum = |of: &dyn Fn(usize) -> WordCounts| {
                (0..steps.len()).map(of).fold(WordCounts::default(), |sum, counts| sum + counts)
            };
            let counted = sum(&|i| steps[i].counted);
            assert_eq!(WordCounts { selections: total.counted.selections, ..counted }, total.counted);
            let printed = sum(&|i| steps[i].printed);
            let excess = if table.name.starts_with("Algorithm 4") { size.n - 1 } else { 0 };
            assert_eq!(printed + WordCounts::new(0, excess), total.printed, "{}, {size:?}", table.name);
        }
    }
}

#[test]
fn tables_1_to_8_for_1_to_64_words() {
    for n in 1..=64 {
        for (t, bits) in [(1, 3), (2, 4), (3, 5)] {
            check_tables(Size { n, t, bits });
        }
    }
    for n in [1, 2, 16, 33] {
        for (t, bits) in [(1, 0), (1, 20), (4, 30), (5, 64), (6, 33), (8, 9)] {
            check_tables(Size { n, t, bits });
        }
    }
}

#[test]
fn table_9_is_table_8_but_for_the_ladder_and_a_rounding() {
    let methods = [Ladder, RightToLeft { t: 5 }, LeftToRight { t: 5 }];
    let rows =
        methods.iter().flat_map(|&method| [Form::Plain, Form::CommonOperand].map(|form| (method, form)));
    let Size { n, bits, .. } = TABLE_9;
    for ((method, form), printed) in rows.zip(TABLE_9_PRINTED) {
        let k = TABLE_9.k(method);
        assert_eq!(k, if method == Ladder { 2048 } else { 410 });
        let table_8 = Formulas::Printed.exponentiation(method, form, n, k);
        assert_eq!((table_8.additions + 500) / 1000, printed.0, "{method:?}, {form:?}");
        let multiplications = (table_8.multiplications + 500) / 1000;
        match (method, form) {
            // 7571.5 by Table VIII, 7508.0 counted. With 5n/2 instead of 7n/2, Table VIII would
            // give 7506.0.
            (Ladder, Form::Plain) => {
                let slip = u64::from(bits) * (7 * n * n / 2 + 5 * n / 2 - 1) + 4 * n * n + 2 * n;
                assert_eq!((multiplications, slip, printed.1), (7572, 7_505_984, 7506));
                let exact = Formulas::Exact.exponentiation(method, form, n, k);
                assert_eq!(exact.multiplications, 7_508_032);
            }
            // 4296.67, truncated.
            (RightToLeft { .. }, Form::Plain) => assert_eq!((multiplications, printed.1), (4297, 4296)),
            _ => assert_eq!(multiplications, printed.1, "{method:?}, {form:?}"),
        }
    }
    let improvement = |plain: u64, other: u64| (1000.0 * (1.0 - other as f64 / plain as f64)).round() / 10.0;
    let found: Vec<_> = TABLE_9_PRINTED
        .chunks(2)
        .map(|pair| (improvement(pair[0].0, pair[1].0), improvement(pair[0].1, pair[1].1)))
        .collect();
    // Printed: 12.9 and 12.6 %, 4 and 4.1 %, 7.9 and 7.9 %.
    assert_eq!(found, [(12.9, 12.5), (4.0, 4.1), (7.8, 7.9)]);
}

#[test]
fn table_10_improvements() {
    let improvement = |row: usize, size: usize| {
        let (plain, other) = (TABLE_10_PRINTED[row][size] as f64, TABLE_10_PRINTED[row + 1][size] as f64);
        (1000.0 * (1.0 - other / plain)).round() / 10.0
    };
    let found = [0, 2, 4].map(|row| [0, 1, 2].map(|size| improvement(row, size)));
    // Printed: 9.0, 9.1, 14.6 %; 0.1, 1.7, 4.0 %; −1, 3.1 and 8.3 %: the last is 6.7 %.
    assert_eq!(found, [[9.0, 9.1, 14.6], [0.1, 1.7, 4.0], [-1.0, 3.1, 6.7]]);
}

#[test]
fn the_claims_of_section_3() {
    for n in 1..=64 {
        let savings = savings(n).unwrap();
        let find = |what: &str| savings.iter().find(|saving| saving.what == what);
        // A pair by CombinedMontMul costs exactly as much as ℓ = 2 prepared products, minus the n
        // ADD of line 1.
        let (pair, two) = (find("AB, AC").unwrap(), find("ℓ = 2").unwrap());
        assert_eq!(pair.plain, two.plain);
        assert_eq!(pair.common_operand + WordCounts::new(n, 0), two.common_operand);
        // It saves from n = 4 on, up to 25 %.
        let (additions, multiplications) = pair.shares();
        assert_eq!(additions > 0.0 && multiplications > 0.0, n > 3, "{n}");
        assert_eq!(additions == 0.0 && multiplications == 0.0, n == 3, "{n}");
        assert!(additions < 0.25 && multiplications < 0.25);
        // Many products save up to 50 %.
        let many = find("ℓ = 4n").unwrap().shares();
        assert!(many.0 < 0.5 && many.1 < 0.5);
        if n == 64 {
            assert!(additions > 0.23 && multiplications > 0.23, "{:?}", pair.shares());
            assert!(many.0 > 0.48 && many.1 > 0.48, "{many:?}");
            // "When ℓ ≥ n".
            let n_products = find("ℓ = n").unwrap().shares();
            assert!(n_products.0 > 0.46 && n_products.1 > 0.46, "{n_products:?}");
            // 13 % compared with a product and a squaring; by the leading terms 1/7 for large n.
            let square = find("AB, A²").unwrap().shares();
            assert!(
                (0.13..1.0 / 7.0).contains(&square.0) && (0.13..1.0 / 7.0).contains(&square.1),
                "{square:?}"
            );
        }
    }
}

#[test]
fn the_memory_of_algorithm_10() {
    // 256 KB for 2048 bits and 1 MB for 4096 bits: t = 5 in both.
    assert_eq!(8 * stored_words(32, 5).unwrap(), 256 << 10);
    assert_eq!(8 * stored_words(64, 5).unwrap(), 1 << 20);
    for (n, t) in [(1, 1), (3, 2), (33, 5), (16, 8)] {
        assert_eq!(stored_words(n, t).unwrap(), (n * n) << t);
    }
}

#[test]
fn the_window_of_least_cost() {
    let windows = |n, bits, form| {
        let right = best_window(n, bits, |t| RightToLeft { t }, form).0;
        (right, best_window(n, bits, |t| LeftToRight { t }, form).0)
    };
    let found = [(16, 1024), (32, 2048), (64, 4096)]
        .map(|(n, bits)| [Form::Plain, Form::CommonOperand].map(|form| windows(n, bits, form)));
    assert_eq!(found, [[(5, 6), (5, 5)], [(6, 6), (6, 6)], [(6, 7), (6, 6)]]);
}

const METHODS: [Exponentiation; 5] =
    [Ladder, RightToLeft { t: 1 }, RightToLeft { t: 3 }, LeftToRight { t: 1 }, LeftToRight { t: 3 }];

/// For all exponents of a length and all bases, the recorded operations are the same, each with the
/// same counts.
#[test]
fn every_exponentiation_is_regular() {
    let mut random = Random(1);
    for (n, bits) in [(random.odd(254), 20), (random.odd(126), 30), (random.odd(64), 7)] {
        let montgomery = CountedMontgomery::<64>::new(&boxed(&n)).unwrap();
        for (method, form) in METHODS.iter().flat_map(|&m| [(m, Form::Plain), (m, Form::CommonOperand)]) {
            let trace = |base: &BoxedUint, exponent: &BoxedUint| {
                let mut meter = Meter::recording();
                montgomery.exponentiate(&mut meter, method, form, base, exponent, bits).unwrap();
                meter.trace().to_vec()
            };
            let expected = trace(&boxed(&random.below(254)), &boxed(&random.below(bits)));
            assert!(expected.len() as u32 > bits / 3);
            let exponents = extremes(bits).into_iter().chain((0..bits).map(|bits| random.below(bits)));
            for exponent in exponents.collect::<Vec<_>>() {
                let base = boxed(&random.below(254));
                assert_eq!(trace(&base, &boxed(&exponent)), expected, "{method:?}, {form:?}, {exponent}");
            }
            for base in [0, 1u64].map(BoxedUint::from) {
                assert_eq!(trace(&base, &base), expected, "{method:?}, {form:?}");
            }
        }
    }
}

/// The operations of each algorithm, in the paper's order.
#[test]
fn the_operations_are_those_of_the_algorithms() {
    use Operation::{CombinedMontMul, MontMul, MontSqu, MultByComOp, PrecompMultByComOp, Select, SmallRed};
    let montgomery = CountedMontgomery::<64>::new(&BoxedUint::from(1_000_003u64)).unwrap();
    let trace = |method, form| -> Vec<Operation> {
        let mut meter = Meter::recording();
        let exponent = BoxedUint::from(11u64);
        montgomery.exponentiate(&mut meter, method, form, &exponent, &exponent, 4).unwrap();
        meter.trace().iter().map(|(operation, _)| *operation).collect()
    };
    let ends = [MontMul, SmallRed];
    let joined = |parts: &[&[Operation]]| parts.concat();
    let ladder = [CombinedMontMul; 4];
    assert_eq!(trace(Ladder, Form::CommonOperand), joined(&[&ends, &ladder, &ends]));
    let ladder = [MontMul, MontSqu].repeat(4);
    assert_eq!(trace(Ladder, Form::Plain), joined(&[&[MontMul], &ladder, &[MontMul]]));
    // Two digits of two bits.
    let digit = [CombinedMontMul, Select, MontSqu, SmallRed].repeat(2);
    let end = [&ends[..], &[CombinedMontMul; 2], &ends, &ends].concat();
    assert_eq!(trace(RightToLeft { t: 2 }, Form::CommonOperand), joined(&[&ends, &digit, &end]));
    let digit = [MontMul, Select, MontSqu, MontSqu].repeat(2);
    assert_eq!(trace(RightToLeft { t: 2 }, Form::Plain), joined(&[&[MontMul], &digit, &[MontMul; 7]]));
    let entries = [MultByComOp, PrecompMultByComOp].repeat(3);
    let digit = [MontSqu, SmallRed, MontSqu, SmallRed, MultByComOp, Select].repeat(2);
    assert_eq!(
        trace(LeftToRight { t: 2 }, Form::CommonOperand),
        joined(&[&ends, &[PrecompMultByComOp], &entries, &digit, &ends])
    );
    let digit = [MontSqu, MontSqu, MontMul, Select].repeat(2);
    assert_eq!(trace(LeftToRight { t: 2 }, Form::Plain), joined(&[&[MontMul; 4], &digit, &[MontMul]]));
}

/// Algorithm 4 with 4-bit words, where carries out of the top word are lost, as in the paper.
fn square_with_lost_carries(a: u64, modulus: u64, n: u32) -> u64 {
    let bits = 4 * n;
    let word = |x: u64, i: u32| x >> (4 * i) & 15;
    let n_prime = (0..16).find(|x| (x * modulus + 1u64).is_multiple_of(16)).unwrap();
    let mut y = 0;
    for i in 0..n {
        let rest = a >> (4 * (i + 1)) << (4 * (i + 1));
        let row = (word(a, i) << (4 * i)) + ((2 * rest) & ((1 << bits) - 1));
        // Y has n + 1 words, and n after the shift.
        y = (y + word(a, i) * row) & ((1 << (bits + 4)) - 1);
        y = ((y + ((word(y, 0) * n_prime) & 15) * modulus) & ((1 << (bits + 4)) - 1)) >> 4;
        y &= (1 << bits) - 1;
    }
    if y >= modulus { y - modulus } else { y }
}

/// Algorithms 9 and 10 require N < 2^(wn−2) and N < 2^(wn−1). Algorithm 4 requires 2A + N ≤ 2^(wn).
#[test]
fn algorithm_4_overflows_without_room() {
    let mut wrong = [0, 0];
    for modulus in (257..1024).step_by(2) {
        let n = 3;
        let fits = |a: u64| 2 * a + modulus <= 1 << (4 * n);
        for a in 0..2 * modulus {
            let right = square_with_lost_carries(a, modulus, n) * 4096 % modulus == a * a % modulus;
            assert!(right || !fits(a), "{a}² mod {modulus}");
            wrong[usize::from(a >= modulus)] += u32::from(!right);
        }
    }
    assert_eq!(wrong[0], 0);
    assert!(wrong[1] > 0);
    // N is between 2^(wn−2) and 2^(wn−1), as Algorithm 10 allows. Results are wrong even for A < N.
    let modulus = 2045;
    let lost = |&a: &u64| square_with_lost_carries(a, modulus, 3) * 4096 % modulus != a * a % modulus;
    assert!((0..modulus).filter(lost).count() > 0);
}

/// After two SmallReds, up to N·(1 + 2n/2^w) remains. This is below 2N only if n ≤ 2^(w−1).
#[test]
fn algorithm_5_needs_words_long_enough_for_its_sum() {
    let (w, n, modulus, a, b) = (2, 7, 3107, 5347, 4095);
    assert!(n > 1 << (w - 1) && a < 2 * modulus && b < 2 * modulus && modulus < 1 << (w * n - 2));
    let n_prime = (0..4).find(|x| (x * modulus + 1u64).is_multiple_of(4)).unwrap();
    let reduce = |x: u64| (x + (x * n_prime % 4) * modulus) >> w;
    let rows = std::iter::successors(Some(a), |&x| Some(reduce(x)));
    let sum = (0..n).rev().zip(rows).map(|(j, row)| (b >> (w * j) & 3) * row).sum();
    assert!(reduce(reduce(sum)) >= 2 * modulus);
}

#[test]
fn the_page_shows_the_tables_as_counted() {
    let page = include_str!("../../../../docs/common-operand.md");
    for table in common_operand_text().unwrap().split("\n\n") {
        assert!(page.contains(table.trim_end()), "docs/common-operand.md should contain\n{table}");
    }
}

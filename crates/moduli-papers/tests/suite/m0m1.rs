//! The paper on m0m1 (WAIFI 2016): its worked example, its formulas, and its Table 3.

use crypto_bigint::BoxedUint;
use moduli::{FixedBase, Method, Modulus};
use moduli_papers::{self as paper, Complexity, M0m1, hamming_sum};
use num_bigint::BigUint;
use rayon::prelude::*;
use testing::{Random, boxed, extremes, ones};

#[test]
fn the_worked_example() {
    let k = BoxedUint::from(936_192u64);
    let example = M0m1::new(11, 8, 20).unwrap();
    assert_eq!((example.radix(), example.digits()), (88, 4));
    assert_eq!((example.m0_prime(), example.m1_prime()), (56, 33));
    let entries: Vec<_> = (0..11).map(|j| example.table_exponent(j)).collect();
    assert_eq!(entries, [33, 1, 57, 25, 81, 49, 17, 73, 41, 9, 65]);

    let recoding = example.recode(&k).unwrap();
    assert_eq!(recoding.digits, [48, 78, 32, 1]);
    assert_eq!(recoding.kappa, [(5, 0), (2, 6), (8, 5), (3, 7)]);
    assert_eq!(recoding.carry, -2);

    let run = example.exponentiate(&k).unwrap();
    assert_eq!(run.entries, [(0, 5), (0, -1), (1, 2), (2, 8), (3, 3), (4, -1)]);
    let buckets = [(0, 48), (6, 5016), (5, 317_504), (7, 17_036_800), (2, -59_969_536)];
    for (j, exponent) in buckets {
        assert!(run.buckets[j].as_ref().is_some_and(|bucket| *bucket == exponent), "K_{j}");
    }
    assert_eq!(run.buckets.iter().flatten().count(), buckets.len());
    assert_eq!(run.power, 936_192);
}

/// Every algorithm must return the power with the given exponent.
#[test]
fn every_algorithm_rebuilds_the_exponent() {
    let mut random = Random(1);
    for t in [1, 20, 64, 224, 521] {
        let mut exponents = extremes(t);
        exponents.extend((0..20).map(|_| random.below(t)));
        for k in exponents.iter().map(boxed) {
            for run in [
                paper::square_multiply(&k, t),
                paper::radix(&k, 2, t),
                paper::radix(&k, 91, t),
                paper::comb(&k, 1, t),
                paper::comb(&k, 6, t),
                M0m1::new(11, 8, t).unwrap().exponentiate(&k).unwrap(),
                M0m1::new(3, 2, t).unwrap().exponentiate(&k).unwrap(),
            ] {
                assert!(!run.power.is_negative() && run.power.magnitude() == k, "{k}: {run:?}");
            }
        }
    }
    let long = boxed(&(ones(20) + 1u32));
    assert!(M0m1::new(11, 8, 20).unwrap().recode(&long).is_err());
    assert!(M0m1::new(6, 5, 20).is_err());
}

/// The mean products and squarings of [`FixedBase::pow_vartime`] for random exponents. Half of them
/// are the complements of the other half, which cancels the variation of the Hamming weight.
fn mean_counts(method: Method, t: u32, exponents: &[BoxedUint]) -> (f64, f64) {
    let p = Modulus::new(&BoxedUint::from(0xffff_ffff_ffff_ffc5u64)).unwrap();
    let table =
        FixedBase::builder(&p, &BoxedUint::from(3u64)).exponent_bits(t).method(method).build().unwrap();
    let (products, squarings) = exponents
        .par_iter()
        .map(|k| table.pow_with_counts_vartime(k).unwrap().1)
        .map(|counts| (counts.products, counts.squarings))
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    (products as f64 / exponents.len() as f64, squarings as f64 / exponents.len() as f64)
}

fn exponents(t: u32, pairs: usize) -> Vec<BoxedUint> {
    let mut random = Random(u64::from(t));
    let half: Vec<_> = (0..pairs).map(|_| random.below(t)).collect();
    half.iter().flat_map(|k| [boxed(k), boxed(&(ones(t) - k))]).collect()
}

#[track_caller]
fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 0.05, "counted {found}, formula {expected}");
}

/// The probability that digit i in radix R of an exponent below 2^t is 0: about 1/R, but greater at
/// the top.
fn zero_digit(radix: u32, i: u32, t: u32) -> f64 {
    let all = BigUint::from(1u32) << t;
    let (below, period) = (BigUint::from(radix).pow(i), BigUint::from(radix).pow(i + 1));
    let count = &all / &period * &below + (&all % &period).min(below);
    // The quotient with 64 bits.
    ((count << 64u32) / all).to_u64_digits().first().map_or(0.0, |&x| x as f64 / 2f64.powi(64))
}

#[test]
fn table_1_holds_on_average() {
    for t in [160, 256] {
        let exponents = exponents(t, 5000);
        // Algorithm 1. The leading bit assigns instead of multiplying, and its expected position is
        // t − 1, not t: leading zeros are not squared.
        let method = "comb:1,1".parse().unwrap();
        let (formula, found) = (Complexity::of(method, t), mean_counts(method, t, &exponents));
        assert_close(found.0, formula.products - 1.0);
        assert_close(found.1, formula.squarings - 1.0);
        // Algorithm 2. The first product is an assignment, and a digit 0 has no entry.
        for radix in [31u32, 91, 256] {
            let method = Method::Radix { radix };
            let (formula, found) = (Complexity::of(method, t), mean_counts(method, t, &exponents));
            let zeros: f64 = (0..formula.products as u32).map(|i| zero_digit(radix, i, t)).sum();
            assert_close(found.0, formula.products - 1.0 - zeros);
            assert_eq!(found.1, 0.0);
        }
        // Algorithm 3. The first product is an assignment. A column of w zeros is skipped (w − 1
        // zeros in the columns with padding). Columns of zeros at the top are not squared.
        for w in [3u32, 6, 9] {
            let method = Method::Comb { teeth: w, tables: 1, short_tables: 0 };
            let (formula, found) = (Complexity::of(method, t), mean_counts(method, t, &exponents));
            let padded = f64::from(w * t.div_ceil(w) - t);
            let zero = 0.5f64.powi(w as i32);
            let zeros = (formula.products - padded) * zero + padded * 2.0 * zero;
            assert_close(found.0, formula.products - 1.0 - zeros);
            let top = if padded > 0.0 { 2.0 * zero } else { zero };
            assert_close(found.1, formula.squarings - top / (1.0 - zero));
        }
    }
}

#[test]
fn table_2_holds_on_average() {
    for (t, m0, m1) in
        [(224, 11, 9), (224, 31, 7), (224, 127, 7), (256, 17, 11), (256, 47, 7), (384, 19, 11), (512, 41, 10)]
    {
        let exponents = exponents(t, 10_000);
        let method = Method::M0m1 { m0, m1 };
        let (formula, found) = (Complexity::of(method, t), mean_counts(method, t, &exponents));
        // The sum of the lines of Table 2 is one product more than its total: that of step 10,
        // which is performed if the carry is not 0.
        let paper = M0m1::new(m0, m1, t).unwrap();
        let carries = exponents.par_iter().filter(|k| paper.recode(k).unwrap().carry != 0).count();
        let carry = carries as f64 / exponents.len() as f64;
        // A digit that is exactly 0 saves its two products. The formula counts an empty bucket as
        // assigned; it saves one product for each one bit of its number.
        let digits = paper.digits() as f64;
        let zeros = digits / f64::from(m0 * m1);
        let empty = (1.0 - 1.0 / f64::from(m1)).powf(digits) * f64::from(hamming_sum(m1) - (m1 - 1));
        let expected = formula.products + carry - 2.0 * zeros - empty;
        println!(
            "{t} {method}: Table 2 {:.2}, P(C ≠ 0) {carry:.2}, counted {:.2}",
            formula.products, found.0
        );
        assert_close(found.0, expected);
        assert_close(found.1, formula.squarings);
        assert!((0.15..0.7).contains(&carry), "{carry}");
    }
}

#[test]
fn what_the_paper_does_not_compare_with_costs_what_is_said() {
    for (t, method) in [(224, "comb:7,3"), (256, "comb:8,5"), (384, "comb:9,7"), (512, "comb:8,3")] {
        let method = method.parse().unwrap();
        let (formula, found) = (Complexity::of(method, t), mean_counts(method, t, &exponents(t, 5000)));
        assert_close(found.0, formula.products);
        assert_close(found.1, formula.squarings);
    }
    for (t, m0, m1) in [(224, 11, 7), (256, 43, 6), (384, 19, 9), (512, 41, 10)] {
        let method = Method::ResidueDigits { m0, m1 };
        let (formula, found) = (Complexity::of(method, t), mean_counts(method, t, &exponents(t, 5000)));
        println!("{t} {method}: at most {}, counted {:.2}", formula.products, found.0);
        assert!((formula.products - 1.0..=formula.products).contains(&found.0), "{found:?}");
    }
}

#[test]
fn every_cell_of_table_3_is_reproduced() {
    let rows = paper::table3();
    assert_eq!(rows.len(), 24);
    for row in &rows {
        for cell in [Some(row.comb), Some(row.radix), row.m0m1].into_iter().flatten() {
            let kilobytes = row.kilobytes(cell.values);
            assert!((kilobytes - cell.printed_kb).abs() < 2.0, "{cell:?}: {kilobytes} kB");
            let cost = Complexity::of(cell.method, row.exponent_bits).products_in_all();
            let off = cost / row.printed_products - 1.0;
            assert!(off.abs() < 0.092, "{cell:?} costs {cost}, label {}", row.printed_products);
        }
    }
}

#[test]
fn at_equal_storage_the_comb_of_several_tables_is_faster_than_m0m1() {
    let comparisons: Vec<_> = paper::table3().iter().filter_map(paper::Row::comparison).collect();
    assert_eq!(comparisons.len(), 23);
    let range = |of: &dyn Fn(&paper::Comparison) -> f64| {
        comparisons.iter().map(of).fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)))
    };
    let cost = |choice: &paper::Choice| choice.complexity.products_in_all();
    let storage = |choice: &paper::Choice| choice.complexity.storage as f64;
    let lim_lee = range(&|found| 1.0 - cost(&found.lim_lee) / cost(&found.published));
    let smaller = range(&|found| storage(&found.published) / storage(&found.lim_lee_smallest));
    let repaired = range(&|found| 1.0 - cost(&found.repaired) / cost(&found.published));
    println!("{}", paper::table3_text());
    println!("Lim-Lee faster {lim_lee:?}, smaller {smaller:?}; repaired faster {repaired:?}");
    // In every row, 5 to 20 % faster, or 1.2 to 8.4 times smaller.
    assert!(lim_lee.0 > 0.048 && lim_lee.1 < 0.2);
    assert!(smaller.0 > 1.2 && smaller.1 < 8.5);
    // The repaired form is always better. Its worst case is compared with the mean of the published
    // form.
    assert!(repaired.0 > 0.033 && repaired.1 < 0.14);
}

#[test]
fn the_page_shows_table_3_as_computed() {
    let page = include_str!("../../../../docs/m0m1.md");
    for table in paper::table3_text().split("\n\n") {
        assert!(page.contains(table.trim_end()), "docs/m0m1.md should contain\n{table}");
    }
}

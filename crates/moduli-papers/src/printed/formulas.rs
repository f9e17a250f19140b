//! m0m1, Tables 1 and 2: the formulas compared with counted runs of the algorithms.

use alloc::{collections::BTreeSet, format, vec::Vec};

use crypto_bigint::BoxedUint;

use super::cell::{Compared, Precision, PrintedTable};
use crate::{
    classical::{comb, digit_count, radix, square_multiply},
    complexity::hamming_sum,
    m0m1::M0m1,
    power::Run,
    random,
};
use moduli::Error;
use moduli_kernel::limbs;

/// The tolerance between a counted mean and an expected one.
const MEAN: Precision = Precision::Within(0.05);

/// The reason for most differences of Table 1.
const ASSIGNED: &str = "the first product is an assignment, and a digit or column of zeros has no entry: the formula counts both";

/// H for m1 = 2 … 9, from the table in section 4.3.
const PRINTED_HAMMING_SUMS: [u64; 8] = [1, 2, 4, 5, 7, 9, 12, 13];

/// t, and w of the comb and R of radix-R in the first row of each part of Table 3.
const TABLE_1_SIZES: [(u32, u32, u32); 4] = [(224, 9, 31), (256, 10, 47), (384, 11, 67), (512, 11, 59)];

/// t, m0 and m1, all from Table 3.
const TABLE_2_SIZES: [(u32, u32, u32); 7] =
    [(224, 11, 9), (224, 31, 7), (224, 127, 7), (256, 17, 11), (256, 47, 7), (384, 19, 11), (512, 41, 10)];

/// Mean products and squarings.
struct Mean {
    products: f64,
    squarings: f64,
}

/// Pairs of an exponent and its complement, which cancel the variation of the Hamming weight.
fn exponents(t: u32, pairs: u64) -> impl Iterator<Item = BoxedUint> {
    let top = if t.is_multiple_of(64) { u64::MAX } else { (1 << (t % 64)) - 1 };
    (0..pairs).flat_map(move |seed| {
        let number = random::below(t, seed << 16 | u64::from(t));
        let mut complement: Vec<u64> = number.iter().map(|word| !word).collect();
        if let Some(last) = complement.last_mut() {
            *last &= top;
        }
        [limbs::from_limbs(&number), limbs::from_limbs(&complement)]
    })
}

fn mean(t: u32, pairs: u64, run: impl Fn(&BoxedUint) -> Result<Run, Error>) -> Result<Mean, Error> {
    let (mut products, mut squarings) = (0, 0);
    for exponent in exponents(t, pairs) {
        let run = run(&exponent)?;
        products += run.products;
        squarings += run.squarings;
    }
    let count = (2 * pairs.max(1)) as f64;
    Ok(Mean { products: products as f64 / count, squarings: squarings as f64 / count })
}

/// The number of pairs of exponents. They read every entry; the rarest one of Table 1's sizes some
/// sixty times.
const READERS: u64 = 2_000;

/// The entries that exponents below 2^t read.
fn entries(t: u32, run: impl Fn(&BoxedUint) -> Run) -> BTreeSet<(usize, i64)> {
    exponents(t, READERS).flat_map(|exponent| run(&exponent).entries).collect()
}

fn power_of_two(exponent: i32) -> f64 {
    let factor = if exponent < 0 { 0.5 } else { 2.0 };
    (0..exponent.unsigned_abs()).fold(1.0, |power, _| power * factor)
}

/// The average number of zero digits in radix R of an exponent below 2^t.
fn zero_digits(radix: u32, t: u32) -> f64 {
    let radix = f64::from(radix);
    let (mut zeros, mut periods) = (0.0, power_of_two(t as i32) / radix);
    // `periods` = 2^t/R^(i+1): how many times digit i runs through all values. The last time may be
    // incomplete.
    while periods * radix > 1.0 {
        zeros += if periods > 1e9 {
            1.0 / radix
        } else {
            let whole = periods as u64 as f64;
            (whole / radix + (periods - whole).min(1.0 / radix)) / periods
        };
        periods /= radix;
    }
    zeros
}

/// Table 1 at the four larger sizes, counted over `pairs` exponents and their complements.
///
/// # Errors
/// None for these sizes.
pub fn m0m1_table_1(pairs: u64) -> Result<PrintedTable, Error> {
    let mut cells = Vec::new();
    for (t, w, r) in TABLE_1_SIZES {
        let bits = f64::from(t);
        let row = format!("square-and-multiply, t = {t}");
        let found = mean(t, pairs, |k| Ok(square_multiply(k, t)))?;
        cells.push(
            Compared::new(&row, "#MM", bits / 2.0, MEAN, found.products)
                .because("the first product is an assignment", found.products + 1.0),
        );
        cells.push(
            Compared::new(&row, "#MS", bits - 1.0, MEAN, found.squarings)
                .because("leading zeros are not squared, one on average", found.squarings + 1.0),
        );

        let row = format!("radix-R, R = {r}, t = {t}");
        let digits = digit_count(r.into(), t);
        let found = mean(t, pairs, |k| Ok(radix(k, r, t)))?;
        cells.push(
            Compared::new(&row, "#MM", digits as f64, MEAN, found.products)
                .because(ASSIGNED, found.products + 1.0 + zero_digits(r, t)),
        );
        let read = entries(t, |k| radix(k, r, t));
        let of_top = read.range((digits - 1, i64::MIN)..).count();
        let missing = r as usize - 1 - of_top;
        cells.push(
            Compared::count(&row, "storage", digits as u64 * u64::from(r - 1), read.len() as u64).because(
                "the top digit is small, so its row of entries is short, but the formula counts a full row",
                (read.len() + missing) as f64,
            ),
        );

        let row = format!("comb, w = {w}, t = {t}");
        let columns = t.div_ceil(w);
        let found = mean(t, pairs, |k| Ok(comb(k, w, t)))?;
        // The columns with padding have one tooth less.
        let padded = f64::from(w * columns - t);
        let zero = power_of_two(-(w as i32));
        let zeros = (f64::from(columns) - padded) * zero + padded * 2.0 * zero;
        cells.push(
            Compared::new(&row, "#MM", columns.into(), MEAN, found.products)
                .because(ASSIGNED, found.products + 1.0 + zeros),
        );
        cells.push(Compared::new(&row, "#MS", f64::from(columns - 1), MEAN, found.squarings));
        let read = entries(t, |k| comb(k, w, t));
        cells.push(Compared::count(&row, "storage", (1 << w) - 1, read.len() as u64));
    }
    Ok(PrintedTable {
        name: "m0m1, Table 1",
        about: "The formulas for the parameters in the first rows of Table 3, compared with mean counts of the literal algorithms over \
                random exponents, half of them the complements of the other half; within 0.05. Storage is of the values that are read.",
        cells,
    })
}

/// Table 2: total, sum of its lines and storage, counted over `pairs` exponents and their complements.
///
/// # Errors
/// None for these sizes.
pub fn m0m1_table_2(pairs: u64) -> Result<PrintedTable, Error> {
    let mut cells = Vec::new();
    for (t, m0, m1) in TABLE_2_SIZES {
        let row = format!("t = {t}, m0 = {m0}, m1 = {m1}");
        let method = M0m1::new(m0, m1, t)?;
        let (digits, buckets) = (method.digits() as f64, f64::from(m1));
        let weights = f64::from(hamming_sum(m1));
        let total = digits * (buckets + 1.0) / buckets - buckets + weights;
        let lines = 2.0 * digits / buckets + digits * (buckets - 1.0) / buckets + 1.0 + (weights - 1.0) + 1.0
            - buckets;
        cells.push(
            Compared::new(&row, "sum of the lines, MM", total, Precision::Within(1e-9), lines)
                .because("the total leaves out the product of step 10", lines - 1.0),
        );

        let mut carries = 0u64;
        for exponent in exponents(t, pairs) {
            carries += u64::from(method.recode(&exponent)?.carry != 0);
        }
        let carry = carries as f64 / (2 * pairs.max(1)) as f64;
        let found = mean(t, pairs, |k| method.exponentiate(k))?;
        let zeros = 2.0 * zero_digits(m0 * m1, t);
        let never = (0..method.digits()).fold(1.0, |chance, _| chance * (1.0 - 1.0 / buckets));
        let empty = never * (weights - (buckets - 1.0));
        cells.push(Compared::new(&row, "total, MM", total, MEAN, found.products).because(
            "the total leaves out step 10, which is performed where C ≠ 0, and counts digits that are 0 and buckets that stay \
             empty: the counts without the first and with the others give the printed value",
            found.products - carry + zeros + empty,
        ));
        // W is the length of m1 in bits.
        let squarings = f64::from(m1.ilog2());
        cells.push(Compared::new(&row, "total, MS", squarings, MEAN, found.squarings));
        let printed = u64::from(m0 + 1) * method.digits() as u64 + u64::from(m1) + 2;
        cells.push(Compared::count(&row, "storage", printed, method.storage()).because(
            "m1 + 1 values too many: the algorithm reads only the text's (m0 + 1)·ℓ + 1",
            (method.storage() + u64::from(m1) + 1) as f64,
        ));
    }
    Ok(PrintedTable {
        name: "m0m1, Table 2",
        about: "The formulas for seven parameters of Table 3, compared with their own lines and mean counts of Algorithms 4 and 5 over \
                random exponents; within 0.05.",
        cells,
    })
}

/// The sums of Hamming weights in section 4.3, and further ones for Table 3.
pub fn hamming_sums() -> PrintedTable {
    let cells = (2..).zip(PRINTED_HAMMING_SUMS);
    let cells = cells
        .map(|(m1, printed)| Compared::count(format!("m1 = {m1}"), "H", printed, hamming_sum(m1).into()));
    PrintedTable {
        name: "m0m1, H of section 4.3",
        about: "The sum of the Hamming weights of 1 … m1 − 1. Table 3 also uses m1 = 10 and 11: H = 15 and 17.",
        cells: cells.collect(),
    }
}

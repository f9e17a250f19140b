//! Costs by a smooth formula in the words of a residue, for tests of the search. Built-in costs can change
//! with a new measurement.

use super::{Costs, Level, PerByte, Split, preparation_words, product_words};
use crate::dimensions::Dimensions;

impl Costs {
    /// Costs close to those of the portable kernel.
    pub fn by_formula(kernel: &Dimensions) -> Self {
        let words = kernel.residue_words;
        let (squaring, pair, split) = (portable_squaring(words), portable_pair(words), portable_split);
        Self {
            words,
            squaring,
            pair,
            enter: split(words, 1).product + 5.0 * words as f64,
            leave: 0.6 * split(words, 1).product,
            splits: (1..=kernel.max_split).map(|pieces| split(words, pieces)).collect(),
            scan: PerByte { fixed: 8.0, byte: 0.025 },
            near: [0.025, 0.025, 0.028, 0.05, 0.07],
            update: PerByte { fixed: 8.0, byte: 0.05 },
            levels: [
                (0.025, [3.0, 15.0, 120.0]),
                (0.025, [7.0, 40.0, 300.0]),
                (0.028, [15.0, 100.0, 350.0]),
                (0.05, [35.0, 200.0, 500.0]),
                (0.07, [55.0, 280.0, 600.0]),
                (0.08, [80.0, 370.0, 700.0]),
                (0.11, [110.0, 450.0, 900.0]),
                (0.13, [140.0, 550.0, 1100.0]),
                (0.15, [180.0, 650.0, 1300.0]),
            ]
            .map(|(scan, entry)| Level { scan, entry }),
            lanes: None,
        }
    }
}

fn portable_squaring(words: usize) -> f64 {
    let n = words as f64;
    0.765 * 1.5 * n * n + 8.0 * n + 90.0
}

fn portable_pair(words: usize) -> f64 {
    let n = words as f64;
    (2.0 * portable_split(words, 1).product).min(0.725 * 3.0 * n * n + 22.0 * n + 200.0)
}

fn portable_split(words: usize, pieces: usize) -> Split {
    let n = words as f64;
    let (product, preparation) = match pieces {
        1 => (0.725 * product_words(words, 1) + 5.0 * n + 60.0, 5.0 + 0.1 * n),
        _ => (
            0.81 * product_words(words, pieces) + 6.0 * n + 100.0,
            0.75 * preparation_words(words, pieces) + pieces as f64 * (5.0 * n + 100.0),
        ),
    };
    Split { pieces, product, preparation }
}

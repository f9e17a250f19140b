//! Costs as a line of text: names, each followed by its numbers.

use alloc::{borrow::Cow, vec::Vec};
use core::{fmt, str::FromStr};

use super::{Costs, LEVELS, LaneCosts, Level, PerByte, Split};
use crate::error::Error;

impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { words, squaring, pair, enter, leave, splits, scan, near, update, levels, lanes } = self;
        write!(f, "words {words} squaring {squaring} pair {pair} enter {enter} leave {leave}")?;
        write!(f, " scan {} {} update {} {} near", scan.fixed, scan.byte, update.fixed, update.byte)?;
        near.iter().try_for_each(|time| write!(f, " {time}"))?;
        write!(f, " levels")?;
        for Level { scan, entry } in levels {
            write!(f, " {scan}")?;
            entry.iter().try_for_each(|time| write!(f, " {time}"))?;
        }
        if let Some(LaneCosts { lanes, product, squaring, put, take, look_up, once }) = lanes {
            write!(
                f,
                " lanes {lanes} {product} {squaring} {put} {take} {} {} {once}",
                look_up.fixed, look_up.byte
            )?;
        }
        write!(f, " splits")?;
        splits.iter().try_for_each(|Split { pieces, product, preparation }| {
            write!(f, " {pieces} {product} {preparation}")
        })
    }
}

/// The tokens of a line.
struct Tokens<'a>(core::str::SplitAsciiWhitespace<'a>);

impl Tokens<'_> {
    fn name(&mut self, name: &str) -> Result<(), Error> {
        match self.0.next() {
            Some(found) if found == name => Ok(()),
            _ => Err(malformed(name)),
        }
    }

    fn number<T: FromStr>(&mut self) -> Result<T, Error> {
        self.0.next().and_then(|token| token.parse().ok()).ok_or_else(|| malformed("a number"))
    }

    fn numbers<const N: usize>(&mut self, name: &str) -> Result<[f64; N], Error> {
        self.name(name)?;
        let mut numbers = [0.0; N];
        numbers.iter_mut().try_for_each(|number| self.number().map(|found| *number = found))?;
        Ok(numbers)
    }
}

fn malformed(wanted: &str) -> Error {
    Error::costs(alloc::format!("{wanted} is missing"))
}

impl FromStr for Costs {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self, Error> {
        let mut tokens = Tokens(line.split_ascii_whitespace());
        tokens.name("words")?;
        let words = tokens.number()?;
        let [squaring] = tokens.numbers("squaring")?;
        let [pair] = tokens.numbers("pair")?;
        let [enter] = tokens.numbers("enter")?;
        let [leave] = tokens.numbers("leave")?;
        let [scan, update] = ["scan", "update"].map(|name| tokens.numbers(name));
        let per_byte = |[fixed, byte]: [f64; 2]| PerByte { fixed, byte };
        let (scan, update) = (per_byte(scan?), per_byte(update?));
        let near = tokens.numbers("near")?;
        let flat: [f64; 4 * LEVELS.len()] = tokens.numbers("levels")?;
        let (fours, _) = flat.as_chunks::<4>();
        let mut levels = [Level { scan: 0.0, entry: [0.0; 3] }; LEVELS.len()];
        for (level, &[scan, one, eight, all]) in levels.iter_mut().zip(fours) {
            *level = Level { scan, entry: [one, eight, all] };
        }
        let mut lanes = None;
        if tokens.0.clone().next() == Some("lanes") {
            let [count, product, squaring, put, take, fixed, byte, once] = tokens.numbers("lanes")?;
            let look_up = per_byte([fixed, byte]);
            lanes = Some(LaneCosts { lanes: count as usize, product, squaring, put, take, look_up, once });
        }
        tokens.name("splits")?;
        let mut splits = Vec::new();
        while let Some(pieces) = tokens.0.next() {
            let pieces = pieces.parse().map_err(|_| malformed("a number of pieces"))?;
            splits.push(Split { pieces, product: tokens.number()?, preparation: tokens.number()? });
        }
        if splits.is_empty() {
            return Err(malformed("a split"));
        }
        Ok(Self {
            words,
            squaring,
            pair,
            enter,
            leave,
            splits: Cow::Owned(splits),
            scan,
            near,
            update,
            levels,
            lanes,
        })
    }
}

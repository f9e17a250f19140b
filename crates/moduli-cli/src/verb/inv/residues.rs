//! Inversion in the residue number system: the shape, the algorithm, and the cost.

use clap::Args;
use crypto_bigint::BoxedUint;
use moduli::Error;
use moduli_rns::{
    base::BaseShape,
    inverse::{
        Binary, BinaryTernary, DEFAULT_WIDE_MODULUS, DivisionSteps, Fermat, Jump, Options, Wide,
        fermat::Ladder,
    },
    observe::{ChannelCounts, Counter},
};
use serde::Serialize;

use crate::failure::Failure;

/// The shape of the base and the parameters of the algorithms.
#[derive(Args)]
pub struct Parameters {
    /// Bits of a modulus of the base, 8 to 64 [default: 64, or the least that holds the modulus].
    #[arg(long, value_name = "W")]
    width: Option<u32>,

    /// The number of moduli of the base [default: the fewest that hold the modulus].
    #[arg(long, value_name = "N")]
    channels: Option<usize>,

    /// The number Q by whose divisors the method wide divides: a multiple of 4 [default: 144].
    #[arg(long, value_name = "Q")]
    wide_modulus: Option<u64>,

    /// The most bits of a lattice jump, 1 to 64, or the division steps of a jump, 1 to 62 and below the
    /// width [default: 32, or one less than the width if that is less].
    #[arg(long, value_name = "K")]
    jump_bits: Option<u32>,
}

/// The cost of an inversion.
#[derive(Serialize)]
pub struct Cost {
    channels: usize,
    width: u32,
    counts: Named,
}

/// Operation counts, with the names of the literature.
#[derive(Serialize)]
struct Named {
    /// Elementary modular multiplications.
    emm: u64,
    /// Elementary modular additions.
    ema: u64,
    /// Small multiply-accumulates.
    mac: u64,
    /// Evaluations of the Cox.
    cox: u64,
    outer_iterations: u64,
    inner_iterations: u64,
}

impl From<ChannelCounts> for Named {
    fn from(counts: ChannelCounts) -> Self {
        Self {
            emm: counts.multiplications,
            ema: counts.additions,
            mac: counts.small_products,
            cox: counts.cox,
            outer_iterations: counts.outer,
            inner_iterations: counts.inner,
        }
    }
}

impl Cost {
    /// Runs an inversion with counters.
    fn of(
        shape: BaseShape,
        invert: impl FnOnce(&mut Counter) -> Result<BoxedUint, Error>,
    ) -> Result<(BoxedUint, Self), Failure> {
        let mut counter = Counter::default();
        let inverse = invert(&mut counter)?;
        let BaseShape { channels, width } = shape;
        Ok((inverse, Self { channels, width, counts: counter.total().into() }))
    }

    /// Each count with its name.
    pub fn lines(&self) -> [(&'static str, u64); 8] {
        [
            ("channels", self.channels as u64),
            ("width", self.width.into()),
            ("EMM", self.counts.emm),
            ("EMA", self.counts.ema),
            ("MAC", self.counts.mac),
            ("Cox", self.counts.cox),
            ("outer iterations", self.counts.outer_iterations),
            ("inner iterations", self.counts.inner_iterations),
        ]
    }
}

impl Parameters {
    /// Rejects parameters that the algorithm does not have.
    pub fn check(&self, in_residues: bool, is_wide: bool, has_jumps: bool) -> Result<(), Failure> {
        let belongs = |option: &str, to: &str| Err(Failure::Usage(format!("{option} requires {to}")));
        for (option, given) in [("--width", self.width.is_some()), ("--channels", self.channels.is_some())] {
            if given && !in_residues {
                return belongs(option, "the algorithms in residues");
            }
        }
        if !is_wide && self.wide_modulus.is_some() {
            return belongs("--wide-modulus", "--algorithm wide");
        }
        if !has_jumps && self.jump_bits.is_some() {
            return belongs("--jump-bits", "--algorithm jump and --algorithm divstep");
        }
        Ok(())
    }

    /// By Fermat's theorem.
    pub fn fermat(&self, p: &BoxedUint, value: &BoxedUint) -> Result<(BoxedUint, Cost), Failure> {
        let (shape, method) = self.build(p, |shape| Fermat::new(p, shape, Ladder::BestWindow))?;
        Cost::of(shape, |counter| method.invert_observed(value, counter))
    }

    /// By binary plus-minus.
    pub fn binary(&self, p: &BoxedUint, value: &BoxedUint) -> Result<(BoxedUint, Cost), Failure> {
        let (shape, method) = self.build(p, |shape| Binary::new(p, shape, &Options::default()))?;
        Cost::of(shape, |counter| method.invert_observed_vartime(value, counter))
    }

    /// By binary-ternary plus-minus.
    pub fn binary_ternary(&self, p: &BoxedUint, value: &BoxedUint) -> Result<(BoxedUint, Cost), Failure> {
        let (shape, method) = self.build(p, |shape| BinaryTernary::new(p, shape, &Options::default()))?;
        Cost::of(shape, |counter| method.invert_observed_vartime(value, counter))
    }

    /// By wide plus-minus.
    pub fn wide(&self, p: &BoxedUint, value: &BoxedUint) -> Result<(BoxedUint, Cost), Failure> {
        let q = self.wide_modulus.unwrap_or(DEFAULT_WIDE_MODULUS);
        let (shape, method) = self.build(p, |shape| Wide::new(p, q, shape, &Options::default()))?;
        Cost::of(shape, |counter| method.invert_observed_vartime(value, counter))
    }

    /// By lattice jumps.
    pub fn jump(
        &self,
        p: &BoxedUint,
        value: &BoxedUint,
        vartime: bool,
    ) -> Result<(BoxedUint, Cost), Failure> {
        let (shape, method) = self.build(p, |shape| Jump::new(p, shape, self.jump_bits_at(shape)))?;
        Cost::of(shape, |counter| {
            if vartime {
                method.invert_observed_vartime(value, counter)
            } else {
                method.invert_observed(value, counter)
            }
        })
    }

    /// By division steps.
    pub fn division_steps(&self, p: &BoxedUint, value: &BoxedUint) -> Result<(BoxedUint, Cost), Failure> {
        let (shape, method) =
            self.build(p, |shape| DivisionSteps::new(p, shape, self.jump_bits_at(shape)))?;
        Cost::of(shape, |counter| method.invert_observed(value, counter))
    }

    fn jump_bits_at(&self, shape: BaseShape) -> u32 {
        self.jump_bits.unwrap_or(shape.width.saturating_sub(1).clamp(1, 32))
    }

    /// The method over the first shape that is large enough for the modulus. That is the requested
    /// shape; otherwise the one with the fewest channels and, for a given number of channels, the
    /// narrowest.
    fn build<T>(
        &self,
        p: &BoxedUint,
        new: impl Fn(BaseShape) -> Result<T, Error>,
    ) -> Result<(BaseShape, T), Failure> {
        let (first, others) = self.shapes(p);
        let mut result = new(first).map(|method| (first, method));
        for shape in others {
            if result.is_ok() {
                break;
            }
            result = new(shape).map(|method| (shape, method));
        }
        Ok(result?)
    }

    /// The shapes to try. The methods need some bits more than the modulus has, and the moduli of a
    /// base are below 2^w.
    fn shapes(&self, p: &BoxedUint) -> (BaseShape, Vec<BaseShape>) {
        let needed = p.bits_vartime().saturating_add(4);
        match (self.channels, self.width) {
            (Some(channels), Some(width)) => (BaseShape { channels, width }, Vec::new()),
            (Some(channels), None) => {
                let least = needed.div_ceil(u32::try_from(channels.max(1)).unwrap_or(u32::MAX)).clamp(8, 64);
                let wider = (least + 1..=64).map(|width| BaseShape { channels, width });
                (BaseShape { channels, width: least }, wider.collect())
            }
            (None, width) => {
                let width = width.unwrap_or(64);
                let least = needed.div_ceil(width.max(1)) as usize;
                let more = (least + 1..=least + 2).map(|channels| BaseShape { channels, width });
                (BaseShape { channels: least, width }, more.collect())
            }
        }
    }
}

//! The base of a table.

use clap::Args;
use crypto_bigint::BoxedUint;
use moduli::{Modulus, groups::Group};

use crate::{failure::Failure, io::number};

/// A named group, or a modulus and a base.
#[derive(Args)]
#[group(required = true, multiple = true)]
pub struct Target {
    /// The generator of this group (see `moduli groups`).
    #[arg(long, value_name = "NAME", conflicts_with_all = ["modulus", "base"])]
    group: Option<String>,

    /// The modulus: odd (tables hold Montgomery forms) and greater than one.
    #[arg(long, value_name = "HEX", requires = "base")]
    modulus: Option<String>,

    /// The base.
    #[arg(long, value_name = "HEX", requires = "modulus")]
    base: Option<String>,
}

/// The same, but optional.
#[derive(Args)]
#[group(multiple = true)]
pub struct Expected {
    /// The table must be one for the generator of this group (see `moduli groups`).
    #[arg(long, value_name = "NAME", conflicts_with_all = ["modulus", "base", "digest"])]
    group: Option<String>,

    /// The modulus that the table must have.
    #[arg(long, value_name = "HEX", requires = "base", conflicts_with = "digest")]
    modulus: Option<String>,

    /// The base that the table must have.
    #[arg(long, value_name = "HEX", requires = "modulus")]
    base: Option<String>,
}

impl Expected {
    /// Reads the named base, if there is one.
    pub fn base(&self) -> Result<Option<Base>, Failure> {
        let Self { group, modulus, base } = self;
        if group.is_none() && modulus.is_none() {
            return Ok(None);
        }
        Target { group: group.clone(), modulus: modulus.clone(), base: base.clone() }.base().map(Some)
    }
}

/// A prepared base.
pub struct Base {
    /// The modulus.
    pub modulus: Modulus,
    /// The base.
    pub base: BoxedUint,
    /// The order of the base, if known.
    pub order: Option<BoxedUint>,
    /// The default length of exponents.
    pub exponent_bits: u32,
}

impl Target {
    /// Reads the named base.
    pub fn base(&self) -> Result<Base, Failure> {
        if let Some(name) = &self.group {
            let group = Group::named(name)?;
            return Ok(Base {
                modulus: Modulus::new(group.modulus())?,
                base: group.generator().clone(),
                order: Some(group.order().clone()),
                exponent_bits: group.exponent_bits(),
            });
        }
        let modulus =
            Modulus::new(&number::argument("--modulus", self.modulus.as_deref().unwrap_or_default())?)?;
        let base = number::argument("--base", self.base.as_deref().unwrap_or_default())?;
        Ok(Base { exponent_bits: modulus.bits(), modulus, base, order: None })
    }
}

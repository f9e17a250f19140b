//! The bases and constants of a core, computed by the library for one P, shape and method of
//! inversion.

use clap::{Args, ValueEnum};
use crypto_bigint::{BoxedUint, Resize};
use moduli::Error;
use moduli_rns::{
    base::{Base, BaseShape, Family},
    fields::Field,
    inverse::{
        Binary, BinaryTernary, DEFAULT_WIDE_MODULUS, DivisionSteps, Fermat, Options, Wide,
        division_steps::MAX_JUMP_STEPS,
        fermat::Ladder,
        plus_minus::{PlusMinus, Rules},
    },
    montgomery::RnsMontgomery,
    redundant::Redundant,
};

use crate::{failure::Failure, io::number};

/// The least M for a plus-minus inversion, in multiples of P: for the values of the loop with the
/// offset 12·P.
const ROOM: u64 = 26;

/// The same for division steps: 2^(b + 4) is at most that, for P of b bits.
const DIVISION_ROOM: u64 = 32;

/// The length of the least P for division steps in bits: then jumps have enough steps that a
/// cofactor is below P at the end.
const LEAST_BITS: u32 = 4;

/// The choice of a core: its modulus, its shape, its method.
#[derive(Args)]
pub struct Choice {
    /// The modulus: the name of a field such as P-256 or curve25519, or an odd number.
    #[arg(long, value_name = "NAME|HEX")]
    prime: String,

    /// Bits of a modulus of the bases, 8 to 64.
    #[arg(long, value_name = "W")]
    width: u32,

    /// The number of moduli of a base.
    #[arg(long, value_name = "N")]
    channels: usize,

    /// The inversion method of the core.
    #[arg(long, value_enum)]
    pub inversion: Inversion,

    /// The operations of the core.
    #[arg(long, value_enum, default_value_t = Operations::All)]
    pub operations: Operations,

    /// The number Q by whose divisors the method wide divides: a multiple of 4 [default: 144].
    #[arg(long, value_name = "Q")]
    wide_modulus: Option<u64>,

    /// How fermat exponentiates.
    #[arg(long, value_enum, default_value_t = Window::Best)]
    pub window: Window,
}

/// The methods of inversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Inversion {
    /// Fermat's theorem (FLT): P must be prime.
    Fermat,
    /// Binary plus-minus (BMI).
    Binary,
    /// Binary-ternary plus-minus (BTMI): P must not be a multiple of 3.
    BinaryTernary,
    /// Wide plus-minus: P must be coprime to Q.
    Wide,
    /// Division steps: the same operations and cycles for every operand.
    #[value(name = "divstep")]
    DivisionSteps,
}

/// The commands of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Operations {
    /// Multiply, exponentiate and invert: over two bases.
    All,
    /// Invert only, by a plus-minus method: over one base.
    Invert,
}

/// The exponentiations of Fermat's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Window {
    /// The sliding window with the fewest products.
    Best,
    /// Square and multiply.
    Binary,
}

/// The library's arithmetic and inversion for a core.
pub struct Core {
    pub prime: BoxedUint,
    pub shape: BaseShape,
    /// Products over two bases, if the core has them.
    pub products: Option<RnsMontgomery>,
    pub inverter: Inverter,
    /// The channel that checks products, if there is one.
    pub redundant: Option<Redundant>,
}

/// The method of inversion.
pub enum Inverter {
    Fermat(Box<Fermat>),
    PlusMinus(Box<PlusMinus<dyn Rules>>),
    DivisionSteps(Box<DivisionSteps>),
}

impl Core {
    /// The first base.
    pub fn base(&self) -> &Base {
        match &self.inverter {
            Inverter::Fermat(fermat) => fermat.field().bases()[0],
            Inverter::PlusMinus(inverter) => inverter.base(),
            Inverter::DivisionSteps(inverter) => inverter.base(),
        }
    }
}

/// The kind of moduli for the plus-minus methods.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Moduli {
    /// ≡ 1 modulo Q, if there are enough: then the weights of the Cox are 1.
    One,
    /// Only coprime to Q: then their complements are smaller.
    Coprime,
}

impl Choice {
    /// Computes all constants over such moduli, or returns an error that names valid options.
    pub fn core(&self, moduli: Moduli) -> Result<Core, Failure> {
        self.check()?;
        let (prime, shape) = (self.prime()?, BaseShape::new(self.channels, self.width));
        let products = self.products(&prime, shape, moduli)?;
        let base = match &products {
            Some(products) => Some(products.bases()[0].clone()),
            None if moduli == Moduli::Coprime => {
                let room = prime.clone().resize(prime.bits_vartime() + 8).wrapping_mul(BoxedUint::from(ROOM));
                Some(Base::holding(shape, &self.coprime(), &room)?)
            }
            None => None,
        };
        let inverter = self.inverter(&prime, shape, base.as_ref())?;
        Ok(Core { prime, shape, products, inverter, redundant: None })
    }

    /// Computes all constants of a core with Fermat's method and a redundant channel, which
    /// requires other moduli.
    pub fn redundant(&self) -> Result<Core, Failure> {
        self.check()?;
        let (prime, shape) = (self.prime()?, BaseShape::new(self.channels, self.width));
        let redundant = Redundant::new(&prime, shape)?;
        let products = redundant.field().clone();
        let inverter = Inverter::Fermat(Box::new(Fermat::over(products.clone(), self.ladder())));
        Ok(Core { prime, shape, products: Some(products), inverter, redundant: Some(redundant) })
    }

    fn ladder(&self) -> Ladder {
        match self.window {
            Window::Best => Ladder::BestWindow,
            Window::Binary => Ladder::SquareMultiply,
        }
    }

    /// The moduli of [`Moduli::Coprime`].
    fn coprime(&self) -> Family<'static> {
        Family { coprime_to: self.q(), ..Family::default() }
    }

    /// Rejects options that exclude each other.
    fn check(&self) -> Result<(), Failure> {
        if self.wide_modulus.is_some() && self.inversion != Inversion::Wide {
            return Err(Failure::Usage("--wide-modulus requires --inversion wide".to_owned()));
        }
        if self.window != Window::Best && self.inversion != Inversion::Fermat {
            return Err(Failure::Usage("--window requires --inversion fermat".to_owned()));
        }
        if self.operations == Operations::Invert && self.inversion == Inversion::Fermat {
            let reason = "--inversion fermat takes products over two bases: --operations invert leaves none";
            return Err(Failure::Usage(reason.to_owned()));
        }
        Ok(())
    }

    fn prime(&self) -> Result<BoxedUint, Failure> {
        match Field::named(&self.prime) {
            Ok(field) => Ok(field.prime()),
            // Text that begins with a letter and is not a number was meant as a name.
            Err(unknown) => number::argument("--prime", &self.prime).map_err(|wrong| {
                if self.prime.starts_with(|c: char| c.is_ascii_alphabetic()) { unknown.into() } else { wrong }
            }),
        }
    }

    /// Q of the plus-minus methods.
    fn q(&self) -> u64 {
        match self.inversion {
            Inversion::Fermat | Inversion::DivisionSteps => 1,
            Inversion::Binary => 4,
            Inversion::BinaryTernary => 12,
            Inversion::Wide => self.wide_modulus.unwrap_or(DEFAULT_WIDE_MODULUS),
        }
    }

    fn products(
        &self,
        prime: &BoxedUint,
        shape: BaseShape,
        moduli: Moduli,
    ) -> Result<Option<RnsMontgomery>, Error> {
        Ok(match (self.operations, self.inversion) {
            (Operations::Invert, _) => None,
            (Operations::All, Inversion::Fermat) => Some(RnsMontgomery::new(prime, shape)?),
            (Operations::All, Inversion::DivisionSteps) => {
                Some(RnsMontgomery::for_residues_modulo(prime, shape, 1, DIVISION_ROOM)?)
            }
            (Operations::All, _) => {
                let one = || RnsMontgomery::for_residues_modulo(prime, shape, self.q(), ROOM);
                let coprime = || RnsMontgomery::with_family(prime, shape, &self.coprime(), ROOM);
                Some(if moduli == Moduli::One { one()? } else { coprime()? })
            }
        })
    }

    fn inverter(&self, p: &BoxedUint, shape: BaseShape, base: Option<&Base>) -> Result<Inverter, Error> {
        let options = Options::default();
        let inverter: Box<PlusMinus<dyn Rules>> = match (self.inversion, base) {
            (Inversion::Fermat, _) => {
                return Ok(Inverter::Fermat(Box::new(Fermat::new(p, shape, self.ladder())?)));
            }
            (Inversion::DivisionSteps, base) => {
                let bits = p.bits_vartime();
                if bits < LEAST_BITS {
                    let reason =
                        format!("P of {bits} bits; a core divides by 2^3 at least, for P of {LEAST_BITS}");
                    return Err(Error::parameter("prime", reason));
                }
                // 2^k is below P and fits in a digit.
                let steps = shape.width.saturating_sub(1).min(MAX_JUMP_STEPS).min(bits - 1);
                let inverter = match base {
                    Some(base) => DivisionSteps::over(base, p, steps)?,
                    None => DivisionSteps::new(p, shape, steps)?,
                };
                return Ok(Inverter::DivisionSteps(Box::new(inverter)));
            }
            (Inversion::Binary, Some(base)) => Box::new(Binary::over(base, p, &options)?),
            (Inversion::Binary, None) => Box::new(Binary::new(p, shape, &options)?),
            (Inversion::BinaryTernary, Some(base)) => Box::new(BinaryTernary::over(base, p, &options)?),
            (Inversion::BinaryTernary, None) => Box::new(BinaryTernary::new(p, shape, &options)?),
            (Inversion::Wide, Some(base)) => Box::new(Wide::over(base, p, self.q(), &options)?),
            (Inversion::Wide, None) => Box::new(Wide::new(p, self.q(), shape, &options)?),
        };
        Ok(Inverter::PlusMinus(inverter))
    }
}

//! The constants common to all methods in a core. Values in the first base have the offset C0,
//! whatever the library uses. C0 is 0 for division steps.

use crypto_bigint::{BoxedUint, Resize};
use moduli::Error;
use moduli_kernel::limbs;
use moduli_rns::{base::Base, channels::Residues, cox::SmallResidue, inverse::constants::UpdateConstants};

use super::core::{Core, Inverter};

/// The constants of the first base.
pub struct Affine<'a> {
    pub base: &'a Base,
    /// C0.
    pub offset: BoxedUint,
    /// C1 = C0·T^(−1).
    pub shift: Residues,
    /// The inner forms of 1 and −1.
    pub one: Residues,
    pub minus_one: Residues,
    /// P·T^(−1), without the offset.
    pub scaled_prime: Residues,
    /// Q = 2^`twos`·3^`threes`. It is 4 for Fermat's method and division steps, which do not use
    /// residues modulo Q.
    pub twos: u32,
    pub threes: u32,
    /// |−M| and |−C0| modulo Q.
    pub small: SmallResidue,
    /// P modulo Q.
    pub prime_small: u64,
    /// The limit of the counters, in half bits.
    pub limit: u32,
    /// The constants of divisions by the divisors of Q, or `None` if there are no such divisions.
    pub constants: Option<UpdateConstants>,
    /// The divisors of sums and differences.
    pub combined: Vec<u64>,
}

impl<'a> Affine<'a> {
    pub fn of(core: &'a Core) -> Result<Self, Error> {
        let prime = &core.prime;
        let (base, q, offset, constants, limit, prime_small) = match &core.inverter {
            // Values from −P to P take the same path out of the core; the offset P makes them
            // nonnegative.
            Inverter::Fermat(fermat) => {
                let [low, high] = [0, 1].map(|bit| u64::from(prime.bit_vartime(bit)));
                let base = fermat.field().bases()[0];
                (base, 4, prime.clone(), None, 2 * prime.bits_vartime(), low + 2 * high)
            }
            // Values have no offset: with α = 1/2, the Cox reads values of either sign.
            Inverter::DivisionSteps(inverter) => {
                let zero = BoxedUint::zero().resize(prime.bits_precision());
                (inverter.base(), 4, zero, None, 2 * prime.bits_vartime(), limbs::to_limbs(prime, 1)[0] % 4)
            }
            Inverter::PlusMinus(inverter) => {
                let constants = inverter.affine_constants();
                let (q, offset) = (inverter.rules().modulus(), inverter.offset().clone());
                (inverter.base(), q, offset, Some(constants), inverter.limit(), inverter.modulus_small())
            }
        };
        let (twos, threes) = split(q)?;
        let channels = base.channels();
        let shift = base.to_scaled_residues(&offset);
        let unit = base.to_scaled_residues(&BoxedUint::one());
        let (mut one, mut minus_one) = (shift.clone(), shift.clone());
        channels.add(&mut one, &unit, &mut ());
        channels.subtract(&mut minus_one, &unit, &mut ());
        Ok(Self {
            small: SmallResidue::modulo(base, q, &offset)?,
            prime_small,
            combined: combined(core, q),
            scaled_prime: base.to_scaled_residues(prime),
            base,
            offset,
            shift,
            one,
            minus_one,
            twos,
            threes,
            limit,
            constants,
        })
    }

    /// Q.
    pub fn q(&self) -> u64 {
        (1 << self.twos) * 3u64.pow(self.threes)
    }
}

/// Q as 2^i·3^j, if the units of a core support it.
fn split(q: u64) -> Result<(u32, u32), Error> {
    let twos = q.trailing_zeros();
    match (twos, [1, 3, 9].iter().position(|&power| power == q >> twos)) {
        (2..=4, Some(threes)) => Ok((twos, threes as u32)),
        _ => {
            let reason = format!("{q}; a core divides by the divisors of 4, 8 or 16, times 1, 3 or 9");
            Err(Error::parameter("Q", reason))
        }
    }
}

/// The divisors of sums and differences of values coprime to Q.
fn combined(core: &Core, q: u64) -> Vec<u64> {
    let Inverter::PlusMinus(inverter) = &core.inverter else { return Vec::new() };
    let units: Vec<u64> = (1..q).filter(|&x| x % 2 != 0 && (!q.is_multiple_of(3) || x % 3 != 0)).collect();
    let mut divisors: Vec<u64> = units
        .iter()
        .flat_map(|&v3| units.iter().map(move |&u3| inverter.rules().combined(v3, u3).1))
        .collect();
    divisors.sort_unstable();
    divisors.dedup();
    divisors
}

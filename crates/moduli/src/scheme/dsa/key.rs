//! Keys, which are checked on creation.

use core::fmt;
use crypto_bigint::{BoxedUint, CtLt, Resize};
use signature::rand_core::TryCryptoRng;
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::domain::DomainParameters;
use crate::{
    error::Error,
    exponent::Exponent,
    scheme::{encoding::invalid, random::fill},
};

/// A public key y = g^x.
///
/// Read and written by [`from_spki_der`](Self::from_spki_der), [`from_pem`](Self::from_pem),
/// [`to_spki_der`](Self::to_spki_der) and [`to_pem`](Self::to_pem).
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    parameters: DomainParameters,
    y: BoxedUint,
}

impl PublicKey {
    /// Checks that 1 < y < p and y^q = 1. Variable-time; cost: an exponentiation with an exponent as long as
    /// q.
    ///
    /// # Errors
    /// [`Error::Key`], which says which condition fails.
    pub fn new(parameters: &DomainParameters, y: &BoxedUint) -> Result<Self, Error> {
        let p = parameters.p();
        if *y <= BoxedUint::one() || *y >= *p.value().as_ref() {
            return Err(invalid("y is out of range; it must lie between 1 and p"));
        }
        if p.pow_vartime(y, parameters.q().value().as_ref())? != BoxedUint::one() {
            return Err(invalid("y is not a power of g: y^q ≠ 1"));
        }
        Ok(Self { parameters: parameters.clone(), y: p.reduce(y) })
    }

    /// The group.
    pub fn parameters(&self) -> &DomainParameters {
        &self.parameters
    }

    /// The value y.
    pub fn y(&self) -> &BoxedUint {
        &self.y
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let y = self.y.to_string_radix_vartime(16);
        f.debug_struct("PublicKey").field("parameters", &self.parameters).field("y", &y).finish()
    }
}

/// A private key x with its public key. Wiped on drop; has no `Debug` and no `Clone`.
///
/// Read and written by [`from_pkcs8_der`](Self::from_pkcs8_der), [`from_pem`](Self::from_pem),
/// [`to_pkcs8_der`](Self::to_pkcs8_der) and [`to_pem`](Self::to_pem).
pub struct PrivateKey {
    public: PublicKey,
    /// Below q, at the precision of q.
    x: Zeroizing<BoxedUint>,
}

impl PrivateKey {
    /// Creates the key pair of x: checks 0 < x < q and computes y = g^x. Constant-time in x except
    /// for its declared precision; cost: an exponentiation with an exponent as long as q.
    ///
    /// # Errors
    /// [`Error::Key`] if x is out of range.
    pub fn new(parameters: &DomainParameters, x: &BoxedUint) -> Result<Self, Error> {
        let q = parameters.q();
        let order = q.value().as_ref();
        // Both have the same precision, so the comparison reads the same limbs for every x.
        let precision = order.bits_precision().max(x.bits_precision());
        let wide = Zeroizing::new(x.resize_unchecked(precision));
        let in_range = wide.is_nonzero() & wide.ct_lt(&order.resize_unchecked(precision));
        if !in_range.to_bool() {
            return Err(invalid("x is out of range; it must lie between 0 and q"));
        }
        let x = Zeroizing::new((&*wide).resize_unchecked(order.bits_precision()));
        let exponent = Exponent::from(&*x).with_bits(q.bits())?;
        let y = parameters.p().pow(parameters.g(), exponent);
        Ok(Self { public: PublicKey { parameters: parameters.clone(), y }, x })
    }

    /// Like [`new`](Self::new), for a pair that includes its y.
    ///
    /// # Errors
    /// [`Error::Key`] if x is out of range or y is not g^x.
    pub fn from_pair(parameters: &DomainParameters, x: &BoxedUint, y: &BoxedUint) -> Result<Self, Error> {
        let key = Self::new(parameters, x)?;
        if key.public.y != *y {
            return Err(invalid("y does not belong to x: y ≠ g^x"));
        }
        Ok(key)
    }

    /// A fresh key pair: x uniform among 1 … q − 1, by rejection (FIPS 186-4, B.1.2).
    ///
    /// Constant-time in the x that is kept; reveals how many candidates were rejected, which says nothing
    /// about x.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the generator fails.
    pub fn generate<R: TryCryptoRng + ?Sized>(
        parameters: &DomainParameters,
        rng: &mut R,
    ) -> Result<Self, Error> {
        let q = parameters.q();
        let unused_bits = (8 * parameters.q_bytes()) as u32 - q.bits();
        let mut bytes = Zeroizing::new(alloc::vec![0u8; parameters.q_bytes()]);
        loop {
            fill(rng, &mut bytes)?;
            moduli_kernel::fault!("keys with sixteen bits that are known", "moduli-suite dsa::", {
                bytes[1..3].fill(0);
            });
            if let Some(top) = bytes.first_mut() {
                *top &= 0xff >> unused_bits;
            }
            let x = Zeroizing::new(BoxedUint::from_be_slice_truncated(
                &bytes,
                q.value().as_ref().bits_precision(),
            ));
            moduli_kernel::fault!(
                "a branch on the key that is generated",
                "moduli scheme::dsa::checkmem::keys",
                {
                    core::hint::black_box(moduli_kernel::faults::branch_on(x.as_words()[0]));
                }
            );
            if (x.is_nonzero() & x.ct_lt(q.value().as_ref())).to_bool() {
                return Self::new(parameters, &x);
            }
        }
    }

    /// The public half.
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// The group.
    pub fn parameters(&self) -> &DomainParameters {
        &self.public.parameters
    }

    /// The secret, at the precision of q.
    pub fn secret(&self) -> &BoxedUint {
        &self.x
    }
}

impl ZeroizeOnDrop for PrivateKey {}

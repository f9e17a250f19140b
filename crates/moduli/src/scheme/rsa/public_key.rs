//! Public keys and the public operation.

use alloc::format;
use core::fmt;
use crypto_bigint::{BoxedUint, Integer};

use crate::{
    error::Error,
    modulus::Modulus,
    scheme::encoding::{invalid, modulus},
};
use moduli_kernel::limbs;

/// The shortest and longest n: the shortest still in use, and a bound on the work that an untrusted
/// key can cause.
pub(super) const N_BITS: (u32, u32) = (1024, 16_384);

/// The longest e (FIPS 186-5, A.1.1). Every private operation ends with an exponentiation by e.
const E_MAX_BITS: u32 = 256;

/// A public key: an odd n of 1024 to 16384 bits and an odd e of at most 256 bits, 1 < e < n.
///
/// Public. Cloning is cheap except for e. Read and written by [`from_spki_der`](Self::from_spki_der),
/// [`from_pkcs1_der`](Self::from_pkcs1_der), [`from_pem`](Self::from_pem), [`to_spki_der`](Self::to_spki_der)
/// and [`to_pem`](Self::to_pem).
#[derive(Clone)]
pub struct PublicKey {
    n: Modulus,
    e: BoxedUint,
}

impl PublicKey {
    /// Checks the lengths, and that both are odd. Only the owner of n can check that it has two
    /// prime factors. Variable-time; cost: that of [`Modulus::new`].
    ///
    /// # Errors
    /// [`Error::Key`], which says which condition fails; [`Error::Kernel`] as for [`Modulus::new`].
    pub fn new(n: &BoxedUint, e: &BoxedUint) -> Result<Self, Error> {
        let (min, max) = N_BITS;
        let bits = limbs::bit_length_vartime(n.as_words());
        if !(min..=max).contains(&bits) {
            return Err(invalid(format!("n has {bits} bits; {min} to {max} are supported")));
        }
        let bits = limbs::bit_length_vartime(e.as_words());
        if bits > E_MAX_BITS {
            return Err(invalid(format!("e has {bits} bits; the maximum is {E_MAX_BITS}")));
        }
        if *e <= BoxedUint::one() || !e.is_odd().to_bool() {
            return Err(invalid("e must be odd and greater than 1"));
        }
        Ok(Self { n: modulus("n", n)?, e: e.clone() })
    }

    /// The same key, which reports its arithmetic to the observer.
    #[cfg(feature = "internals")]
    pub(super) fn observed(&self, observer: crate::modulus::SharedObserver) -> Self {
        Self { n: self.n.observed(observer), e: self.e.clone() }
    }

    /// The modulus n.
    pub fn n(&self) -> &Modulus {
        &self.n
    }

    /// The public exponent e.
    pub fn e(&self) -> &BoxedUint {
        &self.e
    }

    /// The number of bytes of a number below n, and so of a signature: k in RFC 8017.
    pub fn bytes(&self) -> usize {
        self.n.bits().div_ceil(8) as usize
    }

    /// m^e mod n: RSAEP and RSAVP1 of RFC 8017 (5.1.1, 5.2.2).
    ///
    /// Variable-time only in e; constant-time in m except for its declared precision. Cost: as many
    /// squarings as e has bits and as many products as it has ones.
    ///
    /// # Errors
    /// [`Error::Parameter`] if m is not below n.
    pub fn encrypt_raw(&self, m: &BoxedUint) -> Result<BoxedUint, Error> {
        self.check_below_n(m)?;
        Ok(self.n.square_multiply_vartime(m, &self.e))
    }

    /// Checks that a value is below n, as the primitives require.
    pub(super) fn check_below_n(&self, value: &BoxedUint) -> Result<(), Error> {
        if value < self.n.value().as_ref() {
            return Ok(());
        }
        Err(Error::parameter("value", "must be below the modulus n"))
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.n.value() == other.n.value() && self.e == other.e
    }
}

impl Eq for PublicKey {}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let e = self.e.to_string_radix_vartime(16);
        f.debug_struct("PublicKey").field("n", &self.n).field("e", &e).finish()
    }
}

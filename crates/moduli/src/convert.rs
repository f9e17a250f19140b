//! Conversions from and to other libraries: num-bigint 0.5 with the feature `num-bigint`, and num-bigint 0.4
//! with `num-bigint-04`, in a separate module.
//!
//! All conversions are variable-time: these numbers drop their leading zeros, which reveals their length, and
//! are not wiped. For secrets use bytes instead, [`BoxedUint::from_be_slice`], at a precision of your choice.
//!
//! For `rug`, without a feature: `BoxedUint::from_words(x.to_digits::<u64>(Order::Lsf))`, and back
//! `Integer::from_digits(&x.to_words(), Order::Lsf)`.

/// The conversions for one version of num-bigint.
macro_rules! conversions {
    ($num_bigint:ident) => {
        use crypto_bigint::BoxedUint;
        use $num_bigint::{BigInt, BigUint, Sign};

        use crate::{error::Error, modulus::Modulus};
        use moduli_kernel::limbs;

        /// Converts to a `BoxedUint` with a precision of whole limbs.
        pub fn from_biguint_vartime(x: &BigUint) -> BoxedUint {
            let digits = x.to_u64_digits();
            limbs::from_limbs(if digits.is_empty() { &[0] } else { &digits })
        }

        /// Converts a signed number to its sign (true if negative) and its magnitude, the arguments
        /// of [`SignedExponent::new`](crate::SignedExponent::new).
        pub fn from_bigint_vartime(x: &BigInt) -> (bool, BoxedUint) {
            (x.sign() == Sign::Minus, from_biguint_vartime(x.magnitude()))
        }

        /// Converts to a number of num-bigint.
        pub fn to_biguint_vartime(x: &BoxedUint) -> BigUint {
            BigUint::from_bytes_le(&x.to_le_bytes())
        }

        impl TryFrom<&BigUint> for Modulus {
            type Error = Error;

            fn try_from(value: &BigUint) -> Result<Self, Error> {
                Self::new(&from_biguint_vartime(value))
            }
        }

        impl From<&Modulus> for BigUint {
            fn from(modulus: &Modulus) -> Self {
                to_biguint_vartime(modulus.value())
            }
        }
    };
}

#[cfg(feature = "num-bigint")]
conversions!(num_bigint);

/// Numbers of num-bigint 0.4.
#[cfg(feature = "num-bigint-04")]
pub mod num_bigint_04 {
    conversions!(num_bigint_04);
}

//! Named elliptic curves y² = x³ + a·x + b of prime order, with the constants that programs for scalar
//! multiplication need.

use crypto_bigint::{BoxedUint, Resize};

use super::{endomorphism::Endomorphism, fields::Field};
use moduli::Error;

/// A named elliptic curve over a named field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curve {
    /// The usual name of the curve, which is also the name of its field.
    pub name: &'static str,
    /// The coefficient a; None stands for −3.
    a: Option<&'static str>,
    b: &'static str,
    order: &'static str,
    /// β and λ.
    endomorphism: Option<[&'static str; 2]>,
}

/// All named curves (FIPS 186-4, SEC 2, RFC 5639).
pub const CURVES: [Curve; 5] = [
    Curve {
        name: "P-256",
        a: None,
        b: "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
        order: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
        endomorphism: None,
    },
    Curve {
        name: "P-384",
        a: None,
        b: "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875a\
            c656398d8a2ed19d2a85c8edd3ec2aef",
        order: "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf\
                581a0db248b0a77aecec196accc52973",
        endomorphism: None,
    },
    Curve {
        name: "P-521",
        a: None,
        b: "0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef1\
            09e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00",
        order: "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff\
                fffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
        endomorphism: None,
    },
    Curve {
        name: "secp256k1",
        a: Some("0000000000000000"),
        b: "0000000000000007",
        order: "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
        endomorphism: Some([
            "7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501ee",
            "5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72",
        ]),
    },
    Curve {
        name: "brainpoolP256r1",
        a: Some("7d5a0975fc2c3057eef67530417affe7fb8055c126dc5c6ce94a4b44f330b5d9"),
        b: "26dc5c6ce94a4b44f330b5d9bbd77cbf958416295cf7e1ce6bccdc18ff8c07b6",
        order: "a9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7",
        endomorphism: None,
    },
];

/// The tests parse every constant, so the text is always valid.
fn number(hex: &str) -> BoxedUint {
    BoxedUint::from_str_radix_vartime(hex, 16).unwrap_or_else(|_| BoxedUint::zero())
}

impl Curve {
    /// Returns the curve with this name. Case does not matter.
    ///
    /// # Errors
    /// [`Error::Parameter`] with a list of all names.
    pub fn named(name: &str) -> Result<Self, Error> {
        CURVES
            .into_iter()
            .find(|curve| curve.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| Error::unknown("curve", "curve", name, CURVES.iter().map(|curve| curve.name)))
    }

    /// Returns the prime of the field.
    ///
    /// # Errors
    /// None for the curves in [`CURVES`], because each has a named field.
    pub fn prime(&self) -> Result<BoxedUint, Error> {
        Field::named(self.name).map(|field| field.prime())
    }

    /// Returns the coefficient a, below the prime.
    ///
    /// # Errors
    /// As for [`Curve::prime`].
    pub fn a(&self) -> Result<BoxedUint, Error> {
        let prime = self.prime()?;
        Ok(self.a.map_or_else(|| prime.wrapping_sub(BoxedUint::from(3u64)), number))
    }

    /// Returns the coefficient b.
    pub fn b(&self) -> BoxedUint {
        number(self.b)
    }

    /// Returns 3·b, not reduced, which complete addition formulas need.
    pub fn triple_b(&self) -> BoxedUint {
        let b = self.b();
        let wide = (&b).resize(b.bits_precision() + 64);
        wide.wrapping_add(wide.shl(1))
    }

    /// Returns the number of points, a prime.
    pub fn order(&self) -> BoxedUint {
        number(self.order)
    }

    /// Returns β of the endomorphism (x, y) ↦ (β·x, y), and the endomorphism, if the curve is known to have
    /// one.
    ///
    /// # Errors
    /// None for the curves in [`CURVES`].
    pub fn endomorphism(&self) -> Result<Option<(BoxedUint, Endomorphism)>, Error> {
        let Some([beta, lambda]) = self.endomorphism else { return Ok(None) };
        Ok(Some((number(beta), Endomorphism::new(&self.order(), &number(lambda))?)))
    }
}

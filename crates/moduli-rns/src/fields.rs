//! Named prime fields of elliptic curves.

use crypto_bigint::BoxedUint;

use moduli::Error;

/// A named prime field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The usual name of the field.
    pub name: &'static str,
    hex: &'static str,
}

/// All named fields, ordered by family (FIPS 186-4, RFC 7748, SEC 2, RFC 5639).
pub const FIELDS: [Field; 10] = [
    Field { name: "P-192", hex: "fffffffffffffffffffffffffffffffeffffffffffffffff" },
    Field { name: "P-224", hex: "ffffffffffffffffffffffffffffffff000000000000000000000001" },
    Field { name: "P-256", hex: "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff" },
    Field {
        name: "P-384",
        hex: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe\
              ffffffff0000000000000000ffffffff",
    },
    Field {
        name: "P-521",
        hex: "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff\
              ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    },
    Field { name: "curve25519", hex: "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed" },
    Field { name: "secp256k1", hex: "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f" },
    Field {
        name: "brainpoolP256r1",
        hex: "a9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377",
    },
    Field {
        name: "brainpoolP384r1",
        hex: "8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b412b1da197fb71123\
              acd3a729901d1a71874700133107ec53",
    },
    Field {
        name: "brainpoolP512r1",
        hex: "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330871\
              7d4d9b009bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3",
    },
];

impl Field {
    /// Returns the prime of the field.
    pub fn prime(&self) -> BoxedUint {
        // The tests parse every constant, so the text is always valid.
        BoxedUint::from_str_radix_vartime(self.hex, 16).unwrap_or_else(|_| BoxedUint::zero())
    }

    /// Returns the field with this name. Case does not matter.
    ///
    /// # Errors
    /// [`Error::Parameter`] with a list of all names.
    pub fn named(name: &str) -> Result<Self, Error> {
        FIELDS
            .into_iter()
            .find(|field| field.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| Error::unknown("prime", "field", name, FIELDS.iter().map(|field| field.name)))
    }
}

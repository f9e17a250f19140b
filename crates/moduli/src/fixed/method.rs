//! The fixed-base methods by name.

use alloc::{format, vec::Vec};
use core::{fmt, str::FromStr};

use crate::error::Error;

/// A fixed-base method with its parameters.
///
/// Written and parsed as on the command line, in one of the [forms](Method::FORMS).
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Radix-R (WAIFI 2016, Algorithm 2; Gordon 1998): entries `g^(j·R^i)`, one product per digit.
    Radix {
        /// The radix R, 2 ≤ R < 2^24.
        radix: u32,
    },
    /// Comb (WAIFI 2016, Algorithm 3; Lim–Lee 1994): `teeth` bits of the exponent, a fixed distance apart,
    /// index each table. `comb:1,1` is square-and-multiply (Algorithm 1).
    Comb {
        /// Teeth h of a table, 1 ≤ h ≤ 24: 2^h − 1 entries.
        teeth: u32,
        /// Number of tables v ≥ 1.
        tables: u32,
        /// How many of the tables have one tooth less, for budgets between two regular shapes.
        short_tables: u32,
    },
    /// The published m0m1 method (WAIFI 2016, Algorithms 4 and 5): digits in radix m0·m1, kept as
    /// residues.
    M0m1 {
        /// The modulus that indexes the table, below 2^24; every u ≤ m1 is invertible modulo it.
        m0: u32,
        /// The modulus that indexes the buckets, 2 ≤ m1 ≤ 255.
        m1: u32,
    },
    /// The repaired m0m1 method: digits `u·(1 + m1·j)` with u in 1..=m1, one product per digit and
    /// no exceptional digit.
    ResidueDigits {
        /// Entries of a row, below 2^24; every u ≤ m1 is invertible modulo it.
        m0: u32,
        /// Number of buckets, 2 ≤ m1 ≤ 255.
        m1: u32,
    },
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Radix { radix } => write!(f, "radix:{radix}"),
            Self::Comb { teeth, tables, short_tables: 0 } => write!(f, "comb:{teeth},{tables}"),
            Self::Comb { teeth, tables, short_tables } => {
                write!(f, "comb:{teeth},{tables},{short_tables}")
            }
            Self::M0m1 { m0, m1 } => write!(f, "m0m1:{m0},{m1}"),
            Self::ResidueDigits { m0, m1 } => write!(f, "residue-digits:{m0},{m1}"),
        }
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let malformed = || Error::parameter("method", format!("{text:?} is not one of {}", Self::FORMS));
        let (name, parameters) = text.split_once(':').ok_or_else(malformed)?;
        let numbers: Result<Vec<u32>, _> = parameters.split(',').map(str::parse).collect();
        match (name, numbers.map_err(|_| malformed())?.as_slice()) {
            ("radix", &[radix]) => Ok(Self::Radix { radix }),
            ("comb", &[teeth, tables]) => Ok(Self::Comb { teeth, tables, short_tables: 0 }),
            ("comb", &[teeth, tables, short_tables]) => Ok(Self::Comb { teeth, tables, short_tables }),
            ("m0m1", &[m0, m1]) => Ok(Self::M0m1 { m0, m1 }),
            ("residue-digits", &[m0, m1]) => Ok(Self::ResidueDigits { m0, m1 }),
            _ => Err(malformed()),
        }
    }
}

impl Method {
    /// The forms of methods, for errors and help texts.
    pub const FORMS: &str = "radix:R, comb:H,V, comb:H,V,U, m0m1:M0,M1, residue-digits:M0,M1";

    /// An example of each kind and form, for tests of all methods. A test fails if a new kind has
    /// none.
    #[cfg(feature = "internals")]
    pub const EXAMPLES: [Self; 5] = [
        Self::Radix { radix: 13 },
        Self::Comb { teeth: 3, tables: 2, short_tables: 0 },
        Self::Comb { teeth: 3, tables: 3, short_tables: 1 },
        Self::M0m1 { m0: 7, m1: 3 },
        Self::ResidueDigits { m0: 7, m1: 3 },
    ];

    /// The examples whose kind is missing in this list of methods. Tests that list methods with
    /// their own parameters require that none is missing, so a new kind must be added to every such
    /// list.
    #[cfg(feature = "internals")]
    pub fn missing_in<'a>(methods: impl IntoIterator<Item = &'a str>) -> Vec<Self> {
        let kind = |method: &Self| core::mem::discriminant(method);
        let kinds: Vec<_> = methods.into_iter().flat_map(str::parse).map(|method| kind(&method)).collect();
        Self::EXAMPLES.into_iter().filter(|example| !kinds.contains(&kind(example))).collect()
    }

    /// Whether its table contains inverses, so that the base must be invertible.
    pub fn needs_inverse(&self) -> bool {
        match self {
            Self::Radix { .. } | Self::Comb { .. } => false,
            Self::M0m1 { .. } | Self::ResidueDigits { .. } => true,
        }
    }

    /// Whether the entries of its table can be prepared (split).
    pub fn can_split(&self) -> bool {
        match self {
            Self::Radix { .. } | Self::Comb { .. } | Self::ResidueDigits { .. } => true,
            Self::M0m1 { .. } => false,
        }
    }

    /// The residues of scratch memory that an exponentiation needs beside the running value: the
    /// buckets.
    pub fn buckets(&self) -> u32 {
        match *self {
            Self::Radix { .. } | Self::Comb { .. } => 0,
            Self::M0m1 { m1, .. } | Self::ResidueDigits { m1, .. } => m1,
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use super::*;

    #[test]
    fn there_is_an_example_of_every_kind() {
        // Without an arm for a new kind this does not compile, and without an example the test
        // fails.
        let counted = |method| match method {
            Method::Radix { .. } => [1, 0, 0, 0],
            Method::Comb { .. } => [0, 1, 0, 0],
            Method::M0m1 { .. } => [0, 0, 1, 0],
            Method::ResidueDigits { .. } => [0, 0, 0, 1],
        };
        let mut counts = [0; 4];
        for method in Method::EXAMPLES {
            counts.iter_mut().zip(counted(method)).for_each(|(count, more)| *count += more);
        }
        assert!(!counts.contains(&0), "{counts:?}");
    }

    #[test]
    fn kinds_that_a_list_lacks_are_named() {
        let names = Method::EXAMPLES.map(|method| method.to_string());
        assert_eq!(Method::missing_in(names.iter().map(String::as_str)), []);
        let others = names.iter().map(String::as_str).filter(|name| !name.starts_with("residue-digits"));
        assert_eq!(Method::missing_in(others), [Method::ResidueDigits { m0: 7, m1: 3 }]);
    }

    #[test]
    fn what_is_written_is_parsed() {
        for method in Method::EXAMPLES {
            let text = method.to_string();
            assert_eq!(text.parse(), Ok(method));
            let (name, _) = text.split_once(':').unwrap();
            let form = format!("{name}:");
            assert!(Method::FORMS.split(", ").any(|known| known.starts_with(&form)), "{name}");
        }
    }
}

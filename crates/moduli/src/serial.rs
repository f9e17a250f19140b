//! Public parameters and descriptions for `serde`, in readable forms. Numbers are hexadecimal text. Input is
//! checked as the constructors check it. Types that hold a secret are not supported.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::str::FromStr;

use crypto_bigint::BoxedUint;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

#[cfg(feature = "dsa")]
use crate::scheme::dsa::DomainParameters;
use crate::{
    fixed::{ExpectedCounts, MemorySize, Method, Plan, Secrecy, Shape, TableInfo},
    modulus::{MAX_MODULUS_BITS, Modulus},
};
use moduli_kernel::limbs;

fn hex(value: &BoxedUint) -> String {
    value.to_string_radix_vartime(16)
}

/// A number of at most [`MAX_MODULUS_BITS`] bits.
fn number<E: de::Error>(text: &str) -> Result<BoxedUint, E> {
    let longest = MAX_MODULUS_BITS as usize / 4;
    if text.is_empty() || text.len() > longest || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(E::custom(format!("not a hexadecimal number of at most {longest} digits")));
    }
    let digits = text.as_bytes().rchunks(16).map(|chunk| {
        let chunk = core::str::from_utf8(chunk).map_err(E::custom)?;
        u64::from_str_radix(chunk, 16).map_err(E::custom)
    });
    Ok(limbs::from_limbs(&digits.collect::<Result<Vec<u64>, E>>()?))
}

/// Parses a string with `FromStr`.
fn parsed<'de, T: FromStr<Err = crate::Error>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}

/// As on the command line, for example `comb:8,4`.
impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Method {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parsed(deserializer)
    }
}

/// A number of bytes.
impl Serialize for MemorySize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// A number of bytes, or text such as `1MiB`.
impl<'de> Deserialize<'de> for MemorySize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Amount {
            Number(u64),
            Text(String),
        }
        match Amount::deserialize(deserializer)? {
            Amount::Number(bytes) => Ok(Self(bytes)),
            Amount::Text(text) => text.parse().map_err(de::Error::custom),
        }
    }
}

/// `secret` or `public`.
impl Serialize for Secrecy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Secret => "secret",
            Self::Public => "public",
        })
    }
}

impl<'de> Deserialize<'de> for Secrecy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match &*String::deserialize(deserializer)? {
            "secret" => Ok(Self::Secret),
            "public" => Ok(Self::Public),
            other => Err(de::Error::unknown_variant(other, &["secret", "public"])),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Shape", deny_unknown_fields)]
struct ShapeFields {
    method: Method,
    split: u32,
    exponent_bits: u32,
}

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [split, exponent_bits] = [self.split(), self.exponent_bits()];
        ShapeFields { method: self.method(), split, exponent_bits }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let ShapeFields { method, split, exponent_bits } = ShapeFields::deserialize(deserializer)?;
        Self::new(method, split, exponent_bits).map_err(de::Error::custom)
    }
}

/// Serializes the number alone; the reader uses its own fastest kernel.
impl Serialize for Modulus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex(self.value()))
    }
}

impl<'de> Deserialize<'de> for Modulus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(&number(&String::deserialize(deserializer)?)?).map_err(de::Error::custom)
    }
}

#[derive(Serialize)]
#[serde(rename = "Counts")]
struct CountsFields {
    products: f64,
    squarings: f64,
    prepared_products: f64,
    masked_words: f64,
}

impl Serialize for ExpectedCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { products, squarings, prepared_products, masked_words } = *self;
        CountsFields { products, squarings, prepared_products, masked_words }.serialize(serializer)
    }
}

#[derive(Serialize)]
#[serde(rename = "Plan")]
struct PlanFields<'a> {
    shape: Shape,
    bytes: MemorySize,
    scratch_bytes: MemorySize,
    counts: ExpectedCounts,
    nanoseconds: f64,
    crowded_nanoseconds: f64,
    build_nanoseconds: f64,
    break_even: Option<u64>,
    runners_up: &'a [Plan],
}

/// Includes the runners-up.
impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { shape, bytes, scratch_bytes, counts, nanoseconds, crowded_nanoseconds, .. } = *self;
        let Self { build_nanoseconds, break_even, .. } = *self;
        let runners_up = &self.runners_up;
        PlanFields {
            shape,
            bytes,
            scratch_bytes,
            counts,
            nanoseconds,
            crowded_nanoseconds,
            build_nanoseconds,
            break_even,
            runners_up,
        }
        .serialize(serializer)
    }
}

#[derive(Serialize)]
#[serde(rename = "TableInfo")]
struct TableFields {
    shape: Shape,
    modulus: String,
    base: String,
    order: Option<String>,
    layout: String,
    entries: u64,
    table_bytes: MemorySize,
    digest: String,
}

/// Serializes the header's description of a table. It is no reason to trust the file.
impl Serialize for TableInfo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = TableFields {
            shape: *self.shape(),
            modulus: hex(self.modulus()),
            base: hex(self.base()),
            order: self.order().map(hex),
            layout: self.layout().to_string(),
            entries: self.entries(),
            table_bytes: self.table_bytes(),
            digest: self.digest().iter().map(|byte| format!("{byte:02x}")).collect(),
        };
        fields.serialize(serializer)
    }
}

#[cfg(feature = "dsa")]
#[derive(Serialize, Deserialize)]
#[serde(rename = "DomainParameters", deny_unknown_fields)]
struct DomainFields {
    p: String,
    q: String,
    g: String,
}

#[cfg(feature = "dsa")]
impl Serialize for DomainParameters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [p, q] = [self.p(), self.q()].map(|modulus| hex(modulus.value()));
        DomainFields { p, q, g: hex(self.g()) }.serialize(serializer)
    }
}

#[cfg(feature = "dsa")]
impl<'de> Deserialize<'de> for DomainParameters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let DomainFields { p, q, g } = DomainFields::deserialize(deserializer)?;
        Self::new(&number(&p)?, &number(&q)?, &number(&g)?).map_err(de::Error::custom)
    }
}

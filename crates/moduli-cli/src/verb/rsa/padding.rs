//! The options for the padding of a digest.

use clap::Args;
use moduli::scheme::rsa::{Hash, Scheme};

/// The padding of a digest.
#[derive(Args)]
pub struct Padding {
    /// RSASSA-PSS with MGF1 of the same hash function (the default).
    #[arg(long, conflicts_with = "pkcs1")]
    pss: bool,

    /// RSASSA-PKCS1-v1_5.
    #[arg(long)]
    pkcs1: bool,

    /// Bytes of salt for PSS [default: the length of a digest when signing, any length when verifying].
    #[arg(long, value_name = "N", conflicts_with = "pkcs1")]
    salt_bytes: Option<u16>,
}

impl Padding {
    /// The scheme with that hash function.
    pub fn scheme(&self, hash: Hash) -> Scheme {
        match self.salt_bytes {
            _ if self.pkcs1 => Scheme::pkcs1(hash),
            Some(salt_bytes) => Scheme::pss_with(hash, hash, salt_bytes.into()),
            None => Scheme::pss(hash),
        }
    }
}

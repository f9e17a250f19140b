//! The libraries that moduli is compared with, each behind a safe interface.

#[cfg(feature = "native")]
mod aws_lc;
mod bignum;
pub mod gmp;
pub mod gmp_fixed;
mod openssl;

#[cfg(feature = "native")]
pub use aws_lc::Library as AwsLc;
// These are only for checks, which do not run anything.
#[cfg(not(feature = "native"))]
pub use openssl::Library as AwsLc;
pub use openssl::{Key as OpenSslKey, Library as OpenSsl};

/// The libraries with their versions, and how GMP was built.
pub fn versions() -> Vec<(&'static str, String)> {
    vec![
        ("GMP", format!("{} for {}", gmp::version(), env!("GMP_BUILD"))),
        ("OpenSSL", openssl::version()),
        #[cfg(feature = "native")]
        ("AWS-LC", aws_lc::version()),
        ("crypto-bigint", env!("CRYPTO_BIGINT").to_string()),
        ("C compiler", env!("COMPILER").to_string()),
    ]
}

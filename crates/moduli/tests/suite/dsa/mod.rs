//! DSA: keys, signatures, published vectors, bad input.

mod bad_keys;
mod keys;
mod openssl;
mod pairs;
mod rfc6979;
mod signatures;
mod support;
mod wycheproof;

//! Nonces as RFC 6979 derives them.

use alloc::vec;
use crypto_bigint::{BoxedUint, Resize};
use rfc6979::KGenerator;
use zeroize::Zeroizing;

use super::{Hash, domain::DomainParameters, leftmost::leftmost_bits};

/// The sequence of nonces for one key and one digest: the first serves, the next ones if r or s comes out as 0.
///
/// Uniform in x and in the nonces handed out; the number of candidates that were not below q shows.
pub(super) struct Nonces<'a> {
    parameters: &'a DomainParameters,
    generator: Generator<'a>,
}

enum Generator<'a> {
    Sha1(KGenerator<'a, sha1::Sha1, BoxedUint>),
    Sha224(KGenerator<'a, sha2::Sha224, BoxedUint>),
    Sha256(KGenerator<'a, sha2::Sha256, BoxedUint>),
    Sha384(KGenerator<'a, sha2::Sha384, BoxedUint>),
    Sha512(KGenerator<'a, sha2::Sha512, BoxedUint>),
}

impl<'a> Nonces<'a> {
    /// For the secret `x` at the precision of q and the digest of a message. `additional` is the k' of
    /// section 3.6: fresh randomness, or nothing.
    pub(super) fn new(
        parameters: &'a DomainParameters,
        hash: Hash,
        x: &BoxedUint,
        digest: &[u8],
        additional: &[u8],
    ) -> Self {
        let q = parameters.q().value().as_ref();
        let length = parameters.q_bytes();
        let x = octets(x, length);
        // The generator takes the leftmost bits of what it is given, and gives wrong nonces for a digest with
        // fewer limbs than q. It gets the bits it wants, left-aligned at the length of q.
        let unused_bits = (8 * length) as u32 - parameters.q().bits();
        let digest = leftmost_bits(digest, parameters.q().bits());
        let widened = digest.resize_unchecked(q.bits_precision());
        let digest = octets(&widened.unbounded_shl_vartime(unused_bits), length);
        let generator = match hash {
            Hash::Sha1 => Generator::Sha1(KGenerator::new(&x, &digest, additional, q)),
            Hash::Sha224 => Generator::Sha224(KGenerator::new(&x, &digest, additional, q)),
            Hash::Sha256 => Generator::Sha256(KGenerator::new(&x, &digest, additional, q)),
            Hash::Sha384 => Generator::Sha384(KGenerator::new(&x, &digest, additional, q)),
            Hash::Sha512 => Generator::Sha512(KGenerator::new(&x, &digest, additional, q)),
        };
        Self { parameters, generator }
    }

    /// The next one, at the precision of q: 0 < k < q.
    pub(super) fn next(&mut self) -> Zeroizing<BoxedUint> {
        let mut bytes = Zeroizing::new(vec![0u8; self.parameters.q_bytes()]);
        match &mut self.generator {
            Generator::Sha1(generator) => generator.fill_next_k(&mut bytes),
            Generator::Sha224(generator) => generator.fill_next_k(&mut bytes),
            Generator::Sha256(generator) => generator.fill_next_k(&mut bytes),
            Generator::Sha384(generator) => generator.fill_next_k(&mut bytes),
            Generator::Sha512(generator) => generator.fill_next_k(&mut bytes),
        }
        let precision = self.parameters.q().value().as_ref().bits_precision();
        Zeroizing::new(BoxedUint::from_be_slice_truncated(&bytes, precision))
    }
}

/// The low `length` bytes of `value`, big-endian.
fn octets(value: &BoxedUint, length: usize) -> Zeroizing<alloc::vec::Vec<u8>> {
    let bytes = Zeroizing::new(value.to_be_bytes());
    let start = bytes.len().saturating_sub(length);
    Zeroizing::new(bytes.get(start..).unwrap_or_default().to_vec())
}

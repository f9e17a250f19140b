//! The nonces of RFC 6979.

use alloc::{vec, vec::Vec};
use crypto_bigint::{BoxedUint, CtLt};
use hmac::{KeyInit, Mac, SimpleHmac};
use zeroize::{Zeroize, Zeroizing};

use super::{Hash, bits2int::bits2int, domain::DomainParameters};

/// HMAC of the concatenated parts. The key must be no longer than a block of the hash function.
type Authenticate = fn(key: &[u8], parts: &[&[u8]]) -> Zeroizing<Vec<u8>>;

/// The sequence of nonces for one key and one digest. The first one is used; the next ones only if
/// r or s is 0 (section 3.2, whose names this file uses).
///
/// Constant-time in x and in the returned nonces; reveals how many candidates were not below q. K,
/// V and the candidates are wiped, but not the data that the hash function leaves on the stack.
pub(super) struct Nonces<'a> {
    parameters: &'a DomainParameters,
    authenticate: Authenticate,
    k: Zeroizing<Vec<u8>>,
    v: Zeroizing<Vec<u8>>,
    /// Whether a candidate was generated: then K and V change before the next one.
    started: bool,
}

impl<'a> Nonces<'a> {
    /// Takes the secret `x` at the precision of q and the digest of a message. `additional` is the
    /// k' of section 3.6: fresh randomness, or empty.
    pub(super) fn new(
        parameters: &'a DomainParameters,
        hash: Hash,
        x: &BoxedUint,
        digest: &[u8],
        additional: &[u8],
    ) -> Self {
        let (q, length) = (parameters.q(), parameters.q_bytes());
        let x = octets(x, length);
        let digest = octets(&q.reduce(&bits2int(digest, q.bits())), length);
        let authenticate: Authenticate = match hash {
            Hash::Sha1 => hmac::<SimpleHmac<sha1::Sha1>>,
            Hash::Sha224 => hmac::<SimpleHmac<sha2::Sha224>>,
            Hash::Sha256 => hmac::<SimpleHmac<sha2::Sha256>>,
            Hash::Sha384 => hmac::<SimpleHmac<sha2::Sha384>>,
            Hash::Sha512 => hmac::<SimpleHmac<sha2::Sha512>>,
        };
        let size = authenticate(&[], &[]).len();
        let (k, v) = (Zeroizing::new(vec![0; size]), Zeroizing::new(vec![1; size]));
        let mut nonces = Self { parameters, authenticate, k, v, started: false };
        nonces.update(&[&[0], &x, &digest, additional]);
        nonces.update(&[&[1], &x, &digest, additional]);
        nonces
    }

    /// K ← HMAC_K(V ‖ parts), V ← HMAC_K(V).
    fn update(&mut self, parts: &[&[u8]]) {
        let mut all = vec![&self.v[..]];
        all.extend(parts);
        self.k = (self.authenticate)(&self.k, &all);
        self.v = (self.authenticate)(&self.k, &[&self.v]);
    }

    /// The next nonce, at the precision of q: 0 < k < q.
    pub(super) fn next(&mut self) -> Zeroizing<BoxedUint> {
        let q = self.parameters.q();
        let order = q.value().as_ref();
        let mut bytes = Zeroizing::new(vec![0u8; self.parameters.q_bytes()]);
        loop {
            if core::mem::replace(&mut self.started, true) {
                self.update(&[&[0]]);
            }
            for chunk in bytes.chunks_mut(self.v.len()) {
                self.v = (self.authenticate)(&self.k, &[&self.v]);
                chunk.copy_from_slice(&self.v[..chunk.len()]);
            }
            shift_right(&mut bytes, (8 * self.parameters.q_bytes()) as u32 - q.bits());
            let k = Zeroizing::new(BoxedUint::from_be_slice_truncated(&bytes, order.bits_precision()));
            if (k.is_nonzero() & k.ct_lt(order)).to_bool() {
                return k;
            }
        }
    }
}

fn hmac<M: Mac + KeyInit>(key: &[u8], parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    // HMAC pads a key that is shorter than a block with zeros.
    let mut block = hmac::digest::Key::<M>::default();
    block[..key.len()].copy_from_slice(key);
    let mut mac = <M as KeyInit>::new(&block);
    block.zeroize();
    parts.iter().for_each(|part| mac.update(part));
    let mut code = mac.finalize().into_bytes();
    let bytes = Zeroizing::new(code.to_vec());
    code.zeroize();
    bytes
}

/// Shifts a big-endian number right by less than a byte. Constant-time.
fn shift_right(bytes: &mut [u8], count: u32) {
    let mut carry = 0u16;
    for byte in bytes {
        let wide = (carry << 8 | u16::from(*byte)) >> count;
        carry = u16::from(*byte);
        *byte = wide as u8;
    }
}

/// The low `length` bytes of `value`, big-endian.
fn octets(value: &BoxedUint, length: usize) -> Zeroizing<Vec<u8>> {
    let bytes = Zeroizing::new(value.to_be_bytes());
    let start = bytes.len().saturating_sub(length);
    Zeroizing::new(bytes.get(start..).unwrap_or_default().to_vec())
}

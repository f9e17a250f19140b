//! The encodings EMSA-PKCS1-v1_5 and EMSA-PSS with MGF1 (RFC 8017, sections 9.1, 9.2 and B.2.1).

use alloc::{vec, vec::Vec};

use super::Hash;

/// The DER of DigestInfo up to the digest (RFC 8017, 9.2, note 1).
fn digest_info(hash: Hash) -> &'static [u8] {
    match hash {
        Hash::Sha1 => b"\x30\x21\x30\x09\x06\x05\x2b\x0e\x03\x02\x1a\x05\x00\x04\x14",
        Hash::Sha224 => b"\x30\x2d\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x04\x05\x00\x04\x1c",
        Hash::Sha256 => b"\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\x04\x20",
        Hash::Sha384 => b"\x30\x41\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x02\x05\x00\x04\x30",
        Hash::Sha512 => b"\x30\x51\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x03\x05\x00\x04\x40",
    }
}

/// The least length in bytes for EMSA-PKCS1-v1_5.
pub(super) fn pkcs1_bytes(hash: Hash) -> usize {
    digest_info(hash).len() + hash.output_bytes() + 11
}

/// EMSA-PKCS1-v1_5 (9.2): 0 1 ff … ff 0 DigestInfo, in `length` bytes, at least [`pkcs1_bytes`].
pub(super) fn encode_pkcs1(hash: Hash, digest: &[u8], length: usize) -> Vec<u8> {
    let info = digest_info(hash);
    let mut encoded = vec![0xff; length.saturating_sub(info.len() + digest.len() + 1)];
    if let [zero, one, ..] = encoded.as_mut_slice() {
        (*zero, *one) = (0, 1);
    }
    encoded.push(0);
    encoded.extend_from_slice(info);
    encoded.extend_from_slice(digest);
    encoded
}

/// EMSA-PSS-ENCODE (9.1.1, from step 4 on) with `bits` = emBits, which must be large enough.
pub(super) fn encode_pss(hash: Hash, mask_hash: Hash, digest: &[u8], salt: &[u8], bits: u32) -> Vec<u8> {
    let length = bits.div_ceil(8) as usize;
    let h = salted(hash, digest, salt);
    // DB = 0 … 0 1 salt, masked. The bits above emBits are cleared.
    let mut encoded = vec![0; length.saturating_sub(h.len() + salt.len() + 2)];
    encoded.push(1);
    encoded.extend_from_slice(salt);
    apply_mask(mask_hash, &h, &mut encoded);
    if let Some(top) = encoded.first_mut() {
        *top &= top_bits(bits);
    }
    encoded.extend_from_slice(&h);
    encoded.push(0xbc);
    encoded
}

/// EMSA-PSS-VERIFY (9.1.2) for a salt of `salt_bytes`, or of any length. Variable-time.
pub(super) fn matches_pss(
    hash: Hash,
    mask_hash: Hash,
    digest: &[u8],
    salt_bytes: Option<usize>,
    encoded: &[u8],
    bits: u32,
) -> bool {
    let output = hash.output_bytes();
    let Some((0xbc, rest)) = encoded.split_last().map(|(&last, rest)| (last, rest)) else { return false };
    let Some(start) = rest.len().checked_sub(output) else { return false };
    let (masked, h) = rest.split_at(start);
    if masked.first().is_none_or(|top| top & !top_bits(bits) != 0) {
        return false;
    }
    let mut block = masked.to_vec();
    apply_mask(mask_hash, h, &mut block);
    if let Some(top) = block.first_mut() {
        *top &= top_bits(bits);
    }
    // The first nonzero byte must be 1; the salt follows it.
    let Some(one) = block.iter().position(|&byte| byte != 0).filter(|&one| block[one] == 1) else {
        return false;
    };
    let salt = &block[one + 1..];
    salt_bytes.is_none_or(|length| length == salt.len()) && salted(hash, digest, salt) == h
}

/// A mask for the first byte of a string of `bits` bits.
fn top_bits(bits: u32) -> u8 {
    0xff >> (bits.div_ceil(8) * 8 - bits)
}

/// H = Hash(eight zeros, digest, salt).
fn salted(hash: Hash, digest: &[u8], salt: &[u8]) -> Vec<u8> {
    hash.digest(&[&[0; 8], digest, salt].concat())
}

/// `block` ← `block` xor MGF1(seed) (B.2.1).
fn apply_mask(hash: Hash, seed: &[u8], block: &mut [u8]) {
    for (counter, chunk) in (0u32..).zip(block.chunks_mut(hash.output_bytes())) {
        let mask = hash.digest(&[seed, &counter.to_be_bytes()].concat());
        chunk.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pkcs1_is_what_the_rfc_says() {
        let digest = Hash::Sha256.digest(b"message");
        let encoded = encode_pkcs1(Hash::Sha256, &digest, 128);
        assert_eq!(encoded.len(), 128);
        assert_eq!(encoded[..2], [0, 1]);
        assert!(encoded[2..76].iter().all(|&byte| byte == 0xff));
        assert_eq!(encoded[76], 0);
        assert_eq!(encoded[77..96], *digest_info(Hash::Sha256));
        assert_eq!(encoded[96..], digest);
        for hash in Hash::ALL {
            // DigestInfo contains its own length and that of the digest; the shortest padding has
            // eight bytes ff.
            let info = digest_info(hash);
            assert_eq!(usize::from(info[1]), info.len() - 2 + hash.output_bytes());
            assert_eq!(usize::from(info[info.len() - 1]), hash.output_bytes());
            let shortest = encode_pkcs1(hash, &hash.digest(b""), pkcs1_bytes(hash));
            assert_eq!(shortest.len(), pkcs1_bytes(hash));
            assert_eq!(shortest[..11], [0, 1, 255, 255, 255, 255, 255, 255, 255, 255, 0]);
        }
    }

    #[test]
    fn pss_is_decoded_at_every_length() {
        let digest = Hash::Sha256.digest(b"message");
        let salt: Vec<u8> = (0..32).collect();
        for bits in 34 * 8 + 32 * 8 - 7..700 {
            for salt in [&salt[..], &salt[..5], &[]] {
                let encoded = encode_pss(Hash::Sha256, Hash::Sha1, &digest, salt, bits);
                let matches = |digest: &[u8], salt_bytes, encoded: &[u8]| {
                    matches_pss(Hash::Sha256, Hash::Sha1, digest, salt_bytes, encoded, bits)
                };
                assert_eq!(encoded.len(), bits.div_ceil(8) as usize);
                assert_eq!(encoded[0] & !top_bits(bits), 0);
                let length = Some(salt.len());
                for length in [length, None] {
                    assert!(matches(&digest, length, &encoded), "{bits} bits");
                    assert!(!matches(&Hash::Sha256.digest(b"another"), length, &encoded));
                }
                assert!(!matches(&digest, Some(salt.len() + 1), &encoded));
                assert!(!matches(&digest, Some(1000), &encoded));
                for position in 0..encoded.len() {
                    let mut damaged = encoded.clone();
                    damaged[position] ^= 1;
                    for length in [length, None] {
                        assert!(!matches(&digest, length, &damaged), "{bits} bits, byte {position}");
                    }
                }
                for short in 0..encoded.len() {
                    assert!(!matches(&digest, None, &encoded[..short]));
                }
                // The bits above emBits must be zero.
                if bits % 8 != 0 {
                    let mut damaged = encoded.clone();
                    damaged[0] |= 0x80;
                    assert!(!matches(&digest, None, &damaged));
                }
            }
        }
    }
}

//! The part of a digest that DSA uses.

use crypto_bigint::BoxedUint;

/// The leftmost `bits` bits of a digest as a number, or all bits if the digest is shorter (FIPS
/// 186-4, section 4.6; `bits2int` of RFC 6979).
pub(super) fn bits2int(digest: &[u8], bits: u32) -> BoxedUint {
    let bytes = digest.len().min(bits.div_ceil(8) as usize);
    let kept = digest.get(..bytes).unwrap_or_default();
    let excess = (8 * bytes as u32).saturating_sub(bits);
    BoxedUint::from_be_slice_vartime(kept).unbounded_shr_vartime(excess)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_leftmost_bits_count() {
        let digest = [0xab, 0xcd, 0xef];
        for (bits, expected) in
            [(24, 0xabcdefu64), (25, 0xabcdef), (16, 0xabcd), (12, 0xabc), (9, 0x157), (1, 1)]
        {
            assert_eq!(bits2int(&digest, bits), BoxedUint::from(expected), "{bits} bits");
        }
    }
}

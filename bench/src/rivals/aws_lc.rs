//! AWS-LC, built from source by its crate.

use super::bignum::bignum_library;

mod functions {
    pub use aws_lc_sys::{
        BIGNUM, BN_CTX, BN_CTX_free, BN_CTX_new, BN_MONT_CTX, BN_MONT_CTX_free, BN_MONT_CTX_new,
        BN_MONT_CTX_set, BN_free, BN_from_montgomery, BN_le2bn as from_le, BN_mod_exp_mont_consttime,
        BN_mod_inverse, BN_mod_mul_montgomery, BN_to_montgomery,
    };

    /// # Safety
    /// `number` must be a valid number.
    pub unsafe fn to_le(number: *const BIGNUM, bytes: &mut [u8]) {
        // SAFETY: the caller guarantees that the number is valid, and the buffer has this length.
        let done = unsafe { aws_lc_sys::BN_bn2le_padded(bytes.as_mut_ptr(), bytes.len(), number) };
        assert_eq!(done, 1, "the number is longer than its modulus");
    }
}

bignum_library!(functions);

/// The version that is linked.
pub fn version() -> String {
    let text = String::from_utf8_lossy(aws_lc_sys::AWSLC_VERSION_NUMBER_STRING);
    text.trim_end_matches('\0').to_string()
}

//! The equations of instructions that move parts of lanes, which processors without AVX-512 have too, hold
//! for other operands.

use super::common::{Code, Runs, check};
use std::{arch::asm, is_x86_feature_detected as has};
use testing::Random;

/// The words that are read and written: four vectors each.
const WORDS: usize = 32;

/// Code on ymm0 to ymm3, which are read and written.
macro_rules! rules {
    ($random:ident; $($text:literal)*) => {$(
        let code: Code<WORDS> = |memory| {
            // SAFETY: the words exist, and the registers are declared.
            unsafe {
                asm!(
                    "vmovdqu ymm0, [rdi]", "vmovdqu ymm1, [rdi + 32]", "vmovdqu ymm2, [rdi + 64]",
                    "vmovdqu ymm3, [rdi + 96]",
                    $text,
                    "vmovdqu [rdi + 128], ymm0", "vmovdqu [rdi + 160], ymm1", "vmovdqu [rdi + 192], ymm2",
                    "vmovdqu [rdi + 224], ymm3",
                    in("rdi") memory.as_mut_ptr(), out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _,
                );
            }
        };
        check($text, Runs { code, by_processor: has!("avx2") }, u64::MAX, $random);
    )*};
}

#[test]
fn parts_of_lanes() {
    let random = &mut Random(7);
    for _ in 0..3 {
        rules! { random;
            "vpshuflw xmm0, xmm0, 0xe8; vpshuflw ymm1, ymm1, 0x1b; vpshuflw xmm2, xmm2, 0x4e; vpshuflw ymm3, ymm3, 0xe4"
            "vpbroadcastd ymm0, xmm0; vpbroadcastd xmm1, xmm1; vpmovsxdq ymm2, xmm2; vpmovsxdq xmm3, xmm3"
            "vperm2i128 ymm0, ymm0, ymm1, 0x20; vperm2i128 ymm1, ymm1, ymm2, 0x31; vperm2f128 ymm2, ymm2, [rdi], 0x83; vperm2i128 ymm3, ymm3, ymm2, 0x28"
            "vpcmpeqq xmm0, xmm0, xmm1; vpshuflw xmm0, xmm0, 0xe8; vpbroadcastd xmm0, xmm0; vpmovsxdq ymm0, xmm0; vpand ymm1, ymm0, ymm2; vpcmpeqq xmm2, xmm3, [rdi + 8]; vpshuflw xmm2, xmm2, 0xe8; vpbroadcastd xmm2, xmm2; vpmovsxdq ymm2, xmm2; vpand ymm3, ymm2, ymm3"
        }
    }
}

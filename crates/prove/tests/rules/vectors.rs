//! The equations of instructions on lanes and masks hold for other operands as well.

use super::common::{Code, Runs, check};
use std::{arch::asm, is_x86_feature_detected as has};
use testing::Random;

/// The words that are read and written: five vectors each.
const WORDS: usize = 80;

/// Code on zmm0 to zmm4, which are read, and zmm0 to zmm3 and rax, which are written. zmm5 is 2^52 − 1 in
/// each lane.
macro_rules! rules {
    ($random:ident, $highest:expr; $($text:literal)*) => {$(
        let code: Code<WORDS> = |memory| {
            // SAFETY: the words exist, and the registers are declared.
            unsafe {
                asm!(
                    "mov rax, 0xfffffffffffff", "vpbroadcastq zmm5, rax", "xor eax, eax",
                    "vmovdqu64 zmm0, [rdi]", "vmovdqu64 zmm1, [rdi + 64]", "vmovdqu64 zmm2, [rdi + 128]",
                    "vmovdqu64 zmm3, [rdi + 192]", "vmovdqu64 zmm4, [rdi + 256]",
                    $text,
                    "vmovdqu64 [rdi + 320], zmm0", "vmovdqu64 [rdi + 384], zmm1", "vmovdqu64 [rdi + 448], zmm2",
                    "vmovdqu64 [rdi + 512], zmm3", "mov [rdi + 576], rax", "mov [rdi + 584], rcx", "mov [rdi + 592], rdx",
                    in("rdi") memory.as_mut_ptr(),
                    out("rax") _, inout("rcx") 0u64 => _, inout("rdx") 0u64 => _, out("rsi") _, out("r8") _,
                    out("zmm0") _, out("zmm1") _, out("zmm2") _, out("zmm3") _, out("zmm4") _, out("zmm5") _,
                    out("k1") _, out("k2") _, out("k3") _,
                );
            }
        };
        check($text, Runs { code, by_processor: has_all() }, $highest, $random);
    )*};
}

/// Whether the processor has the instructions.
fn has_all() -> bool {
    has!("avx512f") && has!("avx512vl") && has!("avx512dq") && has!("avx512ifma")
}

#[test]
fn lanes() {
    let random = &mut Random(2);
    for _ in 0..2 {
        rules! { random, u64::MAX;
            "vpaddq zmm0, zmm0, zmm1; vpaddq ymm1, ymm1, ymm2; vpaddq xmm2, xmm2, xmm3"
            "vpsubq zmm0, zmm0, zmm1; vpsubq ymm1, ymm1, ymm2; vpaddq zmm2, zmm2, zmm0"
            "vpmadd52luq zmm0, zmm1, zmm2; vpmadd52huq zmm1, zmm2, zmm3; vpmadd52luq ymm2, ymm3, ymm4"
            "vpmadd52luq xmm0, xmm1, xmm2; vpmadd52huq xmm1, xmm2, [rdi + 8]; vpmadd52luq zmm2, zmm3, qword ptr [rdi]{{1to8}}"
            "vpsrlq zmm0, zmm0, 52; vpsrlq ymm1, ymm1, 51; vpsrlq xmm2, xmm2, 1; vpsrlq zmm3, zmm3, 64"
            "vpsllq zmm0, zmm0, 1; vpsllq ymm1, ymm1, 12; vpsllq zmm2, [rdi], 63; vpsllq zmm3, zmm3, 0"
            "vpandq zmm0, zmm0, zmm5; vpand ymm1, ymm1, ymm5; vpandd zmm2, zmm2, zmm5; vpternlogq zmm3, zmm3, zmm5, 0x80"
            "vpternlogd zmm1, zmm1, zmm1, 0xff; vpsubq zmm0, zmm0, zmm1; vpcmpeqd ymm2, ymm2, ymm2; vpaddq ymm2, ymm2, ymm3"
            "mov rax, 0xffffffffffffe; vpbroadcastq zmm4, rax; vpsllq zmm0, zmm0, 1; vpsrlq zmm1, zmm1, 63; vpternlogq zmm0, zmm1, zmm4, 0xec; vpandq zmm2, zmm2, zmm4; xor eax, eax"
            "vpxor xmm1, xmm1, xmm1; vpaddq zmm0, zmm0, zmm1; vpxord zmm2, zmm2, zmm2; vpsubq zmm2, zmm2, zmm3"
            "vpsrlq zmm1, zmm0, 51; vpaddq zmm2, zmm0, zmm0; vpandq zmm2, zmm2, zmm5; vpsrlq zmm3, zmm0, 52"
            "vmovq rax, xmm0; vmovq xmm1, rax; vmovd ecx, xmm1; mov ecx, eax; vmovd xmm2, ecx; vmovq [rdi + 512], xmm3; vmovq xmm3, [rdi + 512]"
            "vpsrlq zmm0, zmm0, 14; vpsllq zmm1, zmm1, 50; vporq zmm0, zmm0, zmm1; vpsrlq ymm2, ymm2, 33; vpsllq ymm3, ymm3, 31; vpor ymm3, ymm2, ymm3"
            "vzeroupper; vmovdqu64 zmm1, [rdi]; vmovdqu ymm2, [rdi + 32]"
            "vpsraq zmm0, zmm0, 63; vpsraq ymm1, ymm1, 63; vpandnq zmm2, zmm0, zmm2; vpandn ymm3, ymm1, ymm3"
            "vpxor xmm1, xmm1, xmm1; vpcmpeqq k1, zmm0, zmm1; vpcmpeqq k2, zmm2, zmm2; vptestnmq k3, zmm3, zmm3; kmovw eax, k1; kmovw ecx, k2; kmovw edx, k3"
            "vpcmpeqq k1, zmm0, zmm5; vptestnmq k2 {{k1}}, zmm1, zmm1; vpblendmq zmm2 {{k1}}, zmm2, zmm3; kmovw eax, k1; mov [rdi + 512], eax; mov ecx, [rdi + 512]; kmovw k3, ecx; vpblendmq zmm3 {{k3}}, zmm3, zmm4"
            "vpsrlq zmm0, zmm0, 2; vpsrlq zmm1, zmm1, 2; vpsubq zmm0, zmm0, zmm1; vpsraq zmm2, zmm0, 52; vpaddq zmm3, zmm2, zmm0; vpsraq zmm3, zmm3, 50; vpmadd52luq zmm4, zmm0, zmm1; vpandq zmm0, zmm0, zmm5; vpsraq zmm1, zmm1, 7"
            "vpsrlq zmm0, zmm0, 13; vpsrlq zmm1, zmm1, 13; vpsubq zmm0, zmm0, zmm1; vpsraq zmm2, zmm0, 52; vpaddq zmm3, zmm2, zmm1; vpsraq zmm4, zmm3, 52"
            "vpandnq zmm0, zmm1, zmm2; vpsraq zmm0, zmm0, 63; vpxord zmm1, zmm1, zmm1; vpternlogq zmm1, zmm0, zmm2, 0xf8"
            "vpternlogd zmm3, zmm3, zmm3, 0xff; vpaddq zmm1, zmm0, zmm3; vpandnq zmm2, zmm0, zmm1; vpsraq zmm2, zmm2, 63; vpxord zmm3, zmm3, zmm3; vpternlogq zmm3, zmm1, zmm2, 0xf8; vpxord zmm4, zmm4, zmm4; vpternlogq zmm4, zmm2, zmm0, 0xf8; vmovdqa64 zmm1, zmm2; vpxord zmm0, zmm0, zmm0; vpternlogq zmm1, zmm4, zmm0, 0xea; vpternlogq zmm4, zmm0, zmm2, 0xec"
        }
    }
}

#[test]
fn places() {
    let random = &mut Random(3);
    for _ in 0..2 {
        rules! { random, u64::MAX;
            "valignq zmm0, zmm1, zmm2, 1; valignq ymm1, ymm2, ymm3, 3; valignq xmm2, xmm3, xmm4, 1; valignq zmm3, zmm3, zmm4, 15"
            "vpshufd xmm0, xmm1, 0xee; vpshufd xmm1, xmm2, 0x4e; vpshufd xmm2, xmm3, 0x44; vpshufd xmm3, xmm4, 0xe4"
            "vpermq zmm0, zmm0, 0x39; vpermq ymm1, ymm1, 0x95; vpermpd zmm2, [rdi], 0xe8; vpermpd ymm3, [rdi], 0xf9"
            "push 5; push 14; push 0; push 3; push 9; push 7; push 2; push 6; vmovdqu64 zmm4, [rsp]; vpermq zmm0, zmm4, zmm0; vmovdqa64 zmm3, zmm4; vpermi2q zmm3, zmm1, zmm2; vpermt2q zmm2, zmm4, zmm1; vpermq ymm1, ymm4, ymm1; add rsp, 64"
            "mov eax, 0xa5; kmovw k1, eax; vpblendmq zmm0 {{k1}}, zmm1, zmm2; vpermq zmm1 {{k1}} {{z}}, zmm1, 0x1b; vpblendmq ymm2 {{k1}} {{z}}, ymm2, ymm3; vmovdqu64 zmm3 {{k1}}, zmm4"
            "mov al, 0x3c; kmovb k1, eax; kmovb ecx, k1; vpaddq zmm0 {{k1}}, zmm0, zmm1; vpsubq ymm2 {{k1}} {{z}}, ymm3, ymm4"
            "vpblendd ymm0, ymm1, ymm2, 0x3c; vblendps ymm1, ymm1, ymm2, 0xcf; vblendpd ymm2, ymm2, ymm3, 5; vpblendd xmm3, xmm3, [rdi], 3"
            "vshufpd ymm0, ymm0, ymm1, 6; vshufpd xmm1, xmm1, xmm2, 1; vshufpd zmm2, zmm2, zmm3, 0xa5"
            "vshufi64x2 zmm0, zmm0, zmm1, 0xe4; vshufi64x2 ymm1, ymm1, ymm2, 1; vshuff64x2 zmm2, zmm2, zmm3, 0x1b; vshufi64x2 zmm3, zmm3, qword ptr [rdi]{{1to8}}, 0x44"
            "vpunpcklqdq ymm0, ymm0, ymm1; vpunpckhqdq zmm1, zmm1, zmm2; vunpcklpd xmm2, xmm2, xmm3; vunpckhpd ymm3, ymm3, ymm4"
            "vextractf128 xmm0, ymm0, 1; vextracti64x4 ymm1, zmm1, 1; vextracti32x4 xmm2, zmm2, 3; vextracti128 [rdi + 512], ymm3, 1; vmovdqu xmm3, [rdi + 512]"
            "vinsertf128 ymm0, ymm0, xmm1, 1; vinserti64x4 zmm1, zmm1, ymm2, 0; vinserti32x4 zmm2, zmm2, xmm3, 2; vinserti128 ymm3, ymm3, [rdi], 1"
            "vpbroadcastq zmm0, xmm1; vpbroadcastq ymm1, [rdi + 24]; vbroadcastsd zmm2, xmm2; mov rax, [rdi]; vpbroadcastq zmm3, rax"
            "vmovlpd [rdi + 512], xmm0; vmovq xmm1, [rdi + 512]; vmovups [rdi + 512], zmm2; vmovapd ymm3, ymm4"
            "vpermt2q zmm0, zmm1, zmm2; vpermi2q zmm3, zmm1, zmm4; vpermq zmm2, zmm1, zmm4; vpermt2q ymm1, ymm4, [rdi]"
        }
    }
}

/// For words that are 0, or equal to others, the difference less one has a sign.
#[test]
fn words_less_one() {
    let random = &mut Random(6);
    for _ in 0..3 {
        rules! { random, u64::MAX;
            "vpsrlq zmm0, zmm0, 4; vpternlogd zmm4, zmm4, zmm4, 0xff; vpaddq zmm1, zmm0, zmm4; vpsraq zmm1, zmm1, 63; vpsrlq zmm2, zmm2, 1; vpaddq zmm2, zmm2, zmm4; vpsraq zmm2, zmm2, 63; vpaddq zmm3, zmm3, zmm4; vpsraq zmm3, zmm3, 63"
            "vpsrlq zmm0, zmm0, 4; vpsrlq zmm1, zmm5, 4; vpxorq zmm1, zmm0, zmm1; vpternlogd zmm4, zmm4, zmm4, 0xff; vpaddq zmm1, zmm1, zmm4; vpsraq zmm1, zmm1, 63; vpxord zmm3, zmm3, zmm3; vpternlogq zmm3, zmm1, zmm2, 0xf8"
        }
    }
}

/// Comparisons, and operations on their masks, for unsigned words.
#[test]
fn masks() {
    let random = &mut Random(4);
    for highest in [(1 << 53) - 2, (1 << 52) - 1, (1 << 62) + 5] {
        rules! { random, highest;
            "vpcmpgtq k1, zmm0, zmm5; kmovb eax, k1; vpcmpeqq k2, ymm0, ymm5; kmovw ecx, k2; vpcmpgtq k3, ymm0, ymm1; kmovb edx, k3"
            "vpcmpeqq ymm2, ymm0, ymm1; vpand ymm3, ymm2, ymm4; vpcmpeqq xmm1, xmm1, [rdi]; vpand xmm0, xmm4, xmm1"
            "vpcmpuq k1, zmm0, zmm5, 6; kmovb eax, k1; vpcmpuq k2, zmm0, zmm1, 1; kmovb ecx, k2; vpcmpuq k3, zmm0, zmm1, 2; kmovb edx, k3"
            "vpcmpuq k1, zmm0, zmm5, 4; kmovb eax, k1; vpcmpuq k2, ymm0, ymm1, 5; kmovb ecx, k2; vpcmpq k3 {{k1}}, zmm0, zmm1, 0; kmovb edx, k3"
            "vpcmpeqq k1, zmm0, zmm1; vpcmpgtq k2 {{k1}}, zmm2, zmm3; kmovw eax, k2; vpcmpeqq k3 {{k1}}, zmm0, zmm5; kmovd ecx, k3"
            "vpcmpgtq k1, zmm0, zmm5; vpsubq zmm0 {{k1}}, zmm0, zmm5; vpaddq zmm1 {{k1}} {{z}}, zmm1, zmm2; vmovdqu64 zmm2 {{k1}}, zmm3; vpblendmq zmm3 {{k1}}, zmm3, zmm4"
            "vpcmpeqq k1, zmm0, zmm5; vpcmpgtq k2, zmm0, zmm5; kmovw eax, k1; kmovw ecx, k2; and al, 0x7f; add cl, cl; add cl, al; xor cl, al; kmovw k3, ecx; vpternlogd zmm4, zmm4, zmm4, 0xff; vpsubq zmm0 {{k3}}, zmm0, zmm4"
            "vpcmpeqq k1, zmm0, zmm5; vpcmpgtq k2, zmm0, zmm5; kmovw eax, k1; kmovw ecx, k2; movzx eax, al; movzx ecx, cl; lea edx, [rax + rcx*2]; xor al, dl; kmovw k3, eax; vpternlogd zmm4, zmm4, zmm4, 0xff; vpsubq zmm0 {{k3}}, zmm0, zmm4; shr edx, 8; kmovw k1, edx; vpsubq zmm1 {{k1}}, zmm1, zmm4"
            "vpcmpeqq k1, zmm0, zmm5; vpcmpgtq k2, zmm1, zmm5; kmovw ecx, k1; kmovw edx, k2; shl ecx, 8; or ecx, edx; lea rdx, [rdx + rcx*4]; mov eax, edx; shl edx, 22; test edx, edx; sets cl; movzx ecx, cl"
            "vpcmpgtq k1, zmm0, zmm5; vpcmpgtq k2, zmm1, zmm5; kmovw eax, k1; kmovw ecx, k2; shl rax, 56; shl rcx, 56; mov rdx, rax; add rdx, rcx; setb cl; test rax, rax; sets al; or al, cl; movzx eax, al; mov ecx, 0; mov edx, 0"
            "vpcmpeqq k1, ymm0, ymm5; vpcmpgtq k2, ymm1, ymm5; kmovw eax, k1; kmovw ecx, k2; or eax, ecx; add ecx, ecx; xor ecx, eax; and ecx, eax; kmovb k3, ecx; vpaddq ymm2 {{k3}}, ymm2, ymm3"
            "vpandq zmm0, zmm0, zmm5; vpandq zmm1, zmm0, zmm1; vpternlogq zmm1, zmm2, zmm3, 0x80; vpcmpeqq k1, zmm1, zmm5; kmovb eax, k1; vpcmpeqq k2, zmm5, zmm1; kmovb ecx, k2; vpxord zmm1, zmm1, zmm1"
        }
    }
}

/// Signed words, and words that are composed of pieces.
#[test]
fn words_of_digits() {
    let random = &mut Random(5);
    for highest in [(1 << 52) - 1, (1 << 40) + 3] {
        for _ in 0..3 {
            rules! { random, highest;
                "mov rax, [rdi]; add rax, [rdi + 8]; sub rax, [rdi + 16]; mov rcx, rax; mov rsi, 0xfffffffffffff; and rcx, rsi; sar rax, 52"
                "mov rax, [rdi]; sub rax, [rdi + 8]; mov rcx, rax; sar rcx, 52; add rcx, [rdi + 16]; sub rcx, [rdi + 24]; sar rax, 63; and rax, [rdi + 32]; mov rdx, rcx; sar rdx, 63"
                "mov rax, [rdi]; mov rcx, [rdi + 8]; shl rcx, 52; or rax, rcx; mov rdx, [rdi + 8]; shr rdx, 12; mov rcx, 7; shrd rax, rdx, cl; shl rdx, 0; shld rdx, rax, 9"
                "mov rax, [rdi]; sub rax, [rdi + 8]; sar rax, 63; mov rsi, 0xfffffffffffff; and rax, rsi; mov rcx, [rdi + 16]; sub rcx, [rdi + 24]; shr rcx, 63; add rax, rcx; mov rcx, rax; shr rcx, 52; and rax, rsi"
            }
        }
    }
    rules! { random, u64::MAX;
        "mov rax, [rdi]; shr rax, 4; mov rcx, [rdi + 8]; add rcx, rcx; shl rcx, 59; or rax, rcx; mov rsi, 0xfffffffffffff; and rax, rsi; mov rcx, [rdi]; shr rcx, 56; mov rdx, [rdi + 8]; add rdx, rdx; shl rdx, 7; or rcx, rdx; and rcx, rsi"
        "mov rax, [rdi]; shr rax, 0; mov rcx, [rdi + 8]; shl rcx, 0; sar rcx, 0; mov rdx, [rdi + 16]; shrd rdx, rax, 13; shld rcx, rdx, 63"
    }
}

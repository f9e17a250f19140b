//! Compares the equations of products of signed words with what the processor does.

use super::common::check_signed;
use std::arch::asm;
use testing::Random;

const WORDS: usize = 4;

/// Code on rax, rbx, rcx and rdx, which are read and written.
macro_rules! rules {
    ($random:ident: $($text:literal)*) => {$(
        check_signed($text, |memory: &mut [u64; 2 * WORDS]| {
            // SAFETY: the words exist, and the registers are saved.
            unsafe {
                asm!(
                    "push rbx",
                    "mov rax, [rdi]", "mov rbx, [rdi + 8]", "mov rcx, [rdi + 16]", "mov rdx, [rdi + 24]",
                    $text,
                    "mov [rdi + 32], rax", "mov [rdi + 40], rbx", "mov [rdi + 48], rcx", "mov [rdi + 56], rdx",
                    "pop rbx",
                    in("rdi") memory.as_mut_ptr(),
                    out("rax") _, out("rcx") _, out("rdx") _, out("rsi") _, out("r8") _, out("r9") _,
                );
            }
        }, $random);
    )*};
}

#[test]
fn rules_of_words_with_a_sign_hold_for_all_operands() {
    let random = &mut Random(2);
    for _ in 0..8 {
        rules! { random:
            "imul rbx"
            "imul qword ptr [rdi + 8]; mov rbx, rdx; mov rcx, rax"
            "mov rcx, -77; imul rcx; mov rcx, rdx"
            "sar rax, 2; sar rbx, 3; mov rcx, rax; add rcx, rbx; mov rdx, rax; sub rdx, rbx"
            "sar rax, 2; sub rax, rbx; sub rbx, rax; imul rbx"
            "sar rax, 1; add rax, rbx; add rax, rcx; sar rax, 5"
            "imul rbx; mov rsi, rax; mov r8, rdx; mov rax, rcx; imul qword ptr [rdi + 24]; add rax, rsi; adc rdx, r8; mov rbx, rdx; shrd rax, rdx, 62; sar rbx, 62"
            "imul rbx; mov rsi, rax; mov r8, rdx; mov rax, rcx; imul qword ptr [rdi + 24]; add rax, rsi; adc rdx, r8; mov rbx, rdx; shld rbx, rax, 2; shl rax, 2; mov rcx, rax"
            "imul rbx; mov rbx, rdx; sar rbx, 60; imul qword ptr [rdi + 16]; add rax, rcx; adc rdx, rbx"
            "sar rax, 63; sar rbx, 1; and rax, rbx; mov rcx, rax; neg rcx"
            "sar rax, 63; sar rbx, 63; sar rcx, 2; mov rdx, rcx; and rcx, rax; and rdx, rbx; add rcx, rdx"
            "sar rax, 1; neg rax; mov rbx, rax; sar rbx, 7"
            "sar rax, 1; sar rbx, 2; lea rcx, [rax + 2*rbx - 7]; lea rdx, [rax + rax]"
            "sar rax, 1; mov rbx, rax; and rax, 0xff; mov rsi, 0xffffffff00000000; and rbx, rsi; mov rcx, rbx; neg rcx; sar rcx, 32"
            "sar rax, 1; mov rsi, 0xffffffff00000000; imul rax, rsi; mov rbx, rax; sar rbx, 32; add rbx, rcx"
            "sar rax, 3; imul rbx, rax, -5; mov rsi, 0x8000000000000000; imul rax, rsi; sar rcx, 1; imul rcx, rdx"
            "sar rax, 33; imul rax, rax, 77; imul rbx"
            "shr rax, 2; xor rax, 1; shr rbx, 2; sar rcx, 63; xor rbx, rcx; sub rbx, rcx; sar rdx, 2; xor rdx, rcx"
            "shr rax, 2; mov rsi, rbx; shr rsi, 3; sar rcx, 63; xor rax, rcx; xor rsi, rcx; sub rsi, rcx; add rax, rsi; mov rbx, rax; mov rdx, 0x3fffffffffffffff; and rax, rdx; sar rbx, 62"
            "sar rax, 2; or rbx, rcx; or rbx, rax; cmp rbx, 1; sbb rdx, rdx; xor ebx, ebx"
            "shr rax, 2; sar rbx, 2; xor ecx, ecx; mov rsi, rax; shr rsi, 61; or rsi, rbx; or rsi, rcx; cmp rsi, 1; sbb rdx, rdx"
        }
    }
}

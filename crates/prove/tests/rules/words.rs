//! The equations of an instruction hold for other operands as well: their results are compared with what the
//! processor does.

use super::common::{Code, Runs, check};
use prove::{
    failure::Reason,
    lift::{Symbol, Territory, lift},
};
use std::{arch::asm, is_x86_feature_detected as has, iter};
use testing::Random;

const WORDS: usize = 4;

/// The reason why code on the same memory is not lifted, if it is not.
fn reason(code: Code<{ 2 * WORDS }>) -> Option<Reason> {
    let mut memory = [3u64; 2 * WORDS];
    let (report, trace) = checkmem::record(100_000, || {
        checkmem::start_recording();
        std::hint::black_box(code)(&mut memory);
        checkmem::stop_recording();
    });
    assert_eq!(report.ended, Ok(()));
    let trace = trace.first_call().unwrap();
    let (address, stack) = (memory.as_ptr() as u64, trace.begin.general[4]);
    let territory = Territory {
        public: iter::once(stack..stack + 8).collect(),
        writable: vec![address..address + 8 * WORDS as u64, stack - 4096..stack],
    };
    let symbols = [Symbol::any(address, vec![3; WORDS])];
    lift(&trace, &symbols, territory).err().map(|failure| failure.reason)
}

/// Code that cannot be lifted is refused for the right reason.
#[test]
fn refusals() {
    macro_rules! reason_of {
        ($($text:literal),*) => {
            reason(|memory| {
                // SAFETY: the words and the stack exist.
                unsafe {
                    asm!($($text,)* inout("rdi") memory.as_mut_ptr() => _, out("rax") _, out("rcx") _, out("rdx") _);
                }
            })
        };
    }
    assert_eq!(reason_of!("mov rax, [rdi]", "add rax, [rdi + 8]", "mov [rdi], rax"), None);
    let branch = reason_of!("mov rax, [rdi]", "cmp rax, [rdi + 8]", "jb 2f", "nop", "2:");
    assert_eq!(branch, Some(Reason::SymbolicBranch));
    let address = reason_of!("mov rax, [rdi]", "and eax, 1", "mov rax, [rdi + 8*rax]");
    assert_eq!(address, Some(Reason::SymbolicAddress));
    let count = reason_of!("mov rcx, [rdi]", "mov rax, [rdi + 8]", "shl rax, cl");
    assert_eq!(count, Some(Reason::SymbolicCount));
    assert_eq!(reason_of!("mov rax, [rdi + 40]"), Some(Reason::UndeclaredRead));
    assert_eq!(reason_of!("mov rax, [rdi]", "mov [rdi + 40], rax"), Some(Reason::ForeignWrite));
    assert_eq!(reason_of!("mov rax, [rdi]", "popcnt rax, rax"), Some(Reason::NoRule));
    assert_eq!(reason_of!("mov rax, [rdi]", "div qword ptr [rdi + 8]"), Some(Reason::NoRule));
    assert_eq!(reason_of!("rdtsc"), Some(Reason::NoRule));
    let flag = reason_of!("mov rax, [rdi]", "add rax, 5", "sets al");
    assert_eq!(flag, Some(Reason::UnfollowedFlag));
    let part = reason_of!("mov rax, [rdi]", "mov [rdi + 8], ax");
    assert_eq!(part, Some(Reason::PartOfAWord));
    let lost = reason_of!("mov byte ptr [rdi], 1", "mov rax, [rdi]");
    assert_eq!(lost, Some(Reason::UndeclaredRead));
    // Registers that a callee has to preserve may change in between.
    let kept = reason_of!("mov rax, [rdi]", "mov [rdi], r12", "xor r12, rax", "xor r12, rax");
    assert_eq!(kept, None);
}

/// Code on rax, rbx, rcx and rdx, which are read and written; the carry flag is the lowest bit of the fourth
/// word.
macro_rules! rules {
    ($random:ident: $($text:literal)*) => {$(
        let code: Code<{ 2 * WORDS }> = |memory| {
            // SAFETY: the words exist, and the registers are saved.
            unsafe {
                asm!(
                    "push rbx", "push rbp",
                    "mov rax, [rdi]", "mov rbx, [rdi + 8]", "mov rcx, [rdi + 16]", "mov rdx, [rdi + 24]",
                    "bt rdx, 0",
                    $text,
                    "mov [rdi + 32], rax", "mov [rdi + 40], rbx", "mov [rdi + 48], rcx", "mov [rdi + 56], rdx",
                    "pop rbp", "pop rbx",
                    in("rdi") memory.as_mut_ptr(),
                    out("rax") _, out("rcx") _, out("rdx") _, out("rsi") _, out("r8") _, out("r9") _,
                    out("xmm0") _, out("xmm1") _, out("xmm2") _,
                );
            }
        };
        check($text, Runs { code, by_processor: true }, u64::MAX, $random);
    )*};
}

#[test]
fn rules_hold_for_all_operands() {
    let random = &mut Random(1);
    for _ in 0..8 {
        rules! { random:
            "add rax, rbx; setc cl; movzx ecx, cl"
            "test rax, rax; sets cl; movzx ecx, cl; test ebx, ebx; setns al; movzx eax, al; cmp rdx, 0; cmovs rdx, rbx"
            "add eax, ebx; adc ecx, edx"
            "add al, bl; adc cl, 0"
            "adc rax, rbx; adc rcx, rdx; setc bl"
            "adc rax, 0; adc rbx, -1"
            "sub rax, rbx; sbb rcx, rdx; sbb rbx, rbx"
            "sub eax, ebx; sbb ecx, 7"
            "cmp rax, rbx; sbb rcx, 0; setb al"
            "cmp rax, rbx; cmovb rax, rcx; cmovae rbx, rdx"
            "cmp rax, rbx; cmovb eax, ecx"
            "cmp rax, rbx; sete al; movzx eax, al"
            "cmp rax, rbx; setne al; movzx eax, al"
            "cmp rax, rbx; setb sil; sete bl; mov al, dl; and al, 1; and bl, al; or bl, sil; movzx eax, bl; mov rbx, rax"
            "sub rax, rbx; setb sil; and edx, 1; sub rax, rdx; setb bl; or bl, sil; movzx ebx, bl"
            "add rax, rbx; setb sil; and edx, 1; add rax, rdx; setb bl; or bl, sil; movzx ebx, bl"
            "xor esi, esi; add rax, rbx; setb sil; add rax, rcx; adc rsi, 0; mov rbx, rsi"
            "add rax, rbx; setb sil; add rcx, rdx; setb bl; or bl, sil; movzx ebx, bl"
            "add rax, rbx; setb sil; cmp rcx, rdx; setb bl; or sil, bl; cmp rax, rdx; setb bl; or bl, sil; movzx ebx, bl; and ebx, 1"
            "mov rsi, rax; shr rbx, 1; add rax, rbx; shr rcx, 1; add rax, rcx; cmp rax, rsi; setb cl; movzx ecx, cl"
            "mov rsi, rax; add rsi, rbx; mov r8, rax; and edx, 1; add r8, rdx; mov r9, rsi; add r9, rdx; cmp r9, rsi; setb cl; movzx ecx, cl; mov rax, r9"
            "add rax, rbx; setb sil; movzx esi, sil; dec rsi; add rcx, rdx; setb bl; movzx ebx, bl; add rsi, rbx; setb cl; movzx ecx, cl; mov rax, rsi; add rax, rdx; adc rbx, 0"
            "mov rsi, 0x3ffffffffffff; and rax, rsi; and rbx, rsi; sub rax, rbx; mov rcx, rax; shr rcx, 63; mov rdx, rax; and rdx, rsi; mov rbx, rax; sar rbx, 50"
            "mov rsi, 0x3ffffffffffff; and rax, rsi; and rbx, rsi; sub rax, rbx; add rax, -16383; mov rbx, rax; sar rbx, 50; and rcx, rsi; add rcx, rbx; mov rdx, rcx; shr rdx, 63; and rcx, rsi"
            "mov rsi, 0x3ffffffffffff; and rax, rsi; and rbx, rsi; sub rax, rbx; and rdx, 1; sub rax, rdx; mov rcx, rax; shr rcx, 60; mov rbx, rax; shr rbx, 50; and rax, rsi"
            "shr rax, 14; shl rbx, 50; mov [rdi + 32], rax; or [rdi + 32], rbx; mov rax, [rdi + 32]"
            "neg rax; sbb rbx, rcx"
            "not rax; not ebx"
            "inc rax; dec rbx; inc ecx"
            "lea rax, [rbx + 4*rcx - 7]; lea ebx, [rdx + rcx]"
            "imul rax, rbx; imul rcx, rdx, 77"
            "mul rbx; mov rbx, rdx"
            "and rax, 0xff; and ebx, -16; and rcx, 1"
            "cmp rax, rbx; sbb rcx, rcx; and rcx, rdx; mov rax, rcx"
            "cmp rax, rbx; sbb rcx, rcx; not rcx; and rcx, rdx; mov rax, rcx"
            "cmp rax, rbx; sbb rcx, rcx; xor rcx, rdx; mov rax, rcx"
            "cmp rax, rbx; sbb rcx, rcx; or rcx, rdx; mov rax, rcx"
            "cmp rax, rbx; setb al; cmp rcx, rdx; setb bl; movzx eax, al; movzx ebx, bl; mov rsi, rax; not rsi; sub rax, rbx; and rax, rsi; sar rax, 63"
            "cmp rax, rbx; sbb rcx, rcx; mov rsi, rdx; xor rsi, rax; and rsi, rcx; xor rsi, rdx; mov rax, rsi"
            "add rax, rbx; cmp rax, rbx; setb cl; movzx ecx, cl"
            "sub rsp, 16; add rax, rbx; setb byte ptr [rsp + 8]; movzx ecx, byte ptr [rsp + 8]; add rsp, 16"
            "movq xmm0, rax; pshufd xmm0, xmm0, 0x44; movups xmm1, [rdi]; pxor xmm0, xmm1; pxor xmm0, xmm1; movups [rdi + 32], xmm0; mov rax, [rdi + 32]; mov rbx, [rdi + 40]"
            "cmp rax, rbx; sbb rcx, rcx; movq xmm0, rcx; movups xmm1, [rdi]; pand xmm1, xmm0; movups [rdi + 32], xmm1; mov rax, [rdi + 32]"
            "shr rax, 13; shl rbx, 7; shr ecx, 1; adc rdx, 0"
            "sar rax, 63; sar rbx, 5"
            "shl rax, 1; adc rbx, rbx"
            "shrd rax, rbx, 63; shld rcx, rdx, 3; shld rbx, rdx, 63"
            "shrd eax, ebx, 5; shld ecx, edx, 31"
            "mov rsi, rcx; shr rsi, 63; lea rbx, [rsi + 2*rbx]; shr rax, 63; add rcx, rcx; adc rdx, rdx; add rax, rcx; setb cl; movzx ecx, cl"
            "cmp rax, rbx; sbb rcx, rcx; movq xmm0, rcx; pshufd xmm0, xmm0, 0x44; movups xmm1, [rdi]; pand xmm1, xmm0; movups xmm2, [rdi + 16]; pandn xmm0, xmm2; por xmm0, xmm1; movups [rdi + 32], xmm0; mov rax, [rdi + 32]; mov rbx, [rdi + 40]"
            "bt rax, 17; adc rbx, 0; mov rax, rbx"
            "cmc; adc rax, rbx"
            "mov al, bl; mov cx, dx; xchg rbx, rdx"
            "movzx eax, bl; movzx ecx, dx"
            "push rax; push rbx; pop rax; pop rbx"
            "mov rsi, rdi; movups xmm0, [rsi]; movups [rsi + 32], xmm0; movdqu xmm1, [rsi + 16]; movdqu [rsi + 48], xmm1; mov rax, [rsi + 40]"
            "mov rsi, rdi; mov eax, [rsi + 4]; movzx ebx, byte ptr [rsi + 11]"
        }
        if has!("bmi2") && has!("adx") {
            rules! { random:
                "mulx rbx, rax, rax; mulx rcx, rdx, rcx"
                "adcx rax, rbx; adcx rcx, rdx"
                "xor esi, esi; adox rax, rbx; adcx rcx, rax; adox rcx, rdx; mov ebx, 0; adcx rbx, rsi; adox rbx, rsi"
                "mov esi, 9; shrx rax, rbx, rsi; shlx rbx, rcx, rsi"
            }
        }
    }
}

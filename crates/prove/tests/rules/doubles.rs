//! The equations of instructions on doubles and on their bits hold for other operands, in every rounding
//! mode.

use super::{
    common::{Code, recorded},
    evaluation::evaluate,
};
use prove::{
    lift::{Part, lift_declared},
    system::{Claim, Id, Value},
};
use std::{arch::asm, collections::HashMap, is_x86_feature_detected as has};
use testing::Random;

/// The words that are read, four vectors of digits, and also the words that are written.
const READ: usize = 16;
const WORDS: usize = 2 * READ;
const HIGHEST: u64 = (1 << 50) + (1 << 14) - 1;

/// Rounding modes, as values of the control register: to nearest, down, up and to zero.
const MODES: [u32; 4] = [0x1f80, 0x3f80, 0x5f80, 0x7f80];

type CodeInMode = fn(&mut [u64; WORDS], u32);

/// Code on ymm0 to ymm3, which are read and written. ymm5 is 1.25·2^102, ymm6 that plus 1.5·2^52, ymm7 is
/// 2^52, ymm8 2^50 − 1.
macro_rules! code {
    ($memory:expr, $($around:literal)? ; $text:literal; $after:literal, $mode:expr) => {
        // SAFETY: the words exist, and the registers are declared. The control register is restored.
        unsafe {
            asm!(
                "mov rax, 0x4654000000000000", "vmovq xmm5, rax", "vbroadcastsd ymm5, xmm5",
                "mov rax, 0x4338000000000000", "vmovq xmm6, rax", "vbroadcastsd ymm6, xmm6", "vaddpd ymm6, ymm6, ymm5",
                "mov rax, 0x4330000000000000", "vmovq xmm7, rax", "vbroadcastsd ymm7, xmm7",
                "mov rax, 0x3ffffffffffff", "vmovq xmm8, rax", "vpbroadcastq ymm8, xmm8", "xor eax, eax",
                "vmovupd ymm0, [rdi]", "vmovupd ymm1, [rdi + 32]", "vmovupd ymm2, [rdi + 64]", "vmovupd ymm3, [rdi + 96]",
                $($around,)?
                $text,
                $after,
                "vmovupd [rdi + 128], ymm0", "vmovupd [rdi + 160], ymm1", "vmovupd [rdi + 192], ymm2", "vmovupd [rdi + 224], ymm3",
                in("rdi") $memory.as_mut_ptr(), in("rsi") $mode, out("rax") _, out("rcx") _,
                out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _, out("ymm4") _, out("ymm5") _, out("ymm6") _,
                out("ymm7") _, out("ymm8") _,
            );
        }
    };
}

macro_rules! rules {
    ($random:ident; $($text:literal)*) => {$(
        check(
            $text,
            |memory| code!(memory, ; $text; "", 0),
            |memory, mode| {
                let modes = [mode, MODES[0]];
                code!(memory, "ldmxcsr [rsi]"; $text; "ldmxcsr [rsi + 4]", modes.as_ptr());
            },
            $random,
        );
    )*};
}

fn digit(random: &mut Random) -> u64 {
    let word = random.word();
    match word % 4 {
        0 => [0, 1, HIGHEST, HIGHEST - 1, 1 << 50, (1 << 50) - 1, 1 << 49, (1 << 25) + 1]
            [(word >> 32) as usize % 8],
        1 => 1 << ((word >> 32) % 51),
        _ => word >> 14,
    }
}

fn digits(random: &mut Random) -> [u64; WORDS] {
    let mut memory = [0; WORDS];
    memory[..READ].iter_mut().for_each(|word| *word = (digit(random) as f64).to_bits());
    memory
}

/// Whether the lower part causes a rounding up.
fn goes_up(low: i128, unit: u32, high: i128, mode: u32) -> bool {
    let half = 1i128 << (unit - 1);
    match MODES.iter().position(|&other| other == mode) {
        Some(0) => low > half || low == half && high & 1 == 1,
        Some(2) => low > 0,
        _ => false,
    }
}

fn check(name: &str, code: Code<WORDS>, in_mode: CodeInMode, random: &mut Random) {
    let mut memory = digits(random);
    let inputs = memory;
    let (trace, territory) = recorded(name, code, &mut memory);
    let address = memory.as_ptr() as u64;
    let mut ids: Vec<Id> = Vec::new();
    let lifted = lift_declared(Part::whole(&trace), &[], territory, |declarations| {
        for (i, &word) in inputs[..READ].iter().enumerate() {
            let value = declarations.integer(HIGHEST.into(), f64::from_bits(word) as i128)?;
            if let Value::Variable(id) = value {
                ids.push(id);
            }
            declarations.double(address + 8 * i as u64, word, value)?;
        }
        Ok(())
    });
    let (lifted, _) = lifted.unwrap_or_else(|failure| panic!("{name}: {failure}"));
    let system = &lifted.integers.system;
    let mut compared = 0;
    for round in 0..200 {
        let mode = MODES[round % 4];
        let mut memory = digits(random);
        if round % 8 == 0 {
            memory[4..8].fill(0);
        }
        let before = memory;
        let mut inputs: HashMap<Id, u64> =
            ids.iter().zip(&memory).map(|(&id, &word)| (id, f64::from_bits(word) as u64)).collect();
        in_mode(&mut memory, mode);
        // The direction of each rounding depends on products that are known before.
        let values = evaluate(&lifted.integers, &inputs);
        for claim in &system.claims {
            if let &Claim::Rounded { split, up, unit, added, .. } = claim {
                let split = &system.splits[split as usize];
                let of = |x: Value| match x {
                    Value::Constant(x) => x,
                    Value::Variable(id) => values[id as usize],
                };
                let high = of(split.high) + (of(added) >> unit);
                inputs.insert(up, goes_up(of(split.low), unit, high, mode).into());
            }
        }
        let values = evaluate(&lifted.integers, &inputs);
        for (i, &after) in memory.iter().enumerate().skip(READ) {
            let at = address + 8 * i as u64;
            let what = format!("{name}, word {i} of {before:x?} in mode {mode:x}");
            let of = |x: Value| match x {
                Value::Constant(x) => x,
                Value::Variable(id) => values[id as usize],
            };
            compared += 1;
            if let Ok(held) = lifted.doubles(at, &[after]) {
                assert_eq!(of(held[0]), f64::from_bits(after) as i128, "{what}");
            } else if let Ok(word) = lifted.words(at, 1) {
                assert_eq!(values[word[0] as usize], after.into(), "{what}");
            } else {
                compared -= 1;
            }
        }
    }
    assert!(compared >= 200, "{name}: nothing depends on the words");
}

#[test]
fn doubles() {
    if !has!("avx2") || !has!("fma") {
        println!("skipped: this processor has no AVX2 and FMA");
        return;
    }
    let random = &mut Random(5);
    for _ in 0..4 {
        rules! { random;
            "vmovapd ymm4, ymm5; vfmadd231pd ymm4, ymm0, ymm1; vsubpd ymm2, ymm6, ymm4; vfmadd231pd ymm2, ymm0, [rdi + 32]; vmovapd ymm3, ymm4"
            "vfmadd213pd ymm0, ymm1, ymm5; vmovapd ymm1, ymm0; vpaddq ymm2, ymm1, ymm0"
            "vmovapd ymm4, ymm0; vfmadd132pd ymm4, ymm5, ymm1; vsubpd ymm3, ymm6, ymm4; vfmadd231pd ymm3, ymm1, ymm0; vpsubq ymm2, ymm3, ymm4"
            "vmovapd xmm4, xmm5; vfmadd231pd xmm4, xmm0, [rdi + 32]; vmovapd xmm0, xmm4"
            "vaddpd ymm4, ymm0, ymm1; vaddpd ymm3, ymm2, ymm3; vmovapd ymm2, ymm5; vfmadd231pd ymm2, ymm4, ymm0"
            "vaddpd ymm0, ymm0, ymm1; vsubpd ymm1, ymm2, ymm3; vaddpd xmm2, xmm2, [rdi]; vsubpd ymm3, ymm3, ymm3"
            "addpd xmm0, xmm1; subpd xmm1, xmm2; addsd xmm2, xmm3; subsd xmm3, [rdi]"
            "vaddsd xmm0, xmm0, xmm1; vsubsd xmm1, xmm1, xmm2; vaddsd xmm2, xmm2, [rdi + 8]"
            "vaddpd ymm0, ymm0, ymm7; vxorpd ymm0, ymm0, ymm7; vpaddq ymm1, ymm0, ymm0; vpsrlq ymm2, ymm1, 50; vpand ymm3, ymm1, ymm8"
            "vaddpd ymm0, ymm0, ymm7; vxorpd ymm0, ymm0, ymm7; vpor ymm1, ymm0, ymm7; vsubpd ymm1, ymm1, ymm7; vandpd ymm2, ymm0, ymm8; vorpd ymm3, ymm2, ymm7"
            "vmovapd ymm4, ymm5; vfmadd231pd ymm4, ymm0, ymm1; vpaddq ymm0, ymm4, ymm7; vpsrlq ymm1, ymm0, 50; vpand ymm2, ymm4, ymm8; vpaddq ymm3, ymm0, ymm7; vpand ymm0, ymm3, ymm8; vpsrlq ymm3, ymm3, 50"
            "addpd xmm0, xmm7; xorpd xmm0, xmm7; orpd xmm0, xmm7; addsd xmm1, xmm7; movq rax, xmm1; movq xmm2, rax; subsd xmm2, xmm7"
            "addpd xmm0, xmm7; pxor xmm0, xmm7; paddq xmm0, xmm0; movdqa xmm1, xmm0; psrlq xmm1, 50; pand xmm0, xmm8; psubq xmm0, xmm1"
            "movsd xmm0, [rdi + 40]; vmovsd xmm1, [rdi + 48]; movq [rdi + 16], xmm2; movsd xmm3, [rdi + 16]; movhpd [rdi + 24], xmm2"
            "vmovapd ymm4, ymm5; vfmadd231pd ymm4, ymm0, ymm1; vpaddq ymm2, ymm4, ymm4; vpsubq ymm2, ymm2, ymm4; vpsubq ymm3, ymm2, ymm5; vpsubq ymm3, ymm3, ymm7"
            "vpermilpd ymm0, ymm0, 5; vperm2f128 ymm1, ymm0, ymm1, 0x21; vperm2i128 ymm2, ymm2, ymm3, 0x83; vpermpd ymm3, ymm3, 0x93"
            "vpermq ymm0, ymm0, 0x4e; vblendpd ymm1, ymm1, ymm0, 6; vpblendd ymm2, ymm2, ymm1, 0x3f; vinsertf128 ymm3, ymm3, xmm0, 1"
            "vbroadcastsd ymm0, qword ptr [rdi + 8]; vunpcklpd ymm1, ymm1, ymm0; vshufpd ymm2, ymm2, ymm1, 9; vextractf128 xmm3, ymm2, 1"
        }
    }
}

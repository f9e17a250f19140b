//! Every interpreted instruction gives the same result as the processor, including flags, for random and
//! extreme operands.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::arch::{asm, is_x86_feature_detected};

use testing::Random;

/// Doubles, including integral ones.
fn double(random: &mut Random) -> u64 {
    match random.word() % 4 {
        0 => ((random.word() >> 14) as f64).to_bits(),
        1 => (random.word() as i64 as f64 / 1024.0).to_bits(),
        2 => [0.0, -0.0, 1.0, -1.5, f64::INFINITY, 4503599627370496.0][random.word() as usize % 6].to_bits(),
        _ => random.word() >> 2,
    }
}

/// Runs the function natively and interpreted, and compares the results.
// Takes a `dyn` function, so that it is compiled once and not for each of hundreds of functions.
fn compare<I: Copy, O: PartialEq + std::fmt::Debug + Default>(what: &str, input: I, f: &dyn Fn(I) -> O) {
    let expected = f(input);
    let mut found = O::default();
    let report = checkmem::run(1_000_000, || found = f(input));
    assert_eq!(report.ended, Ok(()), "{what}");
    assert_eq!(report.findings.len(), 0, "{what}");
    assert_eq!(found, expected, "{what}");
}

/// Instructions on two registers, with initial carry and overflow. Compares both registers, and the flags
/// that the instruction defines.
macro_rules! integers {
    ($random:ident: $($text:literal => $flags:expr;)*) => {$(
        for _ in 0..150 {
            let input = ($random.edge(), $random.edge(), $random.edge(), $random.word() & 1, $random.word() & 1);
            compare($text, input, &|(mut a, mut b, c, carry, overflow)| {
                let [mut cf, mut of, mut zf, mut sf, mut pf] = [0u8; 5];
                // SAFETY: registers alone.
                unsafe {
                    asm!(
                        "mov {t}, {o}",
                        "shl {t}, 63",
                        // Adding −2^63 to itself sets the overflow flag; `bt` then sets the carry flag and
                        // leaves the overflow flag.
                        "add {t}, {t}",
                        "bt {i}, 0",
                        "/* {a} {b} */",
                        $text,
                        "setc {cf}", "seto {of}", "setz {zf}", "sets {sf}", "setp {pf}",
                        a = inout(reg) a, b = inout(reg) b, in("rcx") c, i = in(reg) carry, o = in(reg) overflow, t = out(reg) _,
                        cf = out(reg_byte) cf, of = out(reg_byte) of, zf = out(reg_byte) zf, sf = out(reg_byte) sf, pf = out(reg_byte) pf,
                        out("rax") _, out("rdx") _,
                    );
                }
                let flags = [("c", cf), ("o", of), ("z", zf), ("s", sf), ("p", pf)];
                let defined: &str = $flags;
                (a, b, flags.map(|(name, flag)| if defined.contains(name) { flag } else { 0 }))
            });
        }
    )*};
}

#[test]
fn integers() {
    let random = &mut Random(1);
    integers! { random:
        "add {a}, {b}" => "cozsp";
        "add {a:e}, {b:e}" => "cozsp";
        "add {a:x}, {b:x}" => "cozsp";
        "add {a:l}, {b:l}" => "cozsp";
        "adc {a}, {b}" => "cozsp";
        "adc {a:e}, -1" => "cozsp";
        "sub {a}, {b}" => "cozsp";
        "sub {a:e}, {b:e}" => "cozsp";
        "sbb {a}, {b}" => "cozsp";
        "sbb {a}, {a}" => "cozsp";
        "cmp {a}, {b}" => "cozsp";
        "cmp {a:l}, {b:l}" => "cozsp";
        "neg {a}" => "cozsp";
        "inc {a}" => "cozsp";
        "dec {a:e}" => "cozsp";
        "not {a}" => "";
        "and {a}, {b}" => "cozsp";
        "or {a:e}, {b:e}" => "cozsp";
        "xor {a:x}, {b:x}" => "cozsp";
        "test {a}, {b}" => "cozsp";
        "lea {a}, [{b} + 4*{a} - 7]" => "";
        "lea {a:e}, [{b} + 8*{a}]" => "";
        "imul {a}, {b}" => "co";
        "imul {a:e}, {b:e}, -77" => "co";
        "mov rax, {a}; mul {b}; mov {a}, rax; mov {b}, rdx" => "co";
        "mov rax, {a}; imul {b}; mov {a}, rax; mov {b}, rdx" => "co";
        "mov rax, {a}; mul {b:e}; mov {a}, rax; mov {b}, rdx" => "co";
        "mov rax, {a}; mul {b:l}; mov {a:x}, ax" => "co";
        "mov rax, {a}; xor edx, edx; or {b}, 1; div {b}; mov {a}, rax; mov {b}, rdx" => "";
        "movsxd rax, {a:e}; cqo; or {b}, 3; movsx {b}, {b:l}; idiv {b}; mov {a}, rax; mov {b}, rdx" => "";
        "mov eax, {a:e}; xor edx, edx; or {b:e}, 1; div {b:e}; mov {a}, rax; mov {b}, rdx" => "";
        "shl {a}, cl" => "zsp";
        "shl {a}, 1" => "cozsp";
        "shl {a:e}, 13" => "czsp";
        "shr {a}, 1" => "cozsp";
        "shr {a:e}, 31" => "czsp";
        "shr {a:x}, 5" => "czsp";
        "sar {a}, 7" => "czsp";
        "sar {a:e}, 1" => "cozsp";
        "sar {a:l}, 3" => "czsp";
        "rol {a}, 9" => "c";
        "rol {a:e}, 1" => "co";
        "ror {a:x}, 3" => "c";
        "ror {a}, 1" => "co";
        "shld {a}, {b}, 5" => "czsp";
        "shrd {a}, {b}, 63" => "czsp";
        "shrd {a:e}, {b:e}, 11" => "czsp";
        "shld {a}, {b}, cl" => "";
        "bt {a}, 5" => "c";
        "bt {a}, {b}" => "c";
        "bts {a:e}, 17" => "c";
        "btr {a}, {b}" => "c";
        "btc {a}, 63" => "c";
        "bswap {a}" => "";
        "bswap {a:e}" => "";
        "movzx {a:e}, {b:l}" => "";
        "movzx {a:e}, {b:x}" => "";
        "movsx {a}, {b:x}" => "";
        "movsxd {a}, {b:e}" => "";
        "mov {a:x}, {b:x}" => "";
        "mov {a:l}, {b:l}" => "";
        "mov {a:e}, {b:e}" => "";
        "xchg {a}, {b}" => "";
        "cmp {a}, {b}; cmovb {a}, {b}" => "cozsp";
        "cmp {a}, {b}; cmovle {a:e}, {b:e}" => "cozsp";
        "cmp {a}, {b}; setg {a:l}" => "cozsp";
        "cmp {a}, {b}; setbe {a:l}" => "cozsp";
        "xadd {a}, {b}" => "cozsp";
        "mov rax, {b}; cmpxchg {a}, rcx; mov {b}, rax" => "cozsp";
        "mov rax, {a}; cmpxchg {a}, {b}" => "cozsp";
        "mov eax, {a:e}; cdqe; mov {a}, rax" => "";
        "mov rax, {a}; mov ah, 0x5a; mov dl, ah; add al, dl; mov {a}, rax" => "";
        "push {a}; pop {b}" => "";
        "clc; adc {a}, {b}" => "cozsp";
        "stc; adc {a}, {b}" => "cozsp";
        "cmc" => "c";
        "bsr {a}, rcx" => "z";
        "bsf {a}, rcx" => "z";
    }
    if is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("adx")
    {
        integers! { random:
            "mov rdx, {a}; mulx {a}, {b}, rcx" => "cozsp";
            "mov rdx, {a}; mulx {a}, {b}, rcx; adcx {a}, {b}; adox {b}, rcx" => "co";
            "adcx {a}, {b}" => "cozsp";
            "adox {a}, {b}" => "cozsp";
            "andn {a}, {b}, rcx" => "cozs";
            "blsr {a}, {b}" => "cozs";
            "blsi {a}, {b}" => "cozs";
            "tzcnt {a}, {b}" => "cz";
            "lzcnt {a:e}, {b:e}" => "cz";
            "popcnt {a}, {b}" => "cozsp";
            "rorx {a}, {b}, 19" => "cozsp";
            "shlx {a}, {b}, rcx" => "cozsp";
            "shrx {a:e}, {b:e}, ecx" => "cozsp";
            "sarx {a}, {b}, rcx" => "cozsp";
            "bzhi {a}, {b}, rcx" => "zs";
            "bextr {a}, {b}, rcx" => "z";
        }
    }
}

type Words = [u64; 12];

/// Instructions on three vectors in memory; compares the changed first one. The second lane of sixteen bytes
/// of the destination is compared, too.
macro_rules! vectors {
    ($random:ident, $source:path: $($text:literal;)*) => {$(
        for _ in 0..100 {
            let mut input: Words = [0; 12];
            input.iter_mut().for_each(|x| *x = $source($random));
            compare($text, input, &|mut words| {
                // SAFETY: reads and writes what is there.
                unsafe {
                    asm!(
                        "vmovdqu ymm1, [{p}]", "vmovdqu ymm2, [{p} + 32]", "vmovdqu ymm3, [{p} + 64]",
                        "mov rax, [{p} + 40]",
                        $text,
                        "vmovdqu [{p}], ymm1", "vmovdqu [{p} + 32], ymm2", "vmovdqu [{p} + 64], ymm3",
                        p = in(reg) words.as_mut_ptr(), out("ymm1") _, out("ymm2") _, out("ymm3") _, out("rax") _,
                    );
                }
                words
            });
        }
    )*};
}

#[test]
fn vectors() {
    if !is_x86_feature_detected!("avx2") || !is_x86_feature_detected!("fma") {
        return;
    }
    let random = &mut Random(2);
    vectors! { random, Random::edge:
        "paddq xmm1, xmm2"; "vpaddq ymm1, ymm2, ymm3"; "vpaddq xmm1, xmm2, xmm3"; "paddd xmm1, xmm2"; "paddw xmm1, xmm2"; "paddb xmm1, xmm2";
        "psubq xmm1, xmm2"; "vpsubq ymm1, ymm2, ymm3"; "psubw xmm1, xmm2"; "psubb xmm1, xmm2"; "psubd xmm1, xmm2";
        "pand xmm1, xmm2"; "vpandn ymm1, ymm2, ymm3"; "por xmm1, xmm2"; "vpxor ymm1, ymm2, ymm3"; "pxor xmm1, xmm1"; "vpand ymm1, ymm2, ymm2";
        "pmuludq xmm1, xmm2"; "vpmuludq ymm1, ymm2, ymm3"; "vpmuldq ymm1, ymm2, ymm3"; "vpmulld ymm1, ymm2, ymm3"; "pmullw xmm1, xmm2";
        "pcmpeqb xmm1, xmm2"; "vpcmpeqq ymm1, ymm2, ymm3"; "pcmpeqd xmm1, xmm2"; "pcmpgtb xmm1, xmm2"; "pcmpgtd xmm1, xmm2"; "vpcmpgtq ymm1, ymm2, ymm3";
        "vpcmpeqd ymm1, ymm1, ymm1"; "pminub xmm1, xmm2"; "psadbw xmm1, xmm2"; "vpsadbw ymm1, ymm2, ymm3"; "pmaxub xmm1, xmm2"; "pminsw xmm1, xmm2"; "pmaxsw xmm1, xmm2";
        "vpsllq ymm1, ymm2, 12"; "psrlq xmm1, 51"; "psrlq xmm1, xmm2"; "vpsrlq ymm1, ymm2, 64"; "psllw xmm1, 3"; "psrlw xmm1, 9"; "psraw xmm1, 4"; "psrad xmm1, 31";
        "pslld xmm1, 8"; "psrld xmm1, 24"; "vpsllvq ymm1, ymm2, ymm3"; "vpsrlvq ymm1, ymm2, ymm3";
        "punpcklbw xmm1, xmm2"; "punpckhbw xmm1, xmm2"; "punpcklwd xmm1, xmm2"; "punpckhwd xmm1, xmm2"; "punpckldq xmm1, xmm2"; "punpckhdq xmm1, xmm2";
        "vpunpcklqdq ymm1, ymm2, ymm3"; "vpunpckhqdq ymm1, ymm2, ymm3"; "unpckhpd xmm1, xmm2"; "unpcklps xmm1, xmm2"; "packuswb xmm1, xmm2"; "vpackuswb ymm1, ymm2, ymm3";
        "shufps xmm1, xmm2, 0x1b"; "shufpd xmm1, xmm2, 1"; "vshufpd ymm1, ymm2, ymm3, 6"; "pshufd xmm1, xmm2, 0x4e"; "vpshufd ymm1, ymm2, 0x93";
        "pshuflw xmm1, xmm2, 0x1b"; "pshufhw xmm1, xmm2, 0x39"; "pshufb xmm1, xmm2"; "vpshufb ymm1, ymm2, ymm3"; "palignr xmm1, xmm2, 5"; "vpalignr ymm1, ymm2, ymm3, 21";
        "pslldq xmm1, 3"; "vpsrldq ymm1, ymm2, 9"; "vpermq ymm1, ymm2, 0x39"; "vpermpd ymm1, ymm2, 0x93"; "vpermd ymm1, ymm2, ymm3"; "vperm2i128 ymm1, ymm2, ymm3, 0x21"; "vperm2f128 ymm1, ymm2, ymm3, 0x81";
        "vinserti128 ymm1, ymm2, xmm3, 1"; "vextracti128 xmm1, ymm2, 1"; "vinsertf128 ymm1, ymm2, xmm3, 0"; "vpbroadcastq ymm1, xmm2"; "vbroadcastsd ymm1, xmm2"; "vpbroadcastd ymm1, xmm2";
        "vpblendd ymm1, ymm2, ymm3, 0x5a"; "pblendw xmm1, xmm2, 0x35"; "vblendps ymm1, ymm2, ymm3, 0x99"; "vblendvpd ymm1, ymm2, ymm3, ymm1"; "vpblendvb ymm1, ymm2, ymm3, ymm1";
        "vpmovsxdq ymm1, xmm2"; "vpmovzxdq ymm1, xmm2"; "movd eax, xmm2; movd xmm1, eax"; "movq rax, xmm2; movq xmm1, rax"; "vmovq xmm1, xmm2"; "movsd xmm1, xmm2"; "vmovsd xmm1, xmm2, xmm3";
        "movlhps xmm1, xmm2"; "movhlps xmm1, xmm2"; "pinsrw xmm1, eax, 3"; "cvtdq2pd xmm1, xmm2"; "vcvtdq2pd ymm1, xmm2"; "pextrw eax, xmm2, 5; movd xmm1, eax"; "pinsrq xmm1, rax, 1"; "pextrd eax, xmm2, 2; movd xmm1, eax";
        "movmskpd eax, xmm2; movd xmm1, eax"; "vmovmskpd eax, ymm2; movd xmm1, eax"; "pmovmskb eax, xmm2; movd xmm1, eax"; "vpmovmskb eax, ymm2; movd xmm1, eax"; "movmskps eax, xmm2; movd xmm1, eax";
        "ptest xmm1, xmm2; setc al; setz ah; movd xmm1, eax"; "vptest ymm1, ymm2; sete al; movd xmm1, eax"; "vzeroupper"; "movaps xmm1, xmm2"; "vmovdqa ymm1, ymm2"; "vmovdqa xmm1, xmm2";
        "vpmaskmovq ymm1, ymm2, [{p} + 64]"; "vpmaskmovq [{p} + 64], ymm1, ymm2"; "movhpd xmm1, [{p} + 72]"; "movlpd [{p} + 72], xmm2"; "vbroadcasti128 ymm1, [{p} + 16]"; "movddup xmm1, xmm2";
    }
    vectors! { random, double:
        "addpd xmm1, xmm2"; "addsd xmm1, xmm2"; "vaddpd ymm1, ymm2, ymm3"; "subpd xmm1, xmm2"; "vsubpd ymm1, ymm2, ymm3"; "subsd xmm1, xmm2"; "mulpd xmm1, xmm2"; "mulsd xmm1, xmm2"; "vmulsd xmm1, xmm2, xmm3";
        "divsd xmm1, xmm2"; "divpd xmm1, xmm2"; "minsd xmm1, xmm2"; "maxsd xmm1, xmm2"; "vmaxpd ymm1, ymm2, ymm3"; "sqrtsd xmm1, xmm2";
        "vfmadd231pd ymm1, ymm2, ymm3"; "vfmadd213pd ymm1, ymm2, ymm3"; "vfmadd132pd ymm1, ymm2, ymm3"; "vfnmadd231pd ymm1, ymm2, ymm3"; "vfmsub213pd ymm1, ymm2, ymm3"; "vfmadd213sd xmm1, xmm2, xmm3";
        "cmpltsd xmm1, xmm2"; "cmpunordpd xmm1, xmm2"; "vcmpgepd ymm1, ymm2, ymm3"; "vcmpneqpd ymm1, ymm2, ymm3"; "cmpnlepd xmm1, xmm2"; "andpd xmm1, xmm2"; "vandnpd ymm1, ymm2, ymm3"; "orps xmm1, xmm2"; "xorps xmm1, xmm2";
        "ucomisd xmm1, xmm2; setc al; setz ah; movd xmm1, eax"; "comisd xmm1, xmm2; seta al; setp ah; movd xmm1, eax"; "cvttsd2si rax, xmm2; movq xmm1, rax"; "cvttsd2si eax, xmm2; movd xmm1, eax"; "cvtsi2sd xmm1, rax";
    }
}

/// The same with the registers and masks of AVX-512, if the processor has it. This test checks the code that
/// replaces the processor on other machines.
#[test]
fn wide_vectors() {
    if !is_x86_feature_detected!("avx512ifma")
        || !is_x86_feature_detected!("avx512dq")
        || !is_x86_feature_detected!("avx512vl")
    {
        return;
    }
    macro_rules! wide {
        ($random:ident: $($text:literal;)*) => {$(
            for _ in 0..100 {
                let mut input = [0u64; 24];
                input.iter_mut().for_each(|x| *x = $random.edge());
                compare($text, (input, $random.word()), &|(mut words, mask)| {
                    let mut flags = 0u64;
                    // SAFETY: reads and writes what is there.
                    unsafe {
                        asm!(
                            "vmovdqu64 zmm17, [{p}]", "vmovdqu64 zmm18, [{p} + 64]", "vmovdqu64 zmm19, [{p} + 128]",
                            "kmovw k1, {m:e}", "shr {m}, 16", "kmovw k2, {m:e}", "mov rax, [{p} + 40]",
                            $text,
                            "vmovdqu64 [{p}], zmm17", "vmovdqu64 [{p} + 64], zmm18", "vmovdqu64 [{p} + 128], zmm19", "kmovw {f:e}, k2",
                            p = in(reg) words.as_mut_ptr(), m = inout(reg) mask => _, f = out(reg) flags,
                            out("zmm17") _, out("zmm18") _, out("zmm19") _, out("k1") _, out("k2") _, out("rax") _,
                        );
                    }
                    (words, flags)
                });
            }
        )*};
    }
    let random = &mut Random(3);
    wide! { random:
        "vpmadd52luq zmm17, zmm18, zmm19"; "vpmadd52huq zmm17, zmm18, zmm19"; "vpmadd52luq zmm17, zmm18, qword ptr [{p}]{{1to8}}"; "vpmadd52huq ymm17, ymm18, ymm19"; "vpmadd52luq xmm17, xmm18, xmm19";
        "vpaddq zmm17, zmm18, zmm19"; "vpaddq zmm17{{k1}}, zmm18, zmm19"; "vpaddq zmm17{{k1}}{{z}}, zmm18, zmm19"; "vpaddq ymm17{{k1}}, ymm18, ymm19"; "vpsubq zmm17{{k1}}, zmm18, zmm19";
        "vpandq zmm17, zmm18, zmm19"; "vpandnq zmm17, zmm18, zmm19"; "vpxord zmm17, zmm18, zmm19"; "vpxorq zmm17, zmm18, zmm18"; "vporq zmm17{{k1}}, zmm18, zmm19"; "vpandd zmm17{{k1}}, zmm18, zmm19";
        "vpternlogq zmm17, zmm18, zmm19, 0xf8"; "vpternlogq zmm17, zmm18, zmm19, 0x96"; "vpternlogd zmm17, zmm17, zmm17, 0xff"; "vpternlogq ymm17, ymm18, ymm19, 0x2d";
        "vpsrlq zmm17, zmm18, 52"; "vpsllq zmm17, zmm18, 12"; "vpsraq zmm17, zmm18, 63"; "vpsraq ymm17, ymm18, 7"; "vprolq zmm17, zmm18, 9"; "vpmullq zmm17, zmm18, zmm19";
        "valignq zmm17, zmm18, zmm19, 1"; "valignq zmm17, zmm18, zmm19, 7"; "valignq ymm17, ymm18, ymm19, 3"; "vpermq zmm17, zmm18, zmm19"; "vpermq zmm17{{k1}}{{z}}, zmm18, 0x39"; "vpermpd zmm17{{k1}}, zmm18, 0x93"; "vpermi2q zmm17, zmm18, zmm19"; "vpermt2q zmm17, zmm18, zmm19"; "vpermi2pd zmm17, zmm18, zmm19"; "vpermt2pd zmm17, zmm18, zmm19";
        "vpbroadcastq zmm17, xmm18"; "vpbroadcastq zmm17, rax"; "vpbroadcastq zmm17{{k1}}, qword ptr [{p} + 64]"; "vbroadcasti64x4 zmm17, [{p} + 96]"; "vbroadcastsd zmm17, xmm18";
        "vpblendmq zmm17{{k1}}, zmm18, zmm19"; "vpblendmq ymm17{{k1}}, ymm18, ymm19"; "vshufi64x2 zmm17, zmm18, zmm19, 0x4e"; "vinserti64x4 zmm17, zmm18, ymm19, 1"; "vextracti64x4 ymm17, zmm18, 1"; "vextracti32x4 xmm17, zmm18, 3"; "vinserti64x2 zmm17, zmm18, xmm19, 2";
        "vpcmpuq k2, zmm18, zmm19, 6"; "vpcmpuq k2{{k1}}, zmm18, zmm19, 1"; "vpcmpeqq k2, zmm18, zmm19"; "vpcmpgtq k2, zmm18, zmm19"; "vpcmpq k2, ymm18, ymm19, 5"; "vptestnmq k2, zmm18, zmm19"; "vptestmq k2{{k1}}, zmm18, zmm18";
        "kxnorb k2, k1, k1"; "kandw k2, k1, k2"; "knotw k2, k1"; "kshiftrw k2, k1, 3"; "kaddb k2, k1, k2"; "kunpckbw k2, k1, k2"; "kortestb k1, k2; setz al; setc ah; kmovw k2, eax"; "kmovb k2, k1";
        "vmovdqu64 zmm17{{k1}}{{z}}, [{p} + 128]"; "vmovdqu64 [{p} + 64]{{k1}}, zmm17"; "vmovdqa64 zmm17{{k1}}, zmm18"; "vmovaps zmm17, zmm18"; "vmovdqa64 xmm17, xmm18"; "vpmovsxdq zmm17, ymm18";
    }
}

/// Secrets stay secret as they move, and are reported where they leak.
#[test]
fn secrets_are_followed() {
    use checkmem::Leak::*;
    /// valgrind's request to make memory undefined.
    fn classify(x: &mut [u64]) {
        let arguments = [0x4d43_0001, x.as_mut_ptr() as usize, size_of_val(x), 0, 0, 0];
        // SAFETY: the sequence changes nothing.
        unsafe {
            asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                in("rax") arguments.as_ptr(), inout("rdx") 0usize => _,
            );
        }
    }
    macro_rules! shows {
        ($($text:literal => $expected:expr;)*) => {$(
            let mut x = [0x1234u64, 3, 5, 7, 0, 0, 0, 0];
            let report = checkmem::run(10_000, || {
                classify(&mut x[..2]);
                // SAFETY: reads and writes what is there; x[0] and x[1] are secret.
                unsafe {
                    asm!(
                        "mov rax, [{p}]", "mov rcx, [{p} + 16]", "xor edx, edx", $text,
                        p = in(reg) x.as_mut_ptr(), out("rax") _, out("rcx") _, out("rdx") _, out("r8") _, out("ymm1") _, out("ymm2") _, out("ymm3") _,
                    );
                }
            });
            assert_eq!(report.ended, Ok(()), "{}", $text);
            let found: Vec<_> = report.findings.iter().map(|finding| finding.leak).collect();
            let expected: &[checkmem::Leak] = &$expected;
            assert_eq!(found, expected, "{}", $text);
        )*};
    }
    shows! {
        "test rax, rax; jz 2f; 2:" => [Branch];
        "test rcx, rcx; jz 2f; 2:" => [];
        "add rcx, rax; jc 2f; 2:" => [Branch];
        "add rax, rax; dec rcx; jz 2f; 2:" => [];
        "add rax, rax; mov ecx, 1; jc 2f; 2:" => [Branch];
        "add rax, rax; adc ecx, 0; test ecx, ecx; jz 2f; 2:" => [Branch];
        "mov al, 0; test al, al; jz 2f; 2:" => [];
        "and eax, 0xff00; test al, al; jz 2f; 2:" => [];
        "and eax, 0xff00; test ah, ah; jz 2f; 2:" => [Branch];
        "shr rax, 56; bt rax, 9; jc 2f; 2:" => [];
        "xor eax, eax; test rax, rax; jz 2f; 2:" => [];
        "sub rax, rax; jz 2f; 2:" => [];
        "sbb rax, rax; test rax, rax; jz 2f; 2:" => [];
        "test rax, rax; sete r8b; movzx r8d, r8b; cmp r8d, 1; je 2f; 2:" => [Branch];
        "test rax, rax; cmove rcx, rdx; test rcx, rcx; jz 2f; 2:" => [Branch];
        "mov rcx, rax; and ecx, 7; mov r8, [{p} + 8*rcx]" => [Address];
        "and eax, 7; mov [{p} + 8*rax], rcx" => [Address];
        "lea r8, [{p} + 8*rax]" => [];
        "and eax, 7; prefetcht0 [{p} + 8*rax]" => [Address];
        "xchg rax, rcx; div rcx" => [Division];
        "div rcx" => [Division];
        "mov [{p} + 32], rax; mov r8, [{p} + 32]; test r8, r8; jz 2f; 2:" => [Branch];
        "mov [{p} + 32], rax; mov [{p} + 32], rcx; mov r8, [{p} + 32]; test r8, r8; jz 2f; 2:" => [];
        "push rax; pop rcx; test rcx, rcx; jz 2f; 2:" => [Branch];
        "mul rcx; test rdx, rdx; jz 2f; 2:" => [Branch];
        "bswap rax; test al, al; jz 2f; 2:" => [Branch];
        "movq xmm1, rax; movq rcx, xmm1; test rcx, rcx; jz 2f; 2:" => [Branch];
        "movq xmm1, rax; pxor xmm1, xmm1; movq rcx, xmm1; test rcx, rcx; jz 2f; 2:" => [];
        "movdqu xmm1, [{p}]; pand xmm1, [{p} + 32]; movq rcx, xmm1; test rcx, rcx; jz 2f; 2:" => [];
        "movdqu xmm1, [{p}]; paddq xmm1, [{p} + 32]; movq rcx, xmm1; test rcx, rcx; jz 2f; 2:" => [Branch];
        "vmovdqu ymm1, [{p}]; vpmaskmovq ymm2, ymm1, [{p} + 32]" => [Mask];
        "vmovdqu ymm1, [{p}]; vptest ymm1, ymm1; jz 2f; 2:" => [Branch];
        "vmovdqu ymm1, [{p}]; vextracti128 xmm1, ymm1, 1; vptest xmm1, xmm1; jz 2f; 2:" => [];
        "vmovdqu ymm1, [{p}]; vmovmskpd eax, ymm1; and eax, 4; jz 2f; 2:" => [Branch];
        "cvtsi2sd xmm1, rax; divsd xmm1, xmm1" => [Division];
        "mov eax, 0x1234; cmpxchg [{p}], rdx; test rax, rax; jz 2f; 2:" => [Branch];
        "mov eax, 0x1233; cmpxchg [{p}], rdx; jz 2f; 2:" => [Branch];
        "cmpxchg [{p} + 16], rdx; mov r8, [{p} + 16]; test r8, r8; jz 2f; 2:" => [Branch];
        "mov eax, 5; cmpxchg [{p} + 16], rdx; mov r8, [{p} + 16]; test r8, rax; jz 2f; 2:" => [];
        "shrd rcx, rax, 1; jo 2f; 2:" => [Branch];
        "mov r8, rax; xor ecx, ecx; bsf r8, rcx; test r8, r8; jz 2f; 2:" => [Branch];
        "mov r8, rcx; bzhi r8, r8, rax; jc 2f; 2:" => [Branch];
        "mov r8, rcx; bzhi r8, r8, rcx; jc 2f; 2:" => [];
        "shrd rcx, rdx, 1; jo 2f; 2:" => [];
        "mov r8, rcx; mov rcx, rax; and ecx, 0x40; shld r8, rdx, cl; jc 2f; 2:" => [Branch];
    }
    // AVX-512, interpreted on any machine.
    shows! {
        "vmovdqu64 zmm17, [{p}]; vpermq zmm17, zmm17, 0x4e; vmovq rax, xmm17; test rax, rax; jz 2f; 2:" => [];
        "vmovdqu64 zmm17, [{p}]; valignq zmm17, zmm17, zmm17, 1; vmovq rax, xmm17; test rax, rax; jz 2f; 2:" => [Branch];
        "vmovdqu64 zmm17, [{p}]; vpmadd52luq zmm18, zmm17, zmm17; vmovq rax, xmm18; test rax, rax; jz 2f; 2:" => [Branch];
        "vmovdqu64 zmm17, [{p}]; vptestmq k1, zmm17, zmm17; kmovw eax, k1; test al, 4; jz 2f; 2:" => [Branch];
        "vmovdqu64 zmm17, [{p}]; vptestmq k1, zmm17, zmm17; vmovdqu64 zmm18{{k1}}{{z}}, [{p}]" => [Mask];
        "vmovdqu64 zmm17, [{p}]; vptestmq k1, zmm17, zmm17; vmovdqu64 [{p}]{{k1}}, zmm17" => [Mask];
        "vmovdqu64 zmm17, [{p}]; vptestmq k1, zmm17, zmm17; vpblendmq zmm18{{k1}}, zmm17, zmm17" => [];
        "vmovdqu64 zmm17, [{p}]; vptestmq k1, zmm17, zmm17; vpaddq zmm18{{k1}}{{z}}, zmm17, [{p}]" => [Mask];
        "vmovdqu64 zmm17, [{p}]; vptestmq k1, zmm17, zmm17; kortestb k1, k1; jz 2f; 2:" => [Branch];
        "vmovdqu64 zmm17, [{p}]; kxorb k1, k0, k0; vpscatterqq [{p} + zmm17]{{k1}}, zmm17" => [Address];
        "vpxord zmm17, zmm17, zmm17; kxnorb k1, k0, k0; vpscatterqq [{p} + zmm17]{{k1}}, zmm17" => [];
        "vmovdqu64 zmm17, [{p}]; vpternlogq zmm17, zmm17, zmm17, 0xff; vmovq rax, xmm17; test rax, rax; jz 2f; 2:" => [];
        "vmovdqu64 zmm17, [{p}]; vpxorq zmm18, zmm18, zmm18; vpternlogq zmm18, zmm17, zmm18, 0xf8; vmovq rax, xmm18; test rax, rax; jz 2f; 2:" => [];
    }
}

/// The effect of unlisted library functions on secrets is unknown, so they stop the run.
#[test]
fn unknown_functions_end_the_run() {
    // SAFETY: reads a number of this process.
    let report = checkmem::run(10_000, || _ = unsafe { libc::getppid() });
    let message = report.ended.unwrap_err();
    assert!(message.contains("a call of getppid"), "{message}");
}

/// A panic runs until the stack would be unwound. Then the locks of its hook are free again, so that a
/// failing test can report.
#[test]
fn a_panic_ends_the_run_alone() {
    let report = checkmem::run(100_000_000, || panic!("on purpose"));
    let message = report.ended.unwrap_err();
    assert!(message.contains("the code ended itself: panic"), "{message}");
    let again = std::panic::catch_unwind(|| panic!("once more"));
    assert_eq!(again.unwrap_err().downcast_ref::<&str>(), Some(&"once more"));
}

/// The record contains the executed instructions, with registers and memory before and after.
#[test]
fn a_record() {
    let mut memory = [3u64, 5];
    let mut copied = vec![0u64; 40];
    let source: Vec<u64> = (0..40).collect();
    let (report, trace) = checkmem::record(1_000_000, || {
        checkmem::start_recording();
        // SAFETY: both words are there.
        unsafe {
            asm!(
                "mov {x}, [{m}]",
                "add [{m} + 8], {x}",
                "push {x}",
                "pop {y}",
                "rep movsq",
                x = out(reg) _, y = out(reg) _, m = in(reg) memory.as_mut_ptr(),
                inout("rdi") copied.as_mut_ptr() => _, inout("rsi") source.as_ptr() => _, inout("rcx") 40u64 => _,
            );
        }
        checkmem::stop_recording();
    });
    assert_eq!(report.ended, Ok(()));
    assert_eq!((memory, &copied), ([3, 8], &source));
    let at = |address: u64| {
        let found = trace.steps.iter().flat_map(|step| trace.accesses(step));
        found.filter(|access| access.address == address).collect::<Vec<_>>()
    };
    let [load] = at(memory.as_ptr() as u64)[..] else { panic!() };
    assert_eq!((load.size, load.reads, load.writes), (8, true, false));
    assert_eq!(trace.before(load), 3u64.to_le_bytes());
    let [update] = at(memory.as_ptr() as u64 + 8)[..] else { panic!() };
    assert_eq!((update.size, update.reads, update.writes), (8, true, true));
    assert_eq!(
        (trace.before(update), trace.after(update)),
        (&5u64.to_le_bytes()[..], &8u64.to_le_bytes()[..])
    );
    let [to] = at(copied.as_ptr() as u64)[..] else { panic!() };
    assert_eq!(
        (to.size, to.writes, trace.after(to).iter().filter(|&&byte| byte != 0).count()),
        (320, true, 39)
    );
    // Replaying the changes from the beginning gives the value that `push` wrote.
    let mut general = trace.begin.general;
    for step in &trace.steps {
        let code = &trace.code[step.code as usize];
        if code.instruction.mnemonic() == iced_x86::Mnemonic::Push {
            let [pushed] = trace.accesses(step) else { panic!() };
            assert_eq!((pushed.address, trace.after(pushed)), (general[4] - 8, &3u64.to_le_bytes()[..]));
        }
        for change in trace.changes(step) {
            if let checkmem::Change::General(number, value) = *change {
                general[number as usize] = value;
            }
        }
        assert_eq!(code.bytes.len(), code.instruction.len());
    }
}

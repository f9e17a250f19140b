//! Prints which instructions take time of the multiplier away from `vpmadd52` on 512 bits: the cycles of 24
//! multiply-adds with some other instructions between them, as a table in Markdown. A cycle is the time of
//! one addition in a chain of additions. Multiply-adds are independent of each other and of the rest.

use std::process::ExitCode;

#[cfg(target_arch = "x86_64")]
mod slots {
    use std::{arch::asm, time::Instant};

    const LOOPS: u64 = 400;

    /// The nanoseconds of a cycle.
    pub fn cycle() -> f64 {
        let mut best = f64::MAX;
        for _ in 0..50 {
            let start = Instant::now();
            // SAFETY: the code only adds registers.
            unsafe { asm!(".rept 80000", "add {0}, {0}", ".endr", inout(reg) 1u64 => _) };
            best = best.min(start.elapsed().as_nanos() as f64 / 80_000.0);
        }
        best
    }

    #[repr(align(4096))]
    struct Page([u64; 512]);

    /// Defines a function that measures four groups of six multiply-adds and N others.
    macro_rules! beside {
        ($name:ident, $other:literal) => {
            pub fn $name<const N: usize>() -> f64 {
                let mut page = Page([0; 512]);
                let mut best = f64::MAX;
                for _ in 0..300 {
                    let start = Instant::now();
                    // SAFETY: the code changes the registers that are named below, and the page.
                    unsafe {
                        asm!(
                            "2:",
                            ".rept 4",
                            "vpmadd52luq zmm0, zmm30, zmm31", "vpmadd52huq zmm1, zmm30, zmm31",
                            "vpmadd52luq zmm2, zmm30, zmm31", "vpmadd52huq zmm3, zmm30, zmm31",
                            "vpmadd52luq zmm4, zmm30, zmm31", "vpmadd52huq zmm5, zmm30, zmm31",
                            ".rept {n}", $other, ".endr",
                            ".endr",
                            "dec {loops}", "jnz 2b",
                            n = const N,
                            loops = inout(reg) LOOPS => _,
                            p = in(reg) page.0.as_mut_ptr(),
                            out("eax") _, out("k1") _,
                            out("zmm0") _, out("zmm1") _, out("zmm2") _, out("zmm3") _, out("zmm4") _, out("zmm5") _,
                            out("zmm16") _, out("zmm30") _, out("zmm31") _,
                        );
                    }
                    best = best.min(start.elapsed().as_nanos() as f64 / LOOPS as f64);
                }
                best
            }
        };
    }

    beside!(add, "vpaddq zmm16, zmm30, zmm31 /* {p} */");
    beside!(shift, "vpsrlq zmm16, zmm30, 52 /* {p} */");
    beside!(broadcast, "vpbroadcastq zmm16, qword ptr [{p}]");
    beside!(load, "vmovdqa64 zmm16, zmmword ptr [{p} + 64]");
    beside!(unaligned_load, "vmovdqu64 zmm16, zmmword ptr [{p} + 72]");
    beside!(align, "valignq zmm16, zmm30, zmm31, 1 /* {p} */");
    beside!(permute, "vpermq zmm16, zmm30, zmm31 /* {p} */");
    beside!(store, "vmovdqa64 zmmword ptr [{p} + 64], zmm30");
    beside!(store_lowest, "vmovq qword ptr [{p} + 64], xmm30");
    beside!(compare, "vpcmpuq k1, zmm30, zmm31, 1 /* {p} */");
    beside!(mask_move, "kmovb k1, eax /* {p} */");
    beside!(logic, "vpternlogq zmm16, zmm30, zmm31, 0x96 /* {p} */");
    beside!(masked_add, "vpaddq zmm16{{k1}}, zmm30, zmm31 /* {p} */");
}

#[cfg(target_arch = "x86_64")]
fn main() -> ExitCode {
    if !is_x86_feature_detected!("avx512ifma") {
        eprintln!("multiplier_slots: this processor has no AVX-512 IFMA");
        return ExitCode::FAILURE;
    }
    macro_rules! row {
        ($what:literal, $name:ident) => {
            ($what, [slots::$name::<1>, slots::$name::<2>, slots::$name::<3>, slots::$name::<4>])
        };
    }
    let rows: [(&str, [fn() -> f64; 4]); 13] = [
        row!("addition", add),
        row!("shift", shift),
        row!("broadcast from memory", broadcast),
        row!("aligned load", load),
        row!("unaligned load", unaligned_load),
        row!("`valignq`", align),
        row!("`vpermq`", permute),
        row!("store of 64 bytes", store),
        row!("store of the lowest lane", store_lowest),
        row!("comparison into a mask", compare),
        row!("move into a mask register", mask_move),
        row!("`vpternlogq`", logic),
        row!("addition under a mask", masked_add),
    ];
    let cycle = slots::cycle();
    println!("| beside 24 multiply-adds | 4 | 8 | 12 | 16 |\n| --- | --- | --- | --- | --- |");
    for (what, measure) in rows {
        let cells = measure.map(|measure| format!("{:.1}", measure() / cycle));
        println!("| {what} | {} |", cells.join(" | "));
    }
    ExitCode::SUCCESS
}

#[cfg(not(target_arch = "x86_64"))]
fn main() -> ExitCode {
    eprintln!("multiplier_slots: for processors with AVX-512 IFMA");
    ExitCode::FAILURE
}

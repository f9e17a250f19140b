//! The operations of the kernel `aarch64` behind two symbols, `prepare` and `perform`. `make prove-aarch64`
//! proves them on a machine of another kind. It interprets these functions and does not run the program.
//!
//! Under an emulator, the program answers lines of hexadecimal words. A line has the number of an operation,
//! the pieces or the index, and the lengths in words of the modulus, x, y, value and scratch space; then
//! these operands. The answer has the words of x, y and value afterwards.

use std::{
    error::Error,
    hint::black_box,
    io::{self, BufRead},
    process::ExitCode,
    ptr, slice,
};

use moduli_kernel::{
    KernelChoice,
    proofs::{self, Kernel},
};

/// A kernel with the data derived from its modulus.
type Prepared = Box<dyn Kernel>;

/// The operands of an operation: the address and the number of words of each.
#[repr(C)]
struct Operands {
    kernel: *const Prepared,
    x: [usize; 2],
    y: [usize; 2],
    value: [usize; 2],
    scratch: [usize; 2],
    /// The number of pieces, a mask or an index.
    extra: u64,
}

/// Creates the kernel for a modulus, and writes to `out`: its address, the words of residues, limbs, words of
/// scratch space; the number of constants, and for each the address and length of its name and its address
/// and words; the number of ranges of addresses and lengths, and these ranges. Returns how many words it has
/// written; 0 if there is no such kernel.
///
/// # Safety
/// There are `limbs` words at `modulus`, and 64 at `out`.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn prepare(modulus: *const u64, limbs: usize, out: *mut u64) -> usize {
    // SAFETY: the words are there.
    let (modulus, out) =
        unsafe { (slice::from_raw_parts(modulus, limbs), slice::from_raw_parts_mut(out, 64)) };
    let Ok(kernel) = proofs::kernel(KernelChoice::AARCH64, modulus) else { return 0 };
    let (dimensions, places) = (*kernel.dimensions(), kernel.places());
    let mut told = vec![Box::into_raw(Box::new(kernel)) as u64];
    told.extend([dimensions.residue_words, dimensions.limbs, dimensions.scratch_words].map(|x| x as u64));
    told.push(places.constants.len() as u64);
    for constant in &places.constants {
        let name = constant.name;
        told.extend([
            name.as_ptr() as u64,
            name.len() as u64,
            constant.address as u64,
            constant.words as u64,
        ]);
    }
    told.push(places.public.len() as u64);
    for range in &places.public {
        told.extend([range.start as u64, range.end as u64]);
    }
    out[..told.len()].copy_from_slice(&told);
    told.len()
}

/// Performs an operation, which is the first call that this function makes.
///
/// # Safety
/// What the operands say is there, and none overlaps another.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn perform(operation: u64, operands: &Operands) -> u64 {
    // SAFETY: the words are there.
    let words = |[address, count]: [usize; 2]| unsafe {
        slice::from_raw_parts_mut(ptr::with_exposed_provenance_mut::<u64>(address), count)
    };
    // SAFETY: it is there.
    let kernel = unsafe { &**operands.kernel };
    let [x, y, value, scratch] = [operands.x, operands.y, operands.value, operands.scratch].map(words);
    let extra = operands.extra;
    match operation {
        0 => kernel.mul(x, y, scratch),
        1 => kernel.square(x, scratch),
        2 => kernel.add(x, y, scratch),
        3 => kernel.sub(x, y, scratch),
        4 => kernel.to_montgomery(x, value, scratch),
        5 => kernel.from_montgomery(value, x, scratch),
        6 => kernel.load(x, value, scratch),
        7 => kernel.store(value, x, scratch),
        8 => kernel.swap(x, y, extra),
        9 => kernel.replace(x, y, extra),
        10 => {
            let (first, row) = y.split_at(x.len());
            kernel.select(x, first, row, extra);
        }
        11 => kernel.mul_prepared(x, y, extra as usize, scratch),
        12 => kernel.prepare(x, y, extra as usize, scratch),
        13 => {
            let (x, other) = x.split_at_mut(y.len());
            kernel.mul_pair(x, other, y, scratch);
        }
        _ => return 1,
    }
    black_box(0)
}

fn answer(line: &str) -> Result<String, Box<dyn Error>> {
    let words =
        line.split_whitespace().map(|word| u64::from_str_radix(word, 16)).collect::<Result<Vec<_>, _>>()?;
    let (head, mut rest) = words.split_at_checked(7).ok_or("seven numbers come first")?;
    let &[operation, extra, ref counts @ ..] = head else { return Err("seven numbers come first".into()) };
    let mut numbers = Vec::new();
    for &count in counts {
        let (number, others) = rest.split_at_checked(count as usize).ok_or("words are missing")?;
        numbers.push(number.to_vec());
        rest = others;
    }
    let mut told = [0; 64];
    // SAFETY: the words are there.
    if unsafe { prepare(numbers[0].as_ptr(), numbers[0].len(), told.as_mut_ptr()) } == 0 {
        return Err("there is no such kernel".into());
    }
    let mut place = |i: usize| [numbers[i].as_mut_ptr().expose_provenance(), numbers[i].len()];
    let [x, y, value, scratch] = [place(1), place(2), place(3), place(4)];
    let kernel = ptr::with_exposed_provenance(told[0] as usize);
    // SAFETY: these are vectors of their own, and the kernel is never dropped.
    unsafe { perform(operation, &Operands { kernel, x, y, value, scratch, extra }) };
    let words = black_box(&numbers[1..4]).concat();
    Ok(words.iter().map(|word| format!("{word:x}")).collect::<Vec<_>>().join(" "))
}

fn main() -> ExitCode {
    for line in io::stdin().lock().lines() {
        match line.map_err(Into::into).and_then(|line| answer(&line)) {
            Ok(answer) => println!("{answer}"),
            Err(error) => {
                eprintln!("operations: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

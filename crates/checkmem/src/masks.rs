//! Mask registers, and hash instructions.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::{
    machine::{Machine, Stop},
    shadow::low_bits,
    state::{ALL, CARRY, Int, Vector, ZERO, spread},
};

impl Machine {
    /// The value and the secret bits of an operand: a mask register, a general register or memory.
    fn mask_get(&mut self, i: &Instruction, operand: u32) -> (u64, u64) {
        if i.op_kind(operand) == OpKind::Register && i.op_register(operand).is_k() {
            let number = i.op_register(operand).number();
            return (self.state.masks[number], self.state.mask_secrets[number]);
        }
        let x = self.get(i, operand);
        (x.value, spread(x.secret))
    }

    fn mask_put(&mut self, i: &Instruction, value: u64, secret: u64) {
        if i.op0_kind() == OpKind::Register && i.op0_register().is_k() {
            let number = i.op0_register().number();
            self.state.masks[number] = value;
            self.state.mask_secrets[number] = secret;
        } else {
            self.put(i, 0, Int { value, secret: super::state::gathered(secret) });
        }
    }

    /// Instructions on mask registers.
    pub(crate) fn mask_register(&mut self, i: &Instruction) -> Result<bool, Stop> {
        use Mnemonic as M;
        let name = format!("{:?}", i.mnemonic());
        let Some(rest) = name.strip_prefix('K') else { return Ok(false) };
        let width = match rest.as_bytes().last() {
            Some(b'b') => 8,
            Some(b'w') => 16,
            Some(b'd') => 32,
            _ => 64,
        };
        let kept = low_bits(width);
        match i.mnemonic() {
            M::Kmovb | M::Kmovw | M::Kmovd | M::Kmovq => {
                let (value, secret) = self.mask_get(i, 1);
                self.mask_put(i, value & kept, secret & kept);
            }
            M::Knotb | M::Knotw | M::Knotd | M::Knotq => {
                let (value, secret) = self.mask_get(i, 1);
                self.mask_put(i, !value & kept, secret & kept);
            }
            M::Kshiftlb
            | M::Kshiftlw
            | M::Kshiftld
            | M::Kshiftlq
            | M::Kshiftrb
            | M::Kshiftrw
            | M::Kshiftrd
            | M::Kshiftrq => {
                let (value, secret) = self.mask_get(i, 1);
                let by = i.immediate(2) as u32;
                let left = rest.starts_with("shiftl");
                let moved = |x: u64| {
                    let x = x & kept;
                    if left { x.checked_shl(by).unwrap_or(0) & kept } else { x.checked_shr(by).unwrap_or(0) }
                };
                self.mask_put(i, moved(value), moved(secret));
            }
            M::Kortestb | M::Kortestw | M::Kortestd | M::Kortestq => {
                let ((a, x), (b, y)) = (self.mask_get(i, 0), self.mask_get(i, 1));
                let (either, secret) = ((a | b) & kept, (x | y) & kept != 0);
                self.state.flags.set(ALL, 0, false);
                self.state.flags.set(ZERO, if either == 0 { ZERO } else { 0 }, secret);
                self.state.flags.set(CARRY, if either == kept { CARRY } else { 0 }, secret);
            }
            M::Kunpckbw | M::Kunpckwd | M::Kunpckdq => {
                let half = width / 2;
                let ((a, x), (b, y)) = (self.mask_get(i, 1), self.mask_get(i, 2));
                let joined = |high: u64, low: u64| (high << half | (low & low_bits(half))) & kept;
                self.mask_put(i, joined(a, b), joined(x, y));
            }
            _ => {
                let ((a, x), (b, y)) = (self.mask_get(i, 1), self.mask_get(i, 2));
                let same = i.op_count() == 3 && i.op1_register() == i.op2_register();
                let (value, secret) = match &rest[..rest.len() - 1] {
                    "and" => (a & b, x | y),
                    "andn" => (!a & b, x | y),
                    "or" => (a | b, x | y),
                    "xor" => (a ^ b, if same { 0 } else { x | y }),
                    "xnor" => (!(a ^ b), if same { 0 } else { x | y }),
                    "add" => (a.wrapping_add(b), if x | y == 0 { 0 } else { u64::MAX }),
                    _ => return Err(self.unknown(i)),
                };
                self.mask_put(i, value & kept, secret & kept);
            }
        }
        Ok(true)
    }

    /// The instructions for SHA-1 and SHA-256. All of the result depends on all operands. The processor
    /// executes them, because the program has checked that it can.
    pub(crate) fn hashes(&mut self, i: &Instruction) -> bool {
        use Mnemonic as M;
        if !matches!(
            i.mnemonic(),
            M::Sha256rnds2
                | M::Sha256msg1
                | M::Sha256msg2
                | M::Sha1rnds4
                | M::Sha1nexte
                | M::Sha1msg1
                | M::Sha1msg2
        ) {
            return false;
        }
        let (a, b) = (self.vector_get(i, 0), self.vector_get(i, 1));
        let key = self.state.vectors[0];
        let function = if i.op_count() == 3 { i.immediate(2) } else { 0 };
        // SAFETY: the program has seen that the processor has these instructions.
        let words = unsafe { hash(i.mnemonic(), &a, &b, &key, function) };
        let marks =
            a.secret | b.secret | if i.mnemonic() == M::Sha256rnds2 { key.secret & 0xffff } else { 0 };
        let mut out = Vector { secret: if marks == 0 { 0 } else { 0xffff }, ..Vector::default() };
        out.words[..2].copy_from_slice(&words);
        self.vector_put(i, out, 16, 8);
        true
    }
}

/// # Safety
/// The processor has SHA extensions.
#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
unsafe fn hash(mnemonic: Mnemonic, a: &Vector, b: &Vector, key: &Vector, function: u64) -> [u64; 2] {
    use Mnemonic as M;
    use core::arch::x86_64::*;
    // SAFETY: a vector has more than sixteen bytes.
    let [x, y, k] = [a, b, key].map(|x| unsafe { _mm_loadu_si128(x.words.as_ptr().cast()) });
    let out = match mnemonic {
        M::Sha256rnds2 => _mm_sha256rnds2_epu32(x, y, k),
        M::Sha256msg1 => _mm_sha256msg1_epu32(x, y),
        M::Sha256msg2 => _mm_sha256msg2_epu32(x, y),
        M::Sha1nexte => _mm_sha1nexte_epu32(x, y),
        M::Sha1msg1 => _mm_sha1msg1_epu32(x, y),
        M::Sha1msg2 => _mm_sha1msg2_epu32(x, y),
        _ => match function & 3 {
            0 => _mm_sha1rnds4_epu32::<0>(x, y),
            1 => _mm_sha1rnds4_epu32::<1>(x, y),
            2 => _mm_sha1rnds4_epu32::<2>(x, y),
            _ => _mm_sha1rnds4_epu32::<3>(x, y),
        },
    };
    let mut words = [0; 2];
    // SAFETY: there is room for sixteen bytes.
    unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), out) };
    words
}

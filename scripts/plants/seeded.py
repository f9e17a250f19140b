"""The seeded defects: what is planted where, and which check has to catch it.

Each stands behind `crate::planted(number)`, which asks an environment variable, so that one build holds them all.
"""

from typing import NamedTuple


class Plant(NamedTuple):
    what: str
    file: str
    found: str
    planted: str
    # The test binary and the filter of its tests.
    check: tuple[str, str]


WATCH = "checkmem::"

# Added to the library for them.
SUPPORT = '''
/// Whether this defect is planted.
#[doc(hidden)]
#[inline(never)]
pub fn planted(number: u32) -> bool {
    static CHOICE: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *CHOICE.get_or_init(|| std::env::var("PLANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0)) == number
}

/// A branch on a word.
#[doc(hidden)]
#[inline(never)]
pub fn branch_on(word: u64) -> bool {
    if core::hint::black_box(word) == 0 { core::hint::black_box(true) } else { core::hint::black_box(false) }
}

/// A look-up that reads the wanted entry alone.
#[doc(hidden)]
#[inline(never)]
pub fn look_up_openly(out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
    let size = out.len();
    match index {
        0 => out.copy_from_slice(first),
        _ => match (index as usize).checked_sub(1).and_then(|i| row.get(i * size..)?.get(..size)) {
            Some(entry) => out.copy_from_slice(entry),
            None => out.fill(0),
        },
    }
}

'''

PLANTS = [
    Plant(
        "a branch on a digit of a fixed base's exponent",
        "fixed/evaluate/run.rs",
        "                session.select(entry, self.one, row, index);\n",
        "                if crate::planted(N) && crate::branch_on(index) { entry.copy_from_slice(self.one); } else { session.select(entry, self.one, row, index); }\n",
        ("lib", WATCH + "powers::powers_of_fixed_bases"),
    ),
    Plant(
        "a branch on a bit in the recoding of a comb",
        "fixed/comb.rs",
        "        (0..self.teeth).fold(0, |teeth, i| {\n",
        "        if crate::planted(N) { let mut teeth = 0; for i in 0..self.teeth { let bit = limbs::bit_field(exponent, self.first_bit + i * self.columns + k, 1); if !crate::branch_on(bit) { teeth |= 1 << i; } } return teeth; }\n        (0..self.teeth).fold(0, |teeth, i| {\n",
        ("lib", WATCH + "powers::powers_of_fixed_bases"),
    ),
    Plant(
        "a look-up without a mask in the kernels on limbs",
        "kernel/mask.rs",
        "    let size = out.len();\n    let keep = equal(0, index);\n",
        "    if crate::planted(N) { return crate::look_up_openly(out, first, row, index); }\n    let size = out.len();\n    let keep = equal(0, index);\n",
        ("lib", WATCH + "operations::operations_of_every_kernel"),
    ),
    Plant(
        "a look-up without a mask in fma50",
        "kernel/fma50/residue.rs",
        "        // SAFETY: the constructor saw the instructions; all lengths are multiples of a vector.\n        unsafe { self.select_residue(out, first, row, index) }",
        "        if crate::planted(N) { return crate::look_up_openly(out, first, row, index); }\n        unsafe { self.select_residue(out, first, row, index) }",
        ("lib", WATCH + "operations::operations_of_every_kernel"),
    ),
    Plant(
        "a look-up without a mask in ifma52",
        "kernel/ifma52/residue.rs",
        "        assert!(first.len() == out.len());\n        out.fill(0);",
        "        assert!(first.len() == out.len());\n        if crate::planted(N) { return crate::look_up_openly(out, first, row, index); }\n        out.fill(0);",
        ("lib", WATCH + "operations::operations_of_every_kernel"),
    ),
    Plant(
        "a look-up without a mask for two moduli at a time (ifma52)",
        "kernel/ifma52/dual.rs",
        "        assert!(out.iter().all(|out| out.len() == self.size) && row.len().is_multiple_of(self.size));\n",
        "        if crate::planted(N) {\n            for (out, index) in out.into_iter().zip(indices) { crate::look_up_openly(out, &row[..self.size], &row[self.size..], index); }\n            return;\n        }\n        assert!(out.iter().all(|out| out.len() == self.size) && row.len().is_multiple_of(self.size));\n",
        ("lib", WATCH + "operations::operations_of_two_moduli"),
    ),
    Plant(
        "a look-up without a mask in the lanes of ifma52",
        "kernel/ifma52/lanes.rs",
        "        // SAFETY: the constructor saw the instructions; the lengths were checked.\n        unsafe { self.look_up_residues(out, first, entries, indices) }",
        "        if crate::planted(N) { let size = first.len(); for (lane, &index) in indices.iter().enumerate() { let mut entry = alloc::vec![0; size]; crate::look_up_openly(&mut entry, first, entries, index); self.put(out, lane, &entry); } return; }\n        unsafe { self.look_up_residues(out, first, entries, indices) }",
        ("lib", WATCH + "operations::operations_of_lanes"),
    ),
    Plant(
        "a look-up without a mask in the lanes of fma50",
        "kernel/fma50/lanes.rs",
        "        // SAFETY: the constructor saw the instructions; the lengths were checked.\n        unsafe { self.look_up_residues(out, first, entries, indices) }",
        "        if crate::planted(N) { let size = first.len(); for (lane, &index) in indices.iter().enumerate() { let mut entry = alloc::vec![0; size]; crate::look_up_openly(&mut entry, first, entries, index); self.put(out, lane, &entry); } return; }\n        unsafe { self.look_up_residues(out, first, entries, indices) }",
        ("lib", WATCH + "operations::operations_of_lanes"),
    ),
    Plant(
        "an inversion that ends when it is done",
        "inverse/constant_time.rs",
        "            update::exact(&mut f, &mut g, &matrix);\n        }",
        "            update::exact(&mut f, &mut g, &matrix);\n            if crate::planted(N) && g.iter().all(|&digit| digit == 0) { break; }\n        }",
        ("lib", WATCH + "operations::residues"),
    ),
    Plant(
        "a division of the nonce",
        "scheme/dsa/sign.rs",
        "        let inverse = q.element(k).invert()",
        "        if crate::planted(N) { core::hint::black_box(k.as_words()[0] / core::hint::black_box(1_000_003)); }\n        let inverse = q.element(k).invert()",
        ("lib", "scheme::dsa::checkmem"),
    ),
    Plant(
        "divisions in the recoding of radix digits",
        "fixed/divisor.rs",
        "        let quotient = ((u128::from(n)",
        "        if crate::planted(N) { return (n / self.divisor, n % self.divisor); }\n        let quotient = ((u128::from(n)",
        ("lib", WATCH + "powers::powers_of_fixed_bases"),
    ),
    Plant(
        "an inversion of the nonce in variable time",
        "scheme/dsa/sign.rs",
        "        let inverse = q.element(k).invert()",
        "        if crate::planted(N) { core::hint::black_box(q.invert_vartime(k)?); }\n        let inverse = q.element(k).invert()",
        ("lib", "scheme::dsa::checkmem"),
    ),
    Plant(
        "the last subtraction skipped at 32 limbs (portable)",
        "kernel/montgomery.rs",
        "        let borrow = is_below::<W>(x, self.modulus());\n",
        "        if crate::planted(N) && x.len() == 32 { return; }\n        let borrow = is_below::<W>(x, self.modulus());\n",
        ("suite", "kernels::"),
    ),
    Plant(
        "a branch on the last borrow at 32 limbs",
        "kernel/montgomery.rs",
        "        let borrow = is_below::<W>(x, self.modulus());\n",
        "        let borrow = is_below::<W>(x, self.modulus());\n        if crate::planted(N) && x.len() == 32 { crate::branch_on(borrow.into()); }\n",
        ("lib", WATCH + "operations::operations_of_every_kernel"),
    ),
    Plant(
        "a branch on the last borrow at 8 limbs",
        "kernel/montgomery.rs",
        "        let borrow = is_below::<W>(x, self.modulus());\n",
        "        let borrow = is_below::<W>(x, self.modulus());\n        if crate::planted(N) && x.len() == 8 { crate::branch_on(borrow.into()); }\n",
        ("lib", WATCH + "operations::operations_of_every_kernel"),
    ),
    Plant(
        "the last subtraction skipped at 40 limbs (adx)",
        "kernel/assembly.rs",
        "        m.passes.subtract(out, t, m.modulus(), high);",
        "        if crate::planted(N) && t.len() == 40 { out.copy_from_slice(t); return; }\n        m.passes.subtract(out, t, m.modulus(), high);",
        ("suite", "kernels::"),
    ),
    Plant(
        "a carry dropped at 20 limbs (adx)",
        "kernel/assembly.rs",
        "        m.passes.subtract(out, t, m.modulus(), high);",
        "        let high = if crate::planted(N) && t.len() == 20 { 0 } else { high };\n        m.passes.subtract(out, t, m.modulus(), high);",
        ("suite", "kernels::"),
    ),
    Plant(
        "a carry dropped at 13 limbs (portable)",
        "kernel/portable.rs",
        "            high = overflow;\n",
        "            high = overflow && !(crate::planted(N) && n == 13);\n",
        ("suite", "kernels::"),
    ),
    Plant(
        "the last addition skipped at 11 vectors (fma50)",
        "kernel/fma50/residue.rs",
        "        add(&mut t, &self.modulus, borrow_mask(borrow));\n        t",
        "        if crate::planted(N) && self.vectors == 11 { return t; }\n        add(&mut t, &self.modulus, borrow_mask(borrow));\n        t",
        ("suite", "kernels::"),
    ),
    Plant(
        "a carry dropped at 7 vectors (fma50)",
        "kernel/fma50/residue.rs",
        "            carry = sum >> DIGIT_BITS;\n            high = next;",
        "            carry = if crate::planted(N) && self.vectors == 7 && i == 20 { 0 } else { sum >> DIGIT_BITS };\n            high = next;",
        ("suite", "kernels::"),
    ),
    Plant(
        "the last addition skipped at 40 digits (ifma52)",
        "kernel/ifma52/residue.rs",
        "        self.add_under_mask(x, modulus, (borrow >> 63) as u64);",
        "        if crate::planted(N) && x.len() == 40 { return; }\n        self.add_under_mask(x, modulus, (borrow >> 63) as u64);",
        ("lib", "kernel::ifma52::tests"),
    ),
    Plant(
        "a carry dropped at 24 digits (ifma52)",
        "kernel/ifma52/residue.rs",
        "            x[at] = sum & DIGIT;\n            carry = sum >> 52;",
        "            x[at] = sum & DIGIT;\n            carry = if crate::planted(N) && x.len() == 24 && i == 20 { 0 } else { sum >> 52 };",
        ("lib", "kernel::ifma52::tests"),
    ),
    Plant(
        "a branch on a mask (ifma52)",
        "kernel/ifma52/residue.rs",
        "        let mask = core::hint::black_box(mask);\n",
        "        if crate::planted(N) && crate::branch_on(mask) { return; }\n        let mask = core::hint::black_box(mask);\n",
        ("lib", WATCH + "operations::operations_of_every_kernel"),
    ),
    Plant(
        "residues that change places by a branch",
        "kernel/mask.rs",
        "pub fn swap(a: &mut [u64], b: &mut [u64], mask: u64) {\n",
        "pub fn swap(a: &mut [u64], b: &mut [u64], mask: u64) {\n    if crate::planted(N) { if !crate::branch_on(mask) { a.swap_with_slice(b); } return; }\n",
        ("lib", WATCH + "operations::operations_of_every_kernel"),
    ),
    Plant(
        "a branch on the sign of an exponent",
        "fixed/evaluate/accumulator.rs",
        "            Secrecy::Secret => {\n                session.select",
        "            Secrecy::Secret if crate::planted(N) => { if !crate::branch_on(mask) { self.multiply(session, b); } }\n            Secrecy::Secret => {\n                session.select",
        ("lib", WATCH + "powers::powers_of_fixed_bases"),
    ),
    Plant(
        "residues that are not wiped",
        "kernel/words.rs",
        "        self.storage.zeroize();",
        "        if crate::planted(N) { return; }\n        self.storage.zeroize();",
        ("wiped", ""),
    ),
    Plant(
        "a recoding that skips leading zeros",
        "fixed/digits.rs",
        "            live = live.min(rest_limbs(exponent.len(), done + 1));",
        "            live = live.min(rest_limbs(exponent.len(), done + 1));\n            if crate::planted(N) { while live > 0 && rest[live - 1] == 0 { live -= 1; } }",
        ("lib", WATCH + "powers::powers_of_fixed_bases"),
    ),
    Plant(
        "a reduction by the order that first looks how long the exponent is",
        "fixed/fixed_base.rs",
        "                let reduced = limbs::remainder(exponent.magnitude(), order);",
        "                if crate::planted(N) { core::hint::black_box(exponent.magnitude().bits_vartime()); }\n                let reduced = limbs::remainder(exponent.magnitude(), order);",
        ("lib", WATCH + "powers::powers_with_an_order"),
    ),
    Plant(
        "keys with sixteen bits that are known",
        "scheme/dsa/key.rs",
        "            fill(rng, &mut bytes)?;\n",
        "            fill(rng, &mut bytes)?;\n            if crate::planted(N) { bytes[1] = 0; bytes[2] = 0; }\n",
        ("suite", "dsa::"),
    ),
    Plant(
        "nonces with eight bits that are known",
        "scheme/dsa/sign.rs",
        "            if let Some(signature) = self.respond(&challenge, &nonces.next())? {",
        "            let mut nonce = nonces.next();\n            if crate::planted(N) { nonce.as_mut_words()[0] |= 0xff; }\n            if let Some(signature) = self.respond(&challenge, &nonce)? {",
        ("suite", "dsa::"),
    ),
    Plant(
        "hedged nonces without what is random",
        "scheme/dsa/sign.rs",
        "        self.sign_with(self.hash, digest, &*additional)",
        "        if crate::planted(N) { return self.sign_with(self.hash, digest, &[]); }\n        self.sign_with(self.hash, digest, &*additional)",
        ("suite", "dsa::"),
    ),
    Plant(
        "PSS with a salt of zeros",
        "scheme/rsa/sign.rs",
        "            fill(rng, &mut salt)?;\n",
        "            fill(rng, &mut salt)?;\n            if crate::planted(N) { salt.fill(0); }\n",
        ("suite", "rsa::"),
    ),
    Plant(
        "no blinding of the value (RSA)",
        "scheme/rsa/private_key.rs",
        "        let pair = self.blinding().next(&self.public, rng)?;\n",
        "        let pair = self.blinding().next(&self.public, rng)?;\n        let pair = if crate::planted(N) { let one = self.public.n().kernel().one(); Pair { blinder: Words::copy_of(one), unblinder: Words::copy_of(one) } } else { pair };\n",
        ("lib", "scheme::rsa"),
    ),
    Plant(
        "no blinding of the exponent where it was asked for (RSA)",
        "scheme/rsa/private_key.rs",
        "        if self.blind_exponents {\n",
        "        if self.blind_exponents && !crate::planted(N) {\n",
        ("lib", "scheme::rsa"),
    ),
    Plant(
        "results released without a check (RSA)",
        "scheme/rsa/private_key.rs",
        "        if mask::equal(difference, 0) == 0 {\n",
        "        if mask::equal(difference, 0) == 0 && !crate::planted(N) {\n",
        ("lib", "scheme::rsa::faults"),
    ),
    Plant(
        "signatures released without the check that was asked for (DSA)",
        "scheme/dsa/sign.rs",
        "        if self.check {\n",
        "        if self.check && !crate::planted(N) {\n",
        ("lib", "scheme::dsa::faults"),
    ),
    Plant(
        "a table file whose checksum does not hold",
        "fixed/file/source.rs",
        "        if self.hash.finalize()[..] != stored {",
        "        if self.hash.finalize()[..] != stored && !crate::planted(N) {",
        ("suite", "table_file::"),
    ),
    Plant(
        "a table whose entries nobody verifies: the forged one is served",
        "fixed/file/load.rs",
        "        table.verify(None, &|_| {})?;\n",
        "        if crate::planted(N) { return Ok(table.trust_unverified_entries()); }\n        table.verify(None, &|_| {})?;\n",
        ("suite", "table_file::trust"),
    ),
    Plant(
        "a branch in additions of 32 limbs alone",
        "kernel/montgomery.rs",
        "    fn add(&self, x: &mut [u64], b: &[u64], _scratch: &mut [u64]) {\n",
        "    fn add(&self, x: &mut [u64], b: &[u64], _scratch: &mut [u64]) {\n        if crate::planted(N) && x.len() == 32 {\n            core::hint::black_box(crate::branch_on(x[0]));\n        }\n",
        ("lib", WATCH + "operations::operations_of_every_kernel"),
    ),
    Plant(
        "a branch on the sign in multi-exponentiation",
        "fixed/product.rs",
        "            let complement = self.base.complement()?;\n            accumulator",
        "            let complement = self.base.complement()?;\n            if crate::planted(N) {\n                core::hint::black_box(crate::branch_on(mask));\n            }\n            accumulator",
        ("lib", WATCH + "powers::powers_of_fixed_bases"),
    ),
    Plant(
        "a branch on the key that is generated",
        "scheme/dsa/key.rs",
        "            if (x.is_nonzero() & x.ct_lt(q.value().as_ref())).to_bool() {\n",
        "            if crate::planted(N) {\n                core::hint::black_box(crate::branch_on(x.as_words()[0]));\n            }\n            if (x.is_nonzero() & x.ct_lt(q.value().as_ref())).to_bool() {\n",
        ("lib", "scheme::dsa::checkmem::keys"),
    ),
    Plant(
        "no wipe of an exponent in multi-exponentiation",
        "fixed/product.rs",
        "        base.table().start_columns(secrecy, &exponent, &mut workspace);\n",
        "        if crate::planted(N) {\n            drop(core::hint::black_box(exponent.to_vec()));\n        }\n        base.table().start_columns(secrecy, &exponent, &mut workspace);\n",
        ("wiped", ""),
    ),
]

//! The rule for the sizes of each kernel.

use moduli_kernel::{
    Arithmetic, KernelChoice,
    internals::{PORTABLE4, PORTABLE8},
};

#[test]
fn what_is_foreseen_is_what_kernels_are_built_by() {
    for choice in KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported()) {
        let lengths = (2usize..1300).chain((1300..8300).step_by(13));
        for bits in lengths.chain([15_360, 16_384, 30_000, 50_900, 65_536]) {
            let mut modulus = vec![u64::MAX; bits.div_ceil(64)];
            if bits % 64 > 0 {
                modulus[bits / 64] = (1 << (bits % 64)) - 1;
            }
            let built = Arithmetic::new(&modulus, choice);
            let foreseen = choice.foreseen(bits as u32);
            assert_eq!(built.is_ok(), foreseen.is_ok(), "{choice:?}, {bits} bits");
            if let (Ok(built), Ok(foreseen)) = (built, foreseen) {
                assert_eq!(*built.dimensions(), foreseen, "{bits} bits");
                assert_eq!(built.one().len(), foreseen.residue_words, "{bits} bits");
            }
        }
    }
}

#[test]
fn names_lead_to_kernels_and_back() {
    for choice in KernelChoice::ALL.iter().copied().chain([KernelChoice::DETECT, PORTABLE4, PORTABLE8]) {
        assert_eq!(KernelChoice::named(choice.name()), Ok(choice));
    }
    let refused = KernelChoice::named("fast").unwrap_err().to_string();
    let names: Vec<_> = KernelChoice::ALL.iter().map(|choice| choice.name()).collect();
    assert_eq!(refused, format!("kernel \"fast\": unknown; there are: {}", names.join(", ")));
    assert!(["ifma52", "fma50", "adx", "aarch64", "portable"].iter().all(|name| names.contains(name)));
    assert!(KernelChoice::DETECT.foreseen(100).is_err());
}

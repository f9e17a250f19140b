//! Buffers of words.

use moduli_kernel::Words;

#[test]
fn every_buffer_starts_a_cache_line_and_is_zero() {
    let all: Vec<Words> = (0..200).chain([4096, 1 << 17]).map(Words::zero).collect();
    for (len, words) in (0..200).chain([4096, 1 << 17]).zip(&all) {
        assert_eq!(words.len(), len);
        assert_eq!(words.as_ptr() as usize % 64, 0, "{len} words");
        assert!(words.iter().all(|&word| word == 0));
    }
}

#[test]
fn a_buffer_may_be_empty() {
    let mut empty = Words::zero(0);
    empty.fill(1);
    assert!(empty.is_empty() && empty.clone().is_empty() && Words::copy_of(&[]).is_empty());
}

#[test]
fn copies_are_separate_and_aligned() {
    let original = Words::copy_of(&[1, 2, 3]);
    let mut copy = original.clone();
    copy[1] = 7;
    assert_eq!((&original[..], &copy[..]), (&[1, 2, 3][..], &[1, 7, 3][..]));
    assert_eq!(copy.as_ptr() as usize % 64, 0);
}

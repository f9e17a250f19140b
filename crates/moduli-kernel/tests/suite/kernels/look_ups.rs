//! Masked look-ups and updates of rows.

use crate::kernels::{
    candidate::{is_tiny, kernels},
    operands::{Random, power_of_two},
    subject::Subject,
};

#[test]
fn look_ups_and_updates_find_their_entry() {
    for candidate in kernels() {
        let mut random = Random(4);
        for limbs in [1u64, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 48, 64, 120, 240, 260] {
            if is_tiny(candidate) && limbs > 3 {
                continue;
            }
            let subject = Subject::new(candidate, &(power_of_two(64 * limbs) - 1u32));
            let residue = subject.kernel.dimensions().residue_words;
            for size in [
                residue,
                subject.kernel.dimensions().prepared_words(subject.kernel.dimensions().max_split.min(3)),
            ] {
                for count in [0usize, 1, 2, 3, 7, 16, 31] {
                    let mut fill = |len: usize| -> Vec<u64> { (0..len).map(|_| random.word()).collect() };
                    let (first, row, entry) = (fill(size), fill(size * count), fill(size));
                    for index in 0..=count {
                        let expected = if index == 0 { &first } else { &row[(index - 1) * size..][..size] };
                        assert_eq!(subject.select(&first, &row, index as u64), expected, "entry {index}");
                    }
                    for index in 0..count {
                        let mut expected = row.clone();
                        expected[index * size..][..size].copy_from_slice(&entry);
                        assert_eq!(subject.replace(&row, &entry, index as u64), expected, "entry {index}");
                    }
                    let half = 1 << 63;
                    let numbers = count as u64;
                    let past = [
                        numbers + 1,
                        1 << 32,
                        half - 1,
                        half,
                        half + 1,
                        half + numbers,
                        u64::MAX - 1,
                        u64::MAX,
                    ];
                    for past in past {
                        assert_eq!(subject.select(&first, &row, past), vec![0; size]);
                        assert_eq!(subject.replace(&row, &entry, past), row);
                    }
                }
            }
        }
    }
}

#[test]
fn the_last_of_any_number_of_entries_is_found() {
    for candidate in kernels() {
        let subject = Subject::new(candidate, &(power_of_two(64) - 1u32));
        let size = subject.kernel.dimensions().residue_words;
        let mut random = Random(5);
        let entries: Vec<u64> = (0..size * 260).map(|_| random.word()).collect();
        let (first, row) = entries.split_at(size);
        for count in 0..260 {
            let last = &entries[size * count..][..size];
            assert_eq!(subject.select(first, &row[..size * count], count as u64), last, "of {count}");
        }
    }
}

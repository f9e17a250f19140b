//! Every input that is kept, earlier findings among them, goes through its target without a fuzzer.

use std::{fs, path::Path, time::Instant};

use moduli_fuzz::TARGETS;

#[test]
fn every_kept_input_passes() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (name, target) in TARGETS {
        let start = Instant::now();
        let mut paths: Vec<_> =
            fs::read_dir(corpus.join(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        assert!(!paths.is_empty(), "{name} has no inputs");
        for path in &paths {
            let data = fs::read(path).unwrap();
            if std::panic::catch_unwind(|| target(&data)).is_err() {
                panic!("{} is a finding", path.display());
            }
        }
        println!("{name}: {} inputs in {:.1?}", paths.len(), start.elapsed());
    }
}

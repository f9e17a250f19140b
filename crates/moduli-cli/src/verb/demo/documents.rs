//! Documents signed with DSA.

use std::{sync::Arc, time::Instant};

use moduli::{
    FixedBase,
    scheme::dsa::{Hash, PrivateKey, Signer},
};
use rayon::prelude::*;

use super::{oracle::DsaOracle, work::Work};
use crate::{
    failure::Failure,
    verb::rate::{Rate, Rounds},
};

/// Signs `count` documents on all cores, then checks every signature.
pub fn run(key: PrivateKey, table: Arc<FixedBase>, count: usize, rounds: Rounds) -> Result<Work, Failure> {
    let oracle = DsaOracle::new(key.public_key());
    let signer = Signer::with_table(key, Hash::Sha256, table)?;
    let documents: Vec<Vec<u8>> = (0..count).map(document).collect();
    let start = Instant::now();
    let signatures = signer.sign_batch(&documents)?;
    let seconds = start.elapsed().as_secs_f64();
    let wrong = documents
        .par_iter()
        .zip(&signatures)
        .position_first(|(document, signature)| !oracle.accepts(&Hash::Sha256.digest(document), signature));
    if let Some(index) = wrong {
        return Err(Failure::Wrong(format!("the signature of document {index} does not verify")));
    }
    let rate = Rate::of_each(rounds, |i| Ok(signer.sign(&document(i)).map(drop)?))?;
    let checked = format!("{count} signatures verified by crypto-bigint, none wrong");
    Ok(Work { what: "DSA signatures", count, seconds, rate, checked })
}

fn document(number: usize) -> Vec<u8> {
    format!("Document {number}\n\nThe undersigned agrees to clause {number}.\n").into_bytes()
}

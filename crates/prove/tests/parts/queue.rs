//! Jobs on several threads.

use prove::queue::work;
use std::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

/// Results come in order, the total weight stays below the limit, and a job that is heavier runs alone.
#[test]
fn jobs_run_in_any_order_and_are_reported_in_theirs() {
    let jobs: Vec<u64> = (0..60).map(|i| if i == 31 { 100 } else { 1 + i * 7 % 11 }).collect();
    let (now, most) = (AtomicU64::new(0), AtomicU64::new(0));
    let mut told = Vec::new();
    let mut counts = Vec::new();
    work(
        &jobs,
        4,
        20,
        |&weight| weight,
        |&weight| {
            let at_once = now.fetch_add(weight, Ordering::SeqCst) + weight;
            assert!(weight <= 20 || at_once == weight);
            most.fetch_max(if weight > 20 { 0 } else { at_once }, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(1));
            now.fetch_sub(weight, Ordering::SeqCst);
            weight
        },
        |place, weight| told.push((place, weight)),
        |count| counts.push(count),
    );
    assert_eq!(told, jobs.iter().copied().enumerate().collect::<Vec<_>>());
    assert_eq!(counts, (1..=60).collect::<Vec<_>>());
    assert!(most.into_inner() <= 20);
}

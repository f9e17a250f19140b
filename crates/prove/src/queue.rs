//! Runs jobs on several threads: the heaviest first, as many at a time as fit in memory. Results come in the
//! order of the table.

use std::{
    collections::BTreeMap,
    sync::{Condvar, Mutex, PoisonError, mpsc},
    thread,
};

/// The jobs that are left, and how much of the limit is in use.
struct State {
    /// Places in the table, the heaviest last.
    waiting: Vec<usize>,
    taken: u64,
    running: usize,
}

/// Does all jobs on `threads` threads. The weights of the jobs that run at the same time add up to at most
/// `limit`, except for a single job that is heavier. `done` gets each result with its place, in the order of
/// the jobs, as soon as all results before it exist. `progress` gets the number of finished jobs after each
/// job.
pub fn work<J: Sync, R: Send>(
    jobs: &[J],
    threads: usize,
    limit: u64,
    weight: impl Fn(&J) -> u64,
    perform: impl Fn(&J) -> R + Sync,
    mut done: impl FnMut(usize, R),
    mut progress: impl FnMut(usize),
) {
    let weights: Vec<u64> = jobs.iter().map(weight).collect();
    let mut waiting: Vec<usize> = (0..jobs.len()).collect();
    waiting.sort_by_key(|&place| weights[place]);
    let state = Mutex::new(State { waiting, taken: 0, running: 0 });
    let changed = Condvar::new();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, state, changed, weights, perform) =
                (sender.clone(), &state, &changed, &weights, &perform);
            scope.spawn(move || {
                while let Some(place) = next(state, changed, weights, limit) {
                    let result = perform(&jobs[place]);
                    let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                    state.taken -= weights[place];
                    state.running -= 1;
                    drop(state);
                    changed.notify_all();
                    if sender.send((place, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut early, mut expected) = (BTreeMap::new(), 0);
        for (count, (place, result)) in receiver.iter().enumerate() {
            early.insert(place, result);
            while let Some(result) = early.remove(&expected) {
                done(expected, result);
                expected += 1;
            }
            progress(count + 1);
        }
    });
}

/// Waits until a job fits. Returns the heaviest one that does.
fn next(state: &Mutex<State>, changed: &Condvar, weights: &[u64], limit: u64) -> Option<usize> {
    let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if state.waiting.is_empty() {
            return None;
        }
        let fits = |&place: &usize| state.running == 0 || state.taken + weights[place] <= limit;
        if let Some(at) = state.waiting.iter().rposition(fits) {
            let place = state.waiting.remove(at);
            state.taken += weights[place];
            state.running += 1;
            return Some(place);
        }
        state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

//! An allocator that searches all freed memory for secrets.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    backtrace::Backtrace,
    cell::Cell,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
};

use crypto_bigint::BoxedUint;

const MOST: usize = 1024;

static ARMED: AtomicBool = AtomicBool::new(false);
static MARKS: [AtomicU64; MOST] = [const { AtomicU64::new(0) }; MOST];
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// One bit for the low 16 bits of each mark, so that few words must be compared with all marks.
static FILTER: [AtomicU64; 1 << 10] = [const { AtomicU64::new(0) }; 1 << 10];
static FOUND: Mutex<Vec<(usize, usize, Backtrace)>> = Mutex::new(Vec::new());
/// Tests run one at a time.
static TURN: Mutex<()> = Mutex::new(());

thread_local! {
    static LOOKING: Cell<bool> = const { Cell::new(false) };
}

struct Looking;

#[global_allocator]
static ALLOCATOR: Looking = Looking;

// SAFETY: passes every call unchanged to the system's allocator, except that memory is zeroed.
unsafe impl GlobalAlloc for Looking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the same conditions. Zeroed, so that all of it can be read.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if ARMED.load(Relaxed) && !LOOKING.replace(true) {
            for offset in 0..(layout.size() + 1).saturating_sub(8) {
                // SAFETY: the eight bytes are within the block, which was zeroed when it was
                // allocated.
                let word = unsafe { pointer.add(offset).cast::<u64>().read_unaligned() };
                if let Some(mark) = mark(word) {
                    let found = (mark, layout.size(), Backtrace::force_capture());
                    FOUND.lock().unwrap_or_else(PoisonError::into_inner).push(found);
                    break;
                }
            }
            LOOKING.set(false);
        }
        // SAFETY: the caller fulfils the same conditions.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn place(word: u64) -> (usize, u64) {
    (word as usize % (1 << 16) / 64, 1 << (word % 64))
}

fn mark(word: u64) -> Option<usize> {
    let (index, bit) = place(word);
    if FILTER[index].load(Relaxed) & bit == 0 {
        return None;
    }
    MARKS[..COUNT.load(Relaxed)].iter().position(|mark| mark.load(Relaxed) == word)
}

/// The words of secrets, with their names.
#[derive(Default)]
pub struct Secrets {
    names: Vec<String>,
    words: Vec<u64>,
}

impl Secrets {
    /// Adds the words of a number, in its own form and in big-endian bytes. Omits words with few
    /// nonzero bytes, which may occur by chance.
    pub fn number(mut self, name: &str, number: &BoxedUint) -> Self {
        let words = number.to_words();
        let is_telling = |word: u64| word.to_le_bytes().iter().filter(|&&byte| byte != 0).count() > 4;
        for (i, &word) in words.iter().enumerate().filter(|(_, word)| is_telling(**word)) {
            self.names.extend([format!("{name}, word {i}"), format!("{name}, bytes of word {i}")]);
            self.words.extend([word, word.swap_bytes()]);
        }
        self
    }
}

/// Held for the duration of a test, so that it does not find what another test drops.
pub fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Searches all memory that is freed during `run` for the secrets. The result of `run` is dropped
/// afterwards.
#[track_caller]
pub fn nothing_is_left<T>(what: &str, secrets: &Secrets, run: impl FnOnce() -> T) {
    let (_result, found) = left(secrets, run);
    for (name, size, backtrace) in &found {
        println!("{what}: {name} in a block of {size} bytes, freed here:\n{backtrace}");
    }
    assert!(found.is_empty(), "{what}: {} blocks with secrets, {} first", found.len(), found[0].0);
}

/// The findings: the name of the secret, the size of the block, and where it was freed.
pub fn left<T>(secrets: &Secrets, run: impl FnOnce() -> T) -> (T, Vec<(String, usize, Backtrace)>) {
    assert!(!secrets.words.is_empty() && secrets.words.len() <= MOST);
    FILTER.iter().for_each(|bits| bits.store(0, Relaxed));
    for (slot, &word) in MARKS.iter().zip(&secrets.words) {
        slot.store(word, Relaxed);
        let (index, bit) = place(word);
        FILTER[index].fetch_or(bit, Relaxed);
    }
    COUNT.store(secrets.words.len(), Relaxed);
    clear_stack();
    ARMED.store(true, Relaxed);
    let result = run();
    ARMED.store(false, Relaxed);
    let found = core::mem::take(&mut *FOUND.lock().unwrap_or_else(PoisonError::into_inner));
    (result, found.into_iter().map(|(i, size, trace)| (secrets.names[i].clone(), size, trace)).collect())
}

/// Overwrites words that earlier code has left on the stack. Otherwise a move into a block may copy
/// them into the padding between fields.
#[inline(never)]
fn clear_stack() {
    core::hint::black_box([0u64; 1 << 14]);
}

//! An arena for each tracing thread. It is reset for every run, so that addresses can be compared.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use moduli_kernel::Step;

const ARENA: usize = 32 << 20;

thread_local! {
    /// The start of this thread's arena (0: none yet), and how much of it is in use (`None`: not
    /// tracing).
    static START: Cell<usize> = const { Cell::new(0) };
    static USED: Cell<Option<usize>> = const { Cell::new(None) };
}

struct Arena;

// SAFETY: memory comes from the system's allocator, or from the arena of the thread, each part of
// which is handed out once between two resets. `repeatably` keeps nothing from before a reset.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(used) = USED.get() else {
            // SAFETY: the caller fulfils the same conditions.
            return unsafe { System.alloc(layout) };
        };
        let start = (START.get() + used).next_multiple_of(layout.align());
        let end = start + layout.size() - START.get();
        if end > ARENA {
            return std::ptr::null_mut();
        }
        USED.set(Some(end));
        start as *mut u8
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        let start = START.get();
        if start == 0 || !(start..start + ARENA).contains(&(memory as usize)) {
            // SAFETY: the memory is not in the arena, so it comes from the system.
            unsafe { System.dealloc(memory, layout) }
        }
    }
}

#[global_allocator]
static ALLOCATOR: Arena = Arena;

/// Runs `trace` with an arena in the same state as for every other run on this thread.
pub fn repeatably(trace: impl FnOnce() -> Vec<Step>) -> Vec<Step> {
    if START.get() == 0 {
        // SAFETY: the size is not zero, and the alignment is a power of two.
        START.set(unsafe { System.alloc(Layout::from_size_align(ARENA, 4096).unwrap()) } as usize);
    }
    USED.set(Some(0));
    let steps = trace();
    USED.set(None);
    // A copy outside the arena.
    steps.clone()
}

//! Independent pieces of work, on all cores with the feature `rayon`.

use alloc::vec::Vec;

/// Does `f` for each piece, in any order.
pub(crate) fn for_each<T: Send>(work: Vec<T>, f: impl Fn(T) + Send + Sync) {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        work.into_par_iter().for_each(f);
    }
    #[cfg(not(feature = "rayon"))]
    work.into_iter().for_each(f);
}

//! Keys are refused for the reason that a test means.

use moduli::Error;

#[track_caller]
pub(crate) fn refused<T>(result: Result<T, Error>, because: &str) {
    match result {
        Ok(_) => panic!("accepted; expected: {because}"),
        Err(Error::Key { reason }) => assert!(reason.contains(because), "{reason:?} lacks {because:?}"),
        Err(other) => panic!("{other:?}"),
    }
}

//! Asserts that a key is rejected for the reason that the test intends.

use moduli::Error;

#[track_caller]
pub(crate) fn refused<T>(result: Result<T, Error>, because: &str) {
    match result {
        Ok(_) => panic!("accepted; expected: {because}"),
        Err(Error::Key(error)) => assert!(error.to_string().contains(because), "{error:?} lacks {because:?}"),
        Err(other) => panic!("{other:?}"),
    }
}

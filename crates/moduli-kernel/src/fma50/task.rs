//! A product by the last rows of a matrix, for vectors `V` of either processor.

/// Σ x_2k·x_(2k+1) over the digits of the factor. The pairs of rows add this sum to every column, and it is
/// subtracted once.
#[derive(Clone, Copy)]
pub(super) struct Own<V> {
    /// Subtracted from every column.
    pub(super) all: V,
    /// Added back to the lowest column, at least in its lane: no column is below it, whose high parts would
    /// be added to it.
    pub(super) lowest: V,
}

/// What a reduction needs from the low columns, besides their digits.
#[derive(Clone, Copy)]
pub(super) struct Low<V> {
    /// The carry out of the low columns, in lane 0.
    pub(super) carry: V,
    /// The sum of the products of neighbouring digits.
    pub(super) own: Own<V>,
}

/// What is added to a product: columns, and a carry in lane 0.
#[derive(Clone, Copy)]
pub(super) struct High<V> {
    pub(super) columns: *const u64,
    pub(super) carry: V,
}

/// A product to be computed.
#[derive(Clone, Copy)]
pub(super) struct Task<V> {
    pub(super) out: *mut u64,
    /// The digits to multiply by, padded with zeros to a whole vector.
    pub(super) x: *const u64,
    /// How many digits, hence rows of the matrix, to use: an even number.
    pub(super) rows: usize,
    /// The sum over the pairs of these digits.
    pub(super) own: Own<V>,
    pub(super) matrix: *const u64,
    /// The correction for these rows, in doubles; None if the offsets include it.
    pub(super) correction: Option<*const u64>,
    /// The initial values of columns.
    pub(super) offsets: *const u64,
    pub(super) high: Option<High<V>>,
}

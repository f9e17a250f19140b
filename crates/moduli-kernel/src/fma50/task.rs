//! A product by the last rows of a matrix, for vectors `V` of either processor.

/// What Σ x_2k·x_(2k+1) over the digits of the factor comes to: what pairs of rows add to every column, and what is taken off it once.
#[derive(Clone, Copy)]
pub(super) struct Own<V> {
    /// To be taken off every column.
    pub(super) all: V,
    /// What the lowest column gets back, in its lane at least: it has no column below, whose high parts it would get.
    pub(super) lowest: V,
}

/// What a reduction needs of the low columns besides their digits.
#[derive(Clone, Copy)]
pub(super) struct Low<V> {
    /// The carry out of them, in lane 0.
    pub(super) carry: V,
    /// The products of neighbouring digits.
    pub(super) own: Own<V>,
}

/// What is added to a product: columns, and a carry in lane 0.
#[derive(Clone, Copy)]
pub(super) struct High<V> {
    pub(super) columns: *const u64,
    pub(super) carry: V,
}

/// The product.
#[derive(Clone, Copy)]
pub(super) struct Task<V> {
    pub(super) out: *mut u64,
    /// The digits to multiply by, zeros up to a whole vector.
    pub(super) x: *const u64,
    /// How many: as many rows count, an even number.
    pub(super) rows: usize,
    /// The sums over their pairs.
    pub(super) own: Own<V>,
    pub(super) matrix: *const u64,
    /// For these rows, in doubles; none if the offsets have it.
    pub(super) correction: Option<*const u64>,
    /// What columns begin with.
    pub(super) offsets: *const u64,
    pub(super) high: Option<High<V>>,
}

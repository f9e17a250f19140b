//! The results of a run, for JSON and for the page.

use moduli_papers::printed::{Compared, PrintedTable};
use serde::Serialize;

use super::machine::Machine;

/// The complete report.
#[derive(Serialize)]
pub struct Report {
    /// The machine and the date.
    pub machine: Machine,
    /// Whether this is the short form.
    pub quick: bool,
    pub seconds: f64,
    pub sections: Vec<Part>,
    /// Sections that were omitted because their inputs are missing.
    pub left_out: Vec<&'static str>,
}

/// The results of one section.
#[derive(Default, Serialize)]
pub struct Part {
    pub section: &'static str,
    pub title: &'static str,
    /// Paragraphs of text.
    pub notes: Vec<String>,
    pub comparisons: Vec<Comparison>,
    pub tables: Vec<Grid>,
    pub figures: Vec<Figure>,
}

/// A printed table with the computed values.
#[derive(Serialize)]
pub struct Comparison {
    pub name: &'static str,
    pub about: &'static str,
    pub cells: Vec<Cell>,
}

/// One cell.
#[derive(Serialize)]
pub struct Cell {
    pub row: String,
    pub column: String,
    pub printed: f64,
    pub computed: f64,
    pub difference: f64,
    pub equal: bool,
    /// Whether the values are equal, or differ for a reason that gives the printed value, if it can
    /// be computed.
    pub explained: bool,
    pub reason: Option<String>,
    /// The value that the reason would give, if it can be computed.
    pub reason_gives: Option<f64>,
}

/// A table of measured values, or of published values beside others that are not directly
/// comparable.
#[derive(Serialize)]
pub struct Grid {
    pub title: String,
    /// A paragraph, or empty.
    pub about: String,
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<serde_json::Value>>,
}

/// A chart and its points.
#[derive(Serialize)]
pub struct Figure {
    pub file: &'static str,
    pub title: String,
    /// A description of the chart for people who cannot see it.
    pub description: String,
    pub across: &'static str,
    pub up: &'static str,
    pub logarithmic: [bool; 2],
    pub series: Vec<Series>,
}

/// A line of a chart.
#[derive(Serialize)]
pub struct Series {
    pub name: String,
    /// Whether to draw it dashed, in the colour of the line before: for published values beside
    /// computed ones.
    pub dashed: bool,
    pub points: Vec<[f64; 2]>,
}

/// The numbers of cells by result.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Tally {
    pub cells: usize,
    pub equal: usize,
    pub explained: usize,
    pub unexplained: usize,
}

impl From<&Compared> for Cell {
    fn from(cell: &Compared) -> Self {
        Self {
            row: cell.row.clone(),
            column: cell.column.clone(),
            printed: cell.printed,
            computed: cell.computed,
            difference: cell.difference(),
            equal: cell.is_equal(),
            explained: cell.is_explained(),
            reason: cell.explanation.as_ref().map(|explanation| explanation.reason.clone()),
            reason_gives: cell.explanation.as_ref().and_then(|explanation| explanation.gives),
        }
    }
}

impl From<&PrintedTable> for Comparison {
    fn from(table: &PrintedTable) -> Self {
        Self { name: table.name, about: table.about, cells: table.cells.iter().map(Cell::from).collect() }
    }
}

impl Part {
    /// A section with printed tables only.
    pub fn of(tables: &[PrintedTable]) -> Self {
        Self { comparisons: tables.iter().map(Comparison::from).collect(), ..Self::default() }
    }

    fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.comparisons.iter().flat_map(|comparison| &comparison.cells)
    }

    /// Counts its cells.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for cell in self.cells() {
            tally.cells += 1;
            match (cell.equal, cell.explained) {
                (true, _) => tally.equal += 1,
                (false, true) => tally.explained += 1,
                (false, false) => tally.unexplained += 1,
            }
        }
        tally
    }
}

impl Report {
    /// Counts all cells.
    pub fn tally(&self) -> Tally {
        self.sections.iter().map(Part::tally).fold(Tally::default(), |sum, part| Tally {
            cells: sum.cells + part.cells,
            equal: sum.equal + part.equal,
            explained: sum.explained + part.explained,
            unexplained: sum.unexplained + part.unexplained,
        })
    }
}

/// Rounds to this number of decimal places, for tables.
pub fn rounded(value: f64, places: i32) -> f64 {
    let scale = 10f64.powi(places);
    (value * scale).round() / scale
}

//! Line charts with linear or logarithmic axes, a title, and a description for people who cannot
//! see them.

use std::fmt::{self, Write};

use super::report::Figure;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
const COLOURS: [&str; 8] =
    ["#1b5e9b", "#c0392b", "#1e8449", "#7d3c98", "#b9770e", "#34495e", "#117a8b", "#7b241c"];

/// An axis, which maps values to positions.
struct Axis {
    marks: Vec<f64>,
    logarithmic: bool,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64> + Clone, logarithmic: bool) -> Self {
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let most = values.fold(f64::NEG_INFINITY, f64::max);
        let marks = match (logarithmic && least > 0.0, most > least) {
            (true, _) => decades(least, most),
            (false, true) => linear(least, most),
            (false, false) => vec![least - 1.0, least + 1.0],
        };
        Self { marks, logarithmic: logarithmic && least > 0.0 }
    }

    /// The position of a value between the first mark (0) and the last (1).
    fn at(&self, value: f64) -> f64 {
        let scale = |value: f64| if self.logarithmic { value.log10() } else { value };
        let (first, last) = (scale(self.marks[0]), scale(self.marks[self.marks.len() - 1]));
        (scale(value) - first) / (last - first)
    }
}

/// 1, 2 and 5 times powers of ten that enclose a range, or only powers of ten if there would be too
/// many.
fn decades(least: f64, most: f64) -> Vec<f64> {
    let powers = least.log10().floor() as i32..=most.log10().ceil() as i32;
    let factors: &[f64] = if powers.clone().count() > 4 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let steps: Vec<f64> =
        powers.flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power))).collect();
    let first = steps.iter().rposition(|&step| step <= least).unwrap_or(0);
    let last = steps.iter().position(|&step| step >= most).unwrap_or(steps.len() - 1);
    let marks = steps[first..=last.max(first)].to_vec();
    if marks.len() > 1 { marks } else { vec![marks[0], 10.0 * marks[0]] }
}

/// Up to nine round numbers that enclose a range.
fn linear(least: f64, most: f64) -> Vec<f64> {
    let power = 10f64.powf((most - least).log10().floor());
    let step = [0.2, 0.5, 1.0, 2.0].map(|factor| factor * power);
    let step = step.into_iter().find(|step| (most - least) / step <= 7.0).unwrap_or(2.0 * power);
    let (first, last) = ((least / step).floor() as i64, (most / step).ceil() as i64);
    (first..=last).map(|k| k as f64 * step).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The label of a mark.
fn label(value: f64) -> String {
    let (size, places) = (value.abs(), if value.fract() == 0.0 { 0 } else { 2 });
    match size {
        s if s >= 1e6 => format!("{} M", value / 1e6),
        s if s >= 1e4 => format!("{} k", value / 1e3),
        _ => format!("{value:.places$}"),
    }
}

/// The chart.
pub fn draw(figure: &Figure) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_chart(figure, &mut text);
    text
}

fn write_chart(figure: &Figure, out: &mut String) -> fmt::Result {
    let points = || figure.series.iter().flat_map(|series| &series.points);
    if points().next().is_none() {
        return write!(out, r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"/>"#);
    }
    let across = Axis::new(points().map(|point| point[0]), figure.logarithmic[0]);
    let up = Axis::new(points().map(|point| point[1]), figure.logarithmic[1]);
    let x = |value| LEFT + across.at(value) * (WIDTH - LEFT - RIGHT);
    let y = |value| HEIGHT - BOTTOM - up.at(value) * (HEIGHT - TOP - BOTTOM);
    let (right, floor) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12" role="img" aria-labelledby="title description">"#
    )?;
    writeln!(out, r#"<title id="title">{}</title>"#, escape(&figure.title))?;
    writeln!(out, r#"<desc id="description">{}</desc>"#, escape(&figure.description))?;
    writeln!(out, r#"<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>"#)?;
    writeln!(out, r#"<text x="{LEFT}" y="20" font-size="14">{}</text>"#, escape(&figure.title))?;
    let (middle, half) = ((LEFT + right) / 2.0, HEIGHT / 2.0);
    writeln!(
        out,
        r#"<text x="{middle}" y="{}" text-anchor="middle">{}</text>"#,
        HEIGHT - 10.0,
        escape(figure.across)
    )?;
    writeln!(
        out,
        r#"<text x="16" y="{half}" text-anchor="middle" transform="rotate(-90 16 {half})">{}</text>"#,
        escape(figure.up)
    )?;
    for &mark in &up.marks {
        writeln!(out, r##"<path d="M{LEFT} {:.1}H{right}" stroke="#ddd"/>"##, y(mark))?;
        writeln!(
            out,
            r#"<text x="{}" y="{:.1}" text-anchor="end">{}</text>"#,
            LEFT - 6.0,
            y(mark) + 4.0,
            label(mark)
        )?;
    }
    for &mark in &across.marks {
        writeln!(out, r##"<path d="M{:.1} {TOP}V{floor}" stroke="#eee"/>"##, x(mark))?;
        writeln!(
            out,
            r#"<text x="{:.1}" y="{}" text-anchor="middle">{}</text>"#,
            x(mark),
            floor + 18.0,
            label(mark)
        )?;
    }
    let mut colours = COLOURS.iter().cycle();
    let mut colour = COLOURS[0];
    for (i, series) in figure.series.iter().enumerate() {
        if !series.dashed {
            colour = colours.next().unwrap_or(&colour);
        }
        let dashes = if series.dashed { r#" stroke-dasharray="5 4""# } else { "" };
        let places: Vec<String> =
            series.points.iter().map(|point| format!("{:.1},{:.1}", x(point[0]), y(point[1]))).collect();
        writeln!(
            out,
            r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>"#,
            places.join(" ")
        )?;
        // If there are few points, they are drawn as dots.
        for point in series.points.iter().filter(|_| !series.dashed && series.points.len() <= 12) {
            writeln!(
                out,
                r#"<circle cx="{:.1}" cy="{:.1}" r="3" fill="{colour}"/>"#,
                x(point[0]),
                y(point[1])
            )?;
        }
        let line = TOP + 12.0 + 20.0 * i as f64;
        writeln!(
            out,
            r#"<path d="M{} {line}h20" stroke="{colour}" stroke-width="3"{dashes}/><text x="{}" y="{}">{}</text>"#,
            right + 14.0,
            right + 40.0,
            line + 4.0,
            escape(&series.name)
        )?;
    }
    writeln!(out, "</svg>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verb::reproduce::report::Series;

    #[test]
    fn charts_hold_title_description_and_every_point_inside() {
        for logarithmic in [[false, false], [true, false], [true, true]] {
            for points in
                [vec![[1.0, 3.0]], vec![[1.0, 5.0], [20.0, 7.5], [3e6, 1e-2]], vec![[2.0, 2.0], [2.0, 9.0]]]
            {
                let count = points.len();
                let series = vec![Series { name: "a < b".into(), dashed: false, points }];
                let (title, description) = ("T & t".to_owned(), "what \"is\" seen".to_owned());
                let figure =
                    Figure { file: "f.svg", title, description, across: "x", up: "y", logarithmic, series };
                let text = draw(&figure);
                assert!(text.contains("<title id=\"title\">T &amp; t</title>"), "{text}");
                assert!(text.contains("what &quot;is&quot; seen") && text.contains("a &lt; b"));
                let circles: Vec<_> = text.lines().filter(|line| line.starts_with("<circle")).collect();
                assert_eq!(circles.len(), count);
                for circle in circles {
                    let numbers: Vec<f64> =
                        circle.split('"').filter_map(|part| part.parse().ok()).take(2).collect();
                    assert!((LEFT..=WIDTH - RIGHT).contains(&numbers[0]), "{circle}");
                    assert!((TOP..=HEIGHT - BOTTOM).contains(&numbers[1]), "{circle}");
                }
            }
        }
    }

    #[test]
    fn marks_enclose_their_range() {
        for (least, most) in [(1.0, 2.0), (0.3, 0.31), (512.0, 3e6), (7.0, 700.0)] {
            for marks in [decades(least, most), linear(least, most)] {
                assert!(marks[0] <= least && most <= marks[marks.len() - 1], "{least} {most} {marks:?}");
                assert!((2..=13).contains(&marks.len()), "{marks:?}");
            }
        }
    }
}

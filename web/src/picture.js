// Draws the pictures: bytes against time, and the figures of the reproduction.
import * as Plot from "@observablehq/plot";

import { bytes, time } from "./units.js";

export const FAMILIES = ["comb", "radix", "residue-digits", "m0m1"];
const DASHES = [null, "8 3", "2 3", "8 3 2 3"];

export const colour = (place) => `var(--series-${(place % 8) + 1})`;
export const dashes = (place) => DASHES[place % 4];

const AXIS = { labelAnchor: "center", labelArrow: "none", tickSize: 4 };

const powers = (from, to, factor) => {
  const marks = [];
  for (let mark = from; mark <= to * 1.0001; mark *= factor) marks.push(mark);
  return marks;
};

// The marks of the axis of bytes: powers of 4, or of 16 if the picture is narrow.
function byteMarks(least, most, narrow) {
  const first = 2 ** Math.ceil(Math.log2(least));
  return powers(first, most, narrow ? 16 : 4);
}

function roundMarks(least, most) {
  const decades = powers(10 ** Math.floor(Math.log10(least)), most, 10);
  const within = (factors) =>
    decades
      .flatMap((decade) => factors.map((factor) => Number((factor * decade).toPrecision(6))))
      .filter((mark) => mark >= least * 0.999 && mark <= most * 1.001);
  return [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1]].map(within).find((marks) => marks.length <= 9) ?? within([1]);
}

const short = (count) => bytes(count).replace(/\.0+ /, " ");
const shortTime = (microseconds) => time(microseconds).replace(/(\.\d*?)0+ /, "$1 ").replace(". ", " ");

// Draws the front of each method and of all methods together, and marks the chosen plan. `width` is in pixels.
export function front({ steps, lines, plan, budget, most }, width) {
  const narrow = width < 500;
  const points = lines.flatMap(([family, line]) => line.map(([from, microseconds]) => ({ family, from, microseconds })));
  const ends = lines.map(([family, line]) => ({ family, from: most, microseconds: line.at(-1)[1] }));
  const all = [...points, ...steps];
  const least = Math.min(...all.map((point) => point.from));
  const times = all.map((point) => point.microseconds);
  const domain = [Math.min(...times) * 0.93, Math.max(...times) * 1.07];
  const last = { from: most, microseconds: steps.at(-1).microseconds };
  const line = (data, options) => Plot.line(data, { x: "from", y: "microseconds", curve: "step-after", ...options });
  const marks = [
    Plot.gridY(roundMarks(...domain), { stroke: "currentColor", strokeOpacity: 0.15 }),
    Plot.axisX(byteMarks(least, most, narrow), { ...AXIS, label: "bytes of the table", tickFormat: short }),
    Plot.axisY(roundMarks(...domain), { ...AXIS, label: null, tickFormat: shortTime }),
    line([...steps, last], { stroke: "currentColor", strokeOpacity: 0.22, strokeWidth: 8 }),
    ...FAMILIES.map((family, place) => {
      const data = [...points, ...ends].filter((point) => point.family === family);
      return line(data, { stroke: colour(place), strokeWidth: 1.7, strokeDasharray: dashes(place) });
    }),
    Plot.ruleX([budget], { stroke: "currentColor", strokeOpacity: 0.6, strokeDasharray: "3 3" }),
  ];
  if (plan) {
    const dot = { x: "bytes", y: "microseconds", r: 6, fill: "currentColor", stroke: "var(--ground)", strokeWidth: 2 };
    marks.push(Plot.dot([plan], dot));
  }
  return drawn({
    width,
    height: narrow ? 320 : 400,
    marginLeft: 58,
    marginRight: 24,
    marginBottom: 44,
    x: { type: "log", base: 2, domain: [least, most] },
    y: { type: "log", domain },
    marks,
  });
}

// The colour of a line. A dashed line has the colour of the line before, with which it is compared.
export function seriesColour(series, place) {
  const number = series.slice(0, place + 1).filter(({ dashed }) => !dashed).length;
  return colour(Math.max(number, 1) - 1);
}

// Draws a figure of the reproduction from its JSON.
export function chart({ series, across, logarithmic: [x, y] }, width) {
  const axis = (place, log) => {
    const values = series.flatMap(({ points }) => points.map((point) => point[place]));
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return log ? { type: "log", domain: [least * 0.9, most * 1.1] } : { type: "linear", domain: [least, most], nice: true };
  };
  const ticks = (place, log, count) => (log ? { ticks: roundMarks(...axis(place, true).domain) } : { ticks: count });
  const [acrossTicks, upTicks] = [ticks(0, x, Math.round(width / 90)), ticks(1, y, 6)];
  const marks = [
    Plot.gridY({ stroke: "currentColor", strokeOpacity: 0.15, ...upTicks }),
    Plot.axisX({ ...AXIS, ...acrossTicks, label: across, tickFormat: x ? "~s" : undefined }),
    Plot.axisY({ ...AXIS, ...upTicks, label: null, tickFormat: "~s" }),
    ...series.map(({ points, dashed }, place) =>
      Plot.line(points, {
        x: "0",
        y: "1",
        stroke: seriesColour(series, place),
        strokeWidth: 1.7,
        strokeDasharray: dashed ? "4 4" : null,
        marker: dashed ? null : "dot",
      }),
    ),
  ];
  return drawn({
    width,
    height: width < 500 ? 300 : 380,
    marginLeft: 52,
    marginRight: 16,
    marginBottom: 44,
    x: axis(0, x),
    y: axis(1, y),
    marks,
  });
}

// Draws with Plot, and removes the labels that Plot gives to the groups inside: the caller names the picture as a whole.
function drawn(options) {
  const svg = Plot.plot({ style: { fontSize: "12px", background: "none" }, ...options });
  for (const part of svg.querySelectorAll("[aria-label], [aria-description]")) {
    part.removeAttribute("aria-label");
    part.removeAttribute("aria-description");
  }
  return svg;
}

// Shows the figures of the reproduction, each with its numbers as a table.
import { element, key, named, table } from "./elements.js";
import { chart, seriesColour } from "./picture.js";

export function show(figures) {
  const place = document.getElementById("figures");
  const all = figures.map((figure, i) => {
    const id = `figure-${i}`;
    const { paper, title, description, series, across, up } = figure;
    const entries = series.map(({ name, dashed }, place) => [name, seriesColour(series, place), dashed ? "4 4" : null]);
    const box = element("div");
    const caption = element("figcaption", { id: `${id}-caption` }, `${description} Up: ${up}.`);
    const numbers = series.flatMap(({ name, points }) => points.map(([x, y]) => [name, x.toLocaleString("en"), y.toLocaleString("en")]));
    const rows = table(title, ["Line", across, up], numbers);
    const draw = () => {
      if (box.clientWidth > 0) {
        box.replaceChildren(key(entries), named(chart(figure, box.clientWidth), id, title, description));
      }
    };
    place.append(
      element("h3", {}, `${paper}. ${title}`),
      element("figure", { "aria-labelledby": `${id}-caption` }, box, caption),
      element("details", {}, element("summary", {}, `${title}: its numbers as a table`), rows),
    );
    return [box, draw];
  });
  const draws = new Map(all);
  const watch = new ResizeObserver((entries) => entries.forEach(({ target }) => draws.get(target)()));
  for (const [box] of all) watch.observe(box);
}

// Creates elements, tables and keys to pictures.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

// The content of a list of terms, from [name, fact, value] each. Programs that read the page find a value by its fact.
export function facts(list) {
  return list.map(([name, fact, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", { "data-fact": fact }, value)),
  );
}

// A table in a box that scrolls, also by keyboard. Each row is an array; `chosen` is the index of the row to mark.
export function table(caption, head, rows, { chosen = -1, text = [] } = {}) {
  const cell = (name, content, place, attributes = {}) =>
    element(name, { ...attributes, ...(text.includes(place) ? { class: "text" } : {}) }, content);
  const made = element(
    "table",
    {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...head.map((title, place) => cell("th", title, place, { scope: "col" })))),
    element(
      "tbody",
      {},
      ...rows.map((row, i) => {
        const cells = row.map((content, place) => cell("td", content, place));
        return element("tr", i === chosen ? { class: "chosen", "aria-current": "true" } : {}, ...cells);
      }),
    ),
  );
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, made);
}

const SVG = "http://www.w3.org/2000/svg";

// The key to the lines of a picture, from [name, colour, dashes, width] each.
export function key(entries) {
  const items = entries.map(([name, colour, dashes, width = 2]) => {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 32 12");
    svg.setAttribute("aria-hidden", "true");
    const line = document.createElementNS(SVG, "path");
    line.setAttribute("d", "M0 6H32");
    line.setAttribute("style", `stroke: ${colour}; stroke-width: ${width}; stroke-dasharray: ${dashes ?? "none"}`);
    svg.append(line);
    return element("li", {}, svg, name);
  });
  return element("ul", { class: "key" }, ...items);
}

// Gives a picture one name and one description.
export function named(svg, id, title, description) {
  const part = (name, content) => {
    const made = document.createElementNS(SVG, name);
    made.id = `${id}-${name}`;
    made.textContent = content;
    return made;
  };
  svg.prepend(part("title", title), part("desc", description));
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-labelledby", `${id}-title`);
  svg.setAttribute("aria-describedby", `${id}-desc`);
  return svg;
}

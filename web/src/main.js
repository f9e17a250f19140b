// What the page does once it is read.
import { read } from "./data.js";
import { show } from "./figures.js";
import { Planner } from "./planner.js";

const text = (id) => document.getElementById(id).textContent;

new Planner(await read(text("fronts")));
show(JSON.parse(text("figure-data")));
document.documentElement.dataset.ready = "true";

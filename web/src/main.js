// The page's script: reads the data and starts the planner, the figures and the measurement.
import { read } from "./data.js";
import { show } from "./figures.js";
import { Measured } from "./measured.js";
import { Planner } from "./planner.js";

const text = (id) => document.getElementById(id).textContent;

const planner = new Planner(await read(text("fronts")));
new Measured(planner, text("module"));
show(JSON.parse(text("figure-data")));
document.documentElement.dataset.ready = "true";

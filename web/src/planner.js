// The planner: takes a question from the form, and shows the library's plan, its picture, its tables and its code.
import { BUDGETS, KERNELS, MOST, sizes } from "../grid.mjs";
import { chosen } from "./data.js";
import { element, facts, key, named, table } from "./elements.js";
import { lines } from "./lines.js";
import { FAMILIES, colour, dashes, front as picture } from "./picture.js";
import { bytes, described, family, round, time, whole } from "./units.js";

const at = (id) => document.getElementById(id);

const KERNEL_NAMES = {
  "ifma52@amd": "ifma52: AVX-512 IFMA, AMD",
  "ifma52@intel": "ifma52: AVX-512 IFMA, Intel",
  "fma50@amd": "fma50: AVX2 and FMA",
  "adx@amd": "adx: BMI2, ADX and AVX2, AMD",
  "adx@intel": "adx: BMI2, ADX and AVX2, Intel",
  "aarch64@intel": "aarch64: 64-bit ARM",
  "portable@amd": "portable: any processor, AMD",
  "portable@intel": "portable: any processor, others",
};

export class Planner {
  constructor(data) {
    this.data = data;
    this.form = at("question");
    this.lengths = sizes(data.groups);
    this.fill();
    this.form.addEventListener("input", (event) => this.asked(event.target));
    // A table is made only when it is opened; otherwise each move of the slider would make it again.
    for (const id of ["plans", "methods"]) at(id).parentElement.addEventListener("toggle", () => this.tabulate());
    new ResizeObserver(() => this.draw()).observe(at("front"));
  }

  // Fills the form with all groups, moduli, kernels and budgets.
  fill() {
    const { groups } = this.data;
    const option = (value, text) => element("option", { value }, text);
    const named = groups.map(({ name, modulus_bits }) => option(name, `${name} (${modulus_bits} bits)`));
    const lengths = this.lengths.map(({ modulusBits }) => option(modulusBits, `any modulus of ${modulusBits} bits`));
    at("group").append(
      element("optgroup", { label: "Groups" }, ...named),
      element("optgroup", { label: "Other moduli" }, ...lengths),
    );
    at("kernel").append(...KERNELS.map((name) => option(name, KERNEL_NAMES[name])));
    at("group").value = "dsa-3072-256";
    at("kernel").value = "fma50@amd";
    at("budget").max = BUDGETS.length - 1;
    at("budget").value = BUDGETS.indexOf(1 << 20);
    this.fillExponents();
    this.answer();
  }

  group() {
    return this.data.groups.find(({ name }) => name === at("group").value);
  }

  modulusBits() {
    return this.group()?.modulus_bits ?? Number(at("group").value);
  }

  // Offers the lengths of exponents for this modulus, and selects that of the group, or 256 bits.
  fillExponents() {
    const { exponents } = this.lengths.find(({ modulusBits }) => modulusBits === this.modulusBits());
    const usual = this.group()?.exponent_bits;
    const text = (bits) => (bits === usual ? `${bits}, as the group needs` : String(bits));
    at("exponent-bits").replaceChildren(...exponents.map((bits) => element("option", { value: bits }, text(bits))));
    at("exponent-bits").value = usual ?? 256;
  }

  asked(control) {
    if (control.id === "group") this.fillExponents();
    this.answer();
  }

  question() {
    const values = new FormData(this.form);
    return {
      group: this.group()?.name,
      modulusBits: this.modulusBits(),
      exponentBits: Number(at("exponent-bits").value),
      kernel: at("kernel").value,
      secrecy: values.get("secrecy"),
      batch: Number(values.get("batch")),
    };
  }

  answer() {
    const question = this.question();
    const budget = BUDGETS[Number(at("budget").value)];
    const front = this.data.front(question);
    const plan = chosen(front.steps, budget);
    at("budget-text").textContent = round(budget);
    at("budget").setAttribute("aria-valuetext", round(budget));
    this.state = { question, budget, front, plan };
    this.say();
    this.draw();
    this.tabulate();
    this.write();
  }

  // Shows the plan in words, and as a list of facts that programs can read, too.
  say() {
    const { plan, budget, front } = this.state;
    if (!plan) {
      at("plan").textContent = `No table fits the budget. The smallest needs ${bytes(front.steps[0].from)}.`;
      at("facts").replaceChildren();
      return;
    }
    const never = "never: it is no faster than a power without a table";
    const breakEven = plan.breakEven === null ? never : `from ${whole(plan.breakEven)} powers on`;
    at("plan").textContent = `${described(plan.method, plan.split)}: ${bytes(plan.bytes)}, ${time(plan.microseconds)} a power`;
    const list = [
      ["Method", "method", plan.method],
      ["Pieces of an entry", "split", String(plan.split)],
      ["Table", "bytes", `${whole(plan.bytes)} bytes of ${round(budget)}`],
      ["Time of a power", "time", time(plan.microseconds)],
      ["Time to build it", "build", time(1e3 * plan.build)],
      ["Pays for itself", "break-even", breakEven],
    ];
    at("facts").replaceChildren(...facts(list));
  }

  title() {
    const { group, modulusBits, exponentBits, kernel, secrecy, batch } = this.state.question;
    const base = group ?? `a modulus of ${modulusBits} bits`;
    const many = batch > 1 ? `, ${batch} at once` : "";
    return `Bytes against time for ${base}, ${secrecy} exponents of ${exponentBits} bits${many}, kernel ${KERNEL_NAMES[kernel]}`;
  }

  draw() {
    if (!this.state) return;
    const { front, plan, budget } = this.state;
    const place = at("front");
    const width = place.clientWidth;
    if (width === 0) return;
    const present = FAMILIES.filter((name) => front.lines.some(([line]) => line === name));
    const entries = present.map((name) => [family(name), colour(FAMILIES.indexOf(name)), dashes(FAMILIES.indexOf(name))]);
    const svg = picture({ ...front, plan, budget, most: MOST }, width);
    const what = plan ? `The chosen plan is ${described(plan.method, plan.split)}.` : "The budget is below the smallest table.";
    const description = `${front.steps.length} plans, from ${bytes(front.steps[0].bytes)} to ${bytes(front.steps.at(-1).bytes)}. ${what} The tables below the picture have all of them.`;
    place.replaceChildren(
      key([...entries, ["best of all", "color-mix(in srgb, currentColor 22%, transparent)", null, 8]]),
      named(svg, "front", this.title(), description),
    );
    at("front-caption").textContent =
      `${this.title()}. Microseconds or milliseconds a power up, both axes logarithmic; the dashed line is the budget, the dot the plan.`;
  }

  tabulate() {
    if (at("plans").parentElement.open) this.tabulatePlans();
    if (at("methods").parentElement.open) this.tabulateMethods();
  }

  tabulatePlans() {
    const { steps } = this.state.front;
    const rows = steps.map((step) => [
      whole(step.from),
      step.method,
      String(step.split),
      whole(step.bytes),
      time(step.microseconds),
      time(1e3 * step.build),
      step.breakEven === null ? "never" : whole(step.breakEven),
    ]);
    const head = ["From a budget of", "Method", "Pieces", "Bytes", "Time of a power", "Time to build", "Pays from"];
    at("plans").replaceChildren(table(this.title(), head, rows, { chosen: steps.indexOf(this.state.plan), text: [1] }));
  }

  tabulateMethods() {
    const present = FAMILIES.map((name) => this.state.front.lines.find(([line]) => line === name)).filter(Boolean);
    const budgets = BUDGETS.filter((_, stop) => stop % 4 === 0);
    const best = (line, budget) => line.findLast(([from]) => from <= budget)?.[1];
    const methodRows = budgets.map((budget) => {
      const times = present.map(([, line]) => best(line, budget));
      return [round(budget), ...times.map((value) => (value === undefined ? "none fits" : time(value)))];
    });
    const methodHead = ["Budget", ...present.map(([name]) => family(name))];
    at("methods").replaceChildren(table("Time of a power by each method", methodHead, methodRows));
  }

  write() {
    const { question, plan } = this.state;
    if (!plan) return at("lines").replaceChildren(element("p", {}, "There is no table to build."));
    const blocks = lines(question, plan).map(([name, text]) => {
      const copy = element("button", { type: "button", "aria-label": `Copy the lines for ${name}` }, "Copy");
      copy.addEventListener("click", async () => {
        await navigator.clipboard.writeText(text);
        copy.textContent = "Copied";
        setTimeout(() => (copy.textContent = "Copy"), 1500);
      });
      const code = element("pre", { tabindex: "0", "aria-label": `Lines for ${name}`, role: "region", "data-lines": name.toLowerCase() }, text);
      return element("div", { class: "code" }, element("h4", {}, name), copy, code);
    });
    at("lines").replaceChildren(...blocks);
  }
}

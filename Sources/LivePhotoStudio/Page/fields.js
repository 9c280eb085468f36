// Controls of the panel, with their labels.
import { make, setText } from "./dom.js";
import { icon } from "./icons.js";
import { clock, number } from "./time.js";
import { word } from "./words.js";

let last = 0;
const nextId = () => `field-${++last}`;

/** A control with a label above it, and a hint below. */
export function labelled(text, control, hint = "") {
  control.id ||= nextId();
  const description = hint ? make("p", { class: "hint", text: hint, id: `${control.id}-hint` }) : null;
  if (description) control.setAttribute("aria-describedby", description.id);
  return make("div", { class: "field" }, make("label", { htmlFor: control.id, text }), control, description);
}

/** A button with an icon; `label` is its name, and shown as a tip. */
export function iconButton(name, label, action, properties = {}) {
  return make("button", { type: "button", class: "icon-button", title: label, on: { click: action }, ...properties },
    icon(name));
}

/**
 * A choice of one of a few, as radio buttons that look like one bar.
 *
 * @param {{value: string, text: string}[]} choices
 * @returns {{element: HTMLElement, show(value: string): void}}
 */
export function segments(legend, choices, onChange, properties = {}) {
  const name = nextId();
  const inputs = choices.map(({ value, text }) => {
    const input = make("input", { type: "radio", name, value, on: { change: () => onChange(value) } });
    return { input, label: make("label", {}, input, make("span", { text })) };
  });
  const element = make("fieldset", { class: "segments", ...properties }, make("legend", { text: legend }),
    make("div", {}, ...inputs.map(({ label }) => label)));
  return { element, show: (value) => { for (const { input } of inputs) input.checked = input.value === value; } };
}

/** A check box. */
export function check(text, onChange, hint = "", properties = {}) {
  const input = make("input", { type: "checkbox", on: { change: () => onChange(input.checked) }, ...properties });
  input.id ||= nextId();
  const description = hint ? make("span", { class: "hint", text: hint, id: `${input.id}-hint` }) : null;
  if (description) input.setAttribute("aria-describedby", description.id);
  const element = make("div", { class: "check" }, input,
    make("div", {}, make("label", { htmlFor: input.id, text }), description));
  return { element, input, show: (isOn) => { input.checked = isOn; } };
}

/**
 * A slider with its value, which goes back to 0 with a double click or its button.
 *
 * @param {{name: string, least: number, most: number, step: number, help: string}} slider
 * @param {(value: number, isLast: boolean) => void} onChange
 */
export function slider({ name, least, most, step, help }, onChange) {
  const digits = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  const id = `slider-${name}`;
  const input = make("input", { type: "range", id, min: least, max: most, step, title: help, data: { slider: name } });
  const text = word(`slider-${name}`) || name;
  const value = make("output", { htmlFor: id });
  const reset = iconButton("reset", word("reset-one", text), () => { onChange(0, true); input.focus(); },
    { class: "icon-button small" });
  const read = (isLast) => onChange(Math.round(Number(input.value) * 100) / 100, isLast);
  input.addEventListener("input", () => read(false));
  input.addEventListener("change", () => read(true));
  input.addEventListener("dblclick", () => onChange(0, true));
  const element = make("div", { class: "slider" }, make("label", { htmlFor: id, text }), value, input, reset);
  const show = (amount) => {
    if (Number(input.value) !== amount) input.value = amount;
    setText(value, `${amount > 0 && least < 0 ? "+" : ""}${number(amount, 0, digits)}`);
    input.setAttribute("aria-valuetext", value.textContent);
    reset.classList.toggle("unused", amount === 0);
    reset.disabled = amount === 0;
    // The coloured part of the bar goes from 0 to the value.
    const place = (amounts) => (amounts - least) / (most - least);
    input.style.setProperty("--low", place(Math.min(amount, 0)));
    input.style.setProperty("--high", place(Math.max(amount, 0)));
    if (least >= 0) input.style.setProperty("--low", 0);
  };
  show(0);
  return { element, show };
}

/**
 * A field for a time, such as `4.5` or `1:02.5`. The arrow keys go by a frame.
 *
 * @param {(text: string) => number} parse the seconds of what was typed, or NaN.
 * @param {(seconds: number) => string} problemOf why a time cannot be taken, or nothing.
 * @param {(seconds: number) => void} onChange
 * @param {(frames: number) => void} onStep
 */
export function timeField(text, parse, problemOf, onChange, onStep, properties = {}) {
  const input = make("input", { type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false,
    class: "time", ...properties });
  const problem = make("p", { class: "problem", role: "alert", hidden: true });
  const say = (text) => {
    input.setAttribute("aria-invalid", String(Boolean(text)));
    problem.hidden = !text;
    setText(problem, text);
  };
  let shown = NaN;
  const show = (seconds) => {
    const isSame = Math.abs(seconds - shown) < 1e-6;
    shown = seconds;
    // What was typed stays beside its problem until there is another time.
    if (!problem.hidden && isSame) return;
    say("");
    if (document.activeElement !== input || !input.classList.contains("typing")) input.value = clock(seconds, 3);
  };
  const read = () => {
    const seconds = parse(input.value);
    input.classList.remove("typing");
    const found = Number.isFinite(seconds) ? problemOf(seconds) : word("time-hint");
    say(found);
    if (found) return;
    if (Math.abs(seconds - shown) > 0.0006) onChange(seconds);
    show(shown);
  };
  input.addEventListener("input", () => input.classList.add("typing"));
  input.addEventListener("change", read);
  input.addEventListener("blur", () => { input.classList.remove("typing"); read(); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") read();
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    input.classList.remove("typing");
    say("");
    onStep((event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1));
  });
  const element = labelled(text, input);
  element.append(problem);
  return { element, input, show };
}

/** A field for text. */
export function textField(text, onChange, hint = "", properties = {}) {
  const input = make("input", { type: "text", autocomplete: "off", spellcheck: false, ...properties });
  input.addEventListener("change", () => onChange(input.value));
  const show = (value) => { if (document.activeElement !== input) input.value = value; };
  return { element: labelled(text, input, hint), input, show };
}

/** A list of choices that opens. */
export function select(text, choices, onChange, properties = {}) {
  const input = make("select", { ...properties },
    ...choices.map((choice) => make("option", { value: choice.value, text: choice.text })));
  input.addEventListener("change", () => onChange(input.value));
  return { element: labelled(text, input), input, show: (value) => { input.value = value; } };
}

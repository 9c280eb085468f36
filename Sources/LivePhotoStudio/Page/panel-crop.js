// The tab with crop, turns and straightening.
import { announce, button, make, turnOff } from "./dom.js";
import { iconButton, labelled, segments, slider } from "./fields.js";
import { centred, cropOf, keptRatio, mirrored, shapes, turned, turnedSize, withNumber } from "./geometry.js";
import { keyGrace } from "./history.js";
import { word } from "./words.js";

/** @param {import("./panel.js").Context} context */
export function cropTab({ clip, history, session }) {
  const shape = segments(word("shape"),
    shapes.map((value) => ({ value, text: value.includes(":") ? value : word(`shape-${value}`) })),
    (value) => history.change(shaped(history.value, value, clip)), { id: "shapes" });
  const turnButton = (picture, id, patch) => iconButton(picture, word(id), () => {
    history.change(patch());
    announce(word(`${id}-done`, history.value.rotate));
  }, { id, class: "icon-button framed" });
  const turns = make("div", { class: "row", role: "group", "aria-label": word("turn") },
    turnButton("rotate", "turn-left", () => turned(history.value, clip, false)),
    turnButton("rotateRight", "turn-right", () => turned(history.value, clip, true)),
    turnButton("flip", "flip-horizontal", () => mirrored(history.value, clip, "horizontal")),
    turnButton("flipDown", "flip-vertical", () => mirrored(history.value, clip, "vertical")));
  const straighten = session.sliders.find((each) => each.name === "straighten");
  const angle = straighten && slider(straighten, (value, isLast) => {
    history.change({ adjust: { ...history.value.adjust, straighten: value } }, "straighten");
    if (isLast) history.settle(keyGrace);
  });
  const numbers = ["x", "y", "width", "height"].map((name) => numberField(name, history, clip));
  const reset = button(word("crop-reset"), () => {
    const adjust = { ...history.value.adjust, straighten: 0 };
    history.change({ shape: "as-is", rect: null, rotate: 0, flip: "", adjust });
    announce(word("crop-was-reset"));
  }, { class: "quiet" });
  const element = make("div", {},
    make("section", {}, shape.element, make("p", { class: "hint", text: word("crop-hint") }), turns, angle?.element),
    make("section", {}, make("h2", { text: word("crop-numbers") }),
      make("div", { class: "numbers" }, ...numbers.map((field) => field.element)), reset));
  const update = () => {
    const state = history.value;
    shape.show(state.shape);
    angle?.show(state.adjust.straighten ?? 0);
    for (const field of numbers) field.update(state);
    turnOff(reset, state.shape === "as-is" && !state.rect && !state.rotate && !state.flip && !state.adjust.straighten);
  };
  return { element, update };
}

/** The choices with another shape. A shape of its own is centred; "free" begins with what is there. */
function shaped(state, shape, clip) {
  const size = turnedSize(state, clip);
  if (shape !== "free") return { shape, rect: null };
  const present = cropOf(state, clip);
  const isWhole = present.width === size.width && present.height === size.height;
  return { shape, rect: isWhole ? inner(size) : present };
}

/** A rectangle a little smaller than the picture, so that its corners are seen and taken easily. */
function inner(size) {
  const { width, height } = centred("free", size);
  const [x, y] = [Math.round(width * 0.05), Math.round(height * 0.05)];
  return { x, y, width: width - 2 * x, height: height - 2 * y };
}

function numberField(name, history, clip) {
  const input = make("input", { type: "number", step: 1, min: name === "x" || name === "y" ? 0 : 1, id: `crop-${name}`,
    inputMode: "numeric" });
  input.addEventListener("change", () => {
    const state = history.value;
    const value = Number(input.value);
    if (input.value === "" || !Number.isFinite(value)) {
      update(state);
      return;
    }
    const rect = withNumber(cropOf(state, clip), name, value, turnedSize(state, clip));
    // Another width or height is another shape.
    history.change({ rect, shape: name === "x" || name === "y" ? keptShape(state, clip) : "free" });
    update(history.value);
  });
  const update = (state) => {
    const value = String(cropOf(state, clip)[name]);
    if (document.activeElement !== input || input.value !== value) input.value = value;
  };
  return { element: labelled(word(`crop-${name}`), input), update };
}

/** A crop of its own is free, unless a shape was chosen or the preset has one. */
export const keptShape = (state, clip) => (keptRatio(state, clip) === "as-is" ? "free" : state.shape);

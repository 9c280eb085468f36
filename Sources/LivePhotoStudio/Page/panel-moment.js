// The tab with the still, the ends of the movie, suggested stills, and several stills.
import { announce, button, make, setText, turnOff } from "./dom.js";
import { icon } from "./icons.js";
import { timeRow } from "./panel-parts.js";
import { clock } from "./time.js";
import { word } from "./words.js";

/** @param {import("./panel.js").Context} context */
export function momentTab(context) {
  const { clip, history, moments, session } = context;
  const rows = ["still", "start", "end"].map((name) => timeRow(name, context));
  const length = make("p", { class: "hint", id: "length" });
  const reset = button(word("moment-reset"), () => { moments.reset(); announce(word("moment-was-reset")); },
    { class: "quiet" });
  const suggestions = suggestionList(context);
  const several = clip.kind === "pair" ? null : severalList(context);
  const hint = make("p", { class: "hint", id: "time-hint", text: word("time-hint") });
  const fields = make("section", {}, ...rows.map((row) => row.element), hint, length, reset);
  // The frame at an end is shown while it is set; everything else is judged by the still.
  fields.addEventListener("focusout", ({ target, relatedTarget: next }) => {
    if (target.matches("#start-field, #end-field") && next?.closest("#panel") && !fields.contains(next)
      && !history.value.stills.length) context.go(context.times().still);
  });
  const element = make("div", {},
    fields, suggestions?.element, several?.element);
  const update = () => {
    const times = context.times();
    const { value } = history;
    const isSeveral = value.stills.length > 1;
    for (const row of rows) row.update(times, isSeveral);
    setText(length, isSeveral ? word("several-window") : word("length", clock(times.end - times.start)));
    turnOff(reset, !value.still && !value.start && !value.end && !value.stills.length);
    suggestions?.update(times);
    several?.update(value.stills, session.maxStills);
  };
  return { element, update };
}

function suggestionList(context) {
  const { clip } = context;
  if (!clip.suggestions?.length) return null;
  const cards = clip.suggestions.map((suggestion, index) => {
    const card = frameCard(context, suggestion.seconds, word("suggestion", index + 1, clock(suggestion.seconds)));
    card.element.addEventListener("click", () => {
      context.go(suggestion.seconds);
      // Marks are not lost by a look.
      if (context.handles.isSeveral) {
        announce(word("several-window"));
        return;
      }
      context.handles.announced("still", () => context.moments.setStill(suggestion.seconds));
    });
    return { ...card, suggestion };
  });
  const element = make("section", {}, make("h2", { text: word("suggestions") }),
    make("div", { class: "cards" }, ...cards.map((card) => card.element)));
  const update = (times) => {
    for (const { element: card, draw, suggestion } of cards) {
      card.setAttribute("aria-pressed", String(Math.abs(times.still - suggestion.seconds) < 0.5 / clip.frameRate));
      draw();
    }
  };
  return { element, update };
}

function severalList(context) {
  const { history, moments } = context;
  const list = make("ul", { class: "cards" });
  const hint = make("p", { class: "hint" });
  const mark = button(word("mark-here"), () => moments.toggleMark(context.playhead()), { id: "mark", class: "quiet" });
  mark.prepend(icon("mark"));
  let shown = "";
  let cards = [];
  const update = (stills, most) => {
    setText(hint, stills.length > 1 ? word("several-made", stills.length) : stills.length === 1 ? word("several-one")
      : word("several-hint", most));
    const key = JSON.stringify(stills);
    if (key !== shown) {
      shown = key;
      // A key or an undo may remove the mark that has the focus.
      const focused = cards.findIndex((card) => card.row.contains(document.activeElement));
      cards = stills.map((still) => {
        const card = frameCard(context, still.seconds, word("go-to", clock(still.seconds)));
        card.element.addEventListener("click", () => context.go(still.seconds));
        const remove = make("button", { type: "button", class: "remove",
          title: word("remove-mark", clock(still.seconds)),
          on: { click: () => {
            moments.toggleMark(still.seconds);
          } } }, icon("close"));
        return { ...card, remove, row: make("li", {}, card.element, remove) };
      });
      list.replaceChildren(...cards.map((card) => card.row));
      list.hidden = !cards.length;
      if (focused >= 0) ((cards[focused] ?? cards.at(-1))?.remove ?? mark).focus();
    }
    for (const { draw } of cards) draw();
  };
  const clear = button(word("clear-marks"), () => {
    history.change({ stills: [] });
    mark.focus();
    announce(word("marks-cleared"));
  }, { class: "quiet" });
  const element = make("section", {}, make("h2", { text: word("several") }), hint, list,
    make("div", { class: "row" }, mark, clear));
  return { element, update: (stills, most) => { clear.hidden = !stills.length; update(stills, most); } };
}

/** A small picture of a frame, as a button. */
function frameCard(context, seconds, label) {
  const { clip, frames } = context;
  const canvas = make("canvas", { width: 176, height: 100, "aria-hidden": "true" });
  const element = make("button", { type: "button", class: "card" }, canvas, make("span", { text: clock(seconds) }));
  element.ariaLabel = label;
  let drawn = null;
  const draw = async () => {
    const found = frames.at(seconds);
    if (!found || found.frame === drawn) return;
    drawn = found.frame;
    const bitmap = await frames.bitmap(found.frame).catch(() => null);
    if (!bitmap) return;
    const scale = Math.max(canvas.width / clip.width, canvas.height / clip.height);
    const [width, height] = [clip.width * scale, clip.height * scale];
    try {
      canvas.getContext("2d").drawImage(bitmap, (canvas.width - width) / 2, (canvas.height - height) / 2, width,
        height);
    } catch { drawn = null; }
  };
  draw();
  return { element, draw };
}

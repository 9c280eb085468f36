// Parts that several tabs use.
import { make, turnOff } from "./dom.js";
import { iconButton, timeField } from "./fields.js";
import { word } from "./words.js";

/** A field for the still, the start or the end, with a button that takes the playhead's time. */
export function timeRow(name, context) {
  const { handles, moments } = context;
  const set = (seconds, isTyped = false) => (
    handles.announced(name, () => handles.set(name, seconds, null, isTyped)));
  // Before the end is the last frame of the movie.
  const look = () => context.go(context.times()[name] - (name === "end" ? 0.5 / context.clip.frameRate : 0));
  let shown = 0;
  const field = timeField(word(`field-${name}`), (text) => moments.timeOf(text), (seconds) => moments.problemOf(seconds),
    (seconds) => { set(seconds, true); look(); }, (frames) => { set(moments.stepped(shown, frames)); look(); },
    { id: `${name}-field`, "aria-describedby": "time-hint" });
  const here = iconButton(name, word(`set-${name}`), () => set(context.playhead(name === "end")),
    { class: "icon-button framed" });
  const element = make("div", { class: "time-row" }, field.element, here);
  const update = (times, isDisabled) => {
    shown = times[name];
    field.show(shown);
    field.input.disabled = isDisabled;
    turnOff(here, isDisabled);
  };
  return { element, update };
}

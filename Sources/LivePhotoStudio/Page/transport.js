// The row of buttons above the film strip.
import { make, setText, turnOff } from "./dom.js";
import { iconButton } from "./fields.js";
import { icon } from "./icons.js";
import { clock } from "./time.js";
import { word } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {object} actions `play`, `loop`, `previous`, `next`, `start`, `still`, `end`, `mark`, `zoomIn`, `zoomOut`,
 *   `zoomWindow`.
 * @returns {{show(now: object): void, setSeveral(isSeveral: boolean): void}}
 */
export function transport(root, actions, isPair) {
  const play = iconButton("play", word("play"), actions.play, { id: "play", class: "icon-button strong" });
  const loop = iconButton("loop", word("loop"), actions.loop, { id: "loop", "aria-pressed": "true" });
  const time = make("span", { class: "time-now" });
  const frame = make("span", { class: "frame-now" });
  const now = make("output", { id: "time", class: "now" }, time, make("span", { class: "unseen", text: ", " }), frame);
  const set = (name, label) => make("button", { type: "button", class: "set", id: `set-${name}`,
    title: word(`set-${name}`), on: { click: actions[name] } },
    icon(name), make("span", { text: label }));
  const buttons = ["start", "still", "end"].map((name) => set(name, word(`short-${name}`)));
  const mark = isPair ? null : iconButton("mark", word("mark-here"), actions.mark, { id: "mark-here" });
  root.replaceChildren(
    make("div", { class: "group" }, play, loop,
      iconButton("back", word("previous-frame"), actions.previous, { id: "previous" }),
      iconButton("next", word("next-frame"), actions.next, { id: "next" })),
    now,
    make("div", { class: "group sets", role: "group", "aria-label": word("set-here") }, ...buttons, mark),
    make("div", { class: "group zooms" },
      iconButton("minus", word("zoom-out"), actions.zoomOut, { id: "zoom-out" }),
      iconButton("fit", word("zoom-window"), actions.zoomWindow, { id: "zoom-window" }),
      iconButton("plus", word("zoom-in"), actions.zoomIn, { id: "zoom-in" })));
  let wasPlaying = null;
  const show = ({ seconds, number, isPlaying, isLoop, zoom }) => {
    setText(time, `${clock(seconds, 3)}\u00a0s`);
    setText(frame, word("frame-number", number));
    loop.ariaPressed = String(isLoop);
    turnOff(root.querySelector("#zoom-out"), zoom <= 1.001);
    if (isPlaying === wasPlaying) return;
    wasPlaying = isPlaying;
    play.replaceChildren(icon(isPlaying ? "pause" : "play"));
    play.title = word(isPlaying ? "pause" : "play");
    // The time is not read while it runs.
    now.ariaLive = isPlaying ? "off" : "polite";
  };
  const setSeveral = (isSeveral) => { for (const button of buttons) turnOff(button, isSeveral); };
  return { show, setSeveral };
}

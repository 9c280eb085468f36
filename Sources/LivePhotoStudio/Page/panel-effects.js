// The tab with effects, speed and sound.
import { isSilentEffect, withFlag } from "./choice.js";
import { make, setText } from "./dom.js";
import { check, segments } from "./fields.js";
import { word } from "./words.js";

const speeds = ["0.25", "0.5", "1", "1.5", "2"];

/** @param {import("./panel.js").Context} context */
export function effectsTab({ clip, history, session }) {
  const effect = segments(word("effect"),
    ["", ...session.effects].map((value) => ({ value, text: word(`effect-${value || "none"}`) || value })),
    (value) => history.change({ effect: value }), { id: "effects", class: "segments tall" });
  const hint = make("p", { class: "hint" });
  const speed = segments(word("speed"), speeds.map((value) => ({ value, text: word("times", value) })),
    (value) => history.change({ speed: value }), { id: "speeds" });
  const sound = clip.hasSound ? check(word("sound"),
    (isOn) => history.change({ flags: withFlag(history.value.flags, "no-audio", !isOn) }),
    "", { id: "sound" }) : null;
  const element = make("div", {}, make("section", {}, effect.element, hint), make("section", {}, speed.element),
    make("section", {}, sound?.element ?? make("p", { class: "hint", text: word("no-sound") })));
  const update = () => {
    const { value } = history;
    effect.show(value.effect);
    setText(hint, word(`effect-hint-${value.effect || "none"}`) ?? "");
    speed.show(value.speed);
    const isSilent = isSilentEffect(value.effect);
    sound?.show(!isSilent && !value.flags.includes("no-audio"));
    if (sound) sound.input.disabled = isSilent;
  };
  return { element, update };
}

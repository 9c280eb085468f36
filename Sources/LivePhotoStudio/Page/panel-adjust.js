// The tab with light and colour.
import { announce, button, make, turnOff } from "./dom.js";
import { isTone } from "./choice.js";
import { slider } from "./fields.js";
import { keyGrace } from "./history.js";
import { word } from "./words.js";

/** @param {import("./panel.js").Context} context */
export function adjustTab({ history, session }) {
  const sliders = session.sliders.filter(({ name }) => isTone(name)).map((definition) => ({
    name: definition.name,
    ...slider(definition, (value, isLast) => {
      history.change({ adjust: { ...history.value.adjust, [definition.name]: value } }, `slider ${definition.name}`);
      if (isLast) history.settle(keyGrace);
    }),
  }));
  const reset = button(word("adjust-reset"), () => {
    const { straighten = 0 } = history.value.adjust;
    history.change({ adjust: straighten ? { straighten } : {} });
    announce(word("adjust-was-reset"));
  }, { class: "quiet" });
  const element = make("div", {}, make("section", {}, ...sliders.map((each) => each.element), reset));
  const update = () => {
    const { adjust } = history.value;
    for (const { name, show } of sliders) show(adjust[name] ?? 0);
    turnOff(reset, !sliders.some(({ name }) => adjust[name]));
  };
  return { element, update };
}

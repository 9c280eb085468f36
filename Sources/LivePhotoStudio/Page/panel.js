// The panel beside the picture: tabs with the choices.
import { make } from "./dom.js";
import { icon } from "./icons.js";
import { adjustTab } from "./panel-adjust.js";
import { cropTab } from "./panel-crop.js";
import { detailsTab } from "./panel-details.js";
import { effectsTab } from "./panel-effects.js";
import { momentTab } from "./panel-moment.js";
import { word } from "./words.js";

const tabs = [
  { name: "moment", icon: "live", create: momentTab }, { name: "crop", icon: "crop", create: cropTab },
  { name: "adjust", icon: "sliders", create: adjustTab }, { name: "effects", icon: "loop", create: effectsTab },
  { name: "details", icon: "details", create: detailsTab },
];

/**
 * What the tabs know and can do.
 *
 * @typedef {object} Context
 * @property {object} clip, session
 * @property {import("./history.js").History} history
 * @property {import("./frames.js").FrameStore} frames
 * @property {import("./moments.js").Moments} moments
 * @property {import("./handles.js").Handles} handles
 * @property {import("./planner.js").Planner} planner
 * @property {() => {still: number, start: number, end: number}} times
 * @property {() => number} playhead
 * @property {(seconds: number) => void} go moves the playhead.
 */

/** Event: `tab`, when another one is chosen. */
export class Panel extends EventTarget {
  #tabs;
  #bar;
  #current = "";

  /**
   * @param {HTMLElement} root
   * @param {Context} context
   */
  constructor(root, context) {
    super();
    this.#bar = make("div", { class: "tabs", role: "tablist", "aria-label": word("choices"),
      on: { keydown: (event) => this.#key(event) } });
    this.#tabs = tabs.map((tab) => {
      const button = make("button", {
        type: "button", role: "tab", id: `tab-${tab.name}`, "aria-controls": `panel-${tab.name}`,
        on: { click: () => this.choose(tab.name) },
      }, icon(tab.icon), make("span", { text: word(`tab-${tab.name}`) }));
      const { element, update } = tab.create(context);
      Object.assign(element, { id: `panel-${tab.name}`, tabIndex: -1 });
      element.classList.add("tab-panel");
      element.setAttribute("role", "tabpanel");
      element.setAttribute("aria-labelledby", button.id);
      this.#bar.append(button);
      return { ...tab, button, element, update };
    });
    root.replaceChildren(this.#bar, make("div", { class: "tab-panels" }, ...this.#tabs.map((tab) => tab.element)));
    this.choose("moment");
  }

  get current() { return this.#current; }

  /** @param {string} name "moment", "crop", "adjust", "effects" or "details". */
  choose(name) {
    if (!tabs.some((tab) => tab.name === name)) return;
    this.#current = name;
    for (const { name: each, button, element } of this.#tabs) {
      const isCurrent = each === name;
      button.setAttribute("aria-selected", String(isCurrent));
      button.tabIndex = isCurrent ? 0 : -1;
      element.hidden = !isCurrent;
    }
    this.dispatchEvent(new Event("tab"));
  }

  /** Shows the present choices and times. */
  update() { for (const tab of this.#tabs) tab.update(); }

  #key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const index = this.#tabs.findIndex((tab) => tab.name === this.#current);
    const next = { Home: 0, End: this.#tabs.length - 1 }[event.key] ?? (step
      && (index + step + this.#tabs.length) % this.#tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(this.#tabs[next].name);
    this.#tabs[next].button.focus();
  }
}

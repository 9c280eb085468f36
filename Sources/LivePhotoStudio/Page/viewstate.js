// What a window looks at: it survives a reload, but is no choice that can be undone.
import { store, stored } from "./dom.js";

/** The properties are those of `initial`; each change is stored after a moment. */
export class ViewState {
  #key;
  #values;
  #timer = 0;

  /** @param {object} initial names and first values. */
  constructor(key, initial) {
    this.#key = key;
    this.#values = { ...initial, ...JSON.parse(stored("sessionStorage", key) ?? "{}") };
    for (const name of Object.keys(initial)) {
      Object.defineProperty(this, name, {
        get: () => this.#values[name],
        set: (value) => {
          if (this.#values[name] === value) return;
          this.#values[name] = value;
          clearTimeout(this.#timer);
          this.#timer = setTimeout(() => this.save(), 500);
        },
      });
    }
  }

  /** Stores everything now. */
  save() {
    clearTimeout(this.#timer);
    store("sessionStorage", this.#key, JSON.stringify(this.#values));
  }
}

// The list of items, as the server knows it.
import { get } from "./api.js";

/** Milliseconds between two looks while the server still reads folders. */
const delay = 700;

/** Event: `change`, after each answer that differs. */
export class Items extends EventTarget {
  #text = "";
  #timer = 0;
  #resolve;

  all = [];
  notes = [];
  isComplete = false;
  /** The sentence of the last failure, or null. */
  problem = null;
  /** Resolves after the first answer. */
  first = new Promise((resolve) => { this.#resolve = resolve; });

  item(id) { return this.all.find((item) => item.id === id); }

  /** Whether it has an editor. */
  canOpen(item) { return item.kind === "clip" || item.kind === "pair" || item.kind === "movie"; }

  /** Whether Live Photos are made of it. */
  canMake(item) { return item.kind === "clip" && !item.problem; }

  /** Reads the list until it is complete. */
  async look() {
    clearTimeout(this.#timer);
    let isAgain = true;
    try {
      const answer = await get("/api/items");
      this.problem = null;
      isAgain = !answer.isComplete;
      const text = JSON.stringify(answer);
      if (text !== this.#text) {
        this.#text = text;
        [this.all, this.notes, this.isComplete] = [answer.items, answer.notes ?? [], answer.isComplete];
        this.dispatchEvent(new Event("change"));
      }
    } catch (error) {
      this.problem = error;
      this.dispatchEvent(new Event("change"));
    }
    this.#resolve();
    if (isAgain) this.#timer = setTimeout(() => this.look(), delay);
  }
}

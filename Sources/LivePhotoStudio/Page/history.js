// The choices for one item, with undo and redo. They survive a reload, in this window only.
import { store, stored } from "./dom.js";

/** Milliseconds in which presses of a key are one step. */
export const keyGrace = 1000;
/** Steps that can be undone. */
const most = 200;

/** Tells of `change` after each change. */
export class History extends EventTarget {
  #key;
  #value;
  #past = [];
  #future = [];
  #gesture = null;
  /** When the gesture ends, in milliseconds of `performance.now()`. */
  #until = Infinity;
  #timer = 0;

  /**
   * @param {string} key of the storage.
   * @param {object} initial the choices at first.
   */
  constructor(key, initial) {
    super();
    this.#key = key;
    this.#value = { ...initial };
    const saved = JSON.parse(stored("sessionStorage", key) ?? "null");
    if (saved?.value) {
      this.#value = { ...initial, ...saved.value };
      [this.#past, this.#future] = [saved.past, saved.future];
    }
  }

  /** The present choices. Not to be changed in place. */
  get value() { return this.#value; }
  get canUndo() { return this.#past.length > 0; }
  get canRedo() { return this.#future.length > 0; }

  /**
   * Changes some of the choices.
   *
   * @param {object} patch
   * @param {string|null} gesture changes in a row with the same name, such as those while a slider is dragged, are one
   *   step.
   */
  change(patch, gesture = null) {
    const next = { ...this.#value, ...patch };
    if (JSON.stringify(next) === JSON.stringify(this.#value)) return;
    if (gesture === null || gesture !== this.#gesture || performance.now() >= this.#until) {
      this.#past.push(this.#value);
      if (this.#past.length > most) this.#past.shift();
      this.#future = [];
    }
    [this.#gesture, this.#until] = [gesture, Infinity];
    this.#set(next);
  }

  /**
   * Ends a gesture: the next change is a step of its own.
   *
   * @param {number} grace milliseconds in which the same gesture still goes on, such as presses of a slider's keys.
   */
  settle(grace = 0) { this.#until = performance.now() + grace; }

  /** Replaces choices by more exact ones, without a step. */
  amend(patch) { this.#set({ ...this.#value, ...patch }); }

  undo() { this.#move(this.#past, this.#future); }
  redo() { this.#move(this.#future, this.#past); }

  #move(from, to) {
    if (!from.length) return;
    to.push(this.#value);
    this.#gesture = null;
    this.#set(from.pop());
  }

  #set(value) {
    this.#value = value;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), 200);
    this.dispatchEvent(new Event("change"));
  }

  /** Stores everything now. */
  save() {
    clearTimeout(this.#timer);
    store("sessionStorage", this.#key, JSON.stringify({ value: this.#value, past: this.#past, future: this.#future }));
  }
}

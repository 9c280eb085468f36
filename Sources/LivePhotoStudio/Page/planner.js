// Asks the server what a choice would make, a moment after each change.
import { post, isAbort } from "./api.js";

/** Milliseconds without a change before the server is asked. */
const delay = 150;

/** Event: `plan`, after each answer. */
export class Planner extends EventTarget {
  #item;
  #timer = 0;
  #controller = null;
  #text = "";

  /** The newest answer, if it belongs to the present choice. */
  plan = null;
  /** The sentence about a choice that cannot be made, or null. */
  problem = null;
  /** The last answer, also while a newer one is waited for. */
  last = null;

  constructor(item) {
    super();
    this.#item = item;
  }

  get isWaiting() { return !this.plan && !this.problem; }

  /** Asks about a choice, unless it is the present one. */
  ask(choice) {
    const text = JSON.stringify(choice);
    if (text === this.#text && !(this.problem && this.problem.status >= 500)) return;
    const isFirst = this.#text === "";
    this.#text = text;
    [this.plan, this.problem] = [null, null];
    this.#controller?.abort();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(choice), isFirst ? 0 : delay);
  }

  /** Asks again, as files may have been made since. */
  askAgain(choice) {
    this.#text = "";
    this.ask(choice);
  }

  async #ask(choice) {
    const controller = new AbortController();
    this.#controller = controller;
    try {
      const plan = await post(`/api/items/${this.#item}/plan`, choice, controller.signal);
      if (controller.signal.aborted) return;
      this.plan = plan;
      this.last = plan;
    } catch (error) {
      if (isAbort(error) || controller.signal.aborted) return;
      this.problem = error;
    }
    this.dispatchEvent(new Event("plan"));
  }

  close() {
    clearTimeout(this.#timer);
    this.#controller?.abort();
  }
}

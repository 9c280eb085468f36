// Moves the handles of the film strip by a drag, a key or a button.
import { announce } from "./dom.js";
import { handleText } from "./filmstrip.js";
import { clock } from "./time.js";
import { word } from "./words.js";

export class Handles {
  #history;
  #moments;
  #clip;
  #times;

  /**
   * @param {import("./moments.js").Moments} moments
   * @param {() => {still: number, start: number, end: number}} times those in effect.
   */
  constructor(history, moments, clip, times) {
    [this.#history, this.#moments, this.#clip, this.#times] = [history, moments, clip, times];
  }

  /** Whether several Live Photos are made, which have no common still and ends. */
  get isSeveral() { return this.#history.value.stills.length > 1; }

  /** Whether a time is that of the last frame, or after it. */
  isLast(seconds) { return seconds > this.#clip.seconds - 1.5 / this.#clip.frameRate; }

  /**
   * Sets the still, the start or the end.
   *
   * @param {"still"|"start"|"end"} name
   * @param {string|null} gesture as `History.change` takes it.
   * @param {boolean} isTyped whether the time was typed; see `Moments`.
   */
  set(name, seconds, gesture = null, isTyped = false) {
    if (name === "still") this.#moments.setStill(seconds, gesture, isTyped);
    else if (name === "start") this.#moments.setStart(seconds, gesture, isTyped);
    else this.#moments.setEnd(seconds, gesture, isTyped);
  }

  /** Sets one of them at the playhead; after the last frame follows the end of the clip. */
  setAt(name, playhead) {
    if (this.isSeveral) {
      announce(word("several-window"));
      return;
    }
    this.announced(name, () => {
      this.set(name, name === "end" && this.isLast(playhead) ? this.#clip.seconds : playhead);
    });
  }

  /** Sets one of them by an action, and announces where it is and what moved along. */
  announced(name, action) {
    const before = this.#times();
    action();
    this.announce(name, before);
  }

  /**
   * Announces where one of them is, and what moved along.
   *
   * @param {{still: number, start: number, end: number}} before the times before.
   * @param {boolean} isKnown whether only what moved along is worth a sentence.
   */
  announce(name, before, isKnown = false) {
    const now = this.#times();
    const hasMoved = (other) => other !== name && Math.abs(now[other] - before[other]) > 0.5 / this.#clip.frameRate;
    const parts = [];
    if (hasMoved("still")) parts.push(word("still-now", clock(now.still)));
    if (hasMoved("start") || hasMoved("end")) parts.push(word("movie-now", clock(now.start), clock(now.end)));
    if (isKnown && !parts.length) return;
    announce([handleText(name, now[name], this.#moments.frameNumber(now[name])), ...parts].join("; "));
  }

  /**
   * The time after a step.
   *
   * @param {{frames: number}|{seconds: number}|{to: "first"|"last"}} step
   */
  stepped(name, present, { frames, seconds, to }) {
    if (to) return to === "first" ? 0 : this.#clip.seconds;
    if (seconds !== undefined) return present + seconds;
    // The end is the beginning of the next frame, so one more step leads to the end of the clip.
    if (name === "end" && frames > 0 && this.isLast(present)) return this.#clip.seconds;
    if (name === "end" && frames < 0 && present >= this.#clip.seconds - 1e-4) {
      return this.#moments.stepped(this.#moments.stepped(present, 0), frames + 1);
    }
    return this.#moments.stepped(present, frames);
  }
}

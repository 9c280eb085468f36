// Sets still, start and end: keeps them on frames and in an order that makes a movie.
import { announce, clamp } from "./dom.js";
import { endAt, momentAt, withFlag } from "./choice.js";
import { clock, parseTime, plain } from "./time.js";
import { word } from "./words.js";

export class Moments {
  #history;
  #frames;
  #clip;
  #session;
  #times;

  /** @param {() => {still: number, start: number, end: number}} times those in effect. */
  constructor(history, frames, clip, session, times) {
    [this.#history, this.#frames, this.#clip, this.#session, this.#times] = [history, frames, clip, session, times];
  }

  get #frame() { return 1 / Math.max(this.#clip.frameRate, 1); }
  get #last() { return this.#frames.frames.at(-1)?.seconds ?? this.#clip.seconds - this.#frame; }

  /** The time some frames before or after another. */
  stepped(seconds, count) {
    const frame = this.#frames.step(seconds, count);
    if (frame) return frame.seconds;
    return clamp(seconds + count * this.#frame, 0, Math.max(this.#clip.seconds - this.#frame, 0));
  }

  /** The time of the frame that is shown at a time; if that is not here, the time itself. */
  onFrame(seconds) {
    const found = this.#frames.at(clamp(seconds, 0, this.#clip.seconds));
    if (found?.isExact) return found.frame.seconds;
    return clamp(seconds, 0, Math.max(this.#clip.seconds - this.#frame, 0));
  }

  /**
   * The time of a text such as `4.5`, `1:02.5` or `#125`, which is the number of a frame.
   *
   * @returns {number} in seconds; NaN if it is none.
   */
  timeOf(text) {
    const [, digits] = text.match(/^\s*#(\d+)\s*$/) ?? [];
    if (digits === undefined) return parseTime(text);
    const { frames, isComplete } = this.#frames;
    return (isComplete ? frames.at(Number(digits)) : null)?.seconds ?? Number(digits) * this.#frame;
  }

  /** Why a time that was typed cannot be taken, or nothing. */
  problemOf(seconds) {
    return seconds > this.#clip.seconds + 0.0005 ? word("time-beyond", clock(this.#clip.seconds, 3)) : "";
  }

  /** The number of the frame at a time, from 0. */
  frameNumber(seconds) {
    if (this.#frames.isComplete) {
      const index = this.#frames.frames.findIndex((frame) => frame.seconds > seconds + 1e-5);
      return (index < 0 ? this.#frames.frames.length : index) - 1;
    }
    return Math.max(Math.floor(seconds * this.#clip.frameRate + 0.02), 0);
  }

  /**
   * Sets the still. A movie whose ends were chosen moves along if the still would be outside.
   *
   * @param {boolean} isTyped whether the nearest frame is taken, as the program does, and not the one that is shown then.
   */
  setStill(seconds, gesture = null, isTyped = false) {
    const place = isTyped ? seconds + this.#frame * 0.499 : seconds;
    const still = momentAt(clamp(place, 0, this.#clip.seconds), this.#frames);
    // A single mark is the still, which is now another one.
    const patch = { still, stills: [] };
    const { start, end } = this.#times();
    const { value } = this.#history;
    if ((value.start || value.end) && (still.seconds < start || still.seconds > end)) {
      const shift = still.seconds < start ? still.seconds - start : still.seconds + this.#frame - end;
      Object.assign(patch, this.#window(start + shift, end + shift));
    }
    // The photo of a pair keeps its picture unless this is asked for, which is what a new still is about.
    if (this.#clip.kind === "pair" && !value.still) patch.flags = withFlag(value.flags, "new-key-photo", true);
    this.#history.change(patch, gesture);
  }

  /**
   * Sets where the movie begins. A drag stops at the still; otherwise the still, and if need be the end, move along.
   *
   * @param {boolean} isTyped whether the time is kept as it is, also between two frames.
   */
  setStart(seconds, gesture = null, isTyped = false) {
    const { still, start, end } = this.#times();
    const wanted = clamp(seconds, 0, this.#last);
    if (gesture) {
      this.#setWindow(Math.min(wanted, this.#keptStill(still) ?? end - this.#frame, end - this.#frame), end, still,
        gesture);
      return;
    }
    const isBeyond = wanted >= end - this.#frame / 2;
    const shift = isBeyond ? wanted - start : 0;
    const exact = isTyped ? { start: plain(wanted) } : {};
    this.#setWindow(wanted, Math.min(end + shift, this.#clip.seconds), Math.max(still + shift, wanted), null, exact);
  }

  /** Sets where the movie ends, as `setStart`. */
  setEnd(seconds, gesture = null, isTyped = false) {
    const { still, start, end } = this.#times();
    const wanted = clamp(seconds, Math.min(this.#frame, this.#clip.seconds), this.#clip.seconds);
    if (gesture) {
      this.#setWindow(start, Math.max(wanted, (this.#keptStill(still) ?? start) + this.#frame, start + this.#frame),
        still, gesture);
      return;
    }
    const isBeyond = wanted <= start + this.#frame / 2;
    const shift = isBeyond ? wanted - end : 0;
    const exact = isTyped && wanted < this.#clip.seconds ? { end: plain(wanted) } : {};
    this.#setWindow(Math.max(start + shift, 0), wanted, Math.min(still + shift, wanted - this.#frame), null, exact);
  }

  /** A Live Photo that is edited keeps its own still unless another one is chosen. */
  #keptStill(still) {
    return this.#clip.kind === "pair" && !this.#history.value.still ? null : still;
  }

  /** @param {{start?: string, end?: string}} exact times as they were typed. */
  #setWindow(start, end, still, gesture, exact = {}) {
    const { value } = this.#history;
    const patch = this.#window(start, end);
    if (exact.start) patch.start = { text: exact.start, seconds: start };
    if (exact.end) patch.end = { text: exact.end, seconds: end };
    const isMoved = value.still && Math.abs(value.still.seconds - still) > this.#frame / 2;
    // Without a still, the program would take the middle of the new window.
    if (isMoved || (this.#clip.kind !== "pair" && !value.still)) {
      patch.still = momentAt(clamp(still, start, Math.max(end - this.#frame, start)), this.#frames);
    }
    this.#history.change(patch, gesture);
  }

  /** Both ends as moments; one that stays keeps its text. */
  #window(start, end) {
    const { value } = this.#history;
    const isSame = (moment, seconds) => moment && Math.abs(moment.seconds - seconds) < 1e-6;
    return {
      start: isSame(value.start, start) ? value.start : momentAt(clamp(start, 0, this.#last), this.#frames),
      end: isSame(value.end, end) ? value.end : endAt(clamp(end, 0, this.#clip.seconds), this.#frames, this.#clip),
    };
  }

  /** Marks a still of several, or removes its mark. */
  toggleMark(seconds) {
    const still = momentAt(seconds, this.#frames);
    const { stills, still: chosen } = this.#history.value;
    const isFar = (other) => Math.abs(other.seconds - still.seconds) > this.#frame / 2;
    const others = stills.filter(isFar);
    if (others.length < stills.length) {
      this.#history.change({ stills: others });
      announce(word("mark-removed", clock(still.seconds), others.length));
      return;
    }
    if (stills.length >= this.#session.maxStills) {
      announce(word("marks-full", this.#session.maxStills));
      return;
    }
    // The first mark is another moment beside the still that was chosen, or is the still itself.
    const before = stills.length || !chosen || !isFar(chosen) ? stills : [chosen];
    const marked = [...before, still].sort((one, other) => one.seconds - other.seconds);
    this.#history.change({ stills: marked, still: marked.length === 1 ? still : chosen });
    const text = before.length > stills.length ? word("mark-added-to-still", clock(still.seconds), clock(chosen.seconds))
      : word("mark-added", clock(still.seconds), marked.length);
    const losesWindow = marked.length === 2 && (this.#history.value.start || this.#history.value.end);
    announce(losesWindow ? `${text} ${word("several-window")}` : text);
  }

  /** Goes back to what the program would choose. */
  reset() {
    const patch = { still: null, start: null, end: null, stills: [] };
    const { still, flags } = this.#history.value;
    // As `setStill` has asked for.
    if (this.#clip.kind === "pair" && still) patch.flags = withFlag(flags, "new-key-photo", false);
    this.#history.change(patch);
  }

  /** Once frames are here, replaces times by those of the frames. */
  settleLoose() {
    const { still, start, end, stills } = this.#history.value;
    const patch = {};
    if (still?.isLoose && this.#frames.has(still.seconds)) patch.still = momentAt(still.seconds, this.#frames);
    if (start?.isLoose && this.#frames.has(start.seconds)) patch.start = momentAt(start.seconds, this.#frames);
    if (end?.isLoose && this.#frames.has(end.seconds)) patch.end = endAt(end.seconds, this.#frames, this.#clip);
    if (stills.some((mark) => mark.isLoose && this.#frames.has(mark.seconds))) {
      patch.stills = stills.map((mark) => (mark.isLoose && this.#frames.has(mark.seconds)
        ? momentAt(mark.seconds, this.#frames) : mark));
    }
    if (Object.keys(patch).length) this.#history.amend(patch);
  }
}

// Frames of a long clip that are loaded alone: after a jump, the frame itself is here long before those around it.

/** Frames that are kept. */
const kept = 40;
/** Of times in JSON, in seconds. */
const rounding = 1e-5;

export class SingleFrames {
  #getPack;
  /** Each with the time at which it was asked for, and is shown. */
  #loaded = [];
  #isLoading = false;

  /** @param {(from: number, to: number) => Promise<{frames: import("./pack.js").Frame[]}>} getPack */
  constructor(getPack) { this.#getPack = getPack; }

  get frames() { return this.#loaded.map(({ frame }) => frame); }

  get isLoading() { return this.#isLoading; }

  /** The frame that is shown at a time; null if it is not here. */
  at(seconds) {
    return this.#loaded.find(({ frame, asked }) => frame.seconds <= seconds + rounding && seconds <= asked + rounding)
      ?.frame ?? null;
  }

  /** Loads the frame that is shown at a time; false if it cannot be made. */
  async load(seconds) {
    this.#isLoading = true;
    try {
      const frame = (await this.#getPack(seconds, seconds)).frames.at(-1);
      if (frame) this.#loaded = [...this.#loaded, { frame, asked: seconds }].slice(-kept);
      return Boolean(frame);
    } catch {
      // Those around it cannot be made either, which is said when they are loaded.
      return false;
    } finally {
      this.#isLoading = false;
    }
  }
}

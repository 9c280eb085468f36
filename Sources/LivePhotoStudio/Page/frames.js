// The frames of a clip: loaded in parts around the place that is looked at, kept as JPEGs, decoded on demand.
import { getBytes, isAbort } from "./api.js";
import { readPack } from "./pack.js";
import { SingleFrames } from "./single-frames.js";

/** Bytes of JPEGs that stay in memory. */
const budget = 200e6;
/** Clips up to this length, in seconds, are loaded completely. */
const wholeClip = 20;
const partLength = 2;
/** Frames in a part, at most; the server sends no more than 600 at once. */
const partFrames = 400;
const requestsAtOnce = 2;
const openBitmaps = 72;
/** Milliseconds before a part that failed is tried again. */
const retryDelay = 3000;
/** Of times in JSON, in seconds. */
const rounding = 1e-5;

/**
 * The frames of one clip. Events: `load` (more frames are here), `problem` (`detail` is the error).
 */
export class FrameStore extends EventTarget {
  #item;
  #seconds;
  #length;
  /** Frames of the strip, which are always here. */
  #strip = [];
  /** By number: `{ frames, bytes, isDone, failed }`. */
  #parts = new Map();
  /** All frames of complete parts, by time. */
  #frames = [];
  #loading = new Map();
  #singles = new SingleFrames((from, to) => this.#getPack(from, to));
  #focus = 0;
  #also = [];
  /** Where single frames are still to be loaded. */
  #extra = [];
  #bytes = 0;
  /** Whether parts had to be forgotten: then not all are loaded. */
  #isFull = false;
  #bitmaps = new Map();
  #timer = 0;
  #isClosed = false;

  /**
   * @param {number} item its number.
   * @param {{seconds: number, frameRate: number}} clip
   */
  constructor(item, clip) {
    super();
    this.#item = item;
    this.#seconds = clip.seconds;
    this.#length = Math.min(partLength, Math.max(0.25, partFrames / Math.max(clip.frameRate, 1)));
  }

  /** Frames over the whole clip. */
  get strip() { return this.#strip; }
  set strip(frames) { this.#strip = frames; }

  /** All frames that are here, by time, without those of the strip. */
  get frames() { return this.#frames; }

  /** Whether every frame of the clip is here. */
  get isComplete() { return this.#isWhole && this.#numbers().every((number) => this.#parts.get(number)?.isDone); }

  get #isWhole() { return this.#seconds <= wholeClip; }

  /** Ends all loading and frees memory. */
  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const controller of this.#loading.values()) controller.abort();
    for (const entry of this.#bitmaps.values()) entry.then((bitmap) => bitmap.close(), () => {});
    this.#bitmaps.clear();
    this.#parts.clear();
  }

  /**
   * Loads what is needed around a place, and after that around others.
   *
   * @param {number} seconds
   * @param {number[]} also other places, such as the ends of the window.
   */
  want(seconds, also = this.#also) {
    this.#focus = seconds;
    this.#also = also;
    if (this.#parts.get(this.#number(seconds))?.isDone && this.#isWhole && !this.#isFull) return;
    // A fast scrub passes many parts; those that are left at once are not asked for.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#load(), this.#loading.size ? 40 : 0);
  }

  /** Loads single frames of a long clip, such as those of suggested stills, once what is looked at is here. */
  look(places) {
    if (this.#isWhole) return;
    this.#extra = places.filter((seconds) => !this.at(seconds)?.isExact);
    this.#load();
  }

  /** Whether the frame that is shown at a time is here. */
  has(seconds) { return Boolean(this.#parts.get(this.#number(seconds))?.isDone); }

  /**
   * The frame that is shown at a time; until it is here, the nearest one.
   *
   * @returns {{frame: import("./pack.js").Frame, isExact: boolean}|null}
   */
  at(seconds) {
    const index = lastBefore(this.#frames, seconds);
    if (this.has(seconds) && index >= 0) return { frame: this.#frames[index], isExact: true };
    const single = this.#singles.at(seconds);
    if (single) return { frame: single, isExact: true };
    let best = null;
    const around = [this.#frames[index], this.#frames[index + 1]];
    for (const frame of [...around, ...this.#singles.frames, ...this.#strip]) {
      if (frame && (!best || Math.abs(frame.seconds - seconds) < Math.abs(best.seconds - seconds))) best = frame;
    }
    return best && { frame: best, isExact: false };
  }

  /**
   * The frame some frames before or after a time; null if it is not here.
   *
   * @param {number} count negative for earlier ones.
   */
  step(seconds, count) {
    if (!this.has(seconds)) return null;
    const index = lastBefore(this.#frames, seconds) + count;
    const frame = this.#frames[Math.min(Math.max(index, 0), this.#frames.length - 1)];
    const [from, to] = [seconds, frame.seconds].sort((one, other) => one - other);
    for (let number = this.#number(from); number <= this.#number(to); number += 1) {
      if (!this.#parts.get(number)?.isDone) return null;
    }
    const isClamped = index < 0 || index >= this.#frames.length;
    const isEnd = index < 0 ? frame.seconds < 1 / 1000 : this.has(this.#seconds - rounding);
    return isClamped && !isEnd ? null : frame;
  }

  /** The decoded picture of a frame. Draw it at once; it may be closed later. */
  async bitmap(frame) {
    const known = this.#bitmaps.get(frame);
    if (known) {
      // The order of a map is that of insertion: this one was used last.
      this.#bitmaps.delete(frame);
      this.#bitmaps.set(frame, known);
      return known;
    }
    const bitmap = createImageBitmap(frame.blob);
    this.#bitmaps.set(frame, bitmap);
    bitmap.catch(() => this.#bitmaps.delete(frame));
    for (const [other, entry] of this.#bitmaps) {
      if (this.#bitmaps.size <= openBitmaps) break;
      this.#bitmaps.delete(other);
      entry.then((old) => old.close(), () => {});
    }
    return bitmap;
  }

  // MARK: Loading

  #number(seconds) { return Math.floor((Math.min(Math.max(seconds, 0),
    this.#seconds - rounding) + rounding) / this.#length); }

  #numbers() { return Array.from({ length: this.#number(this.#seconds) + 1 }, (_, index) => index); }

  /** The numbers of parts, from the most to the least important. */
  #order() {
    const focus = this.#number(this.#focus);
    const order = [focus, focus + 1, focus - 1, ...this.#also.map((seconds) => this.#number(seconds))];
    if (this.#isWhole && !this.#isFull) order.push(...this.#numbers().sort((one,
      other) => Math.abs(one - focus) - Math.abs(other - focus)));
    const last = this.#number(this.#seconds);
    return [...new Set(order)].filter((number) => number >= 0 && number <= last);
  }

  #load() {
    if (this.#isClosed) return;
    if (this.#isWhole || this.has(this.#focus) || this.#singles.at(this.#focus)) {
      this.#loadParts();
      this.#loadExtra();
    } else if (!this.#singles.isLoading) this.#loadSingle();
  }

  async #loadSingle() {
    const isLoaded = await this.#singles.load(this.#focus);
    if (this.#isClosed) return;
    if (!isLoaded) return this.#loadParts();
    this.dispatchEvent(new Event("load"));
    this.#load();
  }

  async #loadExtra() {
    if (this.#singles.isLoading || !this.#extra.length) return;
    const isLoaded = await this.#singles.load(this.#extra.shift());
    if (this.#isClosed) return;
    if (isLoaded) this.dispatchEvent(new Event("load"));
    this.#load();
  }

  #loadParts() {
    const now = performance.now();
    const order = this.#order().filter((number) => {
      const part = this.#parts.get(number);
      return !part || (part.failed && now - part.failed > retryDelay);
    });
    const needed = order.filter((number) => !this.#loading.has(number));
    if (needed[0] === this.#number(this.#focus) && this.#loading.size >= requestsAtOnce) {
      // What is looked at comes first.
      const [number, controller] = [...this.#loading].at(-1);
      controller.abort();
      this.#loading.delete(number);
    }
    for (const number of needed) {
      if (this.#loading.size >= requestsAtOnce) break;
      this.#loadPart(number);
    }
  }

  async #loadPart(number) {
    const controller = new AbortController();
    this.#loading.set(number, controller);
    try {
      const part = await this.#fetchPart(number, controller.signal);
      if (this.#isClosed) return;
      this.#parts.set(number, part);
      this.#bytes += part.bytes;
      this.#free();
      this.#merge();
      this.dispatchEvent(new Event("load"));
    } catch (error) {
      if (isAbort(error) || this.#isClosed) return;
      this.#parts.set(number, { frames: [], bytes: 0, isDone: false, failed: performance.now() });
      this.dispatchEvent(new CustomEvent("problem", { detail: error }));
    } finally {
      if (this.#loading.get(number) === controller) this.#loading.delete(number);
      this.#load();
    }
  }

  async #fetchPart(number, signal) {
    const part = { frames: [], bytes: 0, isDone: true };
    const end = Math.min((number + 1) * this.#length, this.#seconds);
    let from = number * this.#length;
    while (from < end - rounding) {
      const pack = await this.#getPack(from, end, signal);
      part.frames.push(...pack.frames);
      part.bytes += pack.bytes;
      // The server may send less than was asked for.
      if (pack.to === null || pack.to <= from + rounding || !pack.frames.length) break;
      from = pack.to;
    }
    return part;
  }

  async #getPack(from, to, signal) {
    const path = `/api/items/${this.#item}/frames?from=${from.toFixed(6)}&to=${to.toFixed(6)}`;
    return readPack(await getBytes(path, signal));
  }

  /** Forgets the parts that are farthest from the place that is looked at, but none that would be loaded again at once. */
  #free() {
    if (this.#bytes <= budget) return;
    this.#isFull = true;
    const focus = this.#number(this.#focus);
    const needed = new Set(this.#order());
    const numbers = [...this.#parts.keys()].filter((number) => !needed.has(number))
      .sort((one, other) => Math.abs(other - focus) - Math.abs(one - focus));
    for (const number of numbers) {
      if (this.#bytes <= budget) break;
      this.#bytes -= this.#parts.get(number).bytes;
      this.#parts.delete(number);
    }
  }

  #merge() {
    const all = [...this.#parts.values()].flatMap((part) => part.frames).sort((one,
      other) => one.seconds - other.seconds);
    this.#frames = all.filter((frame, index) => index === 0 || frame.seconds - all[index - 1].seconds > rounding);
  }
}

/** The index of the last frame at or before a time; -1 if there is none. */
function lastBefore(frames, seconds) {
  let [low, high] = [0, frames.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frames[middle].seconds <= seconds + rounding) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

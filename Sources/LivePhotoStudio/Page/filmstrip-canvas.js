// Draws the film strip: the ruler, frames and the sound's wave form.
import { oncePerFrame } from "./dom.js";
import { clock } from "./time.js";

/** Heights in pixels of the page; the style sheet has the same. */
export const lanes = { ruler: 30, frames: 64, wave: 28 };

const thumbnails = 320;
const ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600];
const tickDistance = 76;
const barWidth = 3;

/**
 * The part of the clip that the strip shows.
 *
 * @typedef {object} View
 * @property {number} from seconds at the first pixel of the clip's area.
 * @property {number} scale pixels a second.
 * @property {number} inset pixels before the area.
 * @property {number} width pixels of the whole strip.
 * @property {number} start, end of the movie, in seconds.
 */

export class FilmstripCanvas {
  #canvas;
  #frames;
  #clip;
  #levels = null;
  #bitmaps = new Map();
  #view = null;
  #colours = null;

  /** Draws again with the last view. */
  redraw = oncePerFrame(() => { if (this.#view) this.#paint(this.#view); });

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {import("./frames.js").FrameStore} frames
   */
  constructor(canvas, frames, clip) {
    [this.#canvas, this.#frames, this.#clip] = [canvas, frames, clip];
  }

  /** @param {{secondsPerLevel: number, levels: number[]}|null} levels loudness from 0 to 1000. */
  set levels(levels) {
    this.#levels = levels?.levels.length ? levels : null;
    this.redraw();
  }

  /** Forgets the colours after the colour scheme has changed. */
  forgetColours() {
    this.#colours = null;
    this.redraw();
  }

  /** Frees all pictures. */
  close() {
    this.#view = null;
    for (const entry of this.#bitmaps.values()) if (entry.close) entry.close();
    this.#bitmaps.clear();
  }

  /** @param {View} view */
  draw(view) {
    this.#view = view;
    this.redraw();
  }

  #paint(view) {
    const canvas = this.#canvas;
    const density = Math.min(devicePixelRatio, 2);
    const height = canvas.clientHeight;
    const [columns, rows] = [Math.round(view.width * density), Math.round(height * density)];
    if (!columns || !rows) return;
    if (canvas.width !== columns) canvas.width = columns;
    if (canvas.height !== rows) canvas.height = rows;
    const context = canvas.getContext("2d");
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, view.width, height);
    const style = getComputedStyle(canvas);
    this.#colours ??= Object.fromEntries(["faint", "line", "accent",
      "card"].map((name) => [name, style.getPropertyValue(`--${name}`)]));
    this.#paintRuler(context, view);
    this.#paintFrames(context, view);
    if (this.#levels) this.#paintWave(context, view);
  }

  #paintRuler(context, view) {
    const step = ticks.find((seconds) => seconds * view.scale >= tickDistance) ?? ticks.at(-1);
    const digits = step < 1 ? 1 : 0;
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = this.#colours.faint;
    const last = Math.min(view.from + view.width / view.scale, this.#clip.seconds);
    for (let index = Math.max(0, Math.floor(view.from / step)); index * step <= last; index += 1) {
      const x = this.#x(index * step, view);
      context.fillRect(Math.round(x), lanes.ruler - 6, 1, 6);
      context.fillText(clock(index * step, digits), Math.round(x) + 4, lanes.ruler - 5);
    }
  }

  #x(seconds, view) { return view.inset + (seconds - view.from) * view.scale; }

  #paintFrames(context, view) {
    const { clip } = this;
    const [top, high] = [lanes.ruler, lanes.frames];
    const ratio = clip.width / clip.height;
    const wide = Math.round(Math.min(Math.max(high * ratio, 40), 150));
    const left = Math.max(this.#x(0, view), 0);
    const right = Math.min(this.#x(clip.seconds, view), view.width);
    context.save();
    context.beginPath();
    context.roundRect(left, top, Math.max(right - left, 1), high, 6);
    context.clip();
    context.fillStyle = this.#colours.card;
    context.fillRect(left, top, right - left, high);
    const first = Math.max(0, Math.floor((left - this.#x(0, view)) / wide));
    for (let tile = first, x = this.#x(0, view) + first * wide; x < right; tile += 1, x += wide) {
      const centre = Math.min(((tile + 0.5) * wide) / view.scale, clip.seconds);
      const bitmap = this.#thumbnail(this.#frameAt(centre, wide / view.scale));
      if (bitmap) cover(context, bitmap, x, top, wide, high);
    }
    context.restore();
  }

  get clip() { return this.#clip; }

  /** A frame near the middle of a tile. Those of the strip are enough until the tiles are closer than they are. */
  #frameAt(seconds, tileSeconds) {
    const { strip } = this.#frames;
    const spacing = this.#clip.seconds / Math.max(strip.length, 1);
    if (tileSeconds < spacing / 1.5 && this.#frames.has(seconds)) return this.#frames.at(seconds).frame;
    let best = strip[0] ?? null;
    for (const frame of strip) if (Math.abs(frame.seconds - seconds) < Math.abs(best.seconds - seconds)) best = frame;
    return best;
  }

  #thumbnail(frame) {
    if (!frame) return null;
    const known = this.#bitmaps.get(frame);
    if (known) return known === "decoding" ? null : known;
    this.#bitmaps.set(frame, "decoding");
    createImageBitmap(frame.blob, { resizeHeight: 2 * lanes.frames, resizeQuality: "medium" }).then((bitmap) => {
      this.#bitmaps.set(frame, bitmap);
      for (const [other, old] of this.#bitmaps) {
        if (this.#bitmaps.size <= thumbnails) break;
        this.#bitmaps.delete(other);
        if (old.close) old.close();
      }
      this.redraw();
    }, () => {});
    return null;
  }

  #paintWave(context, view) {
    const { secondsPerLevel, levels } = this.#levels;
    const [top, high] = [lanes.ruler + lanes.frames + 4, lanes.wave - 4];
    const from = Math.max(this.#x(0, view), 0);
    const to = Math.min(this.#x(this.#clip.seconds, view), view.width);
    for (let x = from; x < to; x += barWidth + 1) {
      const seconds = (x - view.inset) / view.scale + view.from;
      const index = Math.floor(seconds / secondsPerLevel);
      const last = Math.max(index + 1, Math.floor((seconds + (barWidth + 1) / view.scale) / secondsPerLevel));
      let level = 0;
      for (let each = index; each < last; each += 1) level = Math.max(level, levels[each] ?? 0);
      // Soft sound is visible too.
      const bar = Math.max(1.5, high * Math.sqrt(level / 1000));
      const isInside = seconds >= view.start && seconds < view.end;
      context.fillStyle = isInside ? this.#colours.accent : this.#colours.line;
      context.fillRect(x, top + (high - bar) / 2, barWidth, bar);
    }
  }
}

/** Fills a rectangle with a picture, without distortion. */
function cover(context, bitmap, x, y, width, height) {
  const scale = Math.max(width / bitmap.width, height / bitmap.height);
  const [wide, high] = [width / scale, height / scale];
  context.drawImage(bitmap, (bitmap.width - wide) / 2, (bitmap.height - high) / 2, wide, high, x, y, width, height);
}

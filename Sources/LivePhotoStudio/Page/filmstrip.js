// The film strip: what it shows of the clip, zoom, scrubbing, and handles for the still and the ends of the movie.
import { clamp, make } from "./dom.js";
import { icon } from "./icons.js";
import { FilmstripCanvas } from "./filmstrip-canvas.js";
import { FilmstripPointers } from "./filmstrip-pointers.js";
import { clock } from "./time.js";
import { word } from "./words.js";

/** Pixels beside the clip, which the handles at its ends need. */
const inset = 26;
/** Pixels of a frame at the highest zoom. */
const widestFrame = 40;

/**
 * Events, all with `detail`: `scrub` ({ seconds }), `drag` ({ name, seconds, isLast }), `step` ({ name, frames, seconds,
 * to }: one of the three), `zoom`, `pick` ({ suggestion }). `name` is "playhead", "still", "start" or "end".
 */
export class Filmstrip extends EventTarget {
  #root;
  #clip;
  #drawing;
  #handles = {};
  #parts = {};
  #zoom = 1;
  #from = 0;
  #times = { still: 0, start: 0, end: 0, playhead: 0 };
  #ends = new AbortController();
  #marks = [];

  /**
   * @param {HTMLElement} root
   * @param {import("./frames.js").FrameStore} frames
   */
  constructor(root, frames, clip) {
    super();
    [this.#root, this.#clip] = [root, clip];
    const canvas = make("canvas", { class: "film-canvas", "aria-hidden": "true" });
    this.#drawing = new FilmstripCanvas(canvas, frames, clip);
    for (const name of ["before", "after"]) this.#parts[name] = make("div", { class: `film-shade ${name}` });
    this.#parts.window = make("div", { class: "film-window" });
    this.#parts.marks = make("div", { class: "film-marks", "aria-hidden": "true" });
    this.#parts.overview = make("div", { class: "film-overview", "aria-hidden": "true" }, make("div"));
    for (const name of ["playhead", "start", "end", "still"]) this.#handles[name] = this.#handle(name);
    this.#handles.still.append(make("span", { class: "knob" }, icon("live")));
    root.replaceChildren(canvas, this.#parts.before, this.#parts.after, this.#parts.window, this.#parts.marks,
      ...Object.values(this.#handles), this.#parts.overview);
    root.classList.toggle("silent", !clip.hasSound);
    this.#listen();
  }

  get zoom() { return this.#zoom; }
  /** Seconds at the left end of what is seen. */
  get from() { return this.#from; }
  get seconds() { return this.#clip.seconds; }

  /** The present time of a handle. */
  timeOf(name) { return this.#times[name]; }

  /** Gives a handle the focus. */
  focus(name) { this.#handles[name].focus({ preventScroll: true }); }

  /** Loudness, as the server gives it. */
  set levels(levels) { this.#drawing.levels = levels; }

  /** Frames came. */
  redraw() { this.#drawing.redraw(); }

  close() {
    this.#ends.abort();
    this.#drawing.close();
    this.#root.replaceChildren();
  }

  /** Shows the times in seconds; `texts` are those that screen readers say. */
  show(times, texts) {
    this.#times = times;
    for (const [name, handle] of Object.entries(this.#handles)) {
      handle.setAttribute("aria-valuenow", times[name].toFixed(3));
      handle.setAttribute("aria-valuetext", texts[name]);
    }
    this.#layOut();
  }

  /**
   * Shows marks of moments.
   *
   * @param {{seconds: number, kind: "suggestion"|"still", title: string}[]} marks
   */
  showMarks(marks) {
    this.#marks = marks.map((mark) => {
      const element = make("button", { type: "button", tabIndex: -1, class: `film-mark ${mark.kind}`, title: mark.title,
        on: { click: () => this.emit("pick", mark) } });
      return { seconds: mark.seconds, element };
    });
    this.#parts.marks.replaceChildren(...this.#marks.map((mark) => mark.element));
    this.#layOut();
  }

  /** Moves the view so that a time is seen. */
  reveal(seconds) {
    const [first, last] = [this.#from, this.#from + this.span];
    const margin = this.span * 0.05;
    if (this.#zoom === 1 || (seconds >= first + margin / 4 && seconds <= last - margin / 4)) return;
    this.moveTo(seconds < first + margin ? seconds - margin : seconds - this.span + margin);
  }

  /** Zooms by a factor around a time. */
  zoomBy(factor, seconds = this.#times.playhead) {
    const place = (seconds - this.#from) / this.span;
    const isSeen = place >= 0 && place <= 1;
    this.#zoom = clamp(this.#zoom * factor, 1, this.#mostZoom);
    this.moveTo(seconds - this.span * (isSeen ? place : 0.5));
    this.emit("zoom");
  }

  /** Zooms to a level, so that a time is at a place in pixels. */
  zoomAt(zoom, seconds, x) {
    this.#zoom = clamp(zoom, 1, this.#mostZoom);
    this.moveTo(seconds - (x - inset) / this.scale);
    this.emit("zoom");
  }

  /** Zooms so that a part of the clip is seen. */
  zoomTo(start, end) {
    const length = Math.max((end - start) * 1.6, 1e-3);
    this.#zoom = clamp(this.#clip.seconds / length, 1, this.#mostZoom);
    this.moveTo((start + end) / 2 - this.span / 2);
    this.emit("zoom");
  }

  // MARK: Places

  get wide() { return Math.max(this.#root.clientWidth - 2 * inset, 1); }
  get span() { return this.#clip.seconds / this.#zoom; }
  get scale() { return this.wide / this.span; }
  get #mostZoom() {
    return Math.max(1, (this.#clip.seconds * this.#clip.frameRate * widestFrame) / this.wide);
  }

  x(seconds) { return inset + (seconds - this.#from) * this.scale; }
  /** Moves the view. */
  moveTo(from) {
    this.#from = clamp(from, 0, Math.max(this.#clip.seconds - this.span, 0));
    this.#layOut();
  }

  #layOut() {
    const width = this.#root.clientWidth;
    const { start, end } = this.#times;
    const [first, last] = [clamp(this.x(0), 0, width), clamp(this.x(this.#clip.seconds), 0, width)];
    const [left, right] = [clamp(this.x(start), -20, width + 20), clamp(this.x(end), -20, width + 20)];
    placed(this.#parts.before, first, left);
    placed(this.#parts.after, right, last);
    placed(this.#parts.window, left, right);
    for (const [name, handle] of Object.entries(this.#handles)) this.#put(handle, this.#times[name], width);
    for (const { seconds, element } of this.#marks) this.#put(element, seconds, width);
    this.#parts.overview.hidden = this.#zoom <= 1.001;
    placed(this.#parts.overview.firstChild, (this.#from / this.#clip.seconds) * this.wide,
      ((this.#from + this.span) / this.#clip.seconds) * this.wide);
    // Several Live Photos have no common part.
    const part = this.#root.classList.contains("several") ? { start: 0, end: 0 } : { start, end };
    this.#drawing.draw({ from: this.#from, scale: this.scale, inset, width, ...part });
  }

  /** Handles outside of the view stay at its edge for the keyboard, but are not seen. */
  #put(element, seconds, width) {
    const x = this.x(seconds);
    element.classList.toggle("outside", x < inset - 6 || x > width - inset + 6);
    element.style.transform = `translateX(${clamp(x, 0, width).toFixed(1)}px)`;
  }

  // MARK: Handles

  #handle(name) {
    const most = this.#clip.seconds.toFixed(3);
    return make("div", {
      id: name === "playhead" ? "playhead" : `${name}-handle`, class: `film-handle ${name}`, tabIndex: 0,
        role: "slider",
      "aria-label": word(`handle-${name}`), "aria-valuemin": "0", "aria-valuemax": most,
        "aria-orientation": "horizontal",
      data: { handle: name },
      on: { keydown: (event) => this.#key(event, name), focus: () => this.reveal(this.#times[name]) },
    });
  }

  #key(event, name) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const frames = event.shiftKey ? 10 : 1;
    const step = {
      ArrowLeft: { frames: -frames }, ArrowDown: { frames: -frames }, ArrowRight: { frames }, ArrowUp: { frames },
      PageDown: { seconds: -1 }, PageUp: { seconds: 1 }, Home: { to: "first" }, End: { to: "last" },
    }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    this.emit("step", { name, ...step });
  }

  #listen() {
    const options = { signal: this.#ends.signal };
    new FilmstripPointers(this.#root, this, options);
    const observer = new ResizeObserver(() => this.moveTo(this.#from));
    observer.observe(this.#root);
    options.signal.addEventListener("abort", () => observer.disconnect());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#drawing.forgetColours(), options);
  }

  /** Tells of an event. */
  emit(name, detail = {}) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}

function placed(element, left, right) {
  Object.assign(element.style, { left: `${left.toFixed(1)}px`, width: `${Math.max(right - left, 0).toFixed(1)}px` });
}

/** What a handle is called, with its time and frame. */
export function handleText(name, seconds, frame) {
  return word("handle-text", word(`handle-${name}`), clock(seconds), frame);
}

// Mouse, pen, fingers and wheel on the film strip.
import { clamp } from "./dom.js";

/** Pixels beside the clip; as in filmstrip.js. */
const inset = 26;
/** Pixels at both edges where a drag moves the view. */
const edge = 36;

/** Pixels of a handle that are seen. */
const handleWidth = 16;
/** Pixels that a handle must be dragged before it moves. */
const slack = 3;

export class FilmstripPointers {
  #root;
  #strip;
  #pointers = new Map();
  #drag = null;
  #pinch = null;
  #panning = 0;

  /**
   * @param {HTMLElement} root
   * @param {import("./filmstrip.js").Filmstrip} strip
   * @param {{signal: AbortSignal}} options of the listeners.
   */
  constructor(root, strip, options) {
    [this.#root, this.#strip] = [root, strip];
    root.addEventListener("pointerdown", (event) => this.#press(event), options);
    root.addEventListener("pointermove", (event) => this.#move(event), options);
    for (const name of ["pointerup", "pointercancel"]) {
      root.addEventListener(name, (event) => this.#release(event), options);
    }
    root.addEventListener("wheel", (event) => this.#wheel(event), { ...options, passive: false });
    options.signal.addEventListener("abort", () => cancelAnimationFrame(this.#panning));
  }

  #x(clientX) { return clientX - this.#root.getBoundingClientRect().left; }

  #seconds(clientX) {
    const { from, scale, seconds } = this.#strip;
    return clamp(from + (this.#x(clientX) - inset) / scale, 0, seconds);
  }

  /** The middle of two fingers, and their distance. */
  get #fingers() {
    const [one, other] = [...this.#pointers.values()];
    return { middle: (one.clientX + other.clientX) / 2, distance: Math.max(Math.abs(one.clientX - other.clientX), 1) };
  }

  #press(event) {
    if (event.button !== 0 || event.target.closest(".film-mark")) return;
    this.#pointers.set(event.pointerId, event);
    this.#root.setPointerCapture(event.pointerId);
    if (this.#pointers.size === 2) {
      this.#finish();
      const { middle, distance } = this.#fingers;
      this.#pinch = { distance, zoom: this.#strip.zoom, seconds: this.#seconds(middle) };
      return;
    }
    if (event.target.closest(".film-overview")) this.#drag = { name: "overview" };
    else {
      const name = event.target.closest(".film-handle")?.dataset.handle ?? "playhead";
      // A handle that is taken beside its line does not jump.
      const offset = name === "playhead" ? 0 : this.#strip.x(this.#strip.timeOf(name)) - this.#x(event.clientX);
      this.#drag = { name, offset, from: event.clientX };
      this.#strip.focus(name);
    }
    event.preventDefault();
    this.#dragTo(event.clientX, false);
  }

  #move(event) {
    if (!this.#pointers.has(event.pointerId)) return;
    this.#pointers.set(event.pointerId, event);
    if (this.#pinch && this.#pointers.size === 2) {
      const { middle, distance } = this.#fingers;
      this.#strip.zoomAt((this.#pinch.zoom * distance) / this.#pinch.distance, this.#pinch.seconds, this.#x(middle));
    } else if (this.#drag) this.#dragTo(event.clientX, false);
  }

  #release(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    if (this.#pointers.size < 2) this.#pinch = null;
    if (this.#pointers.size === 0) this.#finish(event.clientX);
  }

  #finish(clientX) {
    cancelAnimationFrame(this.#panning);
    if (this.#drag && clientX !== undefined) {
      // Beside a handle, a click is one on the film.
      if (this.#drag.from > -Infinity && Math.abs(this.#drag.offset) > handleWidth) {
        this.#drag = { name: "playhead", offset: 0 };
      }
      this.#dragTo(clientX, true);
    }
    this.#drag = null;
  }

  #dragTo(clientX, isLast) {
    const { name, offset } = this.#drag;
    const strip = this.#strip;
    if (name === "overview") {
      strip.moveTo(((this.#x(clientX) - inset) / strip.wide) * strip.seconds - strip.span / 2);
      return;
    }
    // A click on a handle chooses nothing.
    if (name !== "playhead" && Math.abs(clientX - this.#drag.from) < slack) return;
    this.#drag.from = -Infinity;
    const seconds = this.#seconds(clientX + offset);
    if (name === "playhead") strip.emit("scrub", { seconds, isLast });
    else strip.emit("drag", { name, seconds, isLast });
    cancelAnimationFrame(this.#panning);
    const x = this.#x(clientX);
    const beyond = Math.min(x - edge, 0) || Math.max(x - this.#root.clientWidth + edge, 0);
    const canMove = beyond < 0 ? strip.from > 0 : strip.from + strip.span < strip.seconds - 1e-6;
    if (isLast || !beyond || !canMove || strip.zoom === 1) return;
    // At the edge, the view moves as long as the pointer is there.
    this.#panning = requestAnimationFrame(() => {
      strip.moveTo(strip.from + (beyond * 0.4) / strip.scale);
      this.#dragTo(clientX, false);
    });
  }

  #wheel(event) {
    const strip = this.#strip;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      strip.zoomBy(Math.exp(-event.deltaY / (event.deltaMode ? 8 : 240)), this.#seconds(event.clientX));
    } else if (strip.zoom > 1) {
      event.preventDefault();
      const distance = (event.deltaX || event.deltaY) * (event.deltaMode ? 16 : 1);
      strip.moveTo(strip.from + distance / strip.scale);
    }
  }
}

// The crop over the picture: moved and resized by pointer or keyboard.
import { make } from "./dom.js";
import { moved, resized } from "./geometry.js";
import { word } from "./words.js";

const corners = ["nw", "ne", "sw", "se"];

/** Event: `change` ({ rect, isLast, isKey }). */
export class CropOverlay extends EventTarget {
  #root;
  #box = make("div", { class: "crop-box" });
  #buttons = {};
  #place = null;
  #rect = null;
  #shape = "as-is";
  #size = null;
  #drag = null;

  /** @param {HTMLElement} root an element that gets the picture's place. */
  constructor(root) {
    super();
    this.#root = root;
    const shade = make("div", { class: "crop-shade" }, make("div", { class: "crop-hole" }));
    this.#buttons.move = this.#button("move");
    this.#box.append(make("div", { class: "crop-grid", "aria-hidden": "true" }), this.#buttons.move);
    for (const corner of corners) {
      this.#buttons[corner] = this.#button(corner);
      this.#box.append(this.#buttons[corner]);
    }
    root.replaceChildren(shade, this.#box);
  }

  /**
   * @param {{left: number, top: number, width: number, height: number}} place of the picture in the stage.
   * @param {import("./geometry.js").Rect} rect
   * @param {{width: number, height: number}} size of the picture in pixels of the clip.
   */
  show(place, rect, shape, size) {
    [this.#place, this.#rect, this.#shape, this.#size] = [place, rect, shape, size];
    Object.assign(this.#root.style, { left: `${place.left}px`, top: `${place.top}px`, width: `${place.width}px`,
      height: `${place.height}px` });
    const scale = this.#scale;
    for (const element of [this.#box, this.#root.querySelector(".crop-hole")]) {
      Object.assign(element.style, { left: `${rect.x * scale}px`, top: `${rect.y * scale}px`,
        width: `${rect.width * scale}px`, height: `${rect.height * scale}px` });
    }
    for (const [name, button] of Object.entries(this.#buttons)) button.ariaLabel = this.#label(name);
  }

  get #scale() { return this.#place.width / this.#size.width; }

  #label(name) {
    const { x, y, width, height } = this.#rect;
    if (name === "move") return word("crop-move", x, y, width, height);
    return word(`crop-${name}`, name.endsWith("w") ? x : x + width, name.startsWith("n") ? y : y + height);
  }

  #button(name) {
    return make("button", {
      type: "button", class: `crop-handle ${name}`, data: { crop: name },
      on: {
        pointerdown: (event) => this.#press(event, name),
        pointermove: (event) => this.#dragTo(event, false),
        pointerup: (event) => this.#release(event),
        pointercancel: (event) => this.#release(event),
        keydown: (event) => this.#key(event, name),
      },
    });
  }

  #press(event, name) {
    if (event.button !== 0 || !event.isPrimary) return;
    event.target.setPointerCapture(event.pointerId);
    this.#drag = { name, rect: this.#rect, x: event.clientX, y: event.clientY };
    this.#box.classList.add("moving");
  }

  #dragTo(event, isLast) {
    if (!this.#drag) return;
    const { name, rect, x, y } = this.#drag;
    const [dx, dy] = [(event.clientX - x) / this.#scale, (event.clientY - y) / this.#scale];
    if (!isLast && !dx && !dy) return;
    this.#change(this.#changed(name, rect, dx, dy), isLast);
  }

  #release(event) {
    if (!this.#drag) return;
    this.#dragTo(event, true);
    this.#drag = null;
    this.#box.classList.remove("moving");
  }

  #changed(name, rect, dx, dy) {
    if (name === "move") return moved(rect, dx, dy, this.#size);
    const point = { x: (name.endsWith("w") ? rect.x : rect.x + rect.width) + dx,
      y: (name.startsWith("n") ? rect.y : rect.y + rect.height) + dy };
    return resized(rect, name, point, this.#shape, this.#size);
  }

  /** Arrow keys move by a hundredth of the picture, with Shift by a tenth. */
  #key(event, name) {
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!direction || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const step = Math.max(Math.round(this.#size.width / (event.shiftKey ? 10 : 100)), 1);
    const [dx, dy] = [direction[0] * step, direction[1] * step];
    // With a shape, one axis moves both.
    const isKept = name !== "move" && this.#shape.includes(":");
    this.#change(isKept ? this.#grown(name, dx, dy) : this.#changed(name, this.#rect, dx, dy), true, true);
  }

  #grown(name, dx, dy) {
    const outward = (name.endsWith("w") ? -dx : dx) + (name.startsWith("n") ? -dy : dy);
    const rect = this.#rect;
    const growth = outward * (name.endsWith("w") ? -1 : 1);
    const ratio = (rect.height / rect.width) * (name.endsWith("w") === name.startsWith("n") ? 1 : -1);
    return this.#changed(name, rect, growth, growth * ratio);
  }

  #change(rect, isLast, isKey = false) {
    this.dispatchEvent(new CustomEvent("change", { detail: { rect, isLast, isKey } }));
  }
}

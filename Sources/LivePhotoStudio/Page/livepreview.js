// The Live view before anything is made: the still, and the movie while somebody holds it, as Photos shows it.
import { byId, make, reducedMotion } from "./dom.js";
import { icon } from "./icons.js";
import { Picture } from "./picture.js";
import { word } from "./words.js";

/** Milliseconds that a finger must rest. */
const touchDelay = 80;
/** Milliseconds of the cross-fade; the style sheet has the same. */
const fade = 250;

export class LivePreview {
  #viewer;
  #playback;
  #part;
  #picture;
  #pointer = null;
  #timer = 0;
  #turn = 0;

  /** The element that takes the presses. */
  element;

  /**
   * @param {HTMLElement} stage
   * @param {import("./viewer.js").Viewer} viewer
   * @param {import("./playback.js").Playback} playback
   * @param {() => object} part what is played, as `Playback.play` takes it.
   */
  constructor(stage, viewer, playback, part) {
    [this.#viewer, this.#playback, this.#part] = [viewer, playback, part];
    const motion = make("canvas", { class: "motion", "aria-hidden": "true" });
    const badge = make("span", { class: "badge", "aria-hidden": "true" }, icon("live"),
      make("span", { text: word("live") }));
    this.element = make("div", { id: "live-view", class: "live-view", role: "button", tabIndex: 0, hidden: true,
      "aria-pressed": "false", "aria-label": word("live-label") }, motion, badge,
      make("span", { class: "live-hint", "aria-hidden": "true", text: word("live-hint") }));
    this.#picture = new Picture(motion, stage);
    this.#listen();
  }

  get isShown() { return !this.element.hidden; }

  /** Opens or closes the view. */
  toggle(isShown) {
    this.stop();
    if (isShown) this.#playback.prepare();
    // The focus does not get lost with the element that has it.
    else if (document.activeElement === this.element) byId("live").focus();
    this.element.hidden = !isShown;
  }

  /** The stage has another size, or the choices have changed. */
  place() {
    const { left, top } = this.#picture.place(this.#viewer.look);
    this.element.style.setProperty("--left", `${left}px`);
    this.element.style.setProperty("--top", `${top}px`);
  }

  /** Plays the movie once. */
  start() {
    const turn = ++this.#turn;
    this.place();
    this.element.ariaPressed = "true";
    this.#playback.play({
      ...this.#part(), isLoop: false,
      onFrame: async (seconds) => {
        const isDrawn = await this.#viewer.drawPassing(seconds, this.#picture);
        if (isDrawn && turn === this.#turn) this.element.classList.add("shown");
      },
      onEnd: () => this.stop(),
    });
  }

  /** Returns to the still. The movie goes on while it fades. */
  stop() {
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    this.element.ariaPressed = "false";
    const wasShown = this.element.classList.contains("shown");
    this.element.classList.remove("shown");
    setTimeout(() => { if (turn === this.#turn && this.isShown) this.#playback.stop(); },
      wasShown && !reducedMotion.matches ? fade : 0);
    if (!this.isShown) this.#playback.stop();
  }

  #listen() {
    const { element } = this;
    let isTouch = false;
    element.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      this.#pointer = event.pointerId;
      isTouch = event.pointerType === "touch";
      element.setPointerCapture(event.pointerId);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.start(), isTouch ? touchDelay : 0);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      element.addEventListener(name, (event) => {
        if (event.pointerId !== this.#pointer) return;
        this.#pointer = null;
        this.stop();
      });
    }
    element.addEventListener("contextmenu", (event) => { if (isTouch) event.preventDefault(); });
    element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.stop();
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) this.start();
    });
    element.addEventListener("keyup", (event) => { if (event.key === " " || event.key === "Enter") this.stop(); });
    element.addEventListener("blur", () => this.stop());
    // Screen readers send a click alone; then the whole movie plays.
    element.addEventListener("click", (event) => {
      if (event.detail !== 0) return;
      if (this.element.ariaPressed === "true") this.stop();
      else this.start();
    });
  }
}

// <live-photo>: shows a Live Photo on a web page and plays it as Apple's Photos does. Part of livephoto, MIT licence.
// Documentation/Player.md describes it. A page imports this module, which needs no other file, and contains
// <live-photo photo="beach.JPG" movie="beach.MOV" still="1.5" alt="A wave"></live-photo>.

const style = new CSSStyleSheet();
style.replaceSync(`
  :host { display: block; position: relative; contain: content; background: #8882; border-radius: .5rem;
    -webkit-touch-callout: none; user-select: none; -webkit-user-select: none; }
  :host([hidden]) { display: none; }
  #stage { position: relative; display: grid; width: 100%; height: 100%; min-height: 2.75rem; overflow: hidden;
    border-radius: inherit; touch-action: manipulation; cursor: pointer; -webkit-tap-highlight-color: transparent;
    outline: none; }
  #stage:focus-visible::after { content: ""; position: absolute; inset: 0; border-radius: inherit;
    border: 3px solid Highlight; box-shadow: inset 0 0 0 2px Canvas; pointer-events: none; }
  #photo, ::slotted(img) { grid-area: 1 / 1; display: block; width: 100%; height: 100%; object-fit: contain;
    pointer-events: none; }
  #photo:not([src]) { visibility: hidden; }
  #movie { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: var(--live-photo-fit, cover);
    opacity: 0; pointer-events: none;
    transition: opacity var(--live-photo-fade, .25s) ease-in-out; }
  #stage.shown #movie { opacity: 1; }
  #badge, #sound { position: absolute; display: flex; align-items: center; gap: .3em; border: 0; padding: .3em .55em;
    border-radius: 1em; background: #000a; color: #fff; font: 600 .75rem/1.2 system-ui, sans-serif; cursor: pointer; }
  #badge { top: .6rem; left: .6rem; letter-spacing: .04em; transition: opacity var(--live-photo-fade, .25s); }
  #stage.shown ~ #badge { opacity: .45; }
  #sound { bottom: .6rem; right: .6rem; padding: .45em; opacity: .75; }
  #sound:hover, #sound:focus-visible { opacity: 1; }
  #sound:focus-visible { outline: 3px solid Highlight; outline-offset: 1px; }
  #sound[aria-pressed="true"] .off, #sound[aria-pressed="false"] .on { display: none; }
  svg { width: 1.25em; height: 1.25em; fill: none; stroke: currentColor; stroke-width: 1.6; display: block; }
  #status { position: absolute; inset: auto 0 0; margin: 0; padding: .5em .8em; background: #000c; color: #fff;
    font: .8rem/1.35 system-ui, sans-serif; border-radius: 0 0 inherit inherit; pointer-events: none; }
  #status:empty, :host(:not([movie])) #badge, :host(:not([movie])) #sound, :host([silent]) #sound { display: none; }
  @media (pointer: coarse) { #sound { padding: .7em; } }
  @media (prefers-reduced-motion: reduce) { #movie, #badge { transition: none; } }
  @media print { #badge, #sound, #status { display: none; } }
`);

const template = document.createElement("template");
template.innerHTML = `
  <div id="stage" part="stage" role="button" tabindex="0" aria-pressed="false">
    <slot name="photo"><img id="photo" part="photo" alt="" decoding="async" draggable="false"></slot>
  </div>
  <button id="badge" part="badge" type="button" tabindex="-1" aria-hidden="true">
    <svg viewBox="0 0 20 20"><circle cx="10" cy="10" r="2.2" fill="currentColor"/><circle cx="10" cy="10" r="5.2"/>
      <circle cx="10" cy="10" r="8.4" stroke-dasharray="1.3 1.9"/></svg><span></span></button>
  <button id="sound" part="sound" type="button" aria-pressed="false">
    <svg viewBox="0 0 20 20"><path d="M3 7.5v5h3l4.5 4v-13L6 7.5z" fill="currentColor"/>
      <path class="on" d="M13 7q2.4 3 0 6M15.500 4.500q4.500 5.500 0 11"/><path class="off" d="M13.500 7.500l5 5m0-5l-5 5"/>
    </svg></button>
  <p id="status" part="status" role="status"></p>`;

/** Time in milliseconds that a finger must rest on a photo, so that scrolling does not play it. */
const touchDelay = 80;
/** Time that a mouse must rest on a photo that plays on hover. */
const hoverDelay = 150;
/** Number of movies that stay open. Browsers limit decoders, and phones their memory. */
const openMovies = 4;

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** A `<live-photo>` element. */
export class LivePhoto extends HTMLElement {
  /** The texts of all players, for translation. Change them before the elements are created. */
  static words = {
    live: "LIVE",
    name: "Live Photo",
    hold: "press and hold to play",
    sound: "Sound",
    photoFailed: "The photo cannot be shown.",
    movieFailed: "The movie cannot be played by this browser, or was not found.",
  };

  static observedAttributes = ["photo", "movie", "alt", "width", "height"];

  static #muted = true;
  static #all = new Set();
  /** The players with an open movie; the one that was used last is at the end. */
  static #open = new Set();

  /** Loads photos that come near the visible part of the page, and frees what is far from it. */
  static #observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) entry.target.#enter();
      else entry.target.#leave();
    }
  }, { rootMargin: "75% 0px" });

  #root = this.attachShadow({ mode: "open" });
  #stage;
  #photo;
  #movie = null;
  /** Addresses of data blocks that were decoded, by attribute. */
  #decoded = {};
  #isNear = false;
  /** Counts starts and stops, so that a start that was overtaken ends. */
  #turn = 0;
  #isPlaying = false;
  #pointer = null;
  #timer = 0;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [style];
    this.#root.append(template.content.cloneNode(true));
    const find = (id) => this.#root.getElementById(id);
    [this.#stage, this.#photo] = [find("stage"), find("photo")];
    find("badge").lastElementChild.textContent = LivePhoto.words.live;
    find("sound").ariaLabel = LivePhoto.words.sound;
    this.#photo.addEventListener("error", () => this.#fail("photo", LivePhoto.words.photoFailed));
    find("sound").addEventListener("click", () => { LivePhoto.muted = !LivePhoto.muted; });
    find("badge").addEventListener("click", () => this.#toggle());
    this.#listen();
  }

  /** Address of the photo, or `#` and the id of a data block. */
  get photo() { return this.getAttribute("photo"); }
  set photo(value) { this.#reflect("photo", value); }
  /** Address of the movie, or `#` and the id of a data block. */
  get movie() { return this.getAttribute("movie"); }
  set movie(value) { this.#reflect("movie", value); }
  /** The still time in seconds: when the photo was taken, on the movie's timeline. NaN if unknown. */
  get still() { return parseFloat(this.getAttribute("still")); }
  set still(value) { this.#reflect("still", Number.isFinite(value) ? value : null); }
  /** Whether the movie is playing. */
  get playing() { return this.#isPlaying; }
  /** The time of the movie in seconds; 0 while it is not open. */
  get currentTime() { return this.#movie?.currentTime ?? 0; }

  /** Whether all players of the page are silent. */
  static get muted() { return LivePhoto.#muted; }
  static set muted(value) {
    LivePhoto.#muted = Boolean(value);
    for (const player of LivePhoto.#all) player.#showSound();
  }

  connectedCallback() {
    LivePhoto.#all.add(this);
    LivePhoto.#observer.observe(this);
    this.#showSound();
    this.#label();
  }

  disconnectedCallback() {
    LivePhoto.#all.delete(this);
    LivePhoto.#observer.unobserve(this);
    this.#leave();
  }

  attributeChangedCallback(name) {
    if (name === "photo") {
      this.#free("photo");
      this.#photo.removeAttribute("src");
      this.#say("");
      if (this.#isNear) this.#enter();
    } else if (name === "movie") {
      this.#close();
      this.#say("");
    } else if (name === "alt") {
      this.#label();
    } else {
      const [width, height] = [this.getAttribute("width"), this.getAttribute("height")].map(Number);
      const isKnown = width > 0 && height > 0;
      this.#stage.style.aspectRatio = isKnown ? `${width} / ${height}` : "";
      // So that a page can limit the height.
      if (isKnown) this.style.setProperty("--live-photo-ratio", width / height);
    }
  }

  /**
   * Plays the movie from its start, up to its end or until `stop()`.
   *
   * @returns {Promise<boolean>} whether it began before `stop()` was called.
   */
  async play() {
    if (!this.movie || !this.isConnected) return false;
    const turn = ++this.#turn;
    this.#say("");
    try {
      const movie = this.#openMovie();
      if (movie.currentTime > 0) movie.currentTime = 0;
      movie.muted = LivePhoto.#muted;
      this.#setPlaying(true);
      await this.#start(movie);
      await nextFrame(movie);
      if (turn !== this.#turn) return false;
      // Browsers play the sound of a movie that they cannot decode.
      if (!movie.videoWidth) throw new Error("no picture");
      this.#stage.classList.add("shown");
      this.#emit("livephotoplay");
      return true;
    } catch (error) {
      if (turn === this.#turn) this.#failMovie(error);
      return false;
    }
  }

  /** Returns to the photo. */
  stop() { this.#stop(false); }

  /**
   * Shows the movie's frame at a time, by default the still time, until `stop()`.
   *
   * @param {number} seconds on the movie's timeline.
   * @returns {Promise<boolean>} whether it is shown.
   */
  async showFrame(seconds = this.still) {
    if (!this.movie || !Number.isFinite(seconds)) return false;
    const turn = ++this.#turn;
    this.#setPlaying(false);
    try {
      const movie = this.#openMovie();
      movie.pause();
      if (movie.error) throw movie.error;
      // The time is a frame's first moment, and is rounded: aim inside of the frame.
      movie.currentTime = seconds + 0.001;
      await new Promise((resolve, reject) => {
        movie.addEventListener("seeked", resolve, { once: true });
        movie.addEventListener("error", () => reject(movie.error), { once: true });
      });
      if (turn !== this.#turn) return false;
      if (!movie.videoWidth) throw new Error("no picture");
      this.#stage.classList.add("shown");
      return true;
    } catch (error) {
      if (turn === this.#turn) this.#failMovie(error);
      return false;
    }
  }

  #listen() {
    const stage = this.#stage;
    stage.addEventListener("pointerenter", (event) => {
      this.#prepare();
      if (event.pointerType !== "mouse" || !this.hasAttribute("hover") || reducedMotion.matches) return;
      this.#after(hoverDelay, () => this.play());
    });
    stage.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse" && this.hasAttribute("hover") && this.#pointer === null) this.stop();
    });
    stage.addEventListener("focus", () => this.#prepare());
    stage.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      this.#pointer = event.pointerId;
      this.#isTouch = event.pointerType !== "mouse";
      stage.setPointerCapture(event.pointerId);
      this.#prepare();
      if (event.pointerType === "touch") this.#after(touchDelay, () => this.play());
      else this.play();
    });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
      stage.addEventListener(name, (event) => {
        if (event.pointerId !== this.#pointer) return;
        this.#pointer = null;
        this.stop();
      });
    }
    // A finger that plays does not scroll, and a long press opens no menu.
    stage.addEventListener("touchmove", (event) => {
      if (this.#isPlaying && event.cancelable) event.preventDefault();
    }, { passive: false });
    stage.addEventListener("contextmenu", (event) => {
      if (this.#pointer !== null && this.#isTouch) event.preventDefault();
    });
    this.addEventListener("dragstart", (event) => event.preventDefault());
    stage.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.stop();
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      if (!event.repeat) this.play();
    });
    stage.addEventListener("keyup", (event) => {
      if (event.key === " " || event.key === "Enter") this.stop();
    });
    stage.addEventListener("blur", () => this.stop());
    // Screen readers send a click alone; then the whole movie plays.
    stage.addEventListener("click", (event) => {
      if (event.detail === 0) this.#toggle();
    });
  }

  #isTouch = false;

  #toggle() {
    if (this.#isPlaying) this.stop();
    else this.play();
  }

  #after(delay, action) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(action, delay);
  }

  #stop(isComplete) {
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    const wasShown = this.#stage.classList.contains("shown");
    this.#setPlaying(false);
    this.#stage.classList.remove("shown");
    const movie = this.#movie;
    if (!movie) return;
    const rest = () => {
      if (turn !== this.#turn || movie !== this.#movie) return;
      movie.pause();
      // The next start is immediate.
      if (movie.currentTime > 0) movie.currentTime = 0;
    };
    // The movie goes on while it fades.
    const fade = getComputedStyle(movie).transitionDuration;
    setTimeout(rest, wasShown && !isComplete ? 1000 * (parseFloat(fade) || 0) : 0);
    if (wasShown) this.#emit("livephotoend", { complete: isComplete });
  }

  /** Loads the movie without playing it, as somebody is about to. */
  #prepare() {
    if (!this.movie) return;
    try {
      this.#openMovie();
    } catch (error) {
      this.#failMovie(error);
    }
  }

  /** The element of the movie, which is created when it is first needed. */
  #openMovie() {
    LivePhoto.#open.delete(this);
    LivePhoto.#open.add(this);
    for (const player of LivePhoto.#open) {
      if (LivePhoto.#open.size <= openMovies) break;
      if (!player.#isPlaying && player !== this) player.#close();
    }
    if (this.#movie) return this.#movie;
    const movie = document.createElement("video");
    Object.assign(movie, { id: "movie", playsInline: true, muted: true, preload: "auto", disableRemotePlayback: true });
    movie.part = "movie";
    movie.tabIndex = -1;
    movie.ariaHidden = "true";
    movie.addEventListener("ended", () => this.#stop(true));
    movie.src = this.#address("movie");
    this.#movie = movie;
    this.#stage.append(movie);
    return movie;
  }

  /** Closes the movie and frees its decoder and data. */
  #close() {
    LivePhoto.#open.delete(this);
    const movie = this.#movie;
    if (movie) {
      this.stop();
      this.#movie = null;
      movie.pause();
      movie.removeAttribute("src");
      movie.load();
      movie.remove();
    }
    this.#free("movie");
  }

  async #start(movie) {
    try {
      await movie.play();
    } catch (error) {
      // Sound needs a gesture that the browser counts as one.
      if (error.name !== "NotAllowedError" || movie.muted) throw error;
      movie.muted = true;
      await movie.play();
    }
  }

  #enter() {
    this.#isNear = true;
    if (!this.photo || this.#photo.hasAttribute("src")) return;
    try {
      this.#photo.src = this.#address("photo");
    } catch {
      this.#fail("photo", LivePhoto.words.photoFailed);
    }
  }

  #leave() {
    this.#isNear = false;
    this.stop();
    this.#close();
    this.#photo.removeAttribute("src");
    this.#free("photo");
  }

  /**
   * The address that an attribute gives. `#` and an id stand for a data block of the page,
   * a script element of the type `image/jpeg;base64`, which costs nothing until it is needed.
   */
  #address(name) {
    const address = this.getAttribute(name);
    if (!address.startsWith("#")) return address;
    if (!this.#decoded[name]) {
      const block = this.ownerDocument.getElementById(address.slice(1));
      if (!block) throw new Error(`${address} is not in this page`);
      const type = block.getAttribute("type").replace(/;base64$/, "");
      this.#decoded[name] = URL.createObjectURL(new Blob([bytes(block.textContent)], { type }));
    }
    return this.#decoded[name];
  }

  #free(name) {
    if (this.#decoded[name]) URL.revokeObjectURL(this.#decoded[name]);
    delete this.#decoded[name];
  }

  #setPlaying(value) {
    this.#isPlaying = value;
    this.#stage.ariaPressed = String(value);
    this.toggleAttribute("playing", value);
  }

  #showSound() {
    this.#root.getElementById("sound").ariaPressed = String(!LivePhoto.#muted);
    if (this.#movie) this.#movie.muted = LivePhoto.#muted;
  }

  #label() {
    const { name, hold } = LivePhoto.words;
    this.#stage.ariaLabel = [name, this.getAttribute("alt"), hold].filter(Boolean).join(", ");
  }

  #reflect(name, value) {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, value);
  }

  #failMovie(error) {
    this.#stop(false);
    // A start that a stop overtook.
    if (error?.name === "AbortError") return;
    this.#fail("movie", LivePhoto.words.movieFailed);
  }

  #fail(part, message) {
    this.#say(message);
    this.#emit("livephotoerror", { part });
  }

  #say(message) { this.#root.getElementById("status").textContent = message; }

  #emit(name, detail = {}) { this.dispatchEvent(new CustomEvent(name, { bubbles: true, detail })); }
}

/** Waits until a playing movie shows a picture. */
function nextFrame(movie) {
  return new Promise((resolve) => {
    // A movie without a picture that can be decoded never shows one.
    const timer = setTimeout(resolve, 1000);
    const done = () => { clearTimeout(timer); resolve(); };
    if (movie.requestVideoFrameCallback) movie.requestVideoFrameCallback(done);
    else movie.addEventListener("timeupdate", done, { once: true });
  });
}

/** Decodes Base64. */
function bytes(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const result = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) result[index] = binary.charCodeAt(index);
  return result;
}

if (!customElements.get("live-photo")) customElements.define("live-photo", LivePhoto);

// Shows the frame at a time in the stage, with the adjustments as the server makes them.
import { postForBlob, isAbort } from "./api.js";
import { adjustments, isTone } from "./choice.js";
import { roughTone } from "./picture.js";

/** Milliseconds that the place must rest before the server adjusts its frame. */
const restDelay = 90;

/** Events: `place` (`detail` is where the picture is in the stage), `shown` ({ seconds, isExact }), `problem`. */
export class Viewer extends EventTarget {
  #item;
  #clip;
  #session;
  #frames;
  #picture;
  #state = null;
  #seconds = 0;
  #isCropped = true;
  #room = 0;
  /** Counts requests, so that the newest wins. */
  #turn = 0;
  #adjusted = null;
  #isAsking = false;
  #isMoving = false;
  #timer = 0;
  #shown = null;

  constructor(item, clip, session, frames, picture) {
    super();
    [this.#item, this.#clip, this.#session] = [item, clip, session];
    [this.#frames, this.#picture] = [frames, picture];
  }

  get isExact() { return this.#shown?.isExact ?? false; }
  get look() {
    return { state: this.#state, clip: this.#clip, isCropped: this.#isCropped, filter: "" };
  }

  /**
   * Shows the frame at a time.
   *
   * @param {boolean} isMoving whether more places follow soon, as in a scrub.
   */
  show(seconds, isMoving = false) {
    this.#isMoving = isMoving;
    this.#seconds = seconds;
    this.#render();
  }

  /**
   * @param {object} state the choices.
   * @param {boolean} isCropped whether only the crop is shown.
   * @param {number} room pixels that stay free around the picture.
   */
  setLook(state, isCropped, room) {
    [this.#state, this.#isCropped, this.#room] = [state, isCropped, room];
    this.#render();
  }

  /** Frames came, or the stage has another size. */
  refresh(isForced = true) {
    if (isForced || !this.isExact) this.#render();
  }

  /** Draws a frame of a playing movie into a picture, without asking the server. */
  async drawPassing(seconds, picture = this.#picture) {
    const found = this.#frames.at(seconds);
    if (!found || !this.#state) return false;
    const turn = picture === this.#picture ? ++this.#turn : 0;
    const bitmap = await this.#frames.bitmap(found.frame).catch(() => null);
    if (!bitmap || (turn && turn !== this.#turn)) return false;
    picture.draw(bitmap, { ...this.look, filter: roughTone(this.#state.adjust) });
    return true;
  }

  async #render() {
    if (!this.#state) return;
    const turn = ++this.#turn;
    // A frame may come while another one is decoded in its place.
    this.#shown = null;
    this.dispatchEvent(new CustomEvent("place", { detail: this.#picture.place(this.look, this.#room) }));
    const found = this.#frames.at(this.#seconds);
    if (!found) return;
    const tone = this.#tone;
    const adjusted = tone && this.#adjusted?.frame === found.frame ? this.#adjusted : null;
    const bitmap = adjusted?.bitmap ?? await this.#frames.bitmap(found.frame).catch(() => null);
    if (!bitmap || turn !== this.#turn) return;
    // Until the server's picture is here, the one before it is changed roughly, so that a slider acts at once.
    const filter = adjusted?.tone === tone ? "" : roughTone(this.#state.adjust, adjusted?.adjust);
    this.#picture.draw(bitmap, { ...this.look, filter });
    this.#shown = { seconds: found.frame.seconds, isExact: found.isExact };
    this.dispatchEvent(new CustomEvent("shown", { detail: this.#shown }));
    if (tone && found.isExact && adjusted?.tone !== tone) this.#askSoon();
  }

  /** The adjustments of tone as a text, or "" if there are none. */
  get #tone() {
    const settings = adjustments(this.#state, this.#session, isTone);
    return Object.keys(settings).length ? JSON.stringify(settings) : "";
  }

  #askSoon() {
    clearTimeout(this.#timer);
    if (this.#isMoving) this.#timer = setTimeout(() => this.#ask(), restDelay);
    else this.#ask();
  }

  /** One request at a time; when its picture is here, the newest choices follow. */
  async #ask() {
    if (this.#isAsking) return;
    const found = this.#frames.at(this.#seconds);
    const tone = this.#tone;
    const { adjust } = this.#state;
    if (!found?.isExact || !tone) return;
    this.#isAsking = true;
    try {
      const body = { seconds: found.frame.seconds, settings: JSON.parse(tone) };
      const bitmap = await createImageBitmap(await postForBlob(`/api/items/${this.#item}/adjusted`, body));
      this.#adjusted?.bitmap.close();
      this.#adjusted = { frame: found.frame, tone, bitmap, adjust };
    } catch (error) {
      if (!isAbort(error)) this.dispatchEvent(new CustomEvent("problem", { detail: error }));
      this.#isAsking = false;
      return;
    }
    this.#isAsking = false;
    // Draws it, and asks again if the choices have changed meanwhile.
    this.#render();
  }
}

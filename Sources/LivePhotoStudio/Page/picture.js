// Draws frames: turned, mirrored, straightened and cropped as the program does it.
import { shownPart, turnedSize } from "./geometry.js";

/**
 * How frames are drawn.
 *
 * @typedef {object} Look
 * @property {object} state the choices.
 * @property {object} clip
 * @property {boolean} isCropped whether only the crop is shown.
 * @property {string} filter of the canvas; approximates the tone while frames move.
 */

/** The picture in the middle of a stage. */
export class Picture {
  #canvas;
  #stage;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLElement} stage the room for it.
   */
  constructor(canvas, stage) {
    [this.#canvas, this.#stage] = [canvas, stage];
  }

  get canvas() { return this.#canvas; }

  /** The part of the picture that is shown, in pixels of the clip. */
  static view(look) {
    return look.isCropped ? shownPart(look.state, look.clip) : { x: 0, y: 0, ...turnedSize(look.state, look.clip) };
  }

  /**
   * Gives the canvas its place and size.
   *
   * @param {number} room pixels of the page that stay free at each side.
   * @returns {{left: number, top: number, width: number, height: number}} its place in the stage.
   */
  place(look, room = 0) {
    const view = Picture.view(look);
    const [wide, high] = [this.#stage.clientWidth - 2 * room, this.#stage.clientHeight - 2 * room];
    const scale = Math.max(Math.min(wide / view.width, high / view.height), 0.001);
    const [width, height] = [Math.round(view.width * scale), Math.round(view.height * scale)];
    const [left, top] = [Math.round((wide - width) / 2) + room, Math.round((high - height) / 2) + room];
    const { style } = this.#canvas;
    Object.assign(style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    const density = Math.min(devicePixelRatio, 2);
    const [columns, rows] = [Math.max(Math.round(width * density), 1), Math.max(Math.round(height * density), 1)];
    if (this.#canvas.width !== columns) this.#canvas.width = columns;
    if (this.#canvas.height !== rows) this.#canvas.height = rows;
    return { left, top, width, height };
  }

  /**
   * Draws a frame.
   *
   * @param {ImageBitmap} image in the proportions of the clip.
   * @param {Look} look
   */
  draw(image, look) {
    const { state, clip } = look;
    const context = this.#canvas.getContext("2d", { alpha: false });
    const view = Picture.view(look);
    const size = turnedSize(state, clip);
    const scale = this.#canvas.width / view.width;
    context.setTransform(scale, 0, 0, scale, -view.x * scale, -view.y * scale);
    context.imageSmoothingQuality = "high";
    context.filter = look.filter || "none";
    context.translate(size.width / 2, size.height / 2);
    const angle = ((state.adjust.straighten ?? 0) * Math.PI) / 180;
    // Enlarged until no corner is empty.
    const longer = Math.max(size.width / size.height, size.height / size.width);
    const enlarged = Math.cos(angle) + Math.sin(Math.abs(angle)) * longer;
    context.rotate(angle);
    context.scale(enlarged, enlarged);
    context.scale(state.flip === "horizontal" ? -1 : 1, state.flip === "vertical" ? -1 : 1);
    context.rotate((state.rotate * Math.PI) / 180);
    try {
      context.drawImage(image, -clip.width / 2, -clip.height / 2, clip.width, clip.height);
    } catch { /* The bitmap was closed meanwhile; a later one is drawn. */ }
  }
}

/** Factors of a canvas filter that come near to the adjustments of tone. */
const rough = {
  brightness: ({ exposure = 0 }) => 2 ** (exposure / 2),
  contrast: ({ contrast = 0 }) => 1 + contrast / 150,
  saturate: ({ saturation = 0 }) => Math.max(0.02, 1 + saturation / 100),
};

/**
 * A filter that looks like the adjustments of tone, for frames that are shown only in passing.
 *
 * @param {object} adjust values of the sliders.
 * @param {object} base those that the picture has already.
 */
export function roughTone(adjust, base = {}) {
  const parts = Object.entries(rough).map(([name, factor]) => [name, factor(adjust) / factor(base)]);
  return parts.filter(([, factor]) => Math.abs(factor - 1) > 0.001)
    .map(([name, factor]) => `${name}(${factor.toFixed(3)})`).join(" ");
}

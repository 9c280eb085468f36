// Rectangles of the crop, in whole pixels of the picture as it is turned and mirrored.
import { clamp } from "./dom.js";

/** @typedef {{x: number, y: number, width: number, height: number}} Rect */

/** Pixels of the smallest crop. */
const least = 32;

/** The shapes that are offered; "as-is" leaves the picture whole. */
export const shapes = ["as-is", "3:4", "9:16", "1:1", "16:9", "free"];

/** The size of the picture as it is turned. */
export function turnedSize(state, clip) {
  return state.rotate % 180 ? { width: clip.height, height: clip.width } : { width: clip.width, height: clip.height };
}

/** Width and height of a shape, or null. */
function sides(shape) {
  if (!shape.includes(":")) return null;
  const [width, height] = shape.split(":").map(Number);
  return { width, height };
}

/** The largest rectangle of a shape in the middle of the picture. */
export function centred(shape, size) {
  const ratio = sides(shape);
  if (!ratio) return { x: 0, y: 0, ...size };
  const unit = Math.min(size.width / ratio.width, size.height / ratio.height);
  const [width, height] = [Math.round(unit * ratio.width), Math.round(unit * ratio.height)];
  return { x: Math.round((size.width - width) / 2), y: Math.round((size.height - height) / 2), width, height };
}

/** A clip with the shapes that presets give it, by their names. */
export function withPresetShapes(clip, session) {
  if (clip.kind === "pair") return clip;
  const shapesByPreset = Object.fromEntries(session.presets.map(({ name, shape }) => [name, shape]));
  return { ...clip, presetShapes: shapesByPreset, firstPreset: session.preset };
}

/** The shape that the preset gives, or undefined. */
const presetShape = (state, clip) => clip.presetShapes?.[state.preset ?? clip.firstPreset];

/** The shape that is kept while the crop is changed. */
export function keptRatio(state, clip) {
  return state.shape === "as-is" ? presetShape(state, clip) ?? state.shape : state.shape;
}

/** The rectangle that is chosen; without one, that of the shape. */
export function cropOf(state, clip) {
  return state.rect ?? centred(keptRatio(state, clip), turnedSize(state, clip));
}

/** The part that the Live Photo shows: the shape of a preset applies to a rectangle too. */
export function shownPart(state, clip) {
  const shape = presetShape(state, clip);
  const { rect } = state;
  if (!rect || !shape) return cropOf(state, clip);
  const part = centred(shape, rect);
  return { ...part, x: rect.x + part.x, y: rect.y + part.y };
}

/** A rectangle moved by some pixels, inside of the picture. */
export function moved(rect, x, y, size) {
  return {
    ...rect, x: Math.round(clamp(rect.x + x, 0, size.width - rect.width)),
    y: Math.round(clamp(rect.y + y, 0, size.height - rect.height)),
  };
}

/**
 * A rectangle with one corner at another place; the opposite corner stays.
 *
 * @param {Rect} rect
 * @param {"nw"|"ne"|"sw"|"se"} corner
 * @param {{x: number, y: number}} point
 */
export function resized(rect, corner, point, shape, size) {
  const isLeft = corner.endsWith("w");
  const isTop = corner.startsWith("n");
  const anchor = { x: isLeft ? rect.x + rect.width : rect.x, y: isTop ? rect.y + rect.height : rect.y };
  const room = { width: isLeft ? anchor.x : size.width - anchor.x, height: isTop ? anchor.y : size.height - anchor.y };
  const wanted = { width: Math.abs(clampSide(point.x, anchor.x, isLeft) - anchor.x),
    height: Math.abs(clampSide(point.y, anchor.y, isTop) - anchor.y) };
  const fitted = fit(wanted, room, sides(shape));
  return { x: isLeft ? anchor.x - fitted.width : anchor.x, y: isTop ? anchor.y - fitted.height : anchor.y, ...fitted };
}

const clampSide = (value, anchor, isBefore) => (isBefore ? Math.min(value, anchor) : Math.max(value, anchor));

/** The largest number of a shape whose units are small steps. */
const coarse = 50;

/** A size in whole pixels and, for simple shapes, in whole units of the shape, so that its ratio is exact. */
function fit(wanted, room, ratio) {
  if (!ratio) {
    return { width: Math.round(clamp(wanted.width, Math.min(least, room.width), room.width)),
      height: Math.round(clamp(wanted.height, Math.min(least, room.height), room.height)) };
  }
  const scale = Math.max(wanted.width / ratio.width, wanted.height / ratio.height);
  const largest = Math.min(room.width / ratio.width, room.height / ratio.height);
  if (Math.max(ratio.width, ratio.height) > coarse) {
    const kept = clamp(scale, Math.min(least / Math.min(ratio.width, ratio.height), largest), largest);
    return { width: Math.round(kept * ratio.width), height: Math.round(kept * ratio.height) };
  }
  const most = Math.floor(largest);
  const fewest = Math.min(Math.ceil(least / Math.min(ratio.width, ratio.height)), most);
  const unit = clamp(Math.round(scale), fewest, most);
  return { width: unit * ratio.width, height: unit * ratio.height };
}

/** A rectangle with one of its numbers set, inside of the picture. */
export function withNumber(rect, name, value, size) {
  const next = { ...rect, [name]: Math.round(value) };
  const width = clamp(next.width, 1, size.width);
  const height = clamp(next.height, 1, size.height);
  return { x: clamp(next.x, 0, size.width - width), y: clamp(next.y, 0, size.height - height), width, height };
}

/** The choices after a turn by 90°, clockwise as it is seen. */
export function turned(state, clip, isClockwise) {
  const size = turnedSize(state, clip);
  // A mirrored picture turns the other way before it is mirrored.
  const step = isClockwise !== Boolean(state.flip) ? 90 : 270;
  const { rect } = state;
  const next = { rotate: (state.rotate + step) % 360 };
  if (rect) {
    next.rect = isClockwise
      ? { x: size.height - rect.y - rect.height, y: rect.x, width: rect.height, height: rect.width }
      : { x: rect.y, y: size.width - rect.x - rect.width, width: rect.height, height: rect.width };
  }
  if (state.shape.includes(":") && rect) next.shape = swapped(state.shape);
  return next;
}

function swapped(shape) {
  const other = shape.split(":").reverse().join(":");
  return shapes.includes(other) ? other : "free";
}

/** The choices after the picture is mirrored, as it is seen. */
export function mirrored(state, clip, direction) {
  const size = turnedSize(state, clip);
  const { rect, flip } = state;
  const next = { adjust: { ...state.adjust } };
  if (next.adjust.straighten) next.adjust.straighten = -next.adjust.straighten;
  if (!flip) next.flip = direction;
  else if (flip === direction) next.flip = "";
  // Mirrored in both directions is turned by 180°.
  else Object.assign(next, { flip: "", rotate: (state.rotate + 180) % 360 });
  if (rect) {
    next.rect = direction === "horizontal" ? { ...rect, x: size.width - rect.x - rect.width }
      : { ...rect, y: size.height - rect.y - rect.height };
  }
  return next;
}

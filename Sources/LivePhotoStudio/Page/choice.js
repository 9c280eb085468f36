// What people choose for an item, and how it is written for the server.
import { clamp } from "./dom.js";
import { plain, plainDown } from "./time.js";
import { word } from "./words.js";

/**
 * A time that was chosen. `isLoose` until the frame there is known.
 *
 * @typedef {{text: string, seconds: number, isLoose?: boolean}} Moment
 */

/** The choices before anything is chosen. */
export const nothing = {
  preset: null,
  /** @type {Moment|null} */ still: null,
  /** @type {Moment|null} */ start: null,
  /** @type {Moment|null} */ end: null,
  /** @type {Moment[]} Moments of several Live Photos. */ stills: [],
  shape: "as-is",
  /** In pixels of the picture as it is turned and mirrored. */ rect: null,
  /** Values of sliders other than 0, by name. */ adjust: {},
  rotate: 0,
  flip: "",
  effect: "",
  speed: "1",
  flags: [],
  name: "",
  date: "",
};

/** Whether an effect makes a movie without sound. */
export const isSilentEffect = (effect) => effect === "loop" || effect === "bounce";

/** Sliders that change the picture's place, not its tone: the page draws them itself. */
export const isTone = (name) => name !== "straighten";

/** The choice as the server takes it. */
export function choiceOf(state, session, kind) {
  const settings = {};
  const isSeveral = state.stills.length > 1;
  if (!isSeveral) {
    if (state.still) settings.still = state.still.text;
    if (state.start) settings.start = state.start.text;
    if (state.end) settings.end = state.end.text;
  }
  if (state.rotate) settings.rotate = String(state.rotate);
  if (state.flip) settings.flip = state.flip;
  if (state.rect) settings.crop = ["x", "y", "width", "height"].map((name) => state.rect[name]).join();
  else if (state.shape.includes(":")) settings.fill = state.shape;
  Object.assign(settings, adjustments(state, session));
  if (state.effect) settings.effect = state.effect;
  if (state.speed !== "1") settings.speed = state.speed;
  const choice = { settings, flags: state.flags };
  if (kind !== "pair" && state.preset) choice.preset = state.preset;
  if (isSeveral) choice.stills = state.stills.map((still) => still.text);
  if (state.name.trim()) choice.name = state.name.trim();
  if (state.date.trim()) choice.date = state.date.trim();
  return choice;
}

/** The sliders' values as texts. */
export function adjustments(state, session, filter = () => true) {
  const texts = {};
  for (const { name, step } of session.sliders) {
    const value = state.adjust[name];
    if (value && filter(name)) texts[name] = plain(value, step < 1 ? 2 : 0);
  }
  return texts;
}

/** The choices that a choice of the server describes, such as that of a pair that was edited before. */
export function stateOf(choice, session, seconds) {
  const state = { ...nothing, adjust: {} };
  if (!choice) return state;
  const { settings = {} } = choice;
  for (const name of ["still", "start", "end"]) {
    if (settings[name]) state[name] = { text: settings[name], seconds: clamp(Number(settings[name]) || 0, 0, seconds) };
  }
  state.stills = (choice.stills ?? []).map((text) => ({ text, seconds: Number(text) || 0 }));
  for (const { name } of session.sliders) if (settings[name]) state.adjust[name] = Number(settings[name]);
  if (settings.crop) {
    const [x, y, width, height] = settings.crop.split(",").map(Number);
    Object.assign(state, { shape: "free", rect: { x, y, width, height } });
  } else if (settings.fill) state.shape = settings.fill;
  Object.assign(state, {
    preset: choice.preset ?? null, rotate: Number(settings.rotate ?? 0), flip: settings.flip ?? "",
    effect: settings.effect ?? "", speed: settings.speed ?? "1", flags: choice.flags ?? [], name: choice.name ?? "",
    date: choice.date ?? "",
  });
  return state;
}

/** Words for choices that are not called as their key. */
const kinds = { still: "field-still", start: "field-start", end: "field-end", stills: "marks", shape: "crop",
  rect: "crop", rotate: "turn", flip: "turn", "no-audio": "sound", "in-place": "target", force: "exists-replace" };

/** What differs between two states of the choices, in words. */
export function changeText(before, after) {
  const differ = (one, other) => JSON.stringify(one) !== JSON.stringify(other);
  const keys = Object.keys(after).filter((key) => differ(before[key], after[key])).flatMap((key) => {
    if (key === "flags") return [...before.flags, ...after.flags].filter(
      (flag) => before.flags.includes(flag) !== after.flags.includes(flag));
    if (key !== "adjust") return [key];
    const names = new Set([...Object.keys(before.adjust), ...Object.keys(after.adjust)]);
    return [...names].filter((name) => (before.adjust[name] ?? 0) !== (after.adjust[name] ?? 0))
      .map((name) => `slider-${name}`);
  });
  return [...new Set(keys.map((key) => word(kinds[key] ?? key)))].join(", ");
}

/** Flags with one of them on or off. */
export function withFlag(flags, flag, isOn) {
  const others = flags.filter((other) => other !== flag);
  return isOn ? [...others, flag] : others;
}

/**
 * A moment at the frame that is shown at a time.
 *
 * @param {import("./frames.js").FrameStore} frames
 * @returns {Moment}
 */
export function momentAt(seconds, frames) {
  const found = frames.at(seconds);
  if (found?.isExact) return { text: found.frame.still, seconds: found.frame.seconds };
  return { text: plain(seconds, 3), seconds, isLoose: true };
}

/**
 * The end of the movie at a time: the beginning of the nearest frame that is not in it, or the end of the clip.
 *
 * @param {import("./frames.js").FrameStore} frames
 * @returns {Moment}
 */
export function endAt(seconds, frames, clip) {
  const half = 0.5 / Math.max(clip.frameRate, 1);
  if (seconds > clip.seconds - half) return { text: plainDown(clip.seconds, 4), seconds: clip.seconds };
  const found = frames.at(seconds + half);
  // Rounded up, the time would be after the frame's beginning.
  if (found?.isExact) return { text: plainDown(found.frame.seconds, 4), seconds: found.frame.seconds };
  return { text: plain(seconds, 3), seconds, isLoose: true };
}

/**
 * The times that are in effect: those chosen, and what follows from them as in the program.
 *
 * @param {object|null} plan the server's answer for these choices, if it is here.
 * @returns {{still: number, start: number, end: number}}
 */
export function timesOf(state, clip, plan) {
  const length = clip.windowEnd - clip.windowStart;
  const before = clip.stillSeconds - clip.windowStart;
  const { start: chosenStart, end: chosenEnd } = state;
  let still = state.still?.seconds ?? plan?.stillSeconds;
  let [start, end] = [chosenStart?.seconds ?? plan?.start, chosenEnd?.seconds ?? plan?.end];
  if (start === undefined && end === undefined) {
    start = clamp((still ?? clip.stillSeconds) - before, 0, Math.max(clip.seconds - length, 0));
  }
  start ??= Math.max(end - length, 0);
  end ??= Math.min(start + length, clip.seconds);
  still ??= chosenStart || chosenEnd ? clamp(clip.stillSeconds, start, end) : clip.stillSeconds;
  return { still, start, end };
}

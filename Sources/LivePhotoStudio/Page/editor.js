// The editor of a clip or a Live Photo: connects picture, film strip and panel with the choices.
import { actionsOf } from "./actions.js";
import { connection } from "./api.js";
import { choiceOf, isSilentEffect, nothing, stateOf, timesOf } from "./choice.js";
import { CropOverlay } from "./crop.js";
import { byId } from "./dom.js";
import { FrameStore } from "./frames.js";
import { cropOf, keptRatio, turnedSize, withPresetShapes } from "./geometry.js";
import { Handles } from "./handles.js";
import { History, keyGrace } from "./history.js";
import { LivePreview } from "./livepreview.js";
import { MakeBar } from "./makebar.js";
import { Moments } from "./moments.js";
import { keptShape } from "./panel-crop.js";
import { Panel } from "./panel.js";
import { Picture } from "./picture.js";
import { Planner } from "./planner.js";
import { Playback } from "./playback.js";
import { Timeline } from "./timeline.js";
import { Viewer } from "./viewer.js";
import { ViewState } from "./viewstate.js";
import { message } from "./words.js";

/** Pixels around the picture while it is cropped, which the handles need. */
const cropRoom = 22;

/** Events: `made` (`detail` is the job), `history` (undo and redo may have changed). */
export class Editor extends EventTarget {
  #item;
  #clip;
  #session;
  #ends = new AbortController();
  #view;

  /**
   * @param {object} item as in the list.
   * @param {object} clip what the server knows of it.
   */
  constructor(item, clip, session) {
    super();
    [this.#item, this.#clip, this.#session] = [item, withPresetShapes(clip, session), session];
    const key = `studio ${item.id} ${item.name} ${item.bytes ?? ""}`;
    this.history = new History(key, stateOf(clip.choice, session, clip.seconds));
    this.#view = new ViewState(`${key} view`, { playhead: clip.stillSeconds, tab: "moment", isLoop: true, job: null });
    this.frames = new FrameStore(item.id, clip);
    this.planner = new Planner(item.id);
    this.moments = new Moments(this.history, this.frames, clip, session, () => this.times);
    this.handles = new Handles(this.history, this.moments, clip, () => this.times);
    this.playback = new Playback(this.frames, clip.playsSound ? `/api/items/${item.id}/sound` : null);
    this.#build();
    this.#connect();
    this.viewer.show(this.#view.playhead);
    this.#ask();
  }

  /** What is looked at; see `ViewState`. */
  get view() { return this.#view; }

  /** What the server knows of the item. */
  get clip() { return this.#clip; }

  /** The times that are in effect. */
  get times() { return timesOf(this.history.value, this.#clip, this.planner.plan); }

  /** @param {import("./pack.js").Frame[]} frames over the whole clip. */
  set strip(frames) {
    this.frames.strip = frames;
    this.film.redraw();
    this.viewer.refresh();
    this.#want();
    this.panel.update();
    this.frames.look((this.#clip.suggestions ?? []).map(({ seconds }) => seconds));
  }

  /** @param {{secondsPerLevel: number, levels: number[]}} levels loudness of the sound. */
  set levels(levels) {
    this.film.levels = levels;
    this.playback.prepare();
  }

  close() {
    this.#ends.abort();
    this.history.save();
    this.#view.save();
    for (const each of [this.planner, this.playback, this.film, this.bar, this.frames]) each.close();
  }

  #build() {
    const clip = this.#clip;
    const context = {
      clip, session: this.#session, history: this.history, frames: this.frames, moments: this.moments,
      handles: this.handles, planner: this.planner, times: () => this.times, go: (seconds) => this.go(seconds),
      playhead: (isEnd = false) => (
        isEnd && this.handles.isLast(this.#view.playhead) ? clip.seconds : this.#view.playhead),
    };
    this.stage = byId("stage");
    this.viewer = new Viewer(this.#item.id, clip, this.#session, this.frames, new Picture(byId("picture"), this.stage));
    this.live = new LivePreview(this.stage, this.viewer, this.playback, () => this.#part());
    byId("live-room").replaceChildren(this.live.element);
    this.crop = new CropOverlay(byId("crop-overlay"));
    this.timeline = new Timeline(this, this.#ends.signal);
    this.film = this.timeline.film;
    this.panel = new Panel(byId("panel"), context);
    this.panel.choose(this.#view.tab);
    this.bar = new MakeBar(byId("make-bar"), this.#item.id, context, () => this.choice);
    byId("live").ariaPressed = "false";
    for (const name of Object.keys(this.stage.dataset)) delete this.stage.dataset[name];
  }

  get choice() { return choiceOf(this.history.value, this.#session, this.#clip.kind); }

  /** What the keys and buttons do. */
  actions = actionsOf(this);

  #connect() {
    const { signal } = this.#ends;
    const on = (target, name, action) => target.addEventListener(name, action, { signal });
    on(this.history, "change", () => { this.#ask(); this.#want(); });
    on(this.planner, "plan", () => this.update());
    on(connection, "back", () => { this.planner.askAgain(this.choice); this.#want(); });
    on(this.frames, "load", () => {
      this.moments.settleLoose();
      this.film.redraw();
      this.panel.update();
      if (!this.playback.isPlaying) this.viewer.refresh(false);
    });
    for (const source of [this.frames, this.viewer]) on(source, "problem", (event) => this.note(message(event.detail)));
    on(this.viewer, "place", (event) => this.#placed(event.detail));
    on(this.viewer, "shown", ({ detail }) => {
      Object.assign(this.stage.dataset, { seconds: detail.seconds.toFixed(6), exact: detail.isExact });
      if (detail.isExact) this.note("");
    });
    on(this.crop, "change", ({ detail }) => {
      this.history.change({ rect: detail.rect, shape: keptShape(this.history.value, this.#clip) },
        detail.isKey ? "crop keys" : "crop");
      if (detail.isLast) this.history.settle(detail.isKey ? keyGrace : 0);
    });
    on(this.panel, "tab", () => { this.#view.tab = this.panel.current; this.update(); });
    on(this.bar, "job", () => { this.#view.job = this.bar.job; });
    on(this.bar, "made", (event) => {
      // The files themselves have the changes now; they are not made twice.
      if (this.history.value.flags.includes("in-place") && event.detail.state === "done") {
        this.history.change({ ...nothing });
      }
      this.dispatchEvent(new CustomEvent("made", { detail: event.detail }));
    });
    on(byId("live"), "click", () => this.toggleLive());
    on(window, "pagehide", () => { this.history.save(); this.#view.save(); });
    const observer = new ResizeObserver(() => { if (!signal.aborted) this.viewer.refresh(); });
    observer.observe(this.stage);
    signal.addEventListener("abort", () => observer.disconnect());
    // It may have ended while the editor was closed.
    this.bar.job = this.#view.job;
  }

  // MARK: Time

  /** Shows the frame at a time. */
  go(seconds, isMoving = false) {
    if (this.live.isShown) this.toggleLive();
    this.#stopPlaying();
    this.#view.playhead = this.moments.onFrame(seconds);
    this.viewer.show(this.#view.playhead, isMoving);
    if (!isMoving) this.film.reveal(this.#view.playhead);
    this.#want();
    this.timeline.showTimes();
  }

  #want() {
    const { still, start, end } = this.times;
    this.frames.want(this.#view.playhead, [still, start, end]);
  }

  // MARK: Playing

  #part() {
    const { start, end } = this.times;
    const { flags, effect, speed } = this.history.value;
    return { start, end, speed: Number(speed) || 1, isBounce: effect === "bounce",
      isSilent: flags.includes("no-audio") || isSilentEffect(effect) };
  }

  togglePlay() {
    if (this.live.isShown) this.toggleLive();
    if (this.playback.isPlaying) {
      this.go(this.#view.playhead);
      return;
    }
    this.playback.play({
      ...this.#part(), isLoop: this.#view.isLoop,
      onFrame: (seconds) => {
        this.#view.playhead = seconds;
        this.viewer.drawPassing(seconds);
        this.timeline.showTimes();
      },
      onEnd: () => this.go(this.#view.playhead),
    });
    this.timeline.showTimes();
  }

  #stopPlaying() { if (this.playback.isPlaying) this.playback.stop(); }

  /** Shows the Live Photo as Photos would, or returns to editing. */
  toggleLive() {
    const isShown = !this.live.isShown;
    this.#stopPlaying();
    this.live.toggle(isShown);
    this.stage.classList.toggle("previewing", isShown);
    byId("live").ariaPressed = String(isShown);
    this.viewer.show(isShown ? this.times.still : this.#view.playhead);
    this.update();
    if (isShown) this.live.element.focus();
  }

  // MARK: Showing

  #ask() {
    this.planner.ask(this.choice);
    this.update();
  }

  /** Shows the present choices everywhere. */
  update() {
    const isCropping = this.panel.current === "crop" && !this.live.isShown;
    byId("crop-overlay").hidden = !isCropping;
    byId("stage-area").classList.toggle("cropping", isCropping);
    if (this.live.isShown) this.viewer.show(this.times.still);
    this.viewer.setLook(this.history.value, !isCropping, isCropping ? cropRoom : 0);
    if (this.live.isShown) this.live.place();
    this.timeline.showMarks();
    this.timeline.showTimes();
    this.panel.update();
    this.bar.update();
    this.dispatchEvent(new Event("history"));
  }

  #placed(place) {
    if (byId("crop-overlay").hidden) return;
    const { value } = this.history;
    this.crop.show(place, cropOf(value, this.#clip), keptRatio(value, this.#clip), turnedSize(value, this.#clip));
  }

  /** A sentence over the picture; "" removes it. */
  note(text) {
    const note = byId("stage-note");
    note.hidden = !text;
    if (note.textContent !== text) note.textContent = text;
  }
}

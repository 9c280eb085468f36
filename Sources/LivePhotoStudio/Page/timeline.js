// The lower part of the editor: film strip and playback buttons, connected with the editor's times.
import { afterPause, byId } from "./dom.js";
import { Filmstrip, handleText } from "./filmstrip.js";
import { clock } from "./time.js";
import { keyGrace } from "./history.js";
import { transport } from "./transport.js";
import { word } from "./words.js";

export class Timeline {
  #editor;
  #controls;
  #marks = "";
  /** The times before a handle is moved. */
  #before = null;
  /** Screen readers read the handle's own time; what moves along is announced once the handle rests. */
  #announce = afterPause(500, (name) => {
    this.#editor.handles.announce(name, this.#before, true);
    this.#before = null;
  });

  /** The film strip itself. */
  film;

  /**
   * @param {import("./editor.js").Editor} editor
   * @param {AbortSignal} signal ends the listeners.
   */
  constructor(editor, signal) {
    this.#editor = editor;
    const { clip, frames } = editor;
    this.film = new Filmstrip(byId("film"), frames, clip);
    this.#controls = transport(byId("transport"), editor.actions, clip.kind === "pair");
    const on = (name, action) => this.film.addEventListener(name, (event) => action(event.detail), { signal });
    on("scrub", ({ seconds, isLast }) => editor.go(seconds, !isLast));
    on("pick", ({ seconds }) => editor.go(seconds));
    on("drag", (drag) => this.#drag(drag));
    on("step", (step) => this.#step(step));
    on("zoom", () => editor.update());
  }

  #drag({ name, seconds, isLast }) {
    const { history } = this.#editor;
    this.#set(name, seconds, `drag ${name}`);
    if (isLast) history.settle();
    this.#look(name, !isLast);
  }

  #step({ name, ...step }) {
    const { handles, history, times, view } = this.#editor;
    if (name === "playhead") {
      this.#editor.go(handles.stepped(name, view.playhead, step));
      return;
    }
    this.#set(name, handles.stepped(name, times[name], step), `step ${name}`);
    history.settle(keyGrace);
    this.#look(name, false);
    this.film.reveal(this.#editor.times[name]);
  }

  #set(name, seconds, gesture) {
    this.#before ??= this.#editor.times;
    this.#editor.handles.set(name, seconds, gesture);
    this.#announce(name);
  }

  /** Shows the frame at a handle; before the end, the last one of the movie. */
  #look(name, isMoving) {
    const { clip, times } = this.#editor;
    this.#editor.go(name === "end" ? times.end - 0.5 / clip.frameRate : times[name], isMoving);
  }

  /** Shows the present times. */
  showTimes() {
    const { moments, playback, view } = this.#editor;
    const { playhead, isLoop } = view;
    const times = { ...this.#editor.times, playhead };
    const texts = {};
    for (const [name, seconds] of Object.entries(times)) {
      texts[name] = handleText(name, seconds, moments.frameNumber(seconds));
    }
    this.film.show(times, texts);
    const number = moments.frameNumber(playhead);
    this.#controls.show({ seconds: playhead, number, isPlaying: playback.isPlaying, isLoop, zoom: this.film.zoom });
    byId("picture").ariaLabel = word("picture", clock(playhead), number);
  }

  /** Shows suggested stills and the marks of several ones. */
  showMarks() {
    const { clip, handles, history } = this.#editor;
    byId("film").classList.toggle("several", handles.isSeveral);
    this.#controls.setSeveral(handles.isSeveral);
    // The other handles are hidden, and the focus must not get lost with them.
    if (handles.isSeveral && document.activeElement.matches(".film-handle")) this.film.focus("playhead");
    const suggestions = (clip.suggestions ?? []).map(({ seconds }, index) => (
      { kind: "suggestion", seconds, title: word("suggestion", index + 1, clock(seconds)) }));
    const stills = history.value.stills.map(({ seconds }) => (
      { kind: "still", seconds, title: word("go-to", clock(seconds)) }));
    const marks = [...suggestions, ...stills];
    const text = JSON.stringify(marks);
    if (text === this.#marks) return;
    this.#marks = text;
    this.film.showMarks(marks);
  }
}

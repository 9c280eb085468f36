// What the keys and buttons of the editor do.
import { changeText } from "./choice.js";
import { announce } from "./dom.js";
import { word } from "./words.js";

/**
 * The actions by their names, as `keys.js` and `transport.js` use them.
 *
 * @param {import("./editor.js").Editor} editor
 */
export function actionsOf(editor) {
  const setHere = (name) => editor.handles.setAt(name, editor.view.playhead);
  const move = (direction, said) => {
    const { history } = editor;
    const before = history.value;
    history[direction]();
    if (history.value !== before) announce(word(said, changeText(before, history.value)));
  };
  const step = (frames) => editor.go(editor.moments.stepped(editor.view.playhead, frames));
  return {
    play: () => editor.togglePlay(),
    live: () => editor.toggleLive(),
    loop: () => {
      editor.view.isLoop = !editor.view.isLoop;
      announce(word(editor.view.isLoop ? "loop-on" : "loop-off"));
      editor.update();
    },
    step,
    previous: () => step(-1),
    next: () => step(1),
    jump: (to) => editor.go(to === "first" ? 0 : editor.clip.seconds),
    still: () => setHere("still"),
    start: () => setHere("start"),
    end: () => setHere("end"),
    mark: () => { if (editor.clip.kind !== "pair") editor.moments.toggleMark(editor.view.playhead); },
    undo: () => move("undo", "undone"),
    redo: () => move("redo", "redone"),
    zoomIn: () => editor.film.zoomBy(2),
    zoomOut: () => editor.film.zoomBy(0.5),
    zoomWindow: () => editor.film.zoomTo(editor.times.start, editor.times.end),
  };
}

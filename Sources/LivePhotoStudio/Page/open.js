// Opens the editor of an item: waits for what the server finds out about it, and says what is wrong with it.
import { get, getBytes, isAbort } from "./api.js";
import { nothing } from "./choice.js";
import { button, byId, make, turnOff } from "./dom.js";
import { Editor } from "./editor.js";
import { jobs } from "./jobs.js";
import { useKeys } from "./keys.js";
import { readPack } from "./pack.js";
import { message, word } from "./words.js";

let editor = null;
let controller = null;

/** Ends the editor that is open. */
export function closeItem() {
  controller?.abort();
  editor?.close();
  editor = null;
}

/**
 * @param {number} id
 * @param {object} page `items`, `session`, and `show`, which shows a screen.
 */
export async function openItem(id, page) {
  const { items, session, show } = page;
  await items.first;
  const item = items.item(id);
  if (!item) {
    fail(word("no-item"), null, page, "");
    return;
  }
  controller = new AbortController();
  const { signal } = controller;
  show("wait", item.name);
  byId("wait").replaceChildren(make("div", { class: "opening", role: "status" },
    make("img", { src: `/api/items/${id}/thumbnail`, alt: "", on: { error: (event) => event.target.remove() } }),
    make("p", { text: word("opening", item.name) }), make("div", { class: "pulse", "aria-hidden": "true" })));
  const strip = getBytes(`/api/items/${id}/strip`, signal).then(readPack);
  // Shown once the editor is there.
  strip.catch(() => {});
  try {
    const clip = await get(`/api/items/${id}/clip`, signal);
    if (signal.aborted) return;
    await begin(item, clip, session, strip, show, signal);
  } catch (error) {
    if (!isAbort(error) && !signal.aborted) fail(message(error), () => openItem(id, page), page, item.name);
  }
}

async function begin(item, clip, session, strip, show, signal) {
  // Sizes are measured, so the screen is shown first.
  show("editor", item.name);
  editor = new Editor(item, clip, session);
  const opened = editor;
  useKeys(opened.actions);
  for (const name of ["undo", "redo"]) {
    const tool = byId(name);
    tool.hidden = false;
    tool.onclick = () => opened.actions[name]();
  }
  const showHistory = () => {
    turnOff(byId("undo"), !opened.history.canUndo);
    turnOff(byId("redo"), !opened.history.canRedo);
  };
  opened.addEventListener("history", showHistory);
  jobs.addEventListener("undone", ({ detail }) => {
    if (!detail?.parts.some((part) => part.item === item.id)) return;
    // The files are those before the edit, whose choices do not fit.
    opened.history.change({ ...nothing });
    // The item is opened again, as by its address.
    dispatchEvent(new Event("hashchange"));
  }, { signal });
  opened.addEventListener("made", (event) => { location.hash = `#/job/${event.detail.id}`; });
  showHistory();
  opened.note(word("loading-frames"));
  strip.then((pack) => {
    if (!signal.aborted) opened.strip = pack.frames;
  }, (error) => {
    // Frames around the place may come all the same.
    if (!isAbort(error)) {
      opened.note(message(error));
      opened.strip = [];
    }
  });
  if (!clip.hasSound) return;
  strip.catch(() => {}).then(() => get(`/api/items/${item.id}/levels`, signal))
    .then((levels) => { opened.levels = levels; }, () => { /* The strip has no wave form then. */ });
}

function fail(text, retry, { show }, title) {
  show("wait", title);
  byId("wait").replaceChildren(make("div", { class: "failed", role: "alert" },
    make("h2", { text: word("cannot-open") }), make("p", { text }),
    make("div", { class: "actions" }, retry && button(word("again"), retry, { class: "quiet" }),
      make("a", { class: "button primary", href: "#/", text: word("to-start") }))));
}

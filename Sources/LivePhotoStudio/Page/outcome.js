// The screen of a job: how far it is, and then what it has made.
import { get } from "./api.js";
import { announce, byId, make, setText } from "./dom.js";
import { itemOfJob, jobs, progressOf, resultsOf } from "./jobs.js";
import { phonePanel } from "./phone.js";
import { resultView } from "./result.js";
import { jobActions, stateText } from "./tray.js";
import { message, word } from "./words.js";

let ends = null;

/** Leaves the screen. */
export function closeOutcome() {
  ends?.abort();
  ends = null;
  byId("outcome").replaceChildren();
}

/**
 * Shows a job and its results.
 *
 * @param {object} page `show` shows a screen.
 */
export function showJob(id, { show }) {
  const root = byId("outcome");
  ends = new AbortController();
  const { signal } = ends;
  show("outcome", jobs.job(id)?.title ?? "");
  const state = make("p", { class: "state", id: "job-state", role: "status" });
  const bar = make("progress", { max: 1, value: 0, "aria-label": word("progress") });
  const note = make("p", { class: "hint", role: "status" });
  const actions = make("div", { class: "row" });
  const parts = make("ul", { class: "parts" });
  const notes = make("ul", { class: "notes" });
  const results = make("div", { class: "results" });
  const phone = make("div", { class: "phone-room" });
  const item = itemOfJob(id);
  const edit = item === null ? null
    : make("a", { class: "button quiet", href: `#/item/${item}`, text: word("continue-editing") });
  const back = make("a", { class: "button quiet", href: "#/", text: word("to-start") });
  root.replaceChildren(make("div", { class: "outcome-head" }, make("div", {}, state, bar), actions), note, notes, parts,
    phone, results, make("div", { class: "row end" }, edit, back));
  const shown = new Map();
  let shownActions = "";
  let hasPhone = "";
  const update = () => {
    const job = jobs.job(id);
    if (!job) {
      setText(state, word("no-job"));
      bar.hidden = true;
      return;
    }
    show("outcome", job.title);
    setText(state, stateText(job));
    state.dataset.state = job.state;
    const isWorking = jobs.isWorking(job);
    bar.hidden = !isWorking;
    bar.value = progressOf(job);
    const key = `${job.state} ${job.canUndo} ${job.hasReport}`;
    if (key !== shownActions) actions.replaceChildren(...jobActions(job,
      (text) => { note.textContent = text; announce(text); }).filter(Boolean));
    shownActions = key;
    notes.replaceChildren(...job.notes.map((text) => make("li", { text })));
    showParts(parts, job, isWorking);
    const made = resultsOf(job);
    results.classList.toggle("single", made.length === 1 && job.parts.length === 1);
    for (const result of made) {
      if (shown.has(result)) continue;
      const room = make("article", { class: "result", data: { result }, "aria-busy": "true" });
      shown.set(result, room);
      results.append(room);
      load(result, room, job.parts.length === 1 ? phonePanel([result], signal) : null, signal);
    }
    if (job.parts.length > 1 && made.length && !isWorking && hasPhone !== made.join()) {
      hasPhone = made.join();
      phone.replaceChildren(phonePanel(made, signal));
    }
  };
  jobs.addEventListener("change", update, { signal });
  update();
}

async function load(id, room, phone, signal) {
  try {
    const result = await get(`/api/results/${id}`, signal);
    if (!signal.aborted) room.replaceChildren(resultView(result, phone));
  } catch (error) {
    if (!signal.aborted) room.replaceChildren(make("p", { class: "problem", role: "alert", text: message(error) }));
  }
  room.setAttribute("aria-busy", "false");
}

/** Parts that have no result to show: they wait, have failed, or have only changed files. */
function showParts(list, job, isWorking) {
  const isSingle = job.parts.length === 1;
  const open = job.parts.filter(({ state, result }) => state === "failed"
    || (state === "done" ? (result ?? null) === null : isWorking && !isSingle));
  list.hidden = !open.length;
  const text = JSON.stringify(open);
  if (list.dataset.text === text) return;
  list.dataset.text = text;
  list.replaceChildren(...open.map((part) => make("li", { data: { state: part.state } },
    make("span", { class: "name", text: part.name }),
    part.state === "running" ? make("progress", { max: 1, value: part.fraction, "aria-label": part.name })
      : make("span", { class: "hint", text: word(`part-${part.state}`) }),
    part.error ? make("p", { class: "problem", text: part.error }) : null)));
}

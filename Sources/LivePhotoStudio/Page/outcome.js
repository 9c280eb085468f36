// The screen of a job: how far it is, and then what it has made.
import { get } from "./api.js";
import { announce, byId, make, setText } from "./dom.js";
import { itemOfJob, jobs, progressOf } from "./jobs.js";
import { phonePanel } from "./phone.js";
import { resultTitle, resultView } from "./result.js";
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
  show("outcome");
  const state = make("p", { class: "state", id: "job-state", role: "status" });
  const bar = make("progress", { max: 1, value: 0, "aria-label": word("progress") });
  const note = make("p", { class: "hint", hidden: true });
  const actions = make("div", { class: "row" });
  const parts = make("ul", { class: "parts", hidden: true });
  const notes = make("ul", { class: "notes", hidden: true });
  const results = make("div", { class: "results" });
  const phone = make("div", { class: "phone-room" });
  const item = itemOfJob(id);
  const edit = item === null ? null
    : make("a", { class: "button quiet", href: `#/item/${item}`, text: word("continue-editing") });
  const back = make("a", { class: "button quiet", href: "#/", text: word("to-start") });
  root.replaceChildren(make("div", { class: "outcome-head" }, make("div", {}, state, bar), actions), note, notes, parts,
    phone, results, make("div", { class: "row end" }, edit, back));
  const shown = new Map();
  /** What was made, by number, as far as it was loaded. */
  const loaded = new Map();
  let isAnnounced = false;
  let shownActions = "";
  let hasPhone = "";
  const update = () => {
    const job = jobs.job(id);
    if (!job) {
      setText(state, word("no-job"));
      bar.hidden = true;
      return;
    }
    show("outcome", titleOf(job, loaded));
    setText(state, stateText(job));
    state.dataset.state = job.state;
    const isWorking = jobs.isWorking(job);
    bar.hidden = !isWorking;
    bar.value = progressOf(job);
    const key = `${job.state} ${job.canUndo} ${job.hasReport}`;
    if (key !== shownActions) {
      // The focus does not get lost with the button that has it.
      if (actions.contains(document.activeElement)) byId("title").focus();
      actions.replaceChildren(...jobActions(job, (text) => {
        note.textContent = text;
        // What was undone is a note of the job.
        note.hidden = jobs.job(id)?.notes.includes(text) ?? false;
        announce(text);
      }).filter(Boolean));
      actions.hidden = !actions.firstChild;
    }
    shownActions = key;
    notes.replaceChildren(...job.notes.map((text) => make("li", { text })));
    notes.hidden = !job.notes.length;
    showParts(parts, job, isWorking);
    const made = jobs.results(job);
    results.classList.toggle("single", made.length === 1 && job.parts.length === 1);
    for (const [result, room] of shown) {
      if (made.includes(result)) continue;
      room.remove();
      shown.delete(result);
    }
    for (const result of made) {
      if (shown.has(result)) continue;
      const room = make("article", { class: "result", data: { result }, "aria-busy": "true" });
      shown.set(result, room);
      results.append(room);
      load(result, room, job.parts.length === 1 ? phonePanel([result], signal) : null, signal).then((each) => {
        if (each) loaded.set(result, each);
        if (!signal.aborted) update();
      });
    }
    if (job.parts.length > 1 && made.length && !isWorking && hasPhone !== made.join()) {
      hasPhone = made.join();
      phone.replaceChildren(phonePanel(made, signal));
    }
    const failures = job.parts.filter((part) => part.state === "failed").map(({ name, error }) => `${name}: ${error}`);
    if (!isAnnounced && !isWorking && made.length + failures.length && made.every((result) => loaded.has(result))) {
      isAnnounced = true;
      announce([titleOf(job, loaded), ...job.parts.length > 1 ? [stateText(job)] : [], ...failures,
        ...made.length ? verdicts([...loaded.values()]) : []].join(". "));
    }
  };
  jobs.addEventListener("change", update, { signal });
  update();
}

/** Shows a result. @returns {Promise<object|null>} it, or null if it cannot be read. */
async function load(id, room, phone, signal) {
  try {
    const result = await get(`/api/results/${id}`, signal);
    if (!signal.aborted) {
      room.replaceChildren(resultView(result, phone));
      room.ariaLabel = resultTitle(result);
      room.setAttribute("aria-busy", "false");
      return result;
    }
  } catch (error) {
    if (!signal.aborted) room.replaceChildren(make("p", { class: "problem", role: "alert", text: message(error) }));
  }
  room.setAttribute("aria-busy", "false");
  return null;
}

/** The heading: what was made, or what is or was to be made of what. */
function titleOf(job, loaded) {
  if (job.kind === "link") return job.title;
  const made = jobs.results(job);
  if (job.state !== "done" || !made.length) return `${stateText(job)}: ${job.title}`;
  const name = loaded.get(made[0])?.name ?? job.parts[0].name.replace(/\.[^.]*$/, "");
  return word("made-title", made.length > 1 ? made.length : name);
}

/** Whether what was made is correct, and where it is, as sentences. */
function verdicts(results) {
  const count = (severity) => results.flatMap(({ findings }) => findings)
    .filter((finding) => finding.severity === severity).length;
  const [errors, warnings] = [count("error"), count("warning")];
  const [{ photo, movie }] = results;
  const places = results.length > 1 ? [photo.replace(/\/[^/]*$/, "")] : [photo, movie];
  return [word(errors ? "not-verified" : "verified"), ...warnings ? [word("warning-count", warnings)] : [],
    word("files-at", places.join(", "))].map((text) => text.replace(/\.$/, ""));
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
    part.state === "failed" && part.item !== undefined && part.item !== null
      ? make("a", { class: "name", href: `#/item/${part.item}`, text: part.name })
      : make("span", { class: "name", text: part.name }),
    part.state === "running" ? make("progress", { max: 1, value: part.fraction, "aria-label": part.name })
      : make("span", { class: "hint", text: word(`part-${part.state}`) }),
    part.error ? make("p", { class: "problem", text: part.error }) : null)));
}

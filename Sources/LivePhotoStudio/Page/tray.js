// The list of jobs, which opens from the bar.
import { announce, button, byId, make } from "./dom.js";
import { jobs, progressOf } from "./jobs.js";
import { iconButton } from "./fields.js";
import { message, word } from "./words.js";

/** The state of a job in words. */
export function stateText(job) {
  const failed = job.parts.filter((part) => part.state === "failed").length;
  const done = job.parts.filter((part) => part.state === "done").length;
  if (job.state === "running" || job.state === "waiting") return job.parts.length > 1
    ? word("job-running", done + failed, job.parts.length) : word(`job-${job.state}`);
  if (job.state === "cancelled") return word("job-cancelled");
  if (job.kind === "link" && !failed) return word("job-linked", done);
  if (failed) return job.parts.length > 1 ? word("job-some-failed", done, failed) : word("job-failed");
  return job.parts.length > 1 ? word("job-all-done", done) : word("job-done");
}

/** What can be done with a job. */
export function jobActions(job, onError) {
  const act = (action) => async () => {
    try { await action(); } catch (error) { onError(message(error)); }
  };
  return [
    jobs.isWorking(job) ? button(word("cancel"), act(() => jobs.cancel(job.id)), { class: "quiet" }) : null,
    job.canUndo ? button(word("undo-job"), act(async () => onError(await jobs.undo(job.id) || word("undone"))),
      { class: "quiet", data: { action: "undo" } }) : null,
    job.hasReport ? make("a", { class: "button quiet", href: `/api/jobs/${job.id}/report`, target: "_blank",
      rel: "noopener", text: word("report") }) : null,
  ];
}

/** Sets up the button and the list. */
export function setUpTray() {
  const [toggle, tray] = [byId("jobs-button"), byId("jobs")];
  const count = make("span", { class: "count", "aria-hidden": "true", hidden: true });
  toggle.append(count);
  const list = make("ul", {});
  const note = make("p", { class: "hint", role: "status" });
  const close = iconButton("close", word("close"), () => set(false));
  tray.append(make("div", { class: "tray-head" }, make("h2", { text: word("jobs") }), close), note, list);
  const set = (isOpen) => {
    tray.hidden = !isOpen;
    toggle.ariaExpanded = String(isOpen);
    if (isOpen) close.focus();
    else toggle.focus();
  };
  toggle.addEventListener("click", () => set(tray.hidden));
  tray.addEventListener("keydown", (event) => { if (event.key === "Escape") set(false); });
  tray.addEventListener("click", (event) => { if (event.target.closest("a[href^='#']")) set(false); });
  let rows = new Map();
  const showAll = () => {
    const working = jobs.working.length;
    count.textContent = working || "";
    count.hidden = !working;
    toggle.title = working ? word("jobs-running", working) : word("jobs");
    const seen = new Map();
    for (const job of jobs.all) seen.set(job.id,
      rows.get(job.id) ?? jobRow(job.id, (text) => {
        note.textContent = text;
        note.hidden = !text;
        announce(text);
      }));
    // Rows stay, so that the focus does.
    if ([...seen.keys()].join() !== [...rows.keys()].join()) list.replaceChildren(...[...seen.values()].reverse().map((row) => row.element));
    rows = seen;
    for (const job of jobs.all) rows.get(job.id).update(job);
    note.hidden = jobs.all.length > 0 && !note.textContent;
    if (!jobs.all.length) note.textContent = word("no-jobs");
    else if (note.textContent === word("no-jobs")) note.textContent = "";
  };
  jobs.addEventListener("change", showAll);
  jobs.addEventListener("done", (event) => announce(`${event.detail.title}: ${stateText(event.detail)}`));
  showAll();
}

function jobRow(id, onError) {
  const link = make("a", { href: `#/job/${id}` });
  const state = make("span", { class: "state" });
  const bar = make("progress", { max: 1, "aria-label": word("progress") });
  const actions = make("div", { class: "row" });
  let shown = "";
  const update = (job) => {
    link.textContent = job.title;
    state.textContent = stateText(job);
    state.dataset.state = job.state;
    bar.hidden = !jobs.isWorking(job);
    bar.value = progressOf(job);
    const key = `${job.state} ${job.canUndo} ${job.hasReport}`;
    if (key === shown) return;
    shown = key;
    actions.replaceChildren(...jobActions(job, onError).filter(Boolean));
  };
  return { element: make("li", {}, link, state, bar, actions), update };
}

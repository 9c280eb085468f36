// The jobs of the server: they go on while no page is open, so the page only watches them.
import { get, post } from "./api.js";
import { store, stored } from "./dom.js";

/** Milliseconds between two looks. */
const pauses = { working: 300, idle: 5000, lost: 2000 };

/** This page, for the server; a reload is another one, and so is a copy of the tab. */
export const pageWindow = crypto.randomUUID?.() ?? String(Math.random()).slice(2);

const isWorking = (job) => job.state === "running" || job.state === "waiting";

/** Events: `change` after each look that shows something new, `done` and `undone` (`detail` is the job) when
 * one has ended, and when its files were restored. */
class Jobs extends EventTarget {
  #timer = 0;
  #text = "[]";
  #isKnown = false;
  #turn = 0;
  #undone = new Set();

  /** @type {object[]} */
  all = [];

  get working() { return this.all.filter(isWorking); }

  job(id) { return this.all.find((job) => job.id === id); }
  isWorking(job) { return isWorking(job); }

  /** Looks now, and then again and again. */
  async look() {
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    let delay = pauses.lost;
    try {
      const { jobs } = await get(`/api/jobs?window=${pageWindow}`);
      if (turn !== this.#turn) return;
      this.#take(jobs);
      delay = this.working.length ? pauses.working : pauses.idle;
    } catch { /* The banner tells about it. */ }
    if (turn === this.#turn) this.#timer = setTimeout(() => this.look(), delay);
  }

  #take(jobs) {
    const text = JSON.stringify(jobs);
    if (text === this.#text && this.#isKnown) return;
    const before = new Map(this.all.map((job) => [job.id, job]));
    [this.all, this.#text] = [jobs, text];
    this.dispatchEvent(new Event("change"));
    if (this.#isKnown) {
      for (const job of jobs) {
        const old = before.get(job.id);
        if (!isWorking(job) && (!old || isWorking(old))) this.dispatchEvent(new CustomEvent("done", { detail: job }));
      }
    }
    this.#isKnown = true;
  }

  async cancel(id) {
    await post(`/api/jobs/${id}/cancel`);
    this.look();
  }

  /** @returns {Promise<string>} a sentence about what was undone. */
  async undo(id) {
    // Files are not read while they are restored.
    this.#undone.add(id);
    this.dispatchEvent(new Event("change"));
    try {
      const { note } = await post(`/api/jobs/${id}/undo`);
      await this.look();
      this.dispatchEvent(new CustomEvent("undone", { detail: this.job(id) }));
      return note ?? "";
    } finally {
      this.#undone.delete(id);
      this.dispatchEvent(new Event("change"));
    }
  }

  /** @returns {number[]} what a job has made and has not restored. */
  results(job) {
    return this.#undone.has(job.id) ? [] : job.parts.map((part) => part.result ?? null).filter((id) => id !== null);
  }
}

export const jobs = new Jobs();

/** How far a job is, from 0 to 1. */
export function progressOf(job) {
  if (!job.parts.length) return 0;
  const done = job.parts.map((part) => (part.state === "done" || part.state === "failed" ? 1 : part.fraction));
  return done.reduce((sum, each) => sum + each, 0) / done.length;
}

/** Remembers which item a job was started for, in this window. */
export const noteItem = (job, item) => store("sessionStorage", `studio job ${job}`, String(item));

/** The item that a job of this window was started for, or null. */
export function itemOfJob(job) {
  const item = stored("sessionStorage", `studio job ${job}`);
  return item === null ? null : Number(item);
}

addEventListener("pagehide", () => navigator.sendBeacon(`/api/leave?window=${pageWindow}`,
  new Blob(["{}"], { type: "application/json" })));
addEventListener("pageshow", (event) => { if (event.persisted) jobs.look(); });

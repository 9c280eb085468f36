// What would be made, warnings, and the button that makes it.
import { ApiError, post } from "./api.js";
import { announce, button, byId, make, setText, turnOff } from "./dom.js";
import { jobs, noteItem, progressOf } from "./jobs.js";
import { icon } from "./icons.js";
import { number } from "./time.js";
import { message, word } from "./words.js";

/** Events: `made` (`detail` is the job), `job` when another job is watched. */
export class MakeBar extends EventTarget {
  #item;
  #context;
  #choice;
  #summary = make("p", { id: "summary", class: "summary" });
  #warnings = make("ul", { id: "warnings", class: "warnings", hidden: true });
  #problem = make("p", { id: "problem", class: "problem", hidden: true });
  #make;
  #plan;
  #progress = make("progress", { max: 1, value: 0, "aria-label": word("making") });
  #working;
  #stop;
  #job = null;
  #isResumed = false;
  #isStarting = false;
  #failure = null;
  #failedFor = null;
  #ends = new AbortController();

  /**
   * @param {import("./panel.js").Context} context
   * @param {() => object} choice as the server takes it.
   */
  constructor(root, item, context, choice) {
    super();
    [this.#item, this.#context, this.#choice] = [item, context, choice];
    this.#make = button("", () => this.make(), { id: "make", class: "primary" });
    this.#stop = button(word("cancel"), () => this.#cancel(), { class: "quiet" });
    // A key that is held down on the button before does not cancel.
    this.#stop.addEventListener("keydown", (event) => { if (event.repeat) event.preventDefault(); });
    this.#working = make("div", { class: "working", hidden: true }, make("span", { text: word("making") }),
      this.#progress,
      this.#stop);
    this.#plan = make("div", { class: "plan", role: "status", "aria-live": "polite" }, this.#problem, this.#warnings,
      this.#summary);
    root.replaceChildren(this.#plan,
      this.#working, this.#make);
    const { signal } = this.#ends;
    jobs.addEventListener("change", () => this.#showJob(), { signal });
    jobs.addEventListener("done", (event) => this.#done(event.detail), { signal });
  }

  close() { this.#ends.abort(); }

  /** The job that is watched here. */
  get job() { return this.#job; }
  set job(id) {
    // The page was loaded again meanwhile, or the editor was closed, and the job may have ended.
    this.#isResumed = id !== null;
    this.#watch(id);
  }

  #watch(id) {
    this.#job = id;
    this.#showJob();
    this.dispatchEvent(new Event("job"));
  }

  update() {
    const { planner, history, clip } = this.#context;
    const { plan } = planner;
    if (this.#failedFor !== history.value) this.#failure = null;
    const problem = planner.problem ?? this.#failure;
    const count = history.value.stills.length;
    setText(this.#make, clip.kind === "pair" ? word("make-edit") : count > 1 ? word("make-several", count)
      : word("make"));
    // What cannot be made now may be possible in a moment.
    this.#make.disabled = (planner.problem?.status ?? 500) < 500;
    turnOff(this.#make, this.#isStarting);
    this.#problem.hidden = !problem;
    this.#problem.classList.toggle("neutral", (clip.kind === "pair" && isEmpty(this.#choice()))
      || problem?.name === "LostError");
    setText(this.#problem, problem ? message(problem) : "");
    const warnings = plan?.warnings ?? (problem ? [] : planner.last?.warnings ?? []);
    const all = [...clip.warnings ?? [], ...warnings].filter((text, index, texts) => texts.indexOf(text) === index);
    if (this.#warnings.textContent !== all.join("")) {
      this.#warnings.replaceChildren(...all.map((text) => make("li", {}, icon("warning"), make("span", { text }))));
      this.#warnings.hidden = !all.length;
    }
    if (plan || planner.problem) setText(this.#summary, plan ? this.#facts(plan) : "");
    this.#summary.hidden = !this.#summary.textContent;
    this.#summary.classList.toggle("waiting", planner.isWaiting);
    // A list of warnings that is too long for its room is scrolled, also by keyboard.
    if (this.#plan.scrollHeight > this.#plan.clientHeight) this.#plan.tabIndex = 0;
    else this.#plan.removeAttribute("tabindex");
  }

  #facts(plan) {
    const facts = [];
    if (plan.seconds) facts.push(`${number(plan.seconds, 0, 2)}\u00a0s`);
    if (plan.frames) facts.push(word("frames", plan.frames));
    if (plan.movieWidth) facts.push(`${plan.movieWidth}\u00a0×\u00a0${plan.movieHeight}`);
    if (plan.text) facts.push(plan.text);
    return facts.join(" · ");
  }

  /** Makes it; asks first if files would be replaced. */
  async make() {
    if (this.#isStarting || this.#make.disabled) return;
    this.#isStarting = true;
    turnOff(this.#make, true);
    this.#failure = null;
    if (this.#context.planner.problem) this.#context.planner.askAgain(this.#choice());
    try {
      const plan = await this.#currentPlan();
      if (!plan) return;
      const more = plan.exists && !this.#context.history.value.flags.includes("force") ? await askAboutExisting(plan)
        : {};
      if (!more) return;
      await this.#start(more);
    } finally {
      this.#isStarting = false;
      this.update();
    }
  }

  async #start(more) {
    const choice = this.#choice();
    const { force, ...others } = more;
    if (force) choice.flags = [...choice.flags, "force"];
    try {
      const { job } = await post(`/api/items/${this.#item}/make`, { ...choice, ...others });
      announce(word("making"));
      noteItem(job, this.#item);
      this.#isResumed = false;
      this.#watch(job);
      await jobs.look();
      const known = jobs.job(job);
      if (known && !jobs.isWorking(known)) this.#done(known);
    } catch (error) {
      // Another window, or a command, was faster.
      if (error instanceof ApiError && error.status === 409) this.#context.planner.askAgain(choice);
      this.fail(error);
    }
  }

  /** Shows why nothing was made, until something else is chosen. */
  fail(error) {
    [this.#failure, this.#failedFor] = [error, this.#context.history.value];
    this.update();
  }

  /** The answer of the server for the present choices; null if they cannot be made. */
  async #currentPlan() {
    const { planner } = this.#context;
    while (planner.isWaiting) {
      await new Promise((done) => { planner.addEventListener("plan", done, { once: true }); });
    }
    return planner.plan;
  }

  #showJob() {
    const job = this.#job === null ? null : jobs.job(this.#job);
    const isWorking = Boolean(job && jobs.isWorking(job));
    // The focus does not get lost with the button that has it.
    const hasFocus = [this.#make, this.#stop].includes(document.activeElement);
    this.#working.hidden = !isWorking;
    this.#make.hidden = isWorking;
    if (hasFocus) (isWorking ? this.#stop : this.#make).focus();
    if (isWorking) this.#progress.value = progressOf(job);
    else if (job && this.#isResumed) this.#done(job);
  }

  #done(job) {
    if (job.id !== this.#job) return;
    this.#watch(null);
    this.#context.planner.askAgain(this.#choice());
    if (job.state === "cancelled") announce(word("job-cancelled"));
    else this.dispatchEvent(new CustomEvent("made", { detail: job }));
  }

  #cancel() {
    if (this.#job !== null) jobs.cancel(this.#job).catch((error) => this.fail(error));
  }
}

/** Whether an edit would change nothing, which is no mistake before anything is chosen. */
function isEmpty({ settings, flags, date }) {
  return !Object.keys(settings).length && !date && !flags.some((flag) => flag !== "in-place" && flag !== "force");
}

/**
 * Asks whether files are replaced.
 *
 * @returns {Promise<{force: true}|{name: string}|null>} null if nothing is to be made.
 */
function askAboutExisting(plan) {
  const dialog = byId("exists");
  setText(byId("exists-text"), word("exists-text", plan.photo));
  const free = byId("exists-free");
  free.hidden = !plan.freeName;
  setText(free, word("exists-free", plan.freeName));
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => {
      done({ replace: { force: true }, free: { name: plan.freeName } }[dialog.returnValue] ?? null);
    }, { once: true });
  });
}

// The first screen: drop files, and the gallery of items with what can be done with many.
import { post } from "./api.js";
import { announce, button, byId, make, setText } from "./dom.js";
import { send } from "./drops.js";
import { select } from "./fields.js";
import { showImport, showLink } from "./folder.js";
import { icon } from "./icons.js";
import { jobs } from "./jobs.js";
import { thumbnail } from "./thumbnails.js";
import { size } from "./time.js";
import { message, word } from "./words.js";

export class Start {
  #items;
  #session;
  #cards = new Map();
  #chosen = new Set();
  #grid = make("ul", { class: "items", id: "items" });
  #state = make("p", { class: "hint", role: "status" });
  #notes = make("ul", { class: "notes" });
  #bar;
  #count = make("strong", {});
  #problem = make("p", { class: "problem", role: "alert", hidden: true });
  #preset;
  #all;
  #folderTools;

  /** @param {import("./items.js").Items} items */
  constructor(root, items, session) {
    [this.#items, this.#session] = [items, session];
    const picker = make("input", { type: "file", id: "files", multiple: true, class: "unseen", tabIndex: -1,
      "aria-hidden": "true",
      on: { change: () => { send([...picker.files].map((file) => ({ file, folder: "" }))); picker.value = ""; } } });
    const drop = make("div", { class: "drop-zone" }, icon("live"), make("h2", { text: word("welcome") }),
      make("p", { text: word("welcome-text") }),
      button(word("choose-files"), () => picker.click(), { class: "primary", id: "choose-files" }), picker);
    this.#preset = select(word("preset"),
      session.presets.map(({ name, description }) => ({ value: name, text: `${name} – ${description}` })), () => {},
      { id: "batch-preset" });
    this.#preset.show(session.preset ?? session.presets[0]?.name);
    const go = button(word("batch-go"), () => this.#make(), { class: "primary", id: "batch" });
    go.prepend(icon("live"));
    this.#bar = make("div", { class: "batch-bar", role: "region", "aria-label": word("batch"), hidden: true },
      this.#count, this.#preset.element,
      go, button(word("choose-none"), () => this.#choose([]), { class: "quiet" }));
    this.#all = button(word("choose-all"),
      () => {
        this.#choose(items.all.filter((item) => items.canMake(item)).map((item) => item.id));
        announce(word("chosen", this.#chosen.size));
      },
      { class: "quiet", id: "choose-all" });
    this.#folderTools = make("div", { class: "row" }, this.#all,
      button(word("link"), showLink, { class: "quiet", id: "link" }),
      button(word("import"), showImport, { class: "quiet", id: "import" }));
    root.append(drop, make("ul", { id: "uploads", class: "uploads" }), this.#problem,
      make("div", { class: "gallery-head" }, make("h2", { text: word("items"), id: "items-title" }), this.#state,
        this.#folderTools),
      this.#notes, this.#grid, this.#bar);
    this.#grid.setAttribute("aria-labelledby", "items-title");
    items.addEventListener("change", () => this.show());
    jobs.addEventListener("done", ({ detail }) => {
      // Those change the files of the list.
      if (detail.kind === "link" || detail.kind === "edit") items.look();
    });
    jobs.addEventListener("undone", () => items.look());
  }

  /** Shows the present list. */
  show() {
    const { all, notes, isComplete, problem } = this.#items;
    const present = new Map();
    for (const item of all) {
      const key = `${item.id} ${item.kind} ${item.problem} ${item.bytes} ${item.name}`;
      present.set(key, this.#cards.get(key) ?? this.#card(item));
    }
    const isSame = [...present.keys()].join("\n") === [...this.#cards.keys()].join("\n");
    this.#cards = present;
    if (!isSame) this.#grid.replaceChildren(...present.values());
    byId("start").classList.toggle("empty", !all.length);
    byId("start").querySelector(".gallery-head").hidden = !all.length && isComplete;
    setText(this.#state, isComplete ? word("item-count", all.length) : word("reading", all.length));
    this.#folderTools.hidden = !all.length;
    this.#all.hidden = all.filter((item) => this.#items.canMake(item)).length < 2;
    for (const name of ["link", "import"]) byId(name).hidden = this.#session.hasFolders === false;
    this.#notes.replaceChildren(...notes.map((text) => make("li", { text })));
    this.#fail(problem);
    this.#choose([...this.#chosen].filter((id) => this.#items.item(id)));
  }

  #card(item) {
    const { canOpen, canMake } = { canOpen: this.#items.canOpen(item), canMake: this.#items.canMake(item) };
    const name = make("span", { class: "name", text: item.name });
    const kind = make("span", { class: "kind" }, icon({ pair: "live", photo: "photo" }[item.kind] ?? "movie"),
      make("span", { text: word(`kind-${item.kind}`) || item.kind }));
    const facts = [item.folder, item.bytes ? size(item.bytes) : ""].filter(Boolean).join(" · ");
    const content = [thumbnail(item), name, make("span", { class: "facts" }, kind, make("span", { text: facts }))];
    const open = canOpen ? make("a", { class: "open", href: `#/item/${item.id}` }, ...content)
      : make("div", { class: "open" }, ...content);
    const card = make("li", { class: "item", data: { item: item.id } }, open);
    if (item.problem) card.append(make("p", { class: "problem" }, icon("warning"),
      make("span", { text: item.problem })));
    if (canMake) {
      const input = make("input", { type: "checkbox", value: item.id,
        on: { change: () => this.#toggle(item.id, input.checked) } });
      input.ariaLabel = word("choose-item", item.name);
      card.append(make("label", { class: "pick" }, input));
    }
    return card;
  }

  #toggle(id, isChosen) {
    if (isChosen) this.#chosen.add(id);
    else this.#chosen.delete(id);
    this.#choose([...this.#chosen]);
    announce(word("chosen", this.#chosen.size));
  }

  #choose(ids) {
    this.#chosen = new Set(ids);
    for (const input of this.#grid.querySelectorAll(".pick input")) input.checked = this.#chosen.has(Number(input.value));
    this.#bar.hidden = !this.#chosen.size;
    setText(this.#count, word("chosen", this.#chosen.size));
  }

  async #make() {
    try {
      const { job } = await post("/api/batch", { items: [...this.#chosen], preset: this.#preset.input.value,
        flags: [] });
      announce(word("making"));
      this.#choose([]);
      await jobs.look();
      location.hash = `#/job/${job}`;
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error) {
    const text = error ? message(error) : "";
    this.#problem.hidden = !text;
    this.#problem.textContent = text;
  }
}

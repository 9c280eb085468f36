// Starts the page: words, the session, and which screen is shown.
import { connection, get } from "./api.js";
import { byId, make, setText, store, stored } from "./dom.js";
import { setUpDrops } from "./drops.js";
import { icon } from "./icons.js";
import { Items } from "./items.js";
import { jobs } from "./jobs.js";
import { setUpTray } from "./tray.js";
import { setUpKeys, showKeys, useKeys } from "./keys.js";
import { closeItem, openItem } from "./open.js";
import { closeOutcome, showJob } from "./outcome.js";
import { Start } from "./start.js";
import { language, languageKey, message, word } from "./words.js";

const screens = ["start", "wait", "editor", "outcome"];
let session = null;
let items = null;
let start = null;
/** Whether the only item was opened by itself; going back to the list stays there. */
let hasOpenedOnly = false;

/** Fills in the words and icons that the document names. */
function translate() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-icon]")) element.prepend(icon(element.dataset.icon));
  for (const element of document.querySelectorAll("[data-word]")) element.append(word(element.dataset.word));
  for (const element of document.querySelectorAll("[data-label]")) {
    // The tip of a button with an icon alone is its name too.
    element[element.matches("button") ? "title" : "ariaLabel"] = word(element.dataset.label);
  }
  const choice = byId("language");
  choice.value = language;
  if (stored("sessionStorage", languageKey)) {
    store("sessionStorage", languageKey, "");
    choice.focus();
  }
  choice.addEventListener("change", () => {
    store("localStorage", languageKey, choice.value);
    // The new page puts the focus here again.
    store("sessionStorage", languageKey, choice.value);
    // Everything that was chosen is stored, so the page simply begins again.
    location.reload();
  });
}

/** Shows one screen and a title. */
function show(screen, title = "") {
  for (const name of screens) byId(name).hidden = name !== screen;
  document.body.dataset.screen = screen;
  setText(byId("title"), title);
  document.title = title ? `${title} – livephoto studio` : "livephoto studio";
}

/** Tells people who use a screen reader that another screen is shown. */
function focusTitle() {
  byId("title").focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Goes where the address says: `#/`, `#/item/1` or `#/job/3`. */
async function route() {
  const [, kind, id] = location.hash.match(/^#\/(?:(item|job)\/(\d+))?$/) ?? [null, undefined, undefined];
  closeItem();
  closeOutcome();
  useKeys(null);
  for (const name of ["undo", "redo"]) byId(name).hidden = true;
  if (kind === "item") {
    await openItem(Number(id), { items, session, show });
  } else if (kind === "job") {
    showJob(Number(id), { items, show });
  } else {
    show("start", word("items"));
    start.show();
    openOnly();
  }
}

/** If there is exactly one item, its editor opens. */
function openOnly() {
  if (hasOpenedOnly || location.hash.length > 2 || !items.isComplete) return;
  hasOpenedOnly = true;
  const [only] = items.all;
  if (items.all.length === 1 && items.canOpen(only)) location.replace(`#/item/${only.id}`);
}

/** Tells that the server has ended, and how to start it again. */
function setUpBanner() {
  const banner = byId("gone");
  connection.addEventListener("lost", (event) => {
    banner.replaceChildren(make("strong", { text: word(event.detail.denied ? "denied" : "gone") }),
      make("span", { text: word("gone-help") }), make("code", { text: "livephoto studio" }));
    banner.hidden = false;
  });
  connection.addEventListener("back", () => { banner.hidden = true; });
}

async function begin() {
  translate();
  setUpBanner();
  setUpKeys();
  byId("keys-button").addEventListener("click", showKeys);
  show("wait");
  byId("wait").replaceChildren(make("p", { class: "waiting-text", role: "status", text: word("loading") }));
  while (!session) {
    try {
      session = await get("/api/session");
    } catch (error) {
      byId("wait").replaceChildren(make("p", { class: "waiting-text", role: "status", text: message(error) }));
      await new Promise((done) => { setTimeout(done, 2000); });
    }
  }
  items = new Items();
  start = new Start(byId("start"), items, session);
  items.addEventListener("change", openOnly);
  setUpDrops(items, session);
  setUpTray();
  addEventListener("hashchange", () => {
    if (!location.hash.startsWith("#/") && location.hash) return;
    route();
    focusTitle();
  });
  jobs.look();
  const isAtItem = location.hash.startsWith("#/item/");
  items.look();
  if (isAtItem) await items.first;
  await route();
}

begin();

// What can be repaired in a folder, and what an import would do.
import { get, post } from "./api.js";
import { byId, make, setText } from "./dom.js";
import { jobs } from "./jobs.js";
import { message, word } from "./words.js";

let turn = 0;

function open(title) {
  const [dialog, go] = [byId("folder"), byId("folder-go")];
  setText(byId("folder-title"), title);
  byId("folder-content").replaceChildren(make("p", { role: "status", text: word("looking") }));
  go.hidden = true;
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
  turn += 1;
  const mine = turn;
  return { dialog, go, isOpen: () => dialog.open && mine === turn,
    show: (...nodes) => byId("folder-content").replaceChildren(...nodes.filter(Boolean)) };
}

const fail = (error) => make("p", { class: "problem", role: "alert", text: message(error) });
const command = (text) => (text ? make("pre", {}, make("code", { text, tabIndex: 0 })) : null);

/** Shows which photos and movies belong together, and links them if that is wanted. */
export async function showLink() {
  const view = open(word("link-title"));
  try {
    const plan = await get("/api/link");
    if (!view.isOpen()) return;
    const pairs = plan.pairs.map(({ photo, movie }) => make("li", { text: `${photo} + ${movie}` }));
    const doubts = (plan.doubts ?? []).map((text) => make("li", { text }));
    view.show(make("p", { role: "status", text: word("link-found", pairs.length) }),
      pairs.length ? make("ul", { class: "lines" }, ...pairs) : null,
      doubts.length ? make("h3", { text: word("link-doubts") }) : null,
        doubts.length ? make("ul", { class: "lines" }, ...doubts) : null, command(plan.command));
    setText(view.go, word("link-go", pairs.length));
    view.go.hidden = !pairs.length;
  } catch (error) {
    if (view.isOpen()) view.show(fail(error));
    return;
  }
  view.dialog.addEventListener("close", async () => {
    if (view.dialog.returnValue !== "go") return;
    try {
      const { job } = await post("/api/link", {});
      await jobs.look();
      location.hash = `#/job/${job}`;
    } catch (error) {
      open(word("link-title")).show(fail(error));
    }
  }, { once: true });
}

/** Shows what an import would do. */
export async function showImport() {
  const view = open(word("import-title"));
  try {
    const plan = await get("/api/import");
    if (view.isOpen()) view.show(make("pre",
      { class: "text", tabIndex: 0, role: "region", "aria-label": word("import-title"),
      text: plan.text }), make("p", { class: "hint", text: word("import-command") }), command(plan.command));
  } catch (error) {
    if (view.isOpen()) view.show(fail(error));
  }
}

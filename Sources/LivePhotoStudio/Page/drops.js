// Files that are dropped on the page or chosen: sent to the server one after the other.
import { isAbort, upload } from "./api.js";
import { announce, byId, make } from "./dom.js";
import { iconButton } from "./fields.js";
import { size } from "./time.js";
import { message, word } from "./words.js";

let items = null;
let session = null;
let queue = Promise.resolve();

/** Makes the whole page take dropped files. */
export function setUpDrops(knownItems, knownSession) {
  [items, session] = [knownItems, knownSession];
  const target = byId("drop");
  let depth = 0;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  const show = (isShown) => { target.hidden = !isShown; };
  addEventListener("dragenter", (event) => { if (hasFiles(event)) { depth += 1; show(true); } });
  addEventListener("dragleave", (event) => { if (hasFiles(event) && --depth <= 0) { depth = 0; show(false); } });
  addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
  addEventListener("drop", async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    show(false);
    send(await droppedFiles(event.dataTransfer));
  });
}

/** All files that were dropped, also those in folders, each with its folder. */
async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return [...transfer.files].map((file) => ({ file, folder: "" }));
  const files = [];
  const visit = async (entry) => {
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => { entry.file(resolve, reject); });
      files.push({ file, folder: entry.fullPath.slice(0, -entry.name.length) });
    }
    if (!entry.isDirectory) return;
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
      if (!some.length) return;
      for (const each of some) if (!each.name.startsWith(".")) await visit(each);
    }
  };
  for (const entry of entries) await visit(entry).catch(() => {});
  return files;
}

/** Photos follow the movies, which may be theirs. */
const isPhoto = ({ file }) => /\.(jpe?g|hei[cf])$/i.test(file.name);

/**
 * Sends files and then opens what was sent, if it is one clip or one Live Photo.
 *
 * @param {{file: File, folder: string}[]} files
 */
export function send(files) {
  if (!files.length) return;
  if (location.hash.length > 2) location.hash = "#/";
  const drop = Math.random().toString(36).slice(2);
  const sorted = [...files].sort((one, other) => isPhoto(one) - isPhoto(other));
  const rows = sorted.map(({ file, folder }) => ({ file, group: `${drop}${folder}`, ...uploadRow(file) }));
  byId("uploads").append(...rows.map((row) => row.element));
  queue = queue.then(async () => {
    const sent = [];
    for (const row of rows) {
      const item = await sendOne(row);
      if (item) sent.push(item);
    }
    await items.look();
    if (!sent.length) return;
    announce(word("uploaded", sent.length));
    // The movie of a Live Photo is no item of its own.
    const all = sent.map((item) => items.item(item.id)).filter(Boolean);
    const known = all.filter((item) => items.canOpen(item) && !item.problem);
    if (all.length === 1 && known.length === 1) location.hash = `#/item/${known[0].id}`;
  });
}

async function sendOne({ file, group, element, show, controller }) {
  if (controller.signal.aborted) return null;
  if (session.uploadLimit && file.size > session.uploadLimit) {
    show(null, word("too-large", size(session.uploadLimit)));
    return null;
  }
  try {
    const item = await upload(file, file.name, group, (fraction) => show(fraction), controller.signal);
    element.remove();
    return item;
  } catch (error) {
    if (isAbort(error)) element.remove();
    else show(null, message(error));
    return null;
  }
}

function uploadRow(file) {
  const controller = new AbortController();
  const bar = make("progress", { max: 1, value: 0, "aria-label": word("uploading", file.name) });
  const problem = make("p", { class: "problem", role: "alert", hidden: true });
  const element = make("li", { class: "upload" }, make("span", { class: "name", text: file.name }),
    make("span", { class: "hint", text: size(file.size) }), bar,
    iconButton("close", word("remove-upload", file.name), () => { controller.abort(); element.remove(); }), problem);
  const show = (fraction, text = "") => {
    bar.hidden = fraction === null;
    if (fraction !== null) bar.value = fraction;
    problem.hidden = !text;
    problem.textContent = text;
  };
  return { element, show, controller };
}

// The keys of the editor, and the window that lists them.
import { byId, make, store, stored } from "./dom.js";
import { word } from "./words.js";

const switchKey = "studio single keys";

/** Keys and what they do; `isShown` are the keys as they are listed. */
const bindings = [
  { keys: [" "], shown: ["key-space"], action: "play" },
  { keys: ["ArrowLeft", "ArrowRight"], shown: ["←", "→"], action: "step" },
  { keys: [], shown: ["key-shift", "←", "→"], action: "step10" },
  { keys: ["Home", "End"], shown: ["key-home", "key-end"], action: "ends" },
  { keys: ["s"], shown: ["S"], action: "still", isLetter: true },
  { keys: ["i", "["], shown: ["I", "["], action: "start", isLetter: true },
  { keys: ["o", "]"], shown: ["O", "]"], action: "end", isLetter: true },
  { keys: ["m"], shown: ["M"], action: "mark", isLetter: true },
  { keys: ["l"], shown: ["L"], action: "loop", isLetter: true },
  { keys: ["p"], shown: ["P"], action: "live", isLetter: true },
  { keys: ["+", "="], shown: ["+"], action: "zoomIn", isLetter: true },
  { keys: ["-"], shown: ["−"], action: "zoomOut", isLetter: true },
  { keys: [], shown: ["key-control", "Z"], action: "undo" },
  { keys: [], shown: ["key-control", "key-shift", "Z"], action: "redo" },
  { keys: ["?"], shown: ["?"], action: "help", isLetter: true },
];

let current = null;
const areLettersOn = () => stored("localStorage", switchKey) !== "off";

/** Sends keys to the actions of an editor, or to none. */
export function useKeys(actions) { current = actions; }

/** Whether a control takes the key itself. */
function isTaken(event) {
  const { target, key } = event;
  if (target.closest("dialog")) return true;
  if (target.matches("textarea, select, input:not([type]), input[type=text], input[type=number]")) return true;
  if (key === " " || key === "Enter") return target.matches("button, a, summary, input, [role=button], [role=tab]");
  return key.startsWith("Arrow") || key === "Home" || key === "End"
    ? target.matches("input[type=range], input[type=radio], [role=tab], [role=slider]") : false;
}

function press(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if ((event.ctrlKey || event.metaKey) && !event.altKey && (key === "z" || key === "y")) {
    if (!current || event.target.matches("input[type=text], input:not([type]), textarea")
      || event.target.closest("dialog")) return;
    event.preventDefault();
    current[key === "y" || event.shiftKey ? "redo" : "undo"]();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event)) return;
  const binding = bindings.find((each) => each.keys.includes(key));
  if (!binding || (binding.isLetter && !areLettersOn())) return;
  if (binding.action === "help") showKeys();
  else if (!current) return;
  else if (binding.action === "step") current.step((key === "ArrowLeft" ? -1 : 1) * (event.shiftKey ? 10 : 1));
  else if (binding.action === "ends") current.jump(key === "Home" ? "first" : "last");
  else if (event.repeat && binding.action === "play") return;
  else current[binding.action]?.();
  event.preventDefault();
}

/** Keeps the Tab key in a dialog; browsers would go on to their own buttons. */
function stayInside(event) {
  if (event.key !== "Tab") return;
  const controls = [...event.currentTarget.querySelectorAll("a[href], button, input, [tabindex='0']")]
    .filter((each) => each.checkVisibility());
  const [from, to] = event.shiftKey ? [controls[0], controls.at(-1)] : [controls.at(-1), controls[0]];
  const isOutside = event.shiftKey && !controls.includes(document.activeElement);
  if (document.activeElement !== from && !isOutside) return;
  event.preventDefault();
  to?.focus();
}

/** Opens the list of keys. */
export function showKeys() { if (!byId("keys").open) byId("keys").showModal(); }

/** Fills the list, and listens. */
export function setUpKeys() {
  const rows = bindings.map(({ shown, action }) => make("tr", {},
    make("th", { scope: "row" }, ...shown.map((key) => make("kbd",
      { text: key.startsWith("key-") ? word(key) : key }))),
    make("td", { text: word(`does-${action}`) })));
  byId("keys-list").replaceChildren(...rows);
  const toggle = byId("letters");
  toggle.checked = areLettersOn();
  toggle.addEventListener("change", () => store("localStorage", switchKey, toggle.checked ? "on" : "off"));
  addEventListener("keydown", press);
  for (const dialog of document.querySelectorAll("dialog")) dialog.addEventListener("keydown", stayInside);
}

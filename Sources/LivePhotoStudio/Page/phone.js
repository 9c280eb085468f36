// "To the phone": an address and its QR code, and how many Live Photos were fetched.
import { get, post } from "./api.js";
import { announce, button, make, setText, turnOff } from "./dom.js";
import { icon, part } from "./icons.js";
import { message, word } from "./words.js";

/** Milliseconds between two looks. */
const delay = 2000;
/** Modules of light around a code. */
const quiet = 4;

/**
 * @param {number[]} results
 * @param {AbortSignal} signal ends the looks.
 */
export function phonePanel(results, signal) {
  const start = button(results.length > 1 ? word("to-phone-several", results.length) : word("to-phone"), () => begin(),
    { class: "primary", id: "to-phone", "aria-describedby": "to-phone-hint" });
  const hint = make("p", { class: "hint", id: "to-phone-hint", text: word("to-phone-hint") });
  start.prepend(icon("phone"));
  const problem = make("p", { class: "problem", role: "alert", hidden: true });
  const room = make("div", { class: "phone", id: "phone" });
  const state = make("p", { role: "status", id: "phone-state" });
  const fail = (text) => {
    problem.hidden = !text;
    problem.textContent = text;
  };
  const rest = () => {
    const hadFocus = room.contains(document.activeElement);
    room.replaceChildren();
    for (const each of [start, hint]) each.hidden = false;
    if (hadFocus) start.focus();
  };
  const show = (status, isNew) => {
    for (const each of [start, hint]) each.hidden = true;
    const stop = button(word("phone-stop"), async () => {
      fail("");
      try {
        await post("/api/phone/stop", {});
        rest();
        announce(word("phone-stopped"));
      } catch (error) {
        fail(message(error));
      }
    }, { class: "quiet", id: "phone-stop" });
    const heading = make(results.length > 1 ? "h2" : "h3", { tabIndex: -1, text: word("phone-title") });
    const copy = button(word("phone-copy"), async () => {
      // Without permission, the address can still be selected.
      await navigator.clipboard.writeText(status.address).then(() => announce(word("copied")), () => {});
    }, { class: "quiet" });
    room.replaceChildren(qrCode(status.code, status.address), make("div", {}, heading,
      make("p", { text: word("phone-text") }),
      make("p", {}, make("a", { href: status.address, target: "_blank", rel: "noopener", text: status.address })),
      copy,
      status.isLocal ? make("p", { class: "warning", text: word("phone-local") }) : null, state, stop));
    setText(state, word("phone-fetched", status.fetched ?? 0, status.count ?? results.length));
    if (isNew) {
      heading.focus();
      announce(word("phone-at", status.address));
    }
    setTimeout(look, delay);
  };
  const look = async () => {
    if (signal.aborted || start.hidden === false) return;
    try {
      const status = await get("/api/phone", signal);
      if (!status.isRunning) {
        rest();
        fail(status.error || word("phone-ended"));
        return;
      }
      setText(state, word("phone-fetched", status.fetched ?? 0, status.count ?? results.length));
    } catch { /* The banner tells about it. */ }
    setTimeout(look, delay);
  };
  const begin = async () => {
    fail("");
    turnOff(start, true);
    try {
      const status = await post("/api/phone", { results }, signal);
      if (status.address) {
        show(status, true);
      } else fail(status.error || word("phone-ended"));
    } catch (error) {
      if (!signal.aborted) fail(message(error));
    } finally {
      turnOff(start, false);
    }
  };
  // They may have been shared before the page came here again.
  get("/api/phone", signal).then((status) => {
    const isThis = status.isRunning && status.address && status.results.join() === results.join();
    if (isThis && !signal.aborted && !room.firstChild) show(status, false);
  }, () => { /* The banner tells about it. */ });
  return make("section", { class: "phone-panel", "aria-label": word("to-phone") }, start, hint, problem, room);
}

/**
 * A QR code as a drawing: dark on light in every colour scheme, as cameras need it.
 *
 * @param {string[]} rows of `0` and `1`, where `1` is dark.
 */
export function qrCode(rows, address) {
  const size = rows.length + 2 * quiet;
  const svg = part("svg", { viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": word("qr", address),
    "shape-rendering": "crispEdges" });
  let path = "";
  rows.forEach((row, y) => {
    for (const run of row.matchAll(/1+/g)) path += `M${run.index + quiet} ${y + quiet}h${run[0].length}v1h-${run[0].length}z`;
  });
  svg.append(part("rect", { width: size, height: size, fill: "#fff" }), part("path", { d: path, fill: "#000" }));
  return svg;
}

// Small helpers for elements. Data reaches the page as text only, never as HTML.

/**
 * Creates an element.
 *
 * @param {string} tag
 * @param {object} properties `class`, `text`, `on` (listeners by event), `data` (data attributes), and any property or
 *   attribute of the element; null and undefined are left out.
 * @param {...(Node|string|null)} children
 * @returns {HTMLElement}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (name === "class") element.className = value;
    else if (name === "text") element.textContent = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "on") for (const [event, action] of Object.entries(value)) element.addEventListener(event,
      action);
    else if (name in element && name !== "role" && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** The element with an id. */
export const byId = (id) => document.getElementById(id);

/** Replaces the text of an element if it differs, so that live regions speak once. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Tells people who use a screen reader what has happened. */
export function announce(text) {
  const region = byId("announcer");
  // The same sentence twice is spoken twice.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** Calls an action at most once a frame, with the newest arguments. */
export function oncePerFrame(action) {
  let pending = null;
  return (...values) => {
    if (pending === null) {
      requestAnimationFrame(() => {
        const newest = pending;
        pending = null;
        action(...newest);
      });
    }
    pending = values;
  };
}

/** Calls an action after calls have paused for a time in milliseconds. */
export function afterPause(delay, action) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), delay);
  };
}

/** A button. */
export function button(text, action, properties = {}) {
  return make("button", { type: "button", text, on: { click: action }, ...properties });
}

/** Turns a button off or on. Unlike a disabled one, it keeps the focus. */
export function turnOff(element, isOff) { element.ariaDisabled = isOff ? "true" : null; }

// Clicks on buttons that are off do nothing.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("[aria-disabled=true]")) event.stopImmediatePropagation();
}, true);

/** A number between two others. */
export const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

/** Whether people want as little motion as possible. */
export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Waits for a time in milliseconds. */
export const pause = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

/** A stored text, or null; storage may be blocked. */
export function stored(storage, key) {
  try { return window[storage].getItem(key); } catch { return null; }
}

/** Stores a text where that is possible. */
export function store(storage, key, text) {
  try { window[storage].setItem(key, text); } catch { /* Full or blocked: the page works without it. */ }
}

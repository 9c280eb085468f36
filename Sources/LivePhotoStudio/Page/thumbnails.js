// Loads thumbnails that come near the visible part of the page, a few at a time, so that other requests do not wait.
import { make } from "./dom.js";
import { icon } from "./icons.js";

const atOnce = 3;
/** Milliseconds before a thumbnail is asked for again, as the server may be busy. */
const retries = [1500, 4000];

const waiting = new Set();
let running = 0;

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) waiting.add(target);
    else waiting.delete(target);
  }
  next();
}, { rootMargin: "50% 0px" });

/** Pixels from a picture to the middle of what is seen. */
function distance(image) {
  const { top, bottom } = image.closest(".item, .thumbnail").getBoundingClientRect();
  return Math.abs((top + bottom - innerHeight) / 2);
}

/** Loads the pictures that are nearest to the middle of what is seen. */
function next() {
  if (running >= atOnce || !waiting.size) return;
  const near = [...waiting].map((image) => ({ image, away: distance(image) })).sort((one,
    other) => one.away - other.away);
  for (const { image } of near.slice(0, atOnce - running)) {
    waiting.delete(image);
    observer.unobserve(image);
    running += 1;
    image.src = image.dataset.src;
  }
}

/**
 * A picture of an item, which loads when it is needed.
 *
 * @param {object} item
 */
export function thumbnail(item) {
  const frame = make("span", { class: "thumbnail" }, icon(item.kind === "photo" ? "photo" : "movie"));
  if (item.problem || item.kind === "photo" || item.kind === "unreadable") return frame;
  const image = make("img", { alt: "", decoding: "async", data: { src: `/api/items/${item.id}/thumbnail` } });
  let attempt = 0;
  image.addEventListener("load", () => {
    running -= 1;
    frame.classList.add("loaded");
    next();
  });
  image.addEventListener("error", () => {
    running -= 1;
    image.removeAttribute("src");
    if (attempt < retries.length) setTimeout(() => { if (image.isConnected) observer.observe(image); },
      retries[attempt++]);
    next();
  });
  frame.append(image);
  observer.observe(image);
  return frame;
}

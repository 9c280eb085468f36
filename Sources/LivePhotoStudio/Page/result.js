// A Live Photo that was made: the player, what was verified, and files to save.
import { LivePhoto } from "./live-photo.js";
import { announce, button, make } from "./dom.js";
import { icon } from "./icons.js";
import { number } from "./time.js";
import { word } from "./words.js";

Object.assign(LivePhoto.words, {
  live: word("live"), name: word("kind-pair"), hold: word("player-hold"), sound: word("player-sound"),
  photoFailed: word("player-photo-failed"), movieFailed: word("player-movie-failed"),
});

/** Forms of a Live Photo, by the last part of their address. */
const downloads = ["files.zip", "bundle.pvt.zip", "motion.jpg", "animation.gif"];

/**
 * @param {object} result as the server describes it.
 * @param {HTMLElement|null} phone the part that sends it to a phone, if it is the only result.
 */
export function resultView(result, phone = null) {
  const path = `/api/results/${result.id}`;
  const player = make("live-photo", { photo: `${path}/photo`, movie: `${path}/movie`, alt: result.name,
    width: result.width, height: result.height });
  if (hasStill(result)) player.setAttribute("still", result.stillSeconds);
  player.toggleAttribute("silent", result.hasSound === false);
  const size = (width, height) => `${width}\u00a0×\u00a0${height}`;
  const facts = [word("photo-size", size(result.width, result.height)),
    result.movieWidth ? word("movie-size", size(result.movieWidth, result.movieHeight)) : "",
    result.seconds ? word("movie-length", number(result.seconds, 0, 2)) : "",
    hasStill(result) ? word("still-in-movie", number(result.stillSeconds, 0, 2)) : "",
    result.hasSound === undefined ? "" : word(result.hasSound ? "with-sound" : "silent")].filter(Boolean).join(" · ");
  const fragment = document.createDocumentFragment();
  fragment.append(make("div", { class: "player" }, player), make("div", { class: "about" },
    make("h2", { text: result.name }), make("p", { class: "hint", text: facts }), findings(result.findings), phone,
    make("h3", { text: word("save") }),
      make("div", { class: "downloads" }, ...downloads.map((form) => download(path, form, result.name))),
    make("h3", { text: word("files") }), make("p", { class: "paths" }, make("code", { text: result.photo }), make("br"),
      make("code", { text: result.movie })),
    result.command ? commandView(result.command, result.name) : null));
  return fragment;
}

const hasStill = ({ stillSeconds }) => stillSeconds !== null && stillSeconds !== undefined;

/** What tells results apart. */
export function resultTitle(result) {
  return [result.name, hasStill(result) ? word("still-in-movie", number(result.stillSeconds, 0, 2)) : ""]
    .filter(Boolean).join(", ");
}

function findings(all) {
  const order = { error: 0, warning: 1, note: 2 };
  const sorted = [...all].sort((one, other) => order[one.severity] - order[other.severity]);
  const isGood = !sorted.some((finding) => finding.severity === "error");
  return make("div", { class: "verified" },
    make("p", { class: isGood ? "good" : "bad" }, icon(isGood ? "done" : "warning"),
      make("span", { text: word(isGood ? "verified" : "not-verified") })),
    sorted.length ? make("ul", { class: "findings" }, ...sorted.map(({ severity, text }) => make("li", { class: severity },
      make("span", { class: "severity", text: word(`severity-${severity}`) }), make("span", { text })))) : null);
}

function download(path, form, name) {
  const link = make("a", { class: "button quiet", href: `${path}/${form}`, download: "", data: { form } }, icon("save"),
    make("span", {}, make("b", { text: word(`form-${form}`) }), make("small", { text: word(`form-hint-${form}`) })));
  link.ariaLabel = `${word(`form-${form}`)} ${word(`form-hint-${form}`)}: ${name}`;
  return link;
}

function commandView(command, name) {
  const unseen = () => make("span", { class: "unseen", text: `: ${name}` });
  const copy = button(word("copy"), async () => {
    await navigator.clipboard.writeText(command).catch(() => {});
    announce(word("copied"));
  }, { class: "quiet" });
  copy.prepend(icon("copy"));
  copy.append(unseen());
  return make("details", {}, make("summary", {}, word("command"), unseen()),
    make("pre", {}, make("code", { text: command })), copy);
}

// The tab with preset, name, date, place, and the command that does the same.
import { announce, button, make, setText, turnOff } from "./dom.js";
import { withFlag } from "./choice.js";
import { check, segments, select, textField } from "./fields.js";
import { icon } from "./icons.js";
import { word } from "./words.js";

/** @param {import("./panel.js").Context} context */
export function detailsTab(context) {
  const { clip, history } = context;
  const isPair = clip.kind === "pair";
  const preset = isPair ? null : presetField(context);
  const target = isPair ? targetField(context) : null;
  const name = textField(word("name"), (value) => history.change({ name: value }), word("name-hint"),
    { id: "name", maxLength: 200 });
  name.input.placeholder = clip.name.replace(/\.[^.]*$/, "");
  const output = isPair ? null : make("p", { class: "hint", text: word("output-hint", context.session.output) });
  const date = textField(word("date"), (value) => history.change({ date: value }), word("date-hint"),
    { id: "date", maxLength: 40 });
  date.input.placeholder = clip.date ?? word("date-none");
  const flag = (value, text, hint) => {
    const field = check(text, (isOn) => history.change({ flags: withFlag(history.value.flags, value, isOn) }), hint,
      { id: value });
    return { ...field, update: (flags) => field.show(flags.includes(value)) };
  };
  const flags = isPair ? [] : [
    flag("no-location", word("no-location"), clip.hasLocation ? word("has-location") : word("has-no-location")),
    flag("no-metadata", word("no-metadata"), word("no-metadata-hint")),
  ];
  const command = commandBox(context);
  const element = make("div", {},
    make("section", {}, preset?.element ?? null, target?.element ?? null, name.element, output, date.element,
      ...flags.map((each) => each.element)),
    command.element);
  const update = () => {
    const { value } = history;
    preset?.update(value);
    target?.update(value);
    name.show(value.name);
    name.input.disabled = value.flags.includes("in-place");
    date.show(value.date);
    for (const each of flags) each.update(value.flags);
    command.update();
  };
  return { element, update };
}

function presetField({ history, session }) {
  const first = session.preset ?? session.presets[0]?.name;
  const field = select(word("preset"), session.presets.map(({ name }) => ({ value: name, text: name })),
    (value) => history.change({ preset: value }), { id: "preset", "aria-describedby": "preset-hint" });
  const hint = make("p", { class: "hint", id: "preset-hint" });
  const update = (state) => {
    const name = state.preset ?? first;
    field.show(name);
    setText(hint, session.presets.find((each) => each.name === name)?.description ?? "");
  };
  return { element: make("div", { class: "field" }, field.element, hint), update };
}

function targetField({ history, session }) {
  const target = segments(word("target"),
    [{ value: "copy", text: word("target-copy") }, { value: "in-place", text: word("target-in-place") }],
    (value) => history.change({ flags: withFlag(history.value.flags, "in-place", value === "in-place") }),
      { id: "target" });
  const hint = make("p", { class: "hint" });
  const photo = check(word("new-key-photo"),
    (isOn) => history.change({ flags: withFlag(history.value.flags, "new-key-photo", isOn) }),
    word("new-key-photo-hint"), { id: "new-key-photo" });
  const update = ({ flags }) => {
    const isInPlace = flags.includes("in-place");
    target.show(isInPlace ? "in-place" : "copy");
    setText(hint, isInPlace ? word("in-place-hint") : word("copy-hint", session.output));
    photo.show(flags.includes("new-key-photo"));
  };
  return { element: make("div", {}, target.element, hint, photo.element), update };
}

function commandBox({ planner }) {
  const text = make("code", { id: "command", tabIndex: 0, role: "region", "aria-label": word("command") });
  const copy = button(word("copy"), async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
    } catch {
      getSelection().selectAllChildren(text);
      document.execCommand("copy");
    }
    announce(word("copied"));
    copy.lastChild.textContent = word("copied");
    setTimeout(() => { copy.lastChild.textContent = word("copy"); }, 2000);
  }, { id: "copy-command", class: "quiet" });
  copy.prepend(icon("copy"));
  const element = make("section", {}, make("h2", { text: word("command") }),
    make("p", { class: "hint", text: word("command-hint") }),
    make("pre", {}, text), copy);
  const update = () => {
    // While a newer command is on its way, the old one would be wrong.
    const { plan, problem, last } = planner;
    setText(text, (plan ?? (problem ? null : last))?.command ?? "");
    turnOff(copy, !plan);
    element.classList.toggle("waiting", !plan);
  };
  return { element, update };
}

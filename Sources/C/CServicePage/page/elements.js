export const part = (id) => document.getElementById(id);
export const all = (selector) => document.querySelectorAll(selector);
export const fill = (id, ...contents) => part(id).replaceChildren(...contents);

export function on(place, ...rest) {
  const [act, kind = "click"] = rest.reverse();
  (part(place) ?? place).addEventListener(kind, (event) => {
    if (kind === "submit") event.preventDefault();
    act(event);
  });
}

let words = {};

export function word(name, values = {}, otherwise = name) {
  const text = words[name.includes(".") ? name : "page." + name];
  return (text ?? otherwise).replace(/\{([a-z]+)\}/g, (all, key) => values[key] ?? all);
}

export function setWords(language, given) {
  words = given;
  document.documentElement.lang = language;
  for (const each of all("[data-word]")) each.textContent = word(each.dataset.word || each.id || each.htmlFor);
  for (const each of all("[data-label]")) each.ariaLabel = word(each.dataset.label);
}

export function change(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  return element;
}

export function make(tag, ...given) {
  const [name, className = ""] = tag.split(".");
  const element = change(document.createElement(name), { className });
  for (const each of given.filter(Boolean)) each.constructor === Object ? change(element, each) : element.append(each);
  return element;
}

export function button(name, act, className = "") {
  const element = make("button", { type: "button", className, "data-word": name }, word(name));
  on(element, act);
  return element;
}

export function pairs(entries) {
  const list = make("dl");
  for (const [name, value] of entries) {
    const text = [value].flat().join(", ");
    if (text) list.append(make("dt", name), make("dd", text));
  }
  return list;
}

export function icon(name) {
  const [svg, path] = ["svg", "path"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
  svg.append(change(path, { class: "p-" + name }));
  return change(svg, { class: "i", "aria-hidden": "true" });
}

const looks = { good: "good", ok: "good", partly: "warn", bad: "bad", problem: "bad", error: "bad", open: "warn", warning: "warn" };
const lookOf = (kind) => looks[kind] ?? "info";

export const mark = (kind = "note", name = "") =>
  make("span.mark " + lookOf(kind), name && { role: "img", ariaLabel: word(name) }, icon(kind));

export const verdict = (kind, text, ...more) => make(`div.note verdict ${kind} ${lookOf(kind)}`,
  icon(kind), make("div", make("p.headline", text), ...more));

export const kindOf = (outcome) => ({ proved: "good", false: "bad" })[outcome] ?? "open";

export const buttons = (...each) => make("p.buttons", ...each);

// A part of a distinguished name (RFC 4514).
export const partOf = (text, key) => new RegExp(`(?:^|, )${key}=((?:[^,\\\\]|\\\\.)*)`).exec(text ?? "")?.[1];

export function nameIn(text) {
  const [given, last] = ["GN", "SN"].map((key) => partOf(text, key));
  return given && last ? `${given} ${last}` : partOf(text, "CN") ?? text;
}

const locale = () => document.documentElement.lang.replace("en", "en-GB");
const dates = (style) => new Intl.DateTimeFormat(locale(), style);

// A day such as 1980-02-30 need not exist.
export function day(text) {
  const [, year, month, date] = /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)$/.exec(text ?? "") ?? [];
  if (!year) return text;
  const values = { day: Number(date), year };
  return dates({ dateStyle: "long", timeZone: "UTC" }).formatToParts(Date.UTC(2000, month - 1)).map(({ type, value }) => values[type] ?? value).join("");
}

export function moment(text) {
  const date = new Date(text);
  return isNaN(date) ? text : dates({ dateStyle: "long", timeStyle: "short" }).format(date);
}

export function size(bytes) {
  const step = [1e3, 1e6, 1e9].filter((limit) => bytes >= limit).length;
  const unit = ["byte", "kilobyte", "megabyte", "gigabyte"][step];
  return new Intl.NumberFormat(locale(), { style: "unit", unit, maximumFractionDigits: 1 }).format(bytes / 1000 ** step);
}

export async function paint(canvas, base64, type = "image/png") {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type }));
  change(canvas, { width: picture.width, height: picture.height }).getContext("2d").drawImage(picture, 0, 0);
}

export function save(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export const stir = (input) => input.dispatchEvent(new Event("input", { bubbles: true }));

export const calm = () => { for (const each of all("[aria-invalid]")) stir(each); };

function setFault(input, hint, text) {
  hint.textContent = text;
  input.ariaInvalid = text ? true : null;
}

export function complain(input, text) {
  const id = input.id + "-hint";
  const hint = part(id) ?? make("p.hint", { id });
  if (!part(id)) change(input, { "aria-describedby": id }).after(hint);
  setFault(input, hint, text);
  input.addEventListener("input", () => setFault(input, hint, ""), { once: true });
  input.focus();
  return true;
}

export function codeField(id, name, count, { isSecret = true, about = "", judge = () => null } = {}) {
  const hint = make("p.hint", { id: id + "-hint", ariaLive: "polite" });
  const input = make("input", {
    // No password, because browsers offer to keep those.
    id, className: isSecret ? "code secret" : "code", inputMode: "numeric", autocomplete: "off", spellcheck: false,
    "aria-describedby": `${about} ${id}-hint`.trim() });
  on(input, "input", () => {
    // A letter has blanks: "2718 2818".
    const given = input.value.replace(/\s/g, "");
    const pure = given.replace(/[^0-9]/g, "").slice(0, count);
    const isPure = pure === given;
    input.value = pure;
    const fault = pure.length === count && judge(pure);
    setFault(input, hint, isPure && !fault ? "" : word(fault || "digits-only", { of: count }));
  });
  const box = make("span.digits", input);
  const eye = isSecret && make("button.link", {
    type: "button", id: id + "-eye", "data-label": "show-code", ariaPressed: false,
    "aria-labelledby": `${id}-eye ${id}-label` }, icon("eye"));
  const reveal = (isShown) => {
    eye.ariaPressed = isShown;
    input.classList.toggle("secret", !isShown);
  };
  if (eye) {
    on(eye, () => reveal(input.classList.contains("secret")));
    box.append(eye);
  }
  return {
    parts: [make("div", make("label", { htmlFor: id, id: id + "-label", "data-word": name }), box, hint)],
    get value() { return input.value; },
    get isFit() { return input.value.length === count && !judge(input.value); },
    clear() {
      input.value = "";
      if (eye) reveal(false);
      stir(input);
    },
    explain(missing = "digits-missing") {
      this.complain(word(input.value.length === count ? judge(input.value) : missing, { of: count }));
    },
    complain: (text) => complain(input, text),
    look() { if (input.value) stir(input); },
  };
}

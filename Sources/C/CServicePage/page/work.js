// One request at a time, and the step before a code is used.

import { button, change, codeField, complain, fill, line, on, part, verdict, word } from "./elements.js";
import { card, departures, refresh, quiet, setTries, whenGone } from "./card.js";
import { Lost, ask, can, isOpen, objectOf, service, tellService, useToken } from "./service.js";

let isWorking = false;
let lost = () => {};
const answers = new Map();

export function rewrite() {
  for (const [place, write] of answers) if (place.firstChild) write();
}

// Writes an answer, now and in each language that is chosen later.
export function show(place, contents) {
  answers.set(place, () => place.replaceChildren(...contents()));
  answers.get(place)();
}

export const whenLost = (act) => { lost = act; };

function setWorking(working) {
  isWorking = working;
  // Not disabled, because that takes the focus.
  for (const each of document.querySelectorAll("button.work")) each.setAttribute("aria-disabled", working);
  part("cancel").hidden = !working;
  part("bytes").hidden = true;
  fill("step");
  part("card").classList.toggle("working", working);
}

// The end of a request is heard, and seen by its answer.
export function tell(name, values) {
  fill("progress", name ? word(name, values) : "");
  part("progress").classList.toggle("heard", name === "done" || name === "failed");
}

// The step of the card's work, seen and not heard, and the part of it that is done.
export function showStep({ step, length = 0, read, item = 0, items }) {
  if (!isWorking) return;
  const name = word("step." + step);
  fill("step", items ? word("progress.items", { step: name, item, items }) : name);
  change(part("bytes"), { hidden: !items && length < 4000, max: items ?? length, value: items ? item - 1 : read ?? 0 });
}

function lose() {
  useToken("");
  lost();
}

// Ends the window if the service was lost.
export function loseIf(error) {
  if (!(error instanceof Lost)) throw error;
  lose();
}

// Sends a request, and shows its error and `contents` in the tab `at`; what `isPersonal` only if the card is still there,
// an error not that a field has shown, and nothing if it `isQuiet`. An error counts the tries of `code`.
export async function run(name, body, {
  at, focus = "answer-" + at, contents = () => [], isPersonal = () => false, atField = () => false, isQuiet = false, code = "pin",
}) {
  if (isWorking || !isOpen()) return undefined;
  setWorking(true);
  const place = part("answer-" + at);
  place.replaceChildren();
  place.setAttribute("aria-busy", "true");
  tell("working");
  await quiet;
  const before = departures;
  let object;
  try {
    const answer = await ask(name, body);
    if (answer.status === 401) return lose();
    object = await objectOf(answer);
  } catch (error) {
    return loseIf(error);
  } finally {
    setWorking(false);
    place.removeAttribute("aria-busy");
  }
  const left = object.error?.triesLeft;
  if (typeof left === "number") setTries(...(code === "puk" ? [undefined, left] : [left]));
  const isVerdict = Boolean(object.outcome || object.overall || object.files || object.findings);
  tell(isQuiet ? "" : object.ok || isVerdict ? "done" : "failed");
  if (isQuiet || object.error && atField(object.error)) return object;
  if (!isPersonal(object) || departures === before) {
    show(place, () => [...(isVerdict ? [] : problem(object)), ...contents(object)]);
  }
  part(place.firstChild ? place.id : focus).focus();
  return object;
}

// Errors that the field of a code mends, or that for the password of a PDF.
export const isOfCode = (error) => ["wrong-pin", "wrong-puk", "wrong-can"].includes(error.name);

export const isOfPassword = (error) => /password/.test(error?.name);

export function problem({ error }) {
  if (!error) return [];
  const advice = isOfPassword(error) ? "" : error.do ?? "";
  return [verdict("error", error.what, line("", advice))];
}

const dialog = part("ask");
let pin;
let resolve = () => {};

function finish(result) {
  const settle = resolve;
  resolve = () => {};
  pin.clear();
  change(part("ask-sure"), { checked: false }).dispatchEvent(new Event("input"));
  if (dialog.open) dialog.close();
  settle(result);
}

export function begin() {
  on("cancel", "click", () => tellService("cancel"));
  pin = codeField("ask-pin", "pin", 8);
  part("ask-code").append(...pin.parts);
  whenGone((isArrival) => { if (!isArrival) finish(null); });
  on("ask-no", "click", () => finish(null));
  on("ask", "cancel", () => finish(null));
  on("ask-form", "submit", () => {
    if (!part("ask-last").hidden && !part("ask-sure").checked) return complain(part("ask-sure"), word("last-missing"));
    if (!part("ask-code").hidden && !pin.isFit) return pin.explain();
    finish({ pin: pin.value });
  });
}

function open(title, contents, { last = false, code = false, fault = "" } = {}) {
  fill("ask-title", title);
  fill("ask-what", ...contents);
  part("ask-last").hidden = !last;
  part("ask-code").hidden = !code;
  part("ask-elsewhere").hidden = last || code || service.entry === "page";
  dialog.showModal();
  // A long statement is read from its beginning.
  if (fault) pin.complain(fault);
  else part(dialog.scrollHeight > dialog.clientHeight ? "ask-title" : code ? "ask-pin" : last ? "ask-sure" : "ask-yes").focus();
  return new Promise((settle) => { resolve = settle; });
}

// Allows a last try, in the window alone.
export const mayBeLast = (code) => card[code] === 1 && service.desk ? { allowLastTry: true } : {};

// True if a code has more than its last try, or the person agrees to that.
export async function agreesToLastTry(code = "pin") {
  if (!mayBeLast(code).allowLastTry) return true;
  return Boolean(await open(word("last-title"), [line("", word("last-" + code))], { last: true }));
}

// True if the PIN can be used; else the answer helps.
function isUsable(at) {
  if (card.pin !== 0) return true;
  const more = can("pin-unblock") ? button("to-unblock", () => part("tab-pin").click()) : "";
  fill("answer-" + at, verdict("open", word("tries-none")), more);
  part("answer-" + at).focus();
  return false;
}

// Shows a step, asks for the PIN, and runs the request. A step that pinentry shows, too, `isBrief`.
export async function runWithPIN(name, body, title, contents, options) {
  if (isWorking || !isOpen()) return undefined;
  await refresh();
  let fault;
  // The step comes again until its PIN is right, or the person leaves it.
  const atField = (error) => service.entry === "page" && isOfCode(error) && (fault = error.what);
  for (;;) {
    if (!isUsable(options.at) || !await agreesToLastTry()) return undefined;
    const isLast = mayBeLast("pin");
    const given = options.isBrief && service.entry === "pinentry" ? {}
      : await open(title, contents(), { code: service.entry === "page", fault });
    fault = "";
    if (!given || isWorking) return undefined;
    const code = service.entry === "page" ? { pin: given.pin } : {};
    const object = await run(name, { ...body, ...code, ...isLast }, { ...options, atField });
    const tries = refresh();
    if (fault) {
      await tries;
      continue;
    }
    if (object?.error?.name !== "last-try-refused" || isLast.allowLastTry || !service.desk) return object;
    setTries(1);
  }
}

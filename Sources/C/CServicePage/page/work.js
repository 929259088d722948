import { all, button, calm, change, codeField, complain, fill, make, on, part, stir, verdict, word } from "./elements.js";
import { card, departures, note, noteCopy, quiet, refresh, whenGone } from "./card.js";
import { Lost, ask, can, isOpen, objectOf, service, tellService } from "./service.js";

export let isWorking = false;
let lost = () => {};
const answers = new Map();

export function rewrite() {
  for (const [place, write] of answers) if (place.firstChild) write();
}

export function show(place, contents) {
  answers.set(place, () => place.replaceChildren(...contents()));
  answers.get(place)();
}

export const whenLost = (act) => { lost = act; };

function setWorking(working) {
  isWorking = working;
  // Not disabled, because that takes the focus.
  for (const each of all("button.work")) each.ariaDisabled = working;
  part("cancel").hidden = !working;
  if (!working) finish();
  part("bytes").hidden = true;
  fill("step");
  part("card").classList.toggle("working", working);
}

export function tell(name, values) {
  fill("progress", name ? word(name, values) : "");
  part("progress").classList.toggle("heard", /^(done|failed)$/.test(name));
}

export function showStep({ step, length = 0, read, item = 0, items }) {
  if (!isWorking) return;
  const name = word("step." + step);
  fill("step", items ? word("progress.items", { step: name, item, items }) : name);
  change(part("bytes"), { hidden: !items && length < 4000, max: items ?? length, value: items ? item - 1 : read ?? 0 });
}

export function loseIf(error) {
  if (!(error instanceof Lost)) throw error;
  lost();
}

export async function run(name, body, {
  at, focus = "answer-" + at, contents = () => [], isPersonal = () => false, atField = () => false, isQuiet = false, code = "pin", says = "working",
}) {
  if (isWorking || !isOpen()) return;
  setWorking(true);
  calm();
  const place = part("answer-" + at);
  place.replaceChildren();
  place.ariaBusy = true;
  tell(says);
  await quiet;
  const before = departures;
  let object;
  try {
    const answer = await ask(name, body);
    if (answer.status === 401) return lost();
    object = await objectOf(answer);
  } catch (error) {
    return loseIf(error);
  } finally {
    setWorking(false);
    place.ariaBusy = null;
  }
  const left = object.error?.triesLeft;
  if (typeof left === "number") note({ [code]: left });
  noteCopy(object.error);
  const isAnswer = object.ok || object.outcome || object.overall || object.files || object.findings;
  tell(isQuiet ? "" : isAnswer ? "done" : "failed");
  if (isQuiet || object.error && atField(object.error)) return object;
  if (!isPersonal(object) || departures === before) {
    show(place, () => isAnswer ? contents(object) : problem(object));
  }
  part(place.firstChild ? place.id : focus).focus();
  return object;
}

export const test = () => service.test ? "TEST. " : "";

export const isOfCode = (error) => /^wrong-(pin|puk|can)$/.test(error.name);

export const isOfPassword = (error) => /password/.test(error?.name);

const toUnblock = () => can("pin-unblock") && card.puk !== 0 && part("panel-pin").hidden ? button("to-unblock", () => part("tab-pin").click()) : "";

export function problem({ error }) {
  if (!error) return [];
  const advice = isOfPassword(error) ? "" : error.do ?? "";
  return [verdict("error", error.what, make("p", advice)), error.name === "pin-blocked" ? toUnblock() : ""];
}

const dialog = part("ask");
let pin;
let resolve = () => {};

function finish(result = null) {
  const settle = resolve;
  resolve = () => {};
  pin.clear();
  stir(change(part("ask-sure"), { checked: false }));
  if (dialog.open) dialog.close();
  settle(result);
}

export function begin() {
  on("cancel", () => tellService("cancel"));
  pin = codeField("ask-pin", "pin", 8);
  part("ask-code").append(...pin.parts);
  whenGone((isArrival) => { if (!isArrival) finish(); });
  on("ask-no", () => finish());
  on("ask", "cancel", () => finish());
  on("ask-form", "submit", () => {
    if (!part("ask-last").hidden && !part("ask-sure").checked) return complain(part("ask-sure"), word("last-missing"));
    if (!part("ask-code").hidden && !pin.isFit) return pin.explain();
    finish(part("ask-code").hidden ? {} : { pin: pin.value });
  });
}

function open(title, contents, { last = false, code = false, fault = "", yes = "go", mentions = !last && !code } = {}) {
  fill("ask-title", title);
  fill("ask-what", ...contents);
  fill("ask-yes", word(yes));
  part("ask-last").hidden = !last;
  part("ask-code").hidden = !code;
  part("ask-elsewhere").hidden = !mentions || service.entry === "page";
  dialog.showModal();
  if (fault) pin.complain(fault);
  else part(dialog.scrollHeight > dialog.clientHeight ? "ask-title" : code ? "ask-pin" : last ? "ask-sure" : "ask-yes").focus();
  return new Promise((settle) => { resolve = settle; });
}

export const agrees = (title, text) => open(title, [make("p", text)], { mentions: false });

export async function askForPIN({ purpose }) {
  if (!isWorking) return;
  const given = await open(word("log-in"), purpose.map((each) => make("p", each)), { code: true });
  if (given) ask("pin", given).catch(() => {});
  else if (isWorking) tellService("cancel");
}

export const mayBeLast = (code) => card[code] === 1 && service.desk ? { allowLastTry: true } : {};

export async function agreesToLastTry(code = "pin", fault) {
  return !mayBeLast(code).allowLastTry || await open(word("last-title"), [make("p", fault), make("p", word("last-" + code))], { last: true });
}

function refuse(at, ...contents) {
  fill("answer-" + at, ...contents);
  part("answer-" + at).focus();
  return false;
}

export async function mayUsePIN(at, fault) {
  await refresh();
  const bar = card.verdict === "false" ? "hint-false" : service.desk && card.state !== "card" && "state-" + card.state;
  if (bar) return refuse(at, verdict("error", word(bar)));
  if (card.pin !== 0) return agreesToLastTry("pin", fault);
  return refuse(at, verdict("open", word(card.puk === 0 ? "puk-none" : "tries-none")), toUnblock());
}

export async function runWithPIN(name, body, title, contents, options) {
  if (isWorking || !isOpen()) return;
  let fault;
  const atField = (error) => service.entry === "page" && isOfCode(error) && (fault = error.what);
  for (;;) {
    if (!await mayUsePIN(options.at, fault)) return;
    const isLast = mayBeLast("pin");
    const given = options.isBrief && service.entry === "pinentry" ? {}
      : await open(title, contents(), { code: service.entry === "page", fault, yes: options.yes });
    fault = "";
    if (!given || isWorking) return;
    const object = await run(name, { ...body, ...given, ...isLast }, { ...options, atField });
    if (fault) continue;
    refresh();
    if (object?.error?.name !== "last-try-refused" || isLast.allowLastTry || !service.desk) return object;
    note({ pin: 1 });
  }
}

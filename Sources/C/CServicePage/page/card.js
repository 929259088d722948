import { day, fill, make, on, part, word } from "./elements.js";
import { ask, can, isOpen, objectAt, service } from "./service.js";

let readers = new Map();
export let departures = 0;
const unknown = { pin: null, puk: null, number: null, chip: null };
export const card = { state: "connecting", ...unknown, holder: null, verdict: null, end: null };

const clearings = new Set();
const changes = new Set();
let end = Infinity;
export let quiet = Promise.resolve();

export const whenGone = (clear) => clearings.add(clear);
export const whenChanged = (look) => changes.add(look);

function renew(isArrival = true) {
  card.verdict = card.why = null;
  expire(isArrival);
}

export function forget() {
  departures += 1;
  renew(false);
}

function expire(isArrival = false) {
  card.holder = card.end = null;
  end = Infinity;
  for (const clear of clearings) clear(isArrival);
  if (isOpen()) draw();
}

export const hide = () => expire(true);

export function keep() { end = Date.now() + 120_000; }

function look() { if (Date.now() > end) expire(); }

setInterval(look, 1000);
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { look(); if (end < Infinity) keep(); });

export function note(facts) {
  Object.assign(card, facts, card.verdict === "false" && { verdict: "false" });
  draw();
}

export const noteCopy = (error) => /^chip-not-(authentic|genuine)$/.test(error?.name) && note({ verdict: "false", why: error.what });

export const background = (act) => { quiet = quiet.then(act).catch(() => {}); return quiet; };

export function refresh() {
  if (!service.desk || !can("info") || card.state !== "card" || !isOpen()) return quiet;
  const before = departures;
  return background(async () => {
    const object = await objectAt("info", {});
    if (departures !== before) return;
    if (object.ok) return note({ pin: object.pinTriesLeft, puk: object.pukTriesLeft, number: object.servicesNumber, chip: object.family });
    noteCopy(object.error);
    const state = object.error.exit === 6 ? "other" : object.error.name === "card-mute" && "mute";
    if (!state) return;
    readers.set(part("place").textContent, state);
    showReaders();
  });
}

export function setState(state, place = "") {
  const before = part("place").textContent;
  const isNew = card.state !== state || place !== before;
  card.state = state;
  part("card").dataset.state = state;
  part("card").toggleAttribute("data-there", readers.size > 0 && state !== "ended");
  fill("place", place);
  if (isNew) Object.assign(card, unknown);
  draw();
  if (isNew && state === "card") refresh();
}

const looks = {
  good: /^genuine$/, warn: /^(last|chip|unproved|mute|other|ended)$/, bad: /^(blocked|false|no-service|disconnected)$/,
};

function shownState() {
  if (card.state !== "card") return card.state;
  return card.pin === 0 && card.verdict !== "false" ? "blocked" : card.verdict ?? "card";
}

export function draw() {
  const state = shownState();
  const text = word("state-" + state);
  if (part("state").textContent !== text) fill("state", text);
  const shown = state === "card" && card.pin === 1 ? "last" : state;
  for (const look in looks) part("card").classList.toggle(look, looks[look].test(shown));
  document.title = card.state === "connecting" ? "CIE" : text + " – CIE";
  fill("hint", word(state === "blocked" && card.puk === 0 ? "puk-none" : "hint-" + state, {}, word("hint-" + card.state, {}, "")));
  const { pin, puk, number, chip } = card;
  const tries = (left) => left === null ? "" : word(left === 1 ? "tries-last" : "tries", { number: left });
  fill("tries", pin === null ? "" : make("span.pips", { ariaHidden: true }, "●●●○○○".slice(3 - pin, 6 - pin) + " "), tries(pin));
  fill("puk", tries(puk));
  fill("number", number ?? "");
  fill("chip", chip ? `CIE 3.0 (${word("chip." + chip)})` : "");
  fill("certificate", card.end ? word("until", { day: day(card.end) }) : "");
  for (const act of changes) act();
}

let chosen = null;

function choose(name) {
  if (name === chosen || !service.desk) return;
  chosen = name;
  renew();
  background(async () => { if (isOpen()) await ask("reader", { reader: name ?? undefined }); });
}

function offer(full) {
  part("choice").hidden = full.length < 2 || !service.desk;
  fill("reader", ...full.map(([name]) => new Option(name)));
  if (!full.some(([name]) => name === chosen)) {
    choose(full.length > 1 ? (full.find(([, state]) => state === "card") ?? full[0])[0] : null);
  }
  part("reader").value = chosen ?? "";
}

function showReaders() {
  const all = [...readers];
  offer(all.filter(([, state]) => state !== "no-card"));
  const mine = all.find(([name]) => name === chosen);
  if (mine) return setState(mine[1], mine[0]);
  for (const state of ["card", "other", "mute", "no-card"]) {
    const found = all.find((each) => each[1] === state);
    if (found) return setState(state, found[0]);
  }
  setState("no-reader");
}

on("reader", "change", ({ target }) => {
  choose(target.value);
  showReaders();
});

export function begin() {
  forget();
  readers = new Map();
  showReaders();
}

export function hear(event) {
  const known = readers.get(event.reader);
  switch (event.event) {
    case "reader-added":
      if (!known) readers.set(event.reader, "no-card");
      break;
    case "reader-removed":
      if (known !== "no-card") forget();
      readers.delete(event.reader);
      break;
    case "card-present":
      // It may be another person's card.
      renew();
      readers.set(event.reader, event.atr === "" ? "mute" : "card");
      break;
    case "card-removed":
      forget();
      readers.set(event.reader, "no-card");
      break;
    case "error":
      forget();
      readers = new Map();
      offer([]);
      setState("no-service");
      fill("hint", `${event.error.what} ${event.error.do ?? ""}`);
      return;
    default: return;
  }
  showReaders();
}

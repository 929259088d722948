// My card: whether it is genuine, and the holder's data.

import { button, buttons, codeField, day, hasWord, kindOf, line, make, mark, moment, on, pairs, part, ready, save, verdict, word } from "./elements.js";
import { card, keep, whenGone } from "./card.js";
import { run, tell } from "./work.js";

let code;
let isPersonal = false;

// The points of a judgement.
export function why(points, family = "point.", about = "") {
  const list = make("ul", { className: "points" });
  const seen = new Set();
  for (const { point, verdict: outcome, what } of points) {
    const group = /^hash-(dg\d+)$/.exec(point);
    const name = family + (group ? "hash-group" : point);
    const label = hasWord(name) ? word(name, { group: group?.[1].toUpperCase() }) : point;
    if (seen.has(label + what)) continue;
    seen.add(label + what);
    const kind = kindOf(outcome);
    list.append(make("li", { className: kind }, mark(kind, "mark-" + kind),
      make("span", {}, make("span", { className: "sentence" }, label), what ? make("span", { className: "sentence reason" }, what) : "")));
  }
  const summary = make("summary", { "data-word": "why" }, word("why"));
  if (about) summary.setAttribute("aria-label", `${word("why")} ${about}`);
  return list.children.length ? make("details", {}, summary, list) : "";
}

// Draws into a canvas, because the page may load no picture.
function portrait(photo) {
  const canvas = make("canvas", { className: "portrait", role: "img", "aria-label": word("document.portrait") });
  const bytes = Uint8Array.from(atob(photo.base64), (letter) => letter.charCodeAt(0));
  createImageBitmap(new Blob([bytes], { type: photo.type })).then((picture) => {
    Object.assign(canvas, { width: picture.width, height: picture.height });
    canvas.getContext("2d").drawImage(picture, 0, 0);
  }, () => canvas.remove());
  return canvas;
}

function* shown(object, time) {
  const outcome = object.overall?.outcome ?? object.outcome;
  if (outcome) {
    // Without the CAN nothing is known of the holder's data: such a verdict speaks of the chip or the number, and is not green.
    const isProved = outcome === "proved";
    const scope = !isProved || object.holder ? "" : object.command === "nis" ? "-number" : "-chip";
    const name = object.test && isProved ? "test" : outcome + scope;
    yield verdict(scope ? "partly" : kindOf(outcome), (object.test ? "TEST. " : "") + word("outcome-" + name));
  }
  if (object.servicesNumber) yield pairs([[word("nis"), object.servicesNumber]]);
  if (object.holder) yield* person(object, time);
  yield why([object.points, object.document?.points, object.ias?.points].filter(Array.isArray).flat());
}

function* person(object, time) {
  const { holder, document: paper = {} } = object;
  const photo = object.photo;
  const row = (name, value) => [word("document." + name), value];
  yield make("div", { className: "person" }, photo ? portrait(photo) : "", pairs([
    row("surname", holder.surname), row("given-names", holder.givenNames), row("date-of-birth", day(holder.birthDate)),
    row("place-of-birth", holder.birthPlace), row("nationality", holder.nationality), row("fiscal-code", holder.fiscalCode),
    row("address", holder.address), row("document", paper.number), row("date-of-expiry", day(paper.expiryDate)),
  ]));
  yield buttons(
    button("save-data", () => save(new Blob([JSON.stringify(object, null, 2)], { type: "application/json" }), "cie.json"), "plain"),
    button("print", () => print(), "plain"));
  yield line("hint", word("leaves"));
  yield line("sheet", word("printed", { time: moment(time) }));
}

function read(name, body) {
  let time;
  return run(name, body, {
    at: "data",
    isPersonal: (object) => Boolean(object.holder || object.servicesNumber),
    contents(object) {
      isPersonal = Boolean(object.holder || object.servicesNumber);
      if (object.holder) card.holder = object.holder;
      keep();
      // That of the check, also when the answer is written again in another language.
      time ??= new Date();
      return shown(object, time);
    },
  });
}

export function begin() {
  code = codeField("can", "can", 6, { isSecret: false, about: "can-where" });
  part("can-field").prepend(...code.parts);
  for (const name of ["verify", "nis"]) on(name, "click", () => read(name, {}));
  ready(part("read-form"), () => code.isFit);
  on("read-form", "submit", () => {
    if (!code.isFit) return code.explain("can-missing");
    const value = code.value;
    code.clear();
    read("read", { can: value });
  });
  whenGone((isArrival) => {
    if (!isArrival) code.clear();
    // An error stays: it has no personal data, and comes when a card is pulled.
    if (isPersonal) {
      part("answer-data").replaceChildren();
      tell("");
    }
    isPersonal = false;
  });
}

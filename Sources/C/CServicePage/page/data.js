import { button, buttons, codeField, day, fill, kindOf, make, mark, moment, nameIn, on, paint, pairs, part, partOf, save, verdict, word } from "./elements.js";
import { card, hide, keep, note, whenGone } from "./card.js";
import { isOfCode, run, runWithPIN, tell, test } from "./work.js";

let code;
let isPersonal = false;

export function why(points, family = "point.", about = "") {
  const list = make("ul.points");
  const seen = new Set();
  for (const { point, verdict: outcome, what: text, reason } of points) {
    const what = text && word(`reason.${reason}`, {}, text);
    const group = /^hash-(dg\d+)$/.exec(point);
    const name = family + (group ? "hash-group" : point);
    const label = word(name, { group: group?.[1].toUpperCase() }, point);
    if (seen.has(label + what)) continue;
    seen.add(label + what);
    const kind = kindOf(outcome);
    // A label says what holds if proved.
    const isProved = kind === "good";
    list.append(make("li", mark(kind, isProved ? "mark-good" : ""), make("span",
      make("span.sentence", ...isProved ? [label] : [make("b", word("mark-" + kind)), " " + label]),
      what && make("span.sentence reason", what))));
  }
  return list.children.length ? make("details", make("summary", { "data-word": "why" }, about && { ariaLabel: `${word("why")} ${about}` }, word("why")), list) : "";
}

export function cause(points, family = "point.", otherwise = "") {
  const found = points.find(({ verdict: is }) => is === "false");
  return make("p", found ? word("cause." + family + found.point.replace(/.*(hash|auth).*/, "$1"), {}, "") : otherwise);
}

function portrait(photo) {
  const canvas = make("canvas.portrait", { role: "img", ariaLabel: word("document.portrait") });
  paint(canvas, photo.base64, photo.type).catch(() => canvas.remove());
  return canvas;
}

const outcomeOf = (object) => object.overall?.outcome ?? object.outcome;

const scopeOf = (object) => object.holder ? "" : object.command === "nis" ? "-number" : "-chip";

function* shown(object, time) {
  const outcome = card.verdict === "false" ? "false" : outcomeOf(object);
  const points = [object.points, object.document?.points, object.ias?.points].filter(Array.isArray).flat();
  if (outcome) {
    const scope = outcome === "proved" ? scopeOf(object) : "";
    const isTest = object.test && outcome === "proved";
    yield verdict(scope || isTest ? "partly" : kindOf(outcome), (object.test ? "TEST. " : "") + word("outcome-" + (isTest ? "test" : outcome) + scope),
      cause(points, "point.", card.why), make("p.hint", word("checked-at", { time: moment(time) })));
  }
  if (object.servicesNumber) yield pairs([[word("nis"), object.servicesNumber]]);
  if (object.holder) yield* person(object, time, outcome);
  yield why(points);
}

function* person({ holder, photo, document: paper = {} }, time, outcome) {
  const row = (name, value) => [word("document." + name), value];
  const rows = [
    row("surname", holder.surname), row("given-names", holder.givenNames), row("date-of-birth", day(holder.birthDate)),
    row("place-of-birth", holder.birthPlace), row("nationality", holder.nationality === "ITA" ? word("italian") : holder.nationality), row("fiscal-code", holder.fiscalCode),
    row("address", holder.address), row("document", paper.number), row("date-of-expiry", day(paper.expiryDate)),
  ];
  yield make("div.person", photo && portrait(photo), pairs(rows));
  const isFalse = outcome === "false";
  if (isFalse) yield make("p", word("unreliable"), !(photo && rows.every(([, value]) => value)) && " " + word("left-out"));
  yield buttons(button("print", () => print(), isFalse ? "plain" : ""), button("hide", hide, "plain"));
  yield make("p.hint", word("leaves"));
  yield make("p.sheet", word("printed", { time: moment(time) }));
}

function stateOf(object) {
  const outcome = outcomeOf(object);
  if (outcome !== "proved") return outcome && (outcome === "false" ? outcome : "unproved");
  return object.test ? null : { "": "genuine", "-chip": "chip" }[scopeOf(object)];
}

function* certificate({ subject, issuer, notBefore, notAfter, expired, serial, certificate: pem }) {
  const kind = expired ? "error" : Date.parse(notAfter) - Date.now() < 60 * 86_400_000 ? "warning" : "note";
  // The dates alone: of its issuer nothing is said.
  yield verdict(kind, test() + word("cert-" + kind, { day: day(notAfter.slice(0, 10)) }));
  yield pairs([
    // The common name is the fiscal code, and the number of the card.
    [word("cert-of"), nameIn(subject)], [word("document.fiscal-code"), partOf(subject, "CN")?.split("/")[0]],
    [word("cert-by"), nameIn(issuer)], [word("cert-from"), day(notBefore.slice(0, 10))], [word("cert-serial"), serial],
  ]);
  yield buttons(button("save", () => {
    save(new Blob([pem]), `CIE ${nameIn(subject)}.pem`);
    tell("handed");
  }, "plain"));
}

async function showCertificate() {
  const object = await runWithPIN("cert", {}, word("cert-title"), () => [make("p", word("cert-why"))], {
    at: "data", isBrief: true, isPersonal: ({ ok }) => ok,
    contents(found) {
      isPersonal = true;
      keep();
      return certificate(found);
    },
  });
  if (object?.ok) note({ end: object.notAfter.slice(0, 10) });
}

const isOfHolder = ({ holder, servicesNumber }) => Boolean(holder || servicesNumber);

function read(name, body) {
  let time;
  return run(name, body, {
    at: "data",
    atField: (error) => isOfCode(error) && code.complain(error.what),
    isPersonal: isOfHolder,
    contents(object) {
      isPersonal = isOfHolder(object);
      if (object.holder) card.holder = object.holder;
      keep();
      if (!time) {
        time = new Date();
        note({ verdict: stateOf(object) });
      }
      return shown(object, time);
    },
  });
}

export function begin() {
  code = codeField("can", "can", 6, { isSecret: false, about: "can-where" });
  part("can-where").before(...code.parts);
  for (const name of ["verify", "nis"]) on(name, () => read(name, {}));
  on("cert", showCertificate);
  const isKept = () => part("keep-can").checked;
  on("read-form", "submit", async () => {
    if (!code.isFit) return code.explain("can-missing");
    const object = await read("read", { can: code.value });
    if (object?.holder && !isKept()) code.clear();
  });
  whenGone((isArrival) => {
    if (!isArrival && !isKept()) code.clear();
    if (isPersonal) {
      fill("answer-data");
      tell("");
    }
    isPersonal = false;
  });
}

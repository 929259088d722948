// The PIN: changing and unblocking it.

import { codeField, day, fill, line, nameIn, on, pairs, part, verdict, word } from "./elements.js";
import { card, note, refresh, whenChanged, whenGone } from "./card.js";
import { can, service } from "./service.js";
import { agreesToLastTry, isOfCode, mayBeLast, run, runWithPIN, test } from "./work.js";

function weakness(pin) {
  if (/^(.)\1*$/.test(pin)) return "weak-same";
  return "0123456789 9876543210".includes(pin) ? "weak-consecutive" : null;
}

function form(id, name, member) {
  const old = codeField(id + "-old", member === "pin" ? "pin-old" : "puk", 8);
  const fresh = codeField(id + "-new", "pin-new", 8, {
    about: "pin-rule", judge: (pin) => weakness(pin) ?? (member === "pin" && pin === old.value ? "same-as-old" : null) });
  const again = codeField(id + "-again", "pin-again", 8, { judge: (pin) => pin === fresh.value ? null : "differs" });
  const fields = [old, fresh, again];
  on(id + "-form", "input", ({ target }) => {
    if (target.id === id + "-new") again.look();
    if (target.id === id + "-old") fresh.look();
  });
  const isHere = service.entry === "page";
  if (isHere) part(id + "-fields").append(...fields.flatMap((field) => field.parts));
  part(id + "-elsewhere").hidden = isHere;
  on(id + "-form", "submit", async () => {
    const unfit = isHere && fields.find((field) => !field.isFit);
    if (unfit) return unfit.explain();
    await refresh();
    const last = mayBeLast(member);
    if (!await agreesToLastTry(member)) return;
    const body = isHere ? { [member]: old.value, newPin: fresh.value } : {};
    const isGone = isHere && !old.isFit;
    old.clear();
    if (isGone) return;
    const object = await run(name, { ...body, ...last }, {
      at: "pin", code: member, atField: (error) => isOfCode(error) && old.complain(error.what), contents: () => [verdict("good", test() + word(name + "-done"))],
    });
    // After an error the new one need not be typed again.
    if (object?.ok) for (const field of fields) field.clear();
    refresh();
  });
  whenGone((isArrival) => { if (!isArrival) for (const field of fields) field.clear(); });
}

const soon = 60 * 24 * 3600 * 1000;

function* certificate({ subject, issuer, notAfter, expired }) {
  const kind = expired ? "error" : Date.parse(notAfter) - Date.now() < soon ? "warning" : "good";
  // The dates alone: of its issuer nothing is said.
  yield verdict(kind === "good" ? "note" : kind, test() + word("cert-" + kind, { day: day(notAfter.slice(0, 10)) }));
  yield pairs([[word("cert-of"), nameIn(subject)], [word("cert-by"), nameIn(issuer)]]);
}

async function showCertificate() {
  const object = await runWithPIN("cert", {}, word("cert-title"), () => [line("", word("cert-why"))], {
    at: "pin", contents: certificate, isBrief: true, isPersonal: ({ ok }) => ok,
  });
  if (object?.ok) note({ end: object.notAfter.slice(0, 10) });
}

export function begin() {
  on("cert", "click", showCertificate);
  // The answer goes with the card.
  whenGone(() => { if (part("answer-pin").querySelector("dl")) fill("answer-pin"); });
  form("change", "pin-change", "pin");
  form("unblock", "pin-unblock", "puk");
  whenChanged(() => {
    part("change").hidden = card.pin === 0 || !can("pin-change");
    part("unblock").open ||= card.pin === 0;
    fill("pin-tries", ...card.pin === 1 ? [verdict("warning", word("last-pin"))] : []);
  });
}

// The PIN: changing and unblocking it.

import { codeField, on, part, ready, verdict, word } from "./elements.js";
import { card, refresh, whenChanged, whenGone } from "./card.js";
import { can, service } from "./service.js";
import { agreesToLastTry, mayBeLast, run } from "./work.js";

// The reason why the program would refuse a new PIN.
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
  if (isHere) part(id + "-form").prepend(...fields.flatMap((field) => field.parts));
  part(id + "-elsewhere").hidden = isHere;
  ready(part(id + "-form"), () => !isHere || fields.every((field) => field.isFit));
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
      at: "pin", code: member, contents: ({ ok }) => ok ? [verdict("good", word(name + "-done"))] : [],
    });
    // After an error the new one, which the card has not taken, need not be typed again.
    if (object?.ok) for (const field of fields) field.clear();
    refresh();
  });
  whenGone((isArrival) => { if (!isArrival) for (const field of fields) field.clear(); });
}

export function begin() {
  form("change", "pin-change", "pin");
  form("unblock", "pin-unblock", "puk");
  whenChanged(() => {
    part("change").hidden = card.pin === 0 || !can("pin-change");
    part("unblock").open ||= card.pin === 0;
  });
}

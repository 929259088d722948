import { codeField, fill, on, part, verdict, word } from "./elements.js";
import { card, refresh, whenChanged, whenGone } from "./card.js";
import { can, service } from "./service.js";
import { agreesToLastTry, isOfCode, isWorking, mayBeLast, run, test } from "./work.js";

function weakness(pin) {
  if (/^(.)\1*$/.test(pin)) return "weak-same";
  return "0123456789 9876543210".includes(pin) ? "weak-consecutive" : null;
}

const every = [];

export function clear() { for (const field of every) field.clear(); }

function form(id, name, member) {
  const old = codeField(id + "-old", member === "pin" ? "pin-old" : "puk", 8);
  const fresh = codeField(id + "-new", "pin-new", 8, {
    about: "pin-rule", judge: (pin) => weakness(pin) ?? (member === "pin" && pin === old.value ? "same-as-old" : null) });
  const again = codeField(id + "-again", "pin-again", 8, { judge: (pin) => pin === fresh.value ? null : "differs" });
  const fields = [old, fresh, again];
  every.push(...fields);
  on(id + "-form", "input", ({ target }) => {
    if (target.id === id + "-new") again.look();
    if (target.id === id + "-old") fresh.look();
  });
  const isHere = service.entry === "page";
  if (isHere) part(id + "-elsewhere").before(...fields.flatMap((field) => field.parts));
  part(id + "-elsewhere").hidden = isHere;
  on(id + "-form", "submit", async () => {
    const unfit = isHere && fields.find((field) => !field.isFit);
    if (unfit) return unfit.explain();
    await refresh();
    if (card.verdict === "false" || isWorking) return;
    const last = mayBeLast(member);
    if (!await agreesToLastTry(member)) return;
    const body = isHere ? { [member]: old.value, newPin: fresh.value } : {};
    const isGone = isHere && !old.isFit;
    old.clear();
    if (isGone) return;
    const object = await run(name, { ...body, ...last }, {
      at: "pin", code: member, atField: (error) => isOfCode(error) && old.complain(error.what), contents: () => [verdict("good", test() + word(name + "-done"))],
    });
    if (object?.ok) {
      clear();
      part("unblock").open = false;
    }
    refresh();
  });
}

export function begin() {
  form("change", "pin-change", "pin");
  form("unblock", "pin-unblock", "puk");
  whenGone((isArrival) => { if (!isArrival) clear(); });
  whenChanged(() => {
    const isFalse = card.verdict === "false";
    part("change").hidden = isFalse || card.pin === 0 || !can("pin-change");
    part("unblock").hidden = isFalse || card.puk === 0 || !can("pin-unblock");
    part("unblock").open ||= card.pin === 0;
    part(card.pin === 0 ? "unblock-form" : "change-form").append(part("letter"));
    fill("pin-tries", isFalse || card.puk === 0 ? verdict("error", word(isFalse ? "hint-false" : "puk-none")) : card.pin === 1 ? verdict("warning", word("last-pin")) : "");
  });
}

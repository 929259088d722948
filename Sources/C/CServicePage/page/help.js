import { button, buttons, change, make, mark, on, part, save, verdict, word } from "./elements.js";
import { card, refresh } from "./card.js";
import { can } from "./service.js";
import { run, tell } from "./work.js";

function copying(command) {
  const each = button("copy", async () => {
    await navigator.clipboard.writeText(command);
    change(each, { textContent: word("copied"), "data-word": "copied" });
  }, "plain small");
  return make("div.command", make("code", command), each);
}

function finding({ grade, what, do: advice, command, repair }) {
  return make("li", mark(grade, "grade-" + grade),
    make("div", make("p", what), advice && !repair && make("p.hint", advice),
      command && copying(command),
      repair === "trusted-lists" && make("p.hint", word("lists-from")),
      repair && can("register") && buttons(button(repair === "trusted-lists" ? "get-lists" : "repair", () => mend(repair), "small"))));
}

async function mend(what) {
  const lists = what === "trusted-lists";
  const object = await run(lists ? "update-lists" : "register", lists ? {} : { what, on: true }, { at: "mend" });
  if (object?.ok) examine(lists || what === "desktop" ? "" : word("registered"));
}

const examine = (done) => run("doctor", {}, {
  at: "help",
  * contents({ headline, findings }) {
    yield make("p", done);
    if (headline) yield card.verdict === "false" ? verdict("bad", word("outcome-false")) : make("p.headline", headline);
    if (findings) yield make("ul.findings", ...findings.map(finding));
  },
}).then(refresh);

async function report() {
  const { report: text } = await run("report", {}, { at: "mend" }) ?? {};
  if (!text) return;
  save(new Blob([text], { type: "text/plain" }), "cie-read-report.txt");
  tell("handed");
}

export function begin() {
  for (const number of [1, 2, 3, 4, 5]) part("privacy").append(make("li", { "data-word": "topic.privacy." + number }));
  on("doctor", () => examine(""));
  on("report", report);
}

// Help: the findings of doctor as rows, what mends them, and the report.

import { button, buttons, line, make, mark, on, part, save, word } from "./elements.js";
import { ask, can, isOpen } from "./service.js";
import { lose, problem, run, tell } from "./work.js";

const kinds = { ok: "good", warning: "warning", problem: "fault" };

// Copies a command; the button says that it is done.
function copying(command) {
  const each = button("copy", async () => {
    await navigator.clipboard.writeText(command);
    each.textContent = word("copied");
  }, "plain small");
  return make("div", { className: "command" }, make("code", {}, command), each);
}

function finding({ grade, what, do: advice, command, repair }) {
  return make("li", { className: kinds[grade] ?? "note" }, mark(kinds[grade], "grade-" + (kinds[grade] ? grade : "note")),
    make("div", {}, line("", what), advice ? line("hint", advice) : "",
      command ? copying(command) : "",
      repair && can("register") ? buttons(button("repair", () => mend(repair), "small")) : ""));
}

async function mend(what) {
  const object = await run("register", { what, on: true }, { at: "help" });
  if (object?.ok) examine();
}

const examine = () => run("doctor", {}, {
  at: "help",
  * contents({ headline, findings }) {
    if (headline) yield line("headline", headline);
    if (findings) yield make("ul", { className: "findings" }, ...findings.map(finding));
  },
});

async function report() {
  if (!isOpen()) return;
  tell("working");
  try {
    const answer = await ask("POST", "/v1/report", {});
    tell(answer.ok ? "done" : "failed");
    const object = await answer.json();
    if (answer.ok) save(new Blob([object.report], { type: "text/plain" }), "cie-read-report.txt");
    else part("answer-help").replaceChildren(...problem(object));
  } catch { lose(); }
}

export function begin() {
  part("doctor").hidden = !can("doctor");
  part("report-part").hidden = !can("report");
  on("doctor", "click", examine);
  on("report", "click", report);
}

// Signed files: where each is saved, or that it is not, and the browser's question before one is lost.

import { button, buttons, change, line, on, part, save, verdict, word } from "./elements.js";
import { ask, blobOf, isOpen } from "./service.js";
import { loseIf } from "./work.js";

// The rows whose signed file is in the service's memory alone; signed again, a row has the newest one.
const unsaved = new Set();

export const base = (path) => path.split("/").pop();

export function noteSigned(row, { file: number, out }) {
  if (!number || row.file.path) return;
  row.made = { number, title: out };
  unsaved.add(row);
  offer();
}

export function forgetSigned(row) {
  unsaved.delete(row);
  offer();
}

function offer() { part("save-all").hidden = unsaved.size < 2; }

// A file that the service made, as a download; true once the browser has it.
async function download(number, title) {
  try {
    const answer = await ask("GET", "/v1/files/" + number);
    if (answer.ok) save(await blobOf(answer), title);
    return answer.ok;
  } catch (error) { return loseIf(error); }
}

async function saveSigned(row) {
  if (!await download(row.made.number, row.made.title)) return;
  change(row.place, { className: "hint", textContent: word("saved") });
  forgetSigned(row);
}

async function saveAll() {
  for (const row of [...unsaved]) await saveSigned(row);
  part("files").focus();
}

// The row of a file that was signed: where the signed one is, or that it is not saved yet.
export function* signed(row, { out }) {
  yield verdict("good", word("signed-as", { name: base(out) }));
  if (row.file.path) {
    yield line("hint", word("saved-in", { folder: out.slice(0, out.lastIndexOf("/")) || "/" }));
    return;
  }
  row.place = unsaved.has(row) ? line("hint unsaved", word("unsaved")) : line("hint", word("saved"));
  yield row.place;
  yield buttons(saving(out, () => saveSigned(row)));
}

function saving(title, act) {
  const each = button("save", act, "small");
  each.setAttribute("aria-label", `${word("save")}: ${title}`);
  return each;
}

export const made = (number, title) => saving(title, () => download(number, title));

export function begin() {
  on("save-all", "click", saveAll);
  addEventListener("beforeunload", (event) => { if (unsaved.size && isOpen()) event.preventDefault(); });
}

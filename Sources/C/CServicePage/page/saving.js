// Signed files: where each is saved, or that it is not, and the browser's question before one is lost.

import { button, buttons, change, line, on, part, save, verdict, word } from "./elements.js";
import { ask, blobOf, isOpen } from "./service.js";
import { loseIf } from "./work.js";

// The rows of signed files that are in the service's memory alone, by the numbers of these files.
const unsaved = new Map();

export const base = (path) => path.split("/").pop();

export function noteSigned(row, { file: number, out }) {
  if (!number || row.file.path) return;
  row.signed = out;
  unsaved.set(number, row);
  part("save-all").hidden = unsaved.size < 2;
}

// A file that the service made, as a download; true once the browser has it.
async function download(number, title) {
  try {
    const answer = await ask("GET", "/v1/files/" + number);
    if (answer.ok) save(await blobOf(answer), title);
    return answer.ok;
  } catch (error) { return loseIf(error); }
}

export function forgetSigned(row) {
  for (const [number, each] of unsaved) if (each === row) unsaved.delete(number);
  part("save-all").hidden = unsaved.size < 2;
}

async function saveSigned(row) {
  for (const [number, each] of unsaved) {
    if (each !== row || !await download(number, row.signed)) continue;
    change(row.place, { className: "hint", textContent: word("saved") });
    forgetSigned(row);
  }
}

async function saveAll() {
  for (const row of [...unsaved.values()]) await saveSigned(row);
  part("files").focus();
}

// The row of a file that was signed: where the signed one is, or that it is not saved yet.
export function* signed(row, { file: number, out }) {
  yield verdict("good", word("signed-as", { name: base(out) }));
  if (row.file.path) {
    yield line("hint", word("saved-in", { folder: out.slice(0, out.lastIndexOf("/")) || "/" }));
    return;
  }
  row.place = unsaved.has(number) ? line("hint unsaved", word("unsaved")) : line("hint", word("saved"));
  const each = button("save", () => unsaved.has(number) ? saveSigned(row) : download(number, out), "small");
  each.setAttribute("aria-label", `${word("save")}: ${out}`);
  yield row.place;
  yield buttons(each);
}

// A button that saves a file that the service made.
export function made(number, title) {
  const each = button("save", () => download(number, title), "small");
  each.setAttribute("aria-label", `${word("save")}: ${title}`);
  return each;
}

export function begin() {
  on("save-all", "click", saveAll);
  addEventListener("beforeunload", (event) => { if (unsaved.size && isOpen()) event.preventDefault(); });
}

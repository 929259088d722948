// Files on their way into the service, and signed ones to where they are saved.

import { button, buttons, change, line, on, part, save, verdict, word } from "./elements.js";
import { ask, blobOf, isOpen, objectOf } from "./service.js";
import { loseIf, problem, tell } from "./work.js";

const piece = 1 << 20;
export const mostAtOnce = 200;

// Sends a file in pieces; what the person has to know of it.
export async function send(file) {
  tell("sending", { name: file.name });
  let answer = await ask("files", { name: file.name, size: file.size });
  let object = await objectOf(answer);
  const number = object.file;
  for (let start = 0; answer.ok && start < file.size; start += piece) {
    let bytes;
    try { bytes = await file.slice(start, start + piece).arrayBuffer(); } catch {
      // A folder, or a file that was changed or deleted meanwhile.
      await ask(`files/${number}/forget`, {});
      return unreadable(file);
    }
    answer = await ask("files/" + number, bytes, { raw: true });
    if (!answer.ok) object = await objectOf(answer);
  }
  return problem(answer.ok ? {} : object);
}

const unreadable = ({ name }) => [verdict("error", word("unreadable", { name }))];

// Adds a file, or those below a folder but hidden ones, to a list.
async function gather(entry, files) {
  if (entry.isFile) return files.push(await new Promise((settle, fail) => { entry.file(settle, fail); }));
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((settle, fail) => { reader.readEntries(settle, fail); });
    if (!some.length || files.length > mostAtOnce) return undefined;
    for (const each of some) if (!each.name.startsWith(".")) await gather(each, files);
  }
}

// The files of a drop, and a word for each that cannot be read.
export async function gathered(given) {
  // Before the first wait, because the transfer is empty after the event.
  const entries = [...given.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  const files = entries.length ? [] : [...given.files];
  const missing = [];
  for (const entry of entries) {
    try { await gather(entry, files); } catch { missing.push(...unreadable(entry)); }
  }
  return { files, missing };
}

// Rows whose newest signed file is in memory alone.
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

// A file of the service as a download; true once the browser has it.
async function download(number, title) {
  try {
    const answer = await ask("files/" + number);
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

// The place of a signed file, or that it is not saved yet.
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

const saving = (title, act) => change(button("save", act, "small"), { "aria-label": `${word("save")}: ${title}` });

export const made = (number, title) => saving(title, () => download(number, title));

export function begin() {
  on("save-all", "click", saveAll);
  addEventListener("beforeunload", (event) => { if (unsaved.size && isOpen()) event.preventDefault(); });
}

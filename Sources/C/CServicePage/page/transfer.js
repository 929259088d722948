import { button, buttons, change, make, on, part, save, verdict, word } from "./elements.js";
import { ask, blobOf, isOpen, objectOf, service } from "./service.js";
import { agrees, loseIf, problem, show, tell, test } from "./work.js";

const piece = 1 << 20;
export const mostAtOnce = 200;

export async function send(file) {
  // No request can name what is not Unicode.
  const name = file.name.toWellFormed();
  tell("sending", { name });
  let answer = await ask("files", { name, size: file.size });
  let object = await objectOf(answer);
  const number = object.file;
  for (let start = 0; answer.ok && start < file.size; start += piece) {
    let bytes;
    try { bytes = await file.slice(start, start + piece).arrayBuffer(); } catch {
      // A folder, or a file changed or deleted meanwhile.
      await ask(`files/${number}/forget`, {});
      return unreadable(file);
    }
    answer = await ask("files/" + number, bytes, { raw: true });
    if (!answer.ok) object = await objectOf(answer);
  }
  return problem(object);
}

const unreadable = ({ name }) => [verdict("error", word("unreadable", { name }))];

async function gather(entry, files) {
  if (entry.isFile) return files.push(await new Promise((settle, fail) => { entry.file(settle, fail); }));
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((settle, fail) => { reader.readEntries(settle, fail); });
    if (!some.length || files.length > mostAtOnce) return undefined;
    for (const each of some) if (!each.name.startsWith(".")) await gather(each, files);
  }
}

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

const unsaved = new Set();

export const base = (path) => path.split("/").pop();

export function made(number, title, row) {
  const file = { number, title, row, place: make("div") };
  show(file.place, () => [row ? make("p.hint unsaved", word("unsaved")) : "", saving(file)]);
  return file;
}

const saving = (file) => buttons(
  change(button("save", () => keep(file), "small"), { ariaLabel: `${word("save")}: ${file.title}` }));

async function keep(file) {
  const { number, title, row, place } = file;
  if (file.isBusy) return;
  file.isBusy = true;
  const path = "files/" + number;
  let object = {};
  try {
    const answer = service.desk ? await ask(path + "/save", {}) : await ask(path);
    if (service.desk || !answer.ok) object = await objectOf(answer);
    else save(await blobOf(answer), title);
  } catch (error) { return loseIf(error); }
  file.isBusy = false;
  if (!object.error && row?.made === file) forgetSigned(row);
  const isHere = place.contains(document.activeElement);
  show(place, () => object.path ? [make("p.hint", word("saved-in", { folder: object.path }))]
    : [...object.error ? problem(object) : [make("p.hint", word("handed"))], saving(file)]);
  if (isHere) (place.querySelector("button") ?? part("files")).focus();
}

export function noteSigned(row, { file: number, out }) {
  if (!number || row.file.path) return;
  row.made = made(number, base(out), row);
  unsaved.add(row);
  offer();
}

export function forgetSigned(row) {
  unsaved.delete(row);
  offer();
}

export async function mayForget(given) {
  const lost = given.filter((row) => unsaved.has(row));
  return !lost.length || agrees(word("lose-title"), word("lose-what", { name: lost.map((row) => row.made.title).join(", ") }));
}

function offer() { part("save-all").hidden = unsaved.size < 2 || !service.desk && unsaved.size > 10; }

async function saveAll() {
  for (const row of [...unsaved]) await keep(row.made);
  part("files").focus();
}

export function* signed(row, { out }) {
  yield verdict("good", test() + word("signed-as", { name: base(out) }));
  yield row.file.path ? make("p.hint", word("saved-in", { folder: out.slice(0, out.lastIndexOf("/")) || "/" })) : row.made.place;
}

export function begin() {
  on("save-all", saveAll);
  addEventListener("beforeunload", (event) => { if (unsaved.size && isOpen()) event.preventDefault(); });
}

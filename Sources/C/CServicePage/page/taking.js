// Takes files of the person over into the service: chosen ones, and dropped ones with the files of folders.

import { verdict, word } from "./elements.js";
import { ask, objectOf } from "./service.js";
import { problem, tell } from "./work.js";

const piece = 1 << 20;
export const mostAtOnce = 200;

// Sends a file in pieces; what the person has to know of it.
export async function send(file) {
  tell("sending", { name: file.name });
  let answer = await ask("POST", "/v1/files", { name: file.name, size: file.size });
  let object = await objectOf(answer);
  const number = object.file;
  for (let start = 0; answer.ok && start < file.size; start += piece) {
    let bytes;
    try { bytes = await file.slice(start, start + piece).arrayBuffer(); } catch {
      // A folder, or a file that was changed or deleted meanwhile.
      await ask("POST", `/v1/files/${number}/forget`, {});
      return unreadable(file);
    }
    answer = await ask("POST", "/v1/files/" + number, bytes, { raw: true });
    if (!answer.ok) object = await objectOf(answer);
  }
  return problem(answer.ok ? {} : object);
}

const unreadable = ({ name }) => [verdict("error", word("unreadable", { name }))];

// Adds the files of a folder to a list, those of its folders included and hidden ones left out; a file itself, too.
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

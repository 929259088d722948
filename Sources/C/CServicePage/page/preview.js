import { change, fill, on, paint, part, word } from "./elements.js";
import { isOpen, objectAt } from "./service.js";
import { loseIf, show } from "./work.js";

let page;
let [x, y] = [0, 0];
let path;
let files = [];

const value = (id) => part(id).value;

export const wished = () => ({
  mark: value("at") === "free" ? `${x},${y}` : value("at"),
  page: value("page") || (part("mark").checked ? "last" : 1),
});

export const lacksPage = () => files.length && part("mark").checked && page?.error;

const millimetre = 72 / 25.4;

function* says({ error, unseen, mark } = page) {
  if (unseen) yield `${unseen.what} ${unseen.do} `;
  const at = { x: Math.round(x / millimetre), y: Math.round(y / millimetre) };
  if (part("mark").checked) yield error?.what ?? word(mark.fixed ? "mark-fixed" : "mark-at", at);
}

function move(left, bottom, { width, height, mark } = page) {
  const inside = (length, room) => Math.round(Math.max(0, Math.min(length, room)));
  [x, y] = [inside(left, width - mark.width), inside(bottom, height - mark.height)];
  const share = (length, whole = width) => 100 * length / whole + "%";
  change(part("spot").style, { left: share(x), bottom: share(y, height), width: share(mark.width), height: share(mark.height, height) });
  show(part("spot-says"), says);
}

const place = () => page?.mark && move(...page.mark.places[value("at")] ?? [x, y]);

function drag(left, bottom) {
  if (!part("mark").checked || page?.mark?.fixed !== false) return;
  part("at").value = "free";
  move(left, bottom);
}

export async function see(given) {
  if (given) [files, path] = [given];
  const before = value("shown");
  fill("shown", ...files.map(({ file, name }) => new Option(name, file, false, file === before)));
  const wanted = part("options").open && files.length && isOpen() && `files/${value("shown")}/pages/${wished().page}`;
  part("preview").hidden = !wanted;
  if (!wanted || path === wanted) return;
  [path, page] = [wanted];
  part("paper").hidden = true;
  try {
    const found = await objectAt(wanted);
    if (path !== wanted) return;
    page = found;
    part("paper").hidden = !found.mark;
    if (!found.mark) return show(part("spot-says"), says);
    part("page").placeholder = found.page;
    change(part("picture"), { width: found.width, height: found.height });
    place();
    if (found.picture) await paint(part("picture"), found.picture);
  } catch (error) { path = ""; loseIf(error); }
}

function turn(step) {
  part("page").value = Math.max(1, Number(value("page") || page?.page) + step) || 1;
  see();
}

export function begin() {
  for (const id of ["page", "shown", "mark"]) on(id, "change", () => see());
  on("back", () => turn(-1));
  on("next", () => turn(1));
  on("options", "toggle", () => see());
  for (const id of ["at", "mark"]) on(id, "change", place);
  for (const kind of ["pointerdown", "pointermove"]) {
    on("paper", kind, ({ buttons, pointerId, clientX, clientY }) => {
      if (!buttons || !page?.mark) return;
      part("paper").setPointerCapture(pointerId);
      const box = part("paper").getBoundingClientRect();
      const scale = page.width / box.width;
      drag((clientX - box.left) * scale - page.mark.width / 2, (box.bottom - clientY) * scale - page.mark.height / 2);
    });
  }
  on("spot", "keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const step = event.shiftKey ? 1 : 10;
    drag(x + step * way[0], y + step * way[1]);
  });
}

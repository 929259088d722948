import { button, buttons, change, fill, kindOf, make, moment, nameIn, on, part, size, verdict, word } from "./elements.js";
import { card } from "./card.js";
import { ask, can, isOpen, objectAt, tellService } from "./service.js";
import { begin as beginPreview, lacksPage, see, wished } from "./preview.js";
import { base, begin as beginTransfer, forgetSigned, gathered, made, mostAtOnce, mayForget, noteSigned, send, signed } from "./transfer.js";
import { cause, why } from "./data.js";
import { isOfPassword, isWorking, loseIf, problem, run, runWithPIN, show, tell } from "./work.js";

const rows = new Map();
const results = new Set();
const asked = new Set();

function about({ size: bytes, pages }, ...more) {
  return [size(bytes), pages && word("pages", { number: pages }), ...more].filter(Boolean).join(" · ");
}

function describe(row) {
  const { signatures, error } = row.file;
  row.about.textContent = about(row.file, signatures && word("signatures", { number: signatures }), error?.what);
  row.box.disabled = error && !isOfPassword(error);
  row.lock.replaceChildren(isOfPassword(error) ? passwordField(row.file.file) : "");
}

function passwordField(number) {
  const id = "password-" + number;
  const input = make("input", { id, className: "secret", autocomplete: "off", spellcheck: false });
  const form = make("form", make("label", { htmlFor: id }, word("password")), input,
    make("button.plain", word("go")));
  on(form, "submit", async () => {
    try {
      await ask(`files/${number}/password`, { password: input.value });
      await refresh();
      checkAsked();
      (part(id) ?? part("file-" + number))?.focus();
    } catch (error) { loseIf(error); }
  });
  return form;
}

function add(given) {
  const file = { ...given, name: base(given.name) };
  const old = rows.get(file.file);
  if (old) {
    const isOpened = old.file.error && !file.error;
    if (isOpened) old.result.replaceChildren();
    if (file.check || isOpened && file.signatures) asked.add(old);
    old.file = file;
    return describe(old);
  }
  const id = "file-" + file.file;
  const row = {
    file, result: make("div.result"), lock: make("div.result"),
    about: make("span.about"),
  };
  row.box = make("input", { type: "checkbox", id, checked: !file.signatures && (!file.error || isOfPassword(file.error)) });
  const remove = change(button("remove", () => discard(row), "work plain small"), { ariaLabel: word("remove-file", { name: file.name }) });
  row.element = make("li", make("div.file",
    row.box, make("label", { htmlFor: id }, make("span.name", file.name), row.about), remove), row.lock, row.result);
  rows.set(file.file, row);
  part("files").append(row.element);
  describe(row);
  if (file.check || file.signatures) asked.add(row);
  askApart();
}

const askApart = () => rows.forEach((row) => /\.p7s$/i.test(row.file.name) && asked.add(row));

async function discard(...given) {
  if (isWorking || !await mayForget(given)) return;
  tell("");
  const { nextElementSibling: after, previousElementSibling: before } = given.at(-1).element;
  for (const row of given) {
    rows.delete(row.file.file);
    asked.delete(row);
    forgetSigned(row);
    row.element.remove();
  }
  if (!rows.size) forgetWishes();
  seeChosen();
  ((after ?? before)?.querySelector("#files input") ?? part("choose")).focus();
  for (const row of given) await tellService(`files/${row.file.file}/forget`);
  askApart();
  checkAsked();
}

export async function refresh() {
  if (!can("files") || !isOpen()) return 0;
  try {
    const object = await objectAt("files");
    for (const file of object.files) if (!results.has(file.file)) add(file);
    seeChosen();
    return rows.size;
  } catch { return 0; /* The stream of events ends, too. */ }
}

async function take(files, missing = []) {
  if (!isOpen()) return;
  const place = part("answer-documents");
  place.replaceChildren(...missing);
  const before = rows.size;
  if (files.length > mostAtOnce) place.append(verdict("error", word("too-many", { number: mostAtOnce })));
  for (const file of files.slice(0, mostAtOnce)) {
    try { place.append(...await send(file)); } catch (error) { return loseIf(error); }
  }
  await refresh();
  checkAsked();
  tell(rows.size > before ? "added" : "", { number: rows.size - before });
}

const chosen = () => [...rows.values()].filter(({ box }) => box.checked && !box.disabled);
const seeChosen = () => see(chosen().map(({ file }) => file).filter(({ pages }) => pages));
const numbers = (files) => files.map(({ file }) => file.file);

function wishes() {
  const text = (id) => part(id).value.trim() || undefined;
  return { format: part("format").value, reason: text("reason"), location: text("location"), ...part("mark").checked && part("format").value === "auto" && chosen().some(({ file }) => file.pages) && wished() };
}

function forgetWishes() {
  part("mark").checked = part("reason").value = part("location").value = part("page").value = "";
  part("at").selectedIndex = 0;
}

function statement(files) {
  const { holder } = card;
  const { reason, location, page } = wishes();
  const who = holder ? word("signer", { name: `${holder.givenNames} ${holder.surname}` }) : word("sign.statement.holder");
  return [
    ...[who, page && `${word("mark")}: ${part("at").selectedOptions[0].text}${page > 0 ? `, ${word("mark-page")} ${page}` : ""}`, reason && `${word("reason")}: ${reason}`, location && `${word("location")}: ${location}`, word("sign.statement.worth"), word("sign.statement.limits")].map((each) => make("p", each)),
    make("ul.statement", ...files.map(({ file }) => {
      const digest = file.digest?.slice(0, 16).replace(/..(?=.)/g, "$& ");
      return make("li", make("span.name", file.name), make("span.about", about(file, digest && word("digest", { digest }))));
    })),
  ];
}

async function sign() {
  if (lacksPage()) return part("page").focus();
  await refresh();
  const files = chosen();
  if (!files.length) {
    fill("answer-documents", verdict("note", word("none-marked")));
    return part("choose").focus();
  }
  const title = word("sign-title", { number: files.length });
  const object = await runWithPIN("sign-files", { files: numbers(files), ...wishes() }, title, () => statement(files), {
    at: "documents", focus: "files", yes: "sign",
  });
  object?.documents?.forEach((each, index) => {
    const row = files[index];
    if (each.file) results.add(each.file);
    if (!each.error) {
      row.box.checked = false;
      row.isSigned = true;
      noteSigned(row, each);
    }
    const proof = proving(each);
    show(row.result, () => each.error ? problem(each) : [...signed(row, each), proof]);
  });
  if (!object?.documents) return;
  if (object.ok) forgetWishes();
  seeChosen();
  tell("signed-count", { number: object.documents.filter(({ error }) => !error).length, of: files.length });
}

function proving({ file, out: name }) {
  const result = make("div");
  if (file) result.append(button("check", () => check([{ file: { file, name }, result, about: {} }]), "plain small"));
  return result;
}

function headline({ points = [], outcome, signer, issuer }, row) {
  const kind = kindOf(outcome);
  const name = nameIn(signer) ?? word("unknown-signer");
  const isUnknown = kind === "open" && points.some(({ reason }) => /^(issuer-not-trusted|no-trusted-issuers)$/.test(reason));
  const isOwn = isUnknown && signer === issuer;
  return verdict(kind, word("signature-" + (kind === "open" && !signer ? "nobody" : isOwn ? "own" : isUnknown ? "unvouched" : kind), { name }),
    cause(points, "signed.point."), isUnknown && points.some(({ point, verdict: is }) => point === "contents" && is === "proved") && make("p", word("intact")),
    isUnknown && !isOwn && can("update-lists")
      && make("p", word("signature-lists"), " ", button("get-lists", () => getLists(row), "link")));
}

async function getLists(row) {
  if ((await run("update-lists", {}, { at: "documents" }))?.ok) check([row]);
}

function* judged(found, row) {
  if (found.signedIn) yield verdict("note", word("signed-in", { name: base(found.signedIn) }));
  else if (found.error) yield* problem(found);
  else if (!found.signatures?.length) yield verdict("note", word("unsigned"));
  if (found.signatures?.some(({ laterContent }) => ["other", "signatures-shown"].includes(laterContent))) yield verdict("warning", word("later"));
  for (const each of found.signatures ?? []) {
    yield headline(each, row);
    if (each.points?.some(({ reason }) => reason === "no-contents")) yield verdict("warning", word("add-contents", { name: row.file.name.replace(/\.p7s$/i, "") }));
    if (each.quality) yield make("p", each.quality, make("span.sentence", each.listAge));
    if (each.claimedTime) yield make("p.hint", word("claimed", { time: moment(each.claimedTime) }));
    yield why(each.points ?? [], "signed.point.", nameIn(each.signer));
  }
  if (found.signatures?.length && found.outcome !== "false" && found.form !== "detached" && can("extract")) {
    yield buttons(button("extract", () => takeOut(row), "plain small"));
  }
}

async function takeOut(row) {
  let file;
  await run("extract", { files: [row.file.file] }, {
    at: "documents",
    contents(object) {
      results.add(object.file);
      file ??= made(object.file, object.out);
      return [make("p", word("extracted", { name: row.file.name })), file.place];
    },
  });
}

export function checkAsked() {
  if (isWorking) return setTimeout(checkAsked, 200);
  check([...asked]);
  asked.clear();
}

async function check(given) {
  const files = given.filter(({ isSigned }) => !isSigned);
  if (!files.length) return;
  const object = await run("check-files", { files: numbers(files) }, { at: "documents", focus: "files" });
  object?.files?.forEach((found, index) => {
    const row = files[index];
    // That it cannot be signed is not the question now.
    if (found.error && !isOfPassword(found.error)) row.about.textContent = about(row.file);
    if (found.outcome === "false") change(row.box, { checked: false, disabled: true });
    show(row.result, () => judged(found, row));
  });
}

export function begin() {
  for (const [row, values] of [
    ["format-", "auto cades"],
    ["at-", "bottom-right bottom bottom-left right center left top-right top top-left free"],
  ]) {
    part(row.slice(0, -1)).append(...values.split(" ").map((value) => make("option", { value, "data-word": row + value })));
  }
  on("choose", () => part("chooser").click());
  on("chooser", "change", async (event) => {
    const files = [...event.target.files];
    event.target.value = "";
    await take(files);
  });
  // A missed drop must not replace the page.
  for (const kind of ["dragover", "dragleave", "drop"]) {
    addEventListener(kind, (event) => {
      event.preventDefault();
      part("drop").classList.toggle("over", kind === "dragover" && part("drop").contains(event.target));
      if (kind !== "drop" || !can("files") || !event.dataTransfer.types.includes("Files")) return;
      part("tab-documents").click();
      gathered(event.dataTransfer).then(({ files, missing }) => take(files, missing));
    });
  }
  on("sign", sign);
  on("check", () => check([...rows.values()]));
  on("remove-all", () => discard(...rows.values()));
  on("files", "change", () => {
    document.querySelector("#answer-documents > .info")?.remove();
    seeChosen();
  });
  beginTransfer();
  beginPreview();
}

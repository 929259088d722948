import { all, calm, change, complain, fill, icon, make, on, part, setWords, word } from "./elements.js";
import { begin as beginReaders, draw, forget, hear, refresh, setState, whenGone } from "./card.js";
import { can, isOpen, listen, secretOfAddress, service, settings, useTicket, useToken } from "./service.js";
import { askForPIN, begin as beginWork, rewrite, showStep, tell, whenLost } from "./work.js";
import * as data from "./data.js";
import * as pin from "./pin.js";
import * as login from "./login.js";
import * as documents from "./documents.js";
import * as help from "./help.js";

const tabs = {
  data: ["verify", "read", "nis"], documents: ["sign-files", "check-files"], login: ["login", "open-browser", "register"],
  pin: ["pin-change", "pin-unblock"], help: ["doctor", "report"],
};

let chosen;
const narrow = matchMedia("(max-width: 44rem)");

const widen = () => part("desk").classList.toggle("wide", narrow.matches || chosen === "documents");
on(narrow, "change", widen);

const drop = (kinds) => all(`.answer:has(.findings, ${kinds})`).forEach((each) => each.replaceChildren());

function choose(name) {
  for (const each in tabs) {
    change(part("tab-" + each), { ariaSelected: each === name, tabIndex: (each === name) - 1 });
    part("panel-" + each).hidden = each !== name;
  }
  chosen = name;
  widen();
  pin.clear();
  drop(".error, .open");
  refresh();
  calm();
  tell("");
}

function beginTabs() {
  const offered = Object.keys(tabs).filter((name) => tabs[name].some(can));
  for (const name in tabs) {
    part("tabs").append(make("button", {
      role: "tab", id: "tab-" + name, "aria-controls": "panel-" + name, hidden: !offered.includes(name),
    }, icon(name), make("span", { "data-word": "tab-" + name })));
    on("tab-" + name, () => choose(name));
    change(part("panel-" + name), { role: "tabpanel", "aria-labelledby": "tab-" + name });
    change(part("answer-" + name), { tabIndex: -1, role: "group", "data-label": "result" }).classList.add("answer");
  }
  on("tabs", "keydown", (event) => {
    const place = offered.indexOf(chosen);
    const next = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: offered.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const name = offered[(next + offered.length) % offered.length];
    part("tab-" + name).click();
    part("tab-" + name).focus();
  });
  if (offered.length) choose(offered[0]);
  part("to-about").hidden = !offered.includes("help");
  on("to-about", () => {
    choose("help");
    part("about").focus();
  });
}

function disconnect() {
  useToken("");
  forget();
  for (const name in tabs) fill("answer-" + name);
  tell("");
  part("work").hidden = part("language-choice").hidden = true;
  setState(service.desk ? "ended" : "disconnected");
}

function refuse() {
  useToken("");
  part("desk").hidden = true;
  if (service.desk) return notice("ticket-used");
  part("access").hidden = false;
  complain(part("token"), word("token-wrong"));
}

function notice(name) {
  document.title = word(name) + " – CIE";
  fill("notice", word(name));
}

async function showFiles() {
  if (!await documents.refresh()) return;
  choose("documents");
  documents.checkAsked();
}

async function open() {
  part("access").hidden = true;
  part("desk").hidden = false;
  showFiles();
  const end = await listen(beginReaders, (event) => ({ files: showFiles, progress: showStep, pin: askForPIN })[event.event]?.(event) ?? hear(event), forget);
  (end === "refused" ? refuse : disconnect)();
}

function beginLanguages(given) {
  const choice = part("language");
  for (const [code, name] of Object.entries(given.languages)) {
    choice.append(make("option", { value: code, lang: code }, name));
  }
  choice.value = given.language;
  on("language", "change", async () => {
    if (part("work").hidden) return;
    const { language, words } = await settings(choice.value);
    setWords(language, words);
    draw();
    documents.refresh();
    rewrite();
    tell("");
  });
}

async function begin() {
  const language = new URLSearchParams(location.search).get("lang");
  const secret = secretOfAddress();
  const given = await settings(language);
  Object.assign(service, given);
  fill("version", `cie-read ${given.version}.`);
  beginLanguages(given);
  beginWork();
  beginTabs();
  for (const each of [data, pin, login, documents, help]) each.begin();
  for (const each of all("[data-field]")) {
    each.autocomplete = "off";
    each.before(make("label", { htmlFor: each.id, "data-word": each.dataset.field }));
  }
  for (const each of all("[data-head]")) {
    const name = each.dataset.head;
    each.dataset.word = name + "title";
    each.after(make(each.localName === "b" ? "span.hint" : "p.hint", { "data-word": name + "what" }));
  }
  for (const each of all("[data-needs]")) each.hidden = !each.dataset.needs.split(" ").some(can);
  whenLost(disconnect);
  whenGone((isArrival) => drop(isArrival ? ".verdict" : ".verdict:not(.error, .open)"));
  on(window, "focus", refresh);
  setWords(given.language, given.words);
  draw();
  document.body.hidden = false;
  on("token-form", "submit", () => {
    const token = part("token").value.trim();
    part("token").value = "";
    useToken(token);
    if (isOpen()) open();
  });
  useToken(secret.token ?? "");
  if (isOpen()) return open();
  if (service.desk) return beginDesk(secret.ticket);
  part("access").hidden = false;
  part("token").focus();
}

// The ticket may come after the page.
async function beginDesk(ticket) {
  const late = new Promise((settle) => {
    addEventListener("hashchange", () => settle(secretOfAddress().ticket));
    setTimeout(settle, 3000);
  });
  const given = ticket ?? await late;
  if (given && await useTicket(given)) open();
  else notice("ticket-used");
}

// A window that is loaded again has lost its token.
addEventListener("keydown", (event) => { if (service.desk && (event.key === "F5" || event.ctrlKey && /^r$/i.test(event.key))) event.preventDefault(); });

// Before the back/forward cache.
addEventListener("pagehide", forget);

begin();

"use strict";

// The page of the service: readers and cards as they come and go, and the response to a request. The script contains
// no text for users, because that is in the page, in its language.

const part = (id) => document.getElementById(id);
const words = part("words").dataset;
const functions = document.body.dataset.functions.split(" ");
const takesPIN = document.body.dataset.entry === "page";

// In memory only, not in the browser's storage: once the service has ended another program may listen at its port, and
// its page would have the same origin.
let token = "";
let isWorking = false;
let readers = new Map();
// Number of removals of a card; true while data from a card are shown; timer that clears them.
let departures = 0;
let isPersonal = false;
let expiry;
const lifetime = 120_000;

// The token from a URL such as /#token=…, which is then removed from the URL.
function tokenOfAddress() {
  const found = new URLSearchParams(location.hash.slice(1)).get("token");
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  return found || "";
}

function ask(method, path, body, signal) {
  return fetch(path, {
    method,
    headers: {
      "Authorization": "Bearer " + token,
      "Accept-Language": document.documentElement.lang,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    cache: "no-store", credentials: "omit", redirect: "error", signal,
  });
}

// The reader and the card.

function show(state, place) {
  const line = part("state");
  if (line.dataset.state !== state || line.textContent !== line.getAttribute("data-" + state)) {
    line.dataset.state = state;
    line.textContent = line.getAttribute("data-" + state);
  }
  part("place").textContent = place || "";
}

function showReaders() {
  const withCard = [...readers].find(([, hasCard]) => hasCard);
  if (withCard) show("card", withCard[0]);
  else if (readers.size) show("no-card", [...readers.keys()][0]);
  else show("no-reader");
}

function hear(event) {
  switch (event.event) {
    case "reader-added": readers.set(event.reader, false); break;
    case "reader-removed":
      if (readers.get(event.reader)) forget();
      readers.delete(event.reader);
      break;
    case "card-present":
      // It may be another person's card, so the previous card's data must not be shown.
      if (!isWorking) clear();
      readers.set(event.reader, true);
      break;
    case "card-removed":
      forget();
      readers.set(event.reader, false);
      break;
    case "error":
      // The card may have been removed.
      forget();
      part("place").textContent = event.error.what;
      return;
    default: return;
  }
  showReaders();
}

// Server-sent events by fetch, because EventSource cannot send the token.
async function listen() {
  try {
    const answer = await ask("GET", "/v1/events");
    if (answer.status === 401) return refuseToken();
    if (!answer.ok) throw new Error(answer.statusText);
    readers = new Map();
    showReaders();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const data = block.split("\n").find((line) => line.startsWith("data: "));
        if (data) hear(JSON.parse(data.slice(6)));
      }
    }
  } catch { /* The end is the same. */ }
  disconnect();
}

// Final, because another program may listen at the port next, and must get neither the token nor a code.
function disconnect() {
  token = "";
  forget();
  clear();
  for (const id of ["reading", "login"]) part(id).hidden = true;
  show("disconnected");
}

// Requests to the card.

function setWorking(working) {
  isWorking = working;
  for (const button of document.querySelectorAll("button.work")) {
    // Not disabled, because a focused button would lose the focus.
    button.setAttribute("aria-disabled", String(working));
  }
  part("cancel").hidden = !working;
  part("answer").setAttribute("aria-busy", String(working));
}

function clear() {
  clearTimeout(expiry);
  isPersonal = false;
  part("progress").textContent = "";
  part("answer").replaceChildren();
}

// The holder's data and typed codes are cleared with the card; an error message stays.
function forget() {
  departures += 1;
  part("can").value = part("pin").value = "";
  if (!isWorking && isPersonal) clear();
}

async function work(name, body) {
  if (isWorking || !token) return;
  setWorking(true);
  clear();
  const before = departures;
  part("progress").textContent = part("progress").dataset.working;
  try {
    const answer = await ask("POST", "/v1/" + name, body);
    if (answer.status === 401) return refuseToken();
    const object = await answer.json();
    part("progress").textContent = part("progress").dataset[object.ok ? "done" : "failed"];
    isPersonal = Boolean(object.holder || object.servicesNumber);
    // The card may have been removed in the meantime.
    if (!isPersonal || departures === before) part("answer").replaceChildren(...contents(object));
    expiry = setTimeout(clear, lifetime);
  } catch {
    disconnect();
  } finally {
    setWorking(false);
  }
  part("answer").focus();
}

function paragraph(text, kind) {
  const element = document.createElement("p");
  element.textContent = text;
  if (kind) element.className = kind;
  return element;
}

function list(entries) {
  const element = document.createElement("dl");
  for (const [name, value] of entries) {
    if (value === null || value === undefined || value === "") continue;
    const term = document.createElement("dt");
    term.textContent = name;
    const text = document.createElement("dd");
    text.textContent = Array.isArray(value) ? value.join(", ") : String(value);
    element.append(term, text);
  }
  return element;
}

function* contents(object) {
  if (object.error) {
    yield paragraph(object.error.what, "bad");
    yield paragraph(object.error.do);
  }
  const outcome = object.overall ? object.overall.outcome : object.outcome;
  const verdict = outcome && part("words").getAttribute("data-" + outcome);
  if (verdict) yield paragraph(verdict, outcome === "proved" ? "good" : "bad");
  if (object.servicesNumber) yield list([[words.nis, object.servicesNumber]]);
  if (object.holder) {
    const { holder, document: paper } = object;
    yield list([
      [words.surname, holder.surname], [words.givenNames, holder.givenNames], [words.birthDate, holder.birthDate],
      [words.birthPlace, holder.birthPlace], [words.nationality, holder.nationality],
      [words.fiscalCode, holder.fiscalCode], [words.address, holder.address],
      [words.document, paper && paper.number], [words.expiryDate, paper && paper.expiryDate],
    ]);
  }
  const reasons = [object.points, object.document && object.document.points, object.ias && object.ias.points]
    .filter(Array.isArray).flat().filter((point) => outcome !== "proved" && point.verdict !== "proved" && point.what);
  for (const text of new Set(reasons.map((point) => point.what))) yield paragraph(text);
  if (object.completedUrl && URL.parse(object.completedUrl)?.protocol === "https:") {
    const link = document.createElement("a");
    link.href = object.completedUrl;
    link.rel = "noreferrer";
    link.textContent = words.goOn;
    const element = document.createElement("p");
    element.append(link);
    yield element;
  }
}

// The token.

function refuseToken() {
  token = "";
  part("desk").hidden = true;
  part("access").hidden = false;
  part("token-problem").textContent = words.tokenWrong;
  part("token").focus();
}

function open(given) {
  token = given;
  part("token-problem").textContent = "";
  part("access").hidden = true;
  part("desk").hidden = false;
  listen();
}

function begin() {
  for (const button of document.querySelectorAll("button[data-function]")) {
    button.hidden = !functions.includes(button.dataset.function);
    button.addEventListener("click", () => work(button.dataset.function, {}));
  }
  part("read-form").hidden = !functions.includes("read");
  part("reading").hidden = !["nis", "verify", "read"].some((name) => functions.includes(name));
  part("login").hidden = !functions.includes("login");
  part("pin-here").hidden = !takesPIN;
  part("pin").required = takesPIN;
  part("pin-elsewhere").hidden = takesPIN;
  part("read-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (isWorking) return;
    const can = part("can").value;
    part("can").value = "";
    work("read", { can });
  });
  part("login-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (isWorking) return;
    const body = { link: part("link").value };
    if (takesPIN) body.pin = part("pin").value;
    part("pin").value = "";
    work("login", body);
  });
  part("cancel").addEventListener("click", () => { if (token) ask("POST", "/v1/cancel", {}); });
  part("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const given = part("token").value.trim();
    part("token").value = "";
    if (given) open(given);
  });
  for (const link of document.querySelectorAll("nav a")) {
    link.addEventListener("click", (event) => {
      if (link.lang === document.documentElement.lang) event.preventDefault();
      else if (token) link.hash = new URLSearchParams({ token });
    });
  }
  const known = tokenOfAddress();
  if (known) return open(known);
  part("access").hidden = false;
  part("token").focus();
}

// Clears the page before it goes into the back/forward cache.
addEventListener("pagehide", clear);

begin();

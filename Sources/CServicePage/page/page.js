"use strict";

// What the page shows of the service: readers and cards as they come and go, and the answer to what is asked. It has no
// words of its own: they are in the page, in its language.

const part = (id) => document.getElementById(id);
const words = part("words").dataset;
const functions = document.body.dataset.functions.split(" ");
const takesPIN = document.body.dataset.entry === "page";
const storage = "cie-read token";

let token = "";
let isWorking = false;
let readers = new Map();

// The token of an address such as /#token=…, which does not stay there.
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
    case "reader-removed": readers.delete(event.reader); break;
    case "card-present":
      // Another person's card, perhaps: what the last one's said is not for them.
      if (!isWorking) clear();
      readers.set(event.reader, true);
      break;
    case "card-removed": readers.set(event.reader, false); break;
    case "error": part("place").textContent = event.error.what; return;
    default: return;
  }
  showReaders();
}

// Server-sent events by fetch, because EventSource cannot send the token.
async function listen() {
  while (token) {
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
    } catch { /* It is tried again. */ }
    show("disconnected");
    await new Promise((resume) => setTimeout(resume, 2000));
  }
}

// What is asked of the card.

function setWorking(working) {
  isWorking = working;
  for (const button of document.querySelectorAll("button.work")) {
    // Not disabled: who has the focus there would lose it.
    button.setAttribute("aria-disabled", String(working));
  }
  part("cancel").hidden = !working;
  part("answer").setAttribute("aria-busy", String(working));
}

function clear() {
  part("progress").textContent = "";
  part("answer").replaceChildren();
}

async function work(name, body) {
  if (isWorking) return;
  setWorking(true);
  part("answer").replaceChildren();
  part("progress").textContent = part("progress").dataset.working;
  try {
    const answer = await ask("POST", "/v1/" + name, body);
    if (answer.status === 401) return refuseToken();
    const object = await answer.json();
    part("progress").textContent = part("progress").dataset[object.ok ? "done" : "failed"];
    part("answer").replaceChildren(...contents(object));
  } catch {
    part("progress").textContent = part("progress").dataset.failed;
    part("answer").replaceChildren(paragraph(part("state").dataset.disconnected, "bad"));
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
  sessionStorage.removeItem(storage);
  part("desk").hidden = true;
  part("access").hidden = false;
  part("token-problem").textContent = words.tokenWrong;
  part("token").focus();
}

function open(given) {
  token = given;
  sessionStorage.setItem(storage, token);
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
  part("cancel").addEventListener("click", () => ask("POST", "/v1/cancel", {}));
  part("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const given = part("token").value.trim();
    part("token").value = "";
    if (given) open(given);
  });
  const known = tokenOfAddress() || sessionStorage.getItem(storage) || "";
  if (known) return open(known);
  part("access").hidden = false;
  part("token").focus();
}

begin();

let token = "";

export const service = { functions: [], entry: "terminal", desk: false, test: false };

export const can = (name) => service.functions.includes(name);
export const isOpen = () => token !== "";

const terms = { cache: "no-store", credentials: "omit", redirect: "error" };

export class Lost extends Error {}

async function orLost(work) {
  try { return await work; } catch { throw new Lost(); }
}

export function ask(path, body, { signal, raw } = {}) {
  return orLost(fetch("/v1/" + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      "Authorization": "Bearer " + token, "Accept-Language": document.documentElement.lang,
      "Content-Type": raw ? "application/octet-stream" : "application/json",
    },
    body: raw ? body : JSON.stringify(body),
    ...terms, signal,
  }));
}

export const objectOf = (answer) => orLost(answer.json());
export const objectAt = async (path, body) => objectOf(await ask(path, body));
export const blobOf = (answer) => orLost(answer.blob());

export const fileAt = async (path) => (await fetch(path, terms)).json();

export const settings = (language) => fileAt("/page.json" + (language ? "?lang=" + language : ""));

export function secretOfAddress() {
  const found = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (location.hash) history.replaceState(null, "", location.pathname);
  return found;
}

export function useToken(given) { token = given; }

export async function useTicket(ticket) {
  const answer = await ask("session", { ticket });
  if (answer.ok) token = (await objectOf(answer)).token;
  return answer.ok;
}

async function stream(begin, hear) {
  const stop = new AbortController();
  let watch;
  const listening = () => {
    clearTimeout(watch);
    watch = setTimeout(() => stop.abort(), 40_000);
  };
  listening();
  try {
    const answer = await ask("events", undefined, { signal: stop.signal });
    if (!answer.ok) return answer.status === 401 ? "refused" : "ended";
    begin();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      listening();
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const data = block.split("\n").find((line) => line.startsWith("data: "));
        if (data) hear(JSON.parse(data.slice(6)));
      }
    }
  } catch { /* The end is the same. */ } finally { clearTimeout(watch); }
  return "ended";
}

export async function listen(begin, hear, broken) {
  for (let tries = 0; ; tries += 1) {
    const end = await stream(() => { tries = 0; begin(); }, hear);
    broken();
    if (!service.desk || end === "refused" || !isOpen() || tries === 3) return end;
    await new Promise((settle) => { setTimeout(settle, 1000); });
  }
}

export const tellService = async (path) => isOpen() && ask(path, {}).catch(() => {});

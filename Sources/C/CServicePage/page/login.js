// Log in: in a new window, with a link, or in the person's browsers.

import { complain, line, make, on, part, verdict, word } from "./elements.js";
import { background } from "./card.js";
import { can, isOpen, objectAt } from "./service.js";
import { run, runWithPIN } from "./work.js";

const browsers = ["firefox", "chromium"];

function* wentOn(object) {
  if (object.completedUrl && URL.parse(object.completedUrl)?.protocol === "https:") {
    yield line("", make("a", { href: object.completedUrl, rel: "noreferrer" }, word("go-on")));
  }
}

function address(input, schemes, reason) {
  const value = input.value.trim();
  if (schemes.includes(URL.parse(value)?.protocol)) return value;
  complain(input, word(reason));
  return null;
}

function* receiver({ server, purpose }) {
  yield line("", word("login.certificate-goes-to", { server }));
  if (purpose) yield line("", word("login.purpose", { purpose }));
}

async function register(what, isOn) {
  const object = await run("register", { what, on: isOn }, {
    at: "login", contents: ({ ok, registrations }) => {
      if (!ok) return [];
      // A browser that was never started has no profile yet.
      if (!registrations?.length) return [verdict("open", word("browser-missing"))];
      return [verdict("good", word(isOn ? "registered" : "unregistered"))];
    },
  });
  if (object) look();
}

const look = () => background(async () => {
  for (const what of can("register") && isOpen() ? browsers : []) {
    const { registrations = [] } = await objectAt("register", { what });
    part("use-" + what).setAttribute("aria-checked", registrations.some(({ state }) => state === "registered"));
  }
});

export function begin() {
  const [site, link] = [part("address"), part("link")];
  on("window-form", "submit", () => {
    site.value = site.value.trim().replace(/^(?!\w+:)/, "https://");
    const value = address(site, ["https:"], "address-wrong");
    if (value) runWithPIN("open-browser", { address: value }, word("open-browser"), () => [line("", word("window-then"))], { at: "login" });
  });
  on("login-form", "submit", async () => {
    const value = address(link, ["https:", "cieid:"], "link-wrong");
    if (!value) return;
    // Judged before the PIN is asked for, and by the login once more.
    const judged = await run("check-link", { link: value }, { at: "login", isQuiet: true });
    if (!judged?.ok) return judged && complain(link, `${judged.error.what} ${judged.error.do ?? ""}`);
    const object = await runWithPIN("login", { link: value }, word("log-in"), () => receiver(judged), {
      at: "login", contents: wentOn, isBrief: true,
    });
    if (object?.ok) link.value = "";
  });
  for (const what of browsers) {
    on("use-" + what, "click", ({ target }) => register(what, target.getAttribute("aria-checked") !== "true"));
  }
  on("tab-login", "click", look);
}

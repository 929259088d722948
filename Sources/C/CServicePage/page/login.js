import { complain, fill, make, on, part, verdict, word } from "./elements.js";
import { background } from "./card.js";
import { can, fileAt, isOpen, objectAt } from "./service.js";
import { mayBeLast, mayUsePIN, run, runWithPIN } from "./work.js";

const browsers = { firefox: "Firefox", chromium: "Chromium" };

const isSite = (address) => /^\S+$/.test(address) && URL.parse(address)?.protocol === "https:";

function* wentOn({ completedUrl: href }) {
  if (isSite(href)) yield make("p", make("a", { href, rel: "noreferrer" }, word("go-on")));
}

async function enter(address) {
  if (await mayUsePIN("login")) run("open-browser", { address, ...mayBeLast("pin") }, { at: "login", says: "window-then" });
}

function* receiver({ server, purpose }) {
  yield make("p", word("login.certificate-goes-to", { server }));
  if (purpose) yield make("p", word("login.purpose", { purpose }));
}

async function register(what, isOn) {
  const object = await run("register", { what, on: isOn }, {
    at: "login", contents: ({ registrations }) => [
      registrations?.length ? verdict("good", word(isOn ? "registered" : "unregistered")) : verdict("open", word("browser-missing"))],
  });
  if (object) look();
}

const look = () => background(async () => {
  for (const what in can("register") && isOpen() ? browsers : {}) {
    const { registrations = [] } = await objectAt("register", { what });
    part("use-" + what).ariaChecked = registrations.some(({ state }) => state === "registered");
    fill("no-" + what, registrations.length ? "" : word("browser-missing"));
  }
});

export function begin() {
  const [site, link] = [part("address"), part("link")];
  part("other-ways").open = !can("open-browser");
  fileAt("/services.json").then((sites) => {
    for (const { name, address } of sites) {
      const tile = make("button.work plain", name, make("span.hint", URL.parse(address).host));
      on(tile, () => enter(address));
      part("sites").append(tile);
    }
  });
  on("window-form", "submit", () => {
    // A name without a dot is no site.
    const address = site.value.trim().replace(/^[^\s:/]+\.\S/, "https://$&");
    if (isSite(address)) enter(address);
    else complain(site, word("address-wrong"));
  });
  on("login-form", "submit", async () => {
    const value = link.value.trim();
    if (!/^(https|cieid):\/\//i.test(value)) return complain(link, word("link-wrong"));
    const judged = await run("check-link", { link: value }, { at: "login", isQuiet: true });
    if (!judged?.ok) return judged && complain(link, `${judged.error.what} ${judged.error.do ?? ""}`);
    const object = await runWithPIN("login", { link: value }, word("log-in"), () => receiver(judged), {
      at: "login", contents: wentOn, isBrief: true,
    });
    if (object?.ok) link.value = "";
  });
  for (const what in browsers) {
    const each = make("button.work", { id: "use-" + what, role: "switch", ariaChecked: false, ariaLabel: browsers[what] });
    on(each, () => register(what, each.ariaChecked !== "true"));
    part("browsers").append(make("li", make("span.what", make("b", browsers[what]), make("span.hint", { id: "no-" + what })), each));
  }
  on("tab-login", look);
}

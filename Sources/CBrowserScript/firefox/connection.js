// What runs inside Firefox, with its rights, for the time of a login: it speaks the part of the Chrome DevTools
// Protocol that the login needs, as zero-ended JSON, over a socket in the browser's own profile. When the other end goes
// away without having let go, the browser ends.
//
// Pages are held before they are asked for; those whose answer is wanted (`interceptResponse`) are told of once more
// when they have come. Beside what that protocol has, a held request names the page that makes it (`initiator`).
//
// This file is the other end and its commands; `tabs.js`, `pages.js` and `watch.js` follow it in the same scope. The
// free name `path` is the socket's.
"use strict";

const Binary = Components.Constructor(
  "@mozilla.org/binaryinputstream;1", "nsIBinaryInputStream", "setInputStream");

// The other end.

const transport = Cc["@mozilla.org/network/socket-transport-service;1"]
  .getService(Ci.nsISocketTransportService).createUnixDomainTransport(path);
// As much is kept as there is to write: the browser's own thread never waits.
const output = transport.openOutputStream(0, 1 << 16, 0xffffffff);
const unread = [];

function tell(message) {
  const bytes = new TextEncoder().encode(JSON.stringify(message) + "\0");
  let text = "";
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  output.write(text, text.length);
}

function happened(method, params, session) {
  tell({ method, params, sessionId: session });
}

const reader = {
  QueryInterface: ChromeUtils.generateQI(["nsIStreamListener", "nsIRequestObserver"]),
  onStartRequest() {},
  onDataAvailable(request, stream, offset, count) {
    for (const part of new Binary(stream).readBytes(count).split(/(\0)/)) {
      if (part != "\0") {
        unread.push(part);
        continue;
      }
      const bytes = Uint8Array.from(unread.splice(0).join(""), (letter) => letter.charCodeAt(0));
      obey(JSON.parse(new TextDecoder().decode(bytes)));
    }
  },
  onStopRequest() {
    if (isWatching) letGo();
    if (!isReleased) Services.startup.quit(Ci.nsIAppStartup.eForceQuit);
  },
};
const pump = Cc["@mozilla.org/network/input-stream-pump;1"].createInstance(Ci.nsIInputStreamPump);
pump.init(transport.openInputStream(0, 0, 0), 0, 0, false);
pump.asyncRead(reader);

// Commands.

const SYSTEM = Services.scriptSecurityManager.getSystemPrincipal();

let isWatching = false;
let isReleased = false;
// Requests and answers that are held, by number.
const held = new Map();
let heldCount = 0;
// The page that each tab was told to open, until it is known whether it comes.
const openings = new Map();

function obey({ id, method, params, sessionId }) {
  let result = {};
  switch (method) {
    case "Target.setAutoAttach":
      if (params.autoAttach) watch();
      else {
        letGo();
        isReleased = true;
      }
      break;
    case "Page.navigate":
      return open(id, params.url, Number(sessionId));
    case "Fetch.continueRequest":
      take(params.requestId)?.goOn(params);
      break;
    case "Fetch.failRequest":
      take(params.requestId)?.giveUp();
      break;
    case "Fetch.getResponseBody":
      result = { body: btoa(held.get(params.requestId)?.body ?? ""), base64Encoded: true };
      break;
  }
  tell({ id, result });
}

function take(number) {
  const request = held.get(number);
  held.delete(number);
  return request;
}

function open(id, url, tab) {
  const context = BrowsingContext.getCurrentTopByBrowserId(tab);
  if (!context) return tell({ id, result: { errorText: "NS_ERROR_ABORT" } });
  openings.set(tab, id);
  context.loadURI(Services.io.newURI(url), { triggeringPrincipal: SYSTEM });
}

function opened(tab, errorText) {
  if (!openings.has(tab)) return;
  tell({ id: openings.get(tab), result: errorText ? { errorText } : {} });
  openings.delete(tab);
}

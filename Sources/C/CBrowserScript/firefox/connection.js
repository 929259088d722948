// Script that runs inside Firefox, with its privileges, during a login: it speaks the part of the Chrome DevTools
// Protocol that the login needs, as NUL-terminated JSON, over a socket in the browser's profile. If the peer disappears
// without closing the session, the browser quits.
//
// Page requests are paused before they are sent, and those with `interceptResponse` once more when the response has
// come. In addition to the protocol, a paused request names the page that made it (`initiator`).
//
// This file has the connection and its commands; `tabs.js`, `pages.js` and `watch.js` follow it in the same scope. The
// free variable `path` is the path of the socket.
"use strict";

const Binary = Components.Constructor(
  "@mozilla.org/binaryinputstream;1", "nsIBinaryInputStream", "setInputStream");

// Connection to the peer.

const transport = Cc["@mozilla.org/network/socket-transport-service;1"]
  .getService(Ci.nsISocketTransportService).createUnixDomainTransport(path);
// Unlimited buffer, because the browser's main thread must never block.
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
// Paused requests and responses, by number.
const held = new Map();
let heldCount = 0;
// Page.navigate calls in progress, by tab, until the page has come or failed.
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

// Requests and responses of pages; links to the app.

const ABORTED = Cr.NS_BINDING_ABORTED;
const OWN_NAME = Cc["@mozilla.org/network/protocol;1?name=http"]
  .getService(Ci.nsIHttpProtocolHandler).userAgent;
// The scheme of links for the identity provider's app.
const SCHEME = "cieid";

function page(subject) {
  if (!(subject instanceof Ci.nsIHttpChannel)) return null;
  const { loadInfo } = subject;
  const isPage = loadInfo.externalContentPolicyType == Ci.nsIContentPolicy.TYPE_DOCUMENT;
  const context = loadInfo.targetBrowsingContext ?? loadInfo.browsingContext;
  return isPage && context?.isContent ? attach(context) : null;
}

// The page that makes a request: the last redirect, else the triggering page; empty if the user made it.
function initiator(loadInfo) {
  const principal = loadInfo.redirectChain.at(-1)?.principal ?? loadInfo.triggeringPrincipal;
  return principal.isContentPrincipal ? principal.spec : "";
}

function hold(tab, channel, request, more) {
  const number = String(++heldCount);
  held.set(number, request);
  happened(
    "Fetch.requestPaused", {
      requestId: number,
      frameId: String(tab),
      request: { url: channel.URI.spec, headers: headers(channel) },
      initiator: initiator(channel.loadInfo),
      ...more,
    },
    String(tab));
}

function headers(channel) {
  const fields = {};
  channel.visitRequestHeaders((name, value) => (fields[name] = value));
  return fields;
}

const wanted = new WeakSet();

function asked(channel, tab) {
  const isRedirect = channel.loadInfo.redirectChain.length > 0;
  // A header set for one server must not reach the next.
  if (isRedirect) channel.setRequestHeader("User-Agent", OWN_NAME, false);
  channel.suspend();
  hold(tab, channel, {
    goOn({ headers = [], interceptResponse }) {
      for (const { name, value } of headers) channel.setRequestHeader(name, value, false);
      if (interceptResponse) {
        // The response body is needed as sent.
        channel.setRequestHeader("Accept-Encoding", "identity", false);
        wanted.add(channel);
      }
      channel.resume();
    },
    giveUp() {
      channel.cancel(ABORTED);
      channel.resume();
    },
  }, { redirectedRequestId: isRedirect ? "redirect" : undefined });
}

function answered(channel, tab) {
  opened(tab);
  const status = channel.responseStatus;
  if (!wanted.has(channel) || (status >= 300 && status < 400)) return;
  const storage = Cc["@mozilla.org/storagestream;1"].createInstance(Ci.nsIStorageStream);
  storage.init(1 << 16, 0xffffffff);
  const tee = Cc["@mozilla.org/network/stream-listener-tee;1"].createInstance(Ci.nsIStreamListenerTee);
  const original = channel.QueryInterface(Ci.nsITraceableChannel).setNewListener(tee);
  tee.init(original, storage.getOutputStream(0), {
    onStartRequest() {},
    onStopRequest() {
      const body = storage.length ? new Binary(storage.newInputStream(0)).readBytes(storage.length) : "";
      const responseHeaders = [];
      channel.visitResponseHeaders((name, value) => responseHeaders.push({ name, value }));
      if (isWatching) {
        hold(tab, channel, { body, goOn() {}, giveUp() {} }, { responseStatusCode: status, responseHeaders });
      }
    },
  });
}

function ended(channel, tab) {
  if (!Components.isSuccessCode(channel.status)) {
    opened(tab, channel.status == ABORTED ? null : ChromeUtils.getXPCOMErrorName(channel.status));
  }
}

// Links to the app: following one is intercepted here, and no program is started.
const appLinks = {
  QueryInterface: ChromeUtils.generateQI(["nsIProtocolHandler"]),
  scheme: SCHEME,
  allowPort: () => false,
  newChannel(uri, loadInfo) {
    const context = loadInfo.targetBrowsingContext ?? loadInfo.browsingContext;
    const isPage = loadInfo.externalContentPolicyType == Ci.nsIContentPolicy.TYPE_DOCUMENT;
    if (isPage && context?.isContent) {
      const tab = attach(context);
      happened(
        "Page.frameRequestedNavigation",
        { frameId: String(tab), url: uri.spec, initiator: initiator(loadInfo) }, String(tab));
    }
    throw Components.Exception("taken", Cr.NS_ERROR_NO_CONTENT);
  },
};

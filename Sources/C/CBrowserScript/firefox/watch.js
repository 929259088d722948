// Observers of the browser, from the first command to the last.

const TOPIC = {
  asked: "http-on-modify-request",
  answered: [
    "http-on-examine-response", "http-on-examine-cached-response", "http-on-examine-merged-response",
  ],
  ended: "http-on-stop-request",
  discarded: "browsing-context-discarded",
  crashed: "ipc:content-shutdown",
  windowShown: "browser-delayed-startup-finished",
};

const observer = {
  observe(subject, topic, data) {
    if (topic == TOPIC.discarded) {
      if (data != "replace") detach(subject);
    } else if (topic == TOPIC.windowShown) {
      attachShown();
    } else if (topic == TOPIC.crashed) {
      if (subject.QueryInterface(Ci.nsIPropertyBag2).hasKey("abnormal")) happened("Inspector.targetCrashed", {});
    } else {
      const tab = page(subject);
      if (tab === null) return;
      if (topic == TOPIC.asked) asked(subject, tab);
      else if (topic == TOPIC.ended) ended(subject, tab);
      else answered(subject, tab);
    }
  },
};
const topics = Object.values(TOPIC).flat();

// Closes the debugger port by which this script was loaded.
function closeDevTools() {
  for (const name of ["debugger.remote-enabled", "chrome.enabled", "debugger.prompt-connection"]) {
    Services.prefs.clearUserPref("devtools." + name);
  }
  try {
    stopDevTools();
  } catch {
    // Firefox of another version. Other users cannot reach the socket.
  }
}

function stopDevTools() {
  const { useDistinctSystemPrincipalLoader, releaseDistinctSystemPrincipalLoader } = ChromeUtils.importESModule(
    "resource://devtools/shared/loader/DistinctSystemPrincipalLoader.sys.mjs", { global: "shared" });
  const requester = {};
  useDistinctSystemPrincipalLoader(requester)
    .require("resource://devtools/server/devtools-server.js").DevToolsServer.destroy();
  releaseDistinctSystemPrincipalLoader(requester);
}

function watch() {
  closeDevTools();
  isWatching = true;
  for (const topic of topics) Services.obs.addObserver(observer, topic);
  const { URI_NORELATIVE, URI_NOAUTH, URI_LOADABLE_BY_ANYONE, URI_NON_PERSISTABLE, URI_DOES_NOT_RETURN_DATA } =
    Ci.nsIProtocolHandler;
  Services.io.registerProtocolHandler(
    SCHEME, appLinks,
    URI_NORELATIVE | URI_NOAUTH | URI_LOADABLE_BY_ANYONE | URI_NON_PERSISTABLE | URI_DOES_NOT_RETURN_DATA, -1);
  attachShown();
}

function letGo() {
  isWatching = false;
  for (const topic of topics) Services.obs.removeObserver(observer, topic);
  Services.io.unregisterProtocolHandler(SCHEME);
  for (const number of [...held.keys()]) take(number).goOn({});
}

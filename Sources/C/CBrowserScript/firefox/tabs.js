// Tabs, by the number that they keep whatever process shows them.

const tabs = new Set();

function attach(context) {
  const tab = context.top.browserId;
  if (!tabs.has(tab)) {
    tabs.add(tab);
    happened("Target.attachedToTarget", {
      sessionId: String(tab),
      targetInfo: {
        targetId: String(tab),
        openerId: context.opener ? String(context.opener.top.browserId) : undefined,
      },
    });
  }
  return tab;
}

function attachShown() {
  for (const window of Services.wm.getEnumerator("navigator:browser")) {
    for (const browser of window.gBrowser?.browsers ?? []) {
      if (browser.browsingContext) attach(browser.browsingContext);
    }
  }
}

function detach(context) {
  if (context.parent || !tabs.has(context.browserId)) return;
  // Includes tabs that have loaded nothing so far.
  attachShown();
  tabs.delete(context.browserId);
  happened("Target.detachedFromTarget", { sessionId: String(context.browserId) });
}

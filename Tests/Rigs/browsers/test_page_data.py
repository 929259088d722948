"""A card's data leave the page of cie-read serve with the card, with its reader, and after a time."""
import json
import time
import unittest

from page_test import CAN, PageTest
from remote import wait

# Before the page's own scripts: events are added to the service's, and the clock can be put forward.
HOOKS = """
const realFetch = fetch, realNow = Date.now;
window.ahead = 0;
Date.now = () => realNow() + ahead;
window.fetch = async (path, options) => {
  if (window.lost && path === "/v1/nis") return new Response(JSON.stringify({ ok: false, error: { name: "card-removed", what: "x" } }));
  const answer = await realFetch(path, options);
  if (path !== "/v1/events") return answer;
  const body = new ReadableStream({ async start(stream) {
    window.feed = (event) => stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\\n\\n`));
    const reader = answer.body.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return stream.close();
      stream.enqueue(value);
    }
  } });
  return new Response(body, { status: answer.status });
};
"""


class PageDataTest(PageTest):
    """By the service's events, as the page receives them."""

    def test_data_go_with_the_card_the_reader_the_service_and_in_time(self):
        service = self.start("--page", "--virtual")
        self.browse("about:blank#")
        self.page.page.command("Page.addScriptToEvaluateOnNewDocument", source=HOOKS)
        self.page.open(f"http://127.0.0.1:{service.port}/#token={service.token}")
        self.state("card")
        place = self.page.run("document.getElementById('place').textContent")
        for event in ({"event": "card-removed", "reader": place}, {"event": "reader-removed", "reader": place},
                      {"event": "error", "error": {"what": "x", "do": "y"}}):
            self.feed({"event": "card-present", "reader": place})
            self.state("card")
            self.read()
            self.page.run("document.getElementById('can').value = '1'")
            self.feed(event)
            wait(lambda: self.shown() == "")
            self.assertEqual(self.page.run("document.getElementById('can').value"), "", event)
        # Another card, in a second reader.
        self.feed({"event": "card-present", "reader": place})
        self.read()
        self.feed({"event": "card-present", "reader": "second"})
        wait(lambda: self.shown() == "")
        # The card is removed during the answer: its data are not shown at all.
        self.page.run("document.getElementById('nis').click()")
        self.feed({"event": "card-removed", "reader": place})
        self.page.wait("!document.querySelector('[aria-busy]')")
        self.assertEqual(self.page.run("document.getElementById('answer-data').textContent"), "")
        # After a time.
        self.read()
        self.page.run("ahead = 115_000")
        time.sleep(1.5)
        self.assertNotEqual(self.shown(), "")
        self.page.run("ahead = 121_000")
        wait(lambda: self.shown() == "")
        # An error stays: it has no personal data, and appears when a card is pulled.
        self.page.run("(window.lost = true, document.getElementById('nis').click())")
        self.page.wait("!!document.querySelector('#answer-data .verdict.error')")
        self.feed({"event": "card-removed", "reader": place})
        self.feed({"event": "card-present", "reader": place})
        self.state("card")
        self.assertNotEqual(self.shown(), "")
        self.read()
        service.process.terminate()
        service.process.wait()
        self.state("disconnected")
        self.assertEqual(self.shown(), "")

    def feed(self, event):
        """An event of the service."""
        self.page.run(f"feed({json.dumps(event)})")

    def type_can(self, can):
        """Types a CAN, and sends it."""
        self.page.run(
            f"(() => {{ const field = document.getElementById('can'); field.value = '{can}';"
            " field.dispatchEvent(new Event('input', {bubbles: true})); field.form.requestSubmit() })()")

    def read(self):
        """Reads the holder's data."""
        self.type_can(CAN)
        self.page.wait("!!document.querySelector('#answer-data .person')")
        self.assertIn("GELSOMINA", self.shown().upper())


if __name__ == "__main__":
    unittest.main()

"""A card's data leave the page of cie-read serve with the card, with its reader, and after a time."""
import json
import unittest

from page_test import CAN, PageTest


class PageDataTest(PageTest):
    """By the service's events, as the page receives them."""

    def test_data_go_with_the_card_the_reader_the_service_and_in_time(self):
        service = self.open("--virtual")
        self.state("card")
        self.page.run(
            "window.timers = []; ((old) => window.setTimeout = (work, delay) =>"
            " (timers.push([work, delay]), old(work, delay)))(setTimeout)")
        place = self.page.run("document.getElementById('place').textContent")
        for event in ({"event": "card-removed", "reader": place}, {"event": "reader-removed", "reader": place},
                      {"event": "error", "error": {"what": "x"}}):
            self.page.run(f"hear({json.dumps({'event': 'card-present', 'reader': place})})")
            self.read()
            self.page.run(f"hear({json.dumps(event)})")
            self.assertEqual(self.shown(), "", event)
            self.assertEqual(self.page.run("document.getElementById('can').value"), "", event)
        # The card is removed during the answer: its data are not shown at all.
        self.page.run(f"void work('nis', {{}}); hear({json.dumps({'event': 'card-removed', 'reader': place})})")
        self.page.wait("!isWorking")
        self.assertEqual(self.page.run("document.getElementById('answer').textContent"), "")
        # After a time.
        self.read()
        self.page.run("timers.filter(([, delay]) => delay === 120000).at(-1)[0]()")
        self.assertEqual(self.shown(), "")
        # An error stays: it has no personal data, and appears when a card is pulled.
        self.page.run("void work('read', {can: '000000'})")
        self.page.wait("!isWorking && !!document.querySelector('#answer .bad')")
        self.page.run(f"hear({json.dumps({'event': 'card-removed', 'reader': place})})")
        self.assertNotEqual(self.shown(), "")
        self.read()
        service.process.terminate()
        service.process.wait()
        self.state("disconnected")
        self.assertEqual(self.shown(), "")

    def read(self):
        """Reads the holder's data; a typed code is left in its field."""
        self.page.run(f"document.getElementById('can').value = '{CAN}'; void work('read', {{can: '{CAN}'}})")
        self.page.wait("!isWorking && !!document.querySelector('#answer dl')")
        self.assertIn("GELSOMINA", self.shown().upper())


if __name__ == "__main__":
    unittest.main()

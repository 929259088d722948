"""The window of cie-read desk in every language, at both widths and in both schemes: axe-core finds nothing, nothing is cut
off, and pictures are left to look at."""
import os
import unittest
from pathlib import Path

from page_desk import CAN, ROWS, ChromiumWindow, DeskTest, FirefoxWindow, paper
from service import LANGUAGES


class LooksTest(DeskTest):
    """Each tab with what it can show."""

    def show(self, kind, width, dark, languages):
        axe = Path(os.environ["AXE"]).read_text()
        window = self.browse(self.launch("--virtual"), kind, width=width, dark=dark)
        self.state("card")
        pdf = self.folder / "contract.pdf"
        pdf.write_bytes(paper(1))
        window.choose(pdf)
        window.run("(document.getElementById('options').open = true, document.getElementById('mark').click())")
        window.wait("document.getElementById('picture').height === 1400")
        for language in languages:
            window.speak(language)
            self.look(axe, language, width, dark, kind)
        self.card_states(axe, width, dark, kind)

    def look(self, axe, language, width, dark, kind):
        window = self.window
        window.run(f"(() => {{ const field = document.getElementById('can'); field.value = '{CAN}';"
                   " field.dispatchEvent(new Event('input', {bubbles: true})); field.form.requestSubmit() })()")
        window.wait("!!document.querySelector('#answer-data .person') && document.getElementById('cancel').hidden")
        for name in ROWS:
            window.run(f"document.getElementById('tab-{name}').click()")
            if name == "help":
                window.run("document.getElementById('doctor').click()")
                window.wait("document.querySelectorAll('.findings li').length > 2")
            for details in ("true", "false"):
                window.run(f"document.querySelectorAll('details').forEach((each) => {{ each.open = {details} }})")
                with self.subTest(language=language, width=width, dark=dark, tab=name):
                    self.assertEqual(window.judge(axe), [])
                    self.assertLessEqual(window.overflow(), 0)
                    text = window.run("document.body.innerText")
                    self.assertNotRegex(text, r"\{[a-z]+\}|undefined|\bnull\b|page\.|document\.")
            self.shoot(f"look-{kind.__name__[0]}-{language}-{width}-{'dark' if dark else 'light'}-{name}")

    def card_states(self, axe, width, dark, kind):
        """The drawings of the states, by the attribute that the page itself sets."""
        for state in ("no-reader", "no-card", "mute", "other", "disconnected"):
            self.window.run(f"(() => {{ const card = document.getElementById('card'); card.dataset.state = '{state}';"
                            f" card.toggleAttribute('data-there', {str(state in ('no-card', 'mute', 'other')).lower()}) }})()")
            self.shoot(f"look-{kind.__name__[0]}-{width}-{'dark' if dark else 'light'}-{state}")

    def test_chromium_wide_light(self):
        self.show(ChromiumWindow, 1280, False, LANGUAGES)

    def test_chromium_wide_dark(self):
        self.show(ChromiumWindow, 1280, True, LANGUAGES)

    def test_chromium_narrow_light(self):
        self.show(ChromiumWindow, 360, False, LANGUAGES)

    def test_chromium_narrow_dark(self):
        self.show(ChromiumWindow, 360, True, LANGUAGES)

    def test_firefox_wide_light(self):
        self.show(FirefoxWindow, 1280, False, LANGUAGES)

    def test_firefox_narrow_dark(self):
        self.show(FirefoxWindow, 360, True, LANGUAGES)


if __name__ == "__main__":
    unittest.main()

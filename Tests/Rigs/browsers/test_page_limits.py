"""The window of cie-read desk at its limits: at 400 % zoom, where nothing is cut off or covered, and in the colours of the
system, by which each state differs."""
import unittest

from page_desk import CAN, ROWS, ChromiumWindow, DeskTest, FirefoxWindow, paper

# The control with the focus, unless its outline is missing or something else lies over the middle
# of its part in the window: Firefox does not scroll to the rest, and to all of it perhaps later.
FOCUS = """(() => {
  const e = document.activeElement;
  if (walked.has(e)) return '';
  walked.add(e);
  let { left, top, width, height } = e.getBoundingClientRect();
  if (top + height <= 0 || top >= innerHeight) {
    e.scrollIntoView({ block: 'nearest' });
    ({ left, top } = e.getBoundingClientRect());
  }
  const name = [e.localName, e.id || e.textContent.trim() || e.type].join(' ');
  const seen = getComputedStyle(e).outlineStyle !== 'none' && parseFloat(getComputedStyle(e).outlineWidth) >= 2;
  const middle = (Math.max(top, 0) + Math.min(top + height, innerHeight)) / 2;
  const over = document.elementFromPoint(left + width / 2, middle);
  const free = over && (e.contains(over) || over.contains(e) && e.localName !== 'button' || over.closest('label')?.control === e);
  return JSON.stringify([name, !seen ? 'no outline ' + getComputedStyle(e).outline : !free ? 'covered by ' + (over?.id || over?.localName) : '']);
})()"""

# Elements that hold more than they show, such as the card's facts.
CUT = """[...document.querySelectorAll('body *')].filter((each) =>
  getComputedStyle(each).overflowX === 'hidden' && each.scrollWidth > each.clientWidth).map((each) => each.id || each.localName).join()"""


class LimitsTest(DeskTest):
    maxDiff = None
    """Every tab with all that it can show, and the step before a signature."""

    def begin(self, kind, **more):
        self.browse(self.launch("--virtual", language="it"), kind, language="it", **more)
        self.state("card")
        names = ["a.pdf", "Contratto_di_locazione_dell_appartamento_di_via_delle_Prove_1_versione_definitiva_firmata_finale_2.pdf"]
        for name in names + [f"{number}.pdf" for number in range(9)]:
            self.folder.joinpath(name).write_bytes(paper(1))
        self.window.choose(*sorted(self.folder.glob("*.pdf")))
        self.window.wait("document.querySelectorAll('#files > li').length === 11")
        self.window.run(f"(() => {{ const field = document.getElementById('can'); field.value = '{CAN}';"
                        " field.dispatchEvent(new Event('input', {bubbles: true})); field.form.requestSubmit() })()")
        self.window.wait("!!document.querySelector('#answer-data .person') && document.getElementById('cancel').hidden")
        self.window.run("document.getElementById('mark').click()")
        self.window.run("document.querySelectorAll('details').forEach((each) => { each.open = true })")

    def walk(self):
        """Goes through all controls by the tabulator; those that are not seen."""
        wrong, count = [], 0
        self.window.attend()
        self.window.run("void (window.walked = new Set([document.body]), document.activeElement?.blur(), scrollTo(0, 0))")
        while True:
            self.window.press("Tab")
            found = self.window.run(FOCUS)
            if not found:
                break
            count += 1
            if not found.endswith(',""]'):
                wrong.append(found)
        self.assertGreater(count, 2)
        return wrong

    def show(self, name):
        """Everything of the window in turn: its tabs, then the step before a signature."""
        for tab in ROWS:
            self.window.run(f"document.getElementById('tab-{tab}').click()")
            with self.subTest(tab):
                self.assertLessEqual(self.window.overflow(), 0)
                self.assertEqual(self.window.run(CUT), "")
                self.assertEqual(self.walk(), [])
                self.shoot(f"limit-{name}-{tab}")
        self.window.run("document.getElementById('tab-documents').click()")
        self.window.run("document.getElementById('sign').click()")
        self.asks()
        with self.subTest("ask"):
            self.assertLessEqual(self.window.run("(() => { const e = document.getElementById('ask'); return e.scrollWidth - e.clientWidth })()"), 0)
            self.assertEqual(self.walk(), [])
            self.shoot(f"limit-{name}-ask")
        self.window.run("document.getElementById('ask-no').click()")

    def states(self):
        """By its colours alone, no state looks like the other."""
        self.assertTrue(self.window.run("matchMedia('(forced-colors: active)').matches"))
        # The switches are set when the program has looked at the browsers.
        self.window.run("document.getElementById('no-firefox').textContent = ''")
        self.window.run("document.getElementById('tab-login').click()")
        self.window.wait("!!document.getElementById('no-firefox').textContent")
        for tab, place, change, back in (
                ("login", "#use-firefox", "e.ariaChecked = true", "e.ariaChecked = false"),
                ("pin", "#change-new-eye", "e.ariaPressed = true", "e.ariaPressed = false"),
                ("pin", "#change-new", "e.ariaInvalid = true", "e.ariaInvalid = null"),
                ("documents", "#drop", "e.classList.add('over')", "e.classList.remove('over')"),
                ("documents", "#tab-data", "e.ariaSelected = true", "e.ariaSelected = false"),
                ("documents", "#files input", "e.checked = false", "e.checked = true")):
            if tab != "login":
                self.window.run(f"document.getElementById('tab-{tab}').click()")
            act = "(() => {{ const e = document.querySelector({!r}); {}; return 1 }})()"
            pictures = []
            for step in (back, change):
                self.window.run(act.format(place, step))
                pictures.append(self.window.picture(place))
            self.window.run(act.format(place, back))
            with self.subTest(place):
                self.assertNotEqual(*pictures)

    def test_chromium_zoom(self):
        self.begin(ChromiumWindow)
        self.window.resize(320, 256)
        self.show("zoom-C")

    def test_firefox_zoom(self):
        self.begin(FirefoxWindow, width=320, zoom=4)
        self.show("zoom-F")

    def test_chromium_low(self):
        """A wide window of little height, whose bar of buttons covers nothing."""
        self.begin(ChromiumWindow)
        self.window.resize(1280, 560)
        self.show("low-C")

    def test_chromium_forced_colors(self):
        self.begin(ChromiumWindow)
        for scheme in ("dark", "light"):
            self.window.scheme(scheme, forced=True)
            self.states()
            self.show(f"forced-C-{scheme}")

    def test_firefox_forced_colors(self):
        self.begin(FirefoxWindow, forced=True)
        self.states()
        self.show("forced-F")


if __name__ == "__main__":
    unittest.main()

"""The buttons of Examples/Buttons: their names, contrast and size, and that the sandbox's service shows the same ones."""
import re
from html.parser import HTMLParser
from pathlib import Path
from unittest import TestCase

from .rig import SandboxTest

FOLDER = Path(__file__).resolve().parents[3] / "Examples" / "Buttons"
PAGE = (FOLDER / "buttons.html").read_text(encoding="utf-8")
STYLE = (FOLDER / "buttons.css").read_text(encoding="utf-8")
CONTROLS = ("a", "summary", "button")


class _Names(HTMLParser):
    """The accessible names of controls: their text, without what is hidden, and the tags of the page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.controls: list[tuple[str, str]] = []
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self._hidden = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if self._hidden or ("aria-hidden", "true") in attrs:
            self._hidden += 1
        if tag in CONTROLS:
            self.controls.append((tag, ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        if self.controls and not self._hidden and not self.controls[-1][1]:
            self.controls[-1] = (self.controls[-1][0], data.strip())

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - 1)


def _rules(style: str) -> list[tuple[str, dict[str, str]]]:
    """Selectors and declarations, without media queries and comments."""
    plain = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    plain = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", plain)
    return [
        (selector.strip(), dict(re.findall(r"([a-z-]+):\s*([^;]+)", body)))
        for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", plain)]


def _luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    digits = colour.removeprefix("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[at:at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


class ButtonTest(TestCase):
    """The files alone."""

    def test_controls_have_names(self) -> None:
        names = _Names(PAGE)
        self.assertEqual(
            names.controls,
            [("a", "Entra con CIE"), ("summary", "Entra con SPID"), ("a", "Gestore di esempio")])
        self.assertNotIn("script", names.tags)
        self.assertEqual([name for name in names.attributes if name.startswith("on")], [])

    def test_text_has_contrast(self) -> None:
        pairs = [
            (selector, rule["color"], rule["background"]) for selector, rule in _rules(STYLE) if "background" in rule]
        self.assertEqual(len(pairs), 6)
        for selector, text, ground in pairs:
            with self.subTest(selector):
                self.assertGreaterEqual(contrast(text, ground), 4.5)

    def test_focus_is_visible(self) -> None:
        focus = dict(_rules(STYLE))[".way:focus-visible"]
        rings = re.findall("#[0-9a-f]+", focus["outline"] + " " + focus["box-shadow"])
        # On a page of any colour one of the two rings is visible, if they differ enough.
        self.assertGreaterEqual(contrast(*rings), 9)

    def test_target_motion_and_forced_colours(self) -> None:
        self.assertEqual(dict(_rules(STYLE))[".way"]["min-height"], "44px")
        still = re.sub(r"@media \(prefers-reduced-motion: no-preference\)\s*\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", STYLE)
        self.assertNotRegex(still, "transition|animation")
        self.assertIn("@media (forced-colors: active)", STYLE)
        self.assertNotIn("forced-color-adjust: none", STYLE)


class ServicePageTest(SandboxTest):
    """The pages of the sandbox's service."""

    def test_service_shows_the_button(self) -> None:
        home = self.rig.browser().open(self.rig.ready["sp"])
        self.assertIn(STYLE.strip(), home.text)
        self.assertIn(("a", "Entra con CIE"), _Names(home.text).controls)
        self.assertEqual(home.links["entra-con-cie"], "/login")

    def test_spid_lists_the_providers(self) -> None:
        home = self.rig.browser().open(self.rig.ready["ways"] + "spid/")
        controls = _Names(home.text).controls
        self.assertEqual(controls[0], ("summary", "Entra con SPID"))
        self.assertGreater(len(controls), 2)
        for identifier, address in home.links.items():
            with self.subTest(identifier):
                self.assertTrue(address.startswith("/spid/login?entityId="), address)

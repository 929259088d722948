"""A window with the page, in a headless Chromium or Firefox: the actions of a person with a mouse or a keyboard."""
import base64
import json
from pathlib import Path

import marionette
import remote
from remote import wait
from processes import PATIENCE

KEYS = {"Tab": (9, "\ue004"), "Enter": (13, "\ue007"), " ": (32, " "), "Escape": (27, "\ue00c"), "ArrowRight": (39, "\ue014"),
        "ArrowLeft": (37, "\ue012"), "ArrowUp": (38, "\ue013"), "ArrowDown": (40, "\ue015"), "End": (35, "\ue010")}


class PageWindow:
    """The common part of both browsers."""

    def run(self, script):
        return self.page.run(script)

    def wait(self, script):
        return self.page.wait(script)

    def speak(self, language):
        """Chooses a language."""
        self.run(f"(() => {{ const choice = document.getElementById('language'); choice.value = '{language}';"
                 " choice.dispatchEvent(new Event('change')) })()")
        self.wait(f"document.documentElement.lang === '{language}'")

    def tab_to(self, selector):
        """Presses the tabulator until the element has the focus, which must be visible there."""
        for _ in range(60):
            if self.run(f"document.activeElement.matches({selector!r})"):
                assert self.run("getComputedStyle(document.activeElement).outlineStyle") in ("solid", "auto"), selector
                return
            self.press("Tab")
        raise AssertionError(f"the keyboard does not reach {selector}")

    def enter(self, selector):
        """Goes to a control by the keyboard, and presses it."""
        self.tab_to(selector)
        self.press("Enter")

    def attend(self):
        """Brings the focus back to the page, from the bars of the browser."""

    def overflow(self):
        """The pixels by which the page is wider than the window."""
        return self.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def judge(self, axe):
        """The findings of axe-core, a library of rules of accessibility."""
        self.run(f"(() => {{ {axe}; window.axe = window.axe || axe; return 1 }})()")
        self.run("void (window.found = null, axe.run(document, {resultTypes: ['violations']}).then("
                 "({violations}) => { window.found = violations.map(({id, nodes}) => id + ': ' + nodes.map(({html}) => html).join()) },"
                 "(error) => { window.found = [String(error)] }))")
        wait(lambda: self.run("Array.isArray(window.found)"))
        return self.run("window.found")


class ChromiumWindow(PageWindow):
    """Debian's Chromium, by its DevTools protocol."""

    def __init__(self, processes, folder, width=900, dark=False, language=None, words=()):
        profile = folder / "chromium"
        self.program = processes.start(
            "chromium", "--headless=new", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={profile}",
            "--no-first-run", f"--window-size={width},1000", *words, "about:blank")
        self.page = remote.Page(profile)
        self.page.command("Page.enable")
        if width != 900:
            self.resize(width)
        if dark:
            self.scheme("dark")
        if language:
            self.page.command("Emulation.setUserAgentOverride", userAgent="x", acceptLanguage=language)

    def resize(self, width, height=900):
        self.page.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, name, forced=False):
        self.page.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": name}, {"name": "forced-colors", "value": "active" if forced else "none"}])

    def open(self, address):
        self.page.command("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def judge(self, axe):
        # The rules come from outside; the page's policy is not for them.
        self.page.command("Page.setBypassCSP", enabled=True)
        return super().judge(axe)

    def press(self, key, shift=False):
        text = {"Enter": "\r", " ": " "}.get(key)
        for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
            self.page.command(
                "Input.dispatchKeyEvent", type=kind, key=key, code="Space" if key == " " else key,
                windowsVirtualKeyCode=KEYS[key][0], modifiers=8 if shift else 0,
                **({"text": text} if text and kind == "keyDown" else {}))

    def type(self, text):
        self.page.command("Input.insertText", text=text)

    def click(self, selector, across=.5, down=.5):
        """Presses the mouse on an element, in its middle or at these shares of its width and height."""
        place = json.loads(self.run(
            f"(() => {{ const e = document.querySelector({selector!r}); e.scrollIntoView({{block: 'center'}});"
            f" const r = e.getBoundingClientRect(); return JSON.stringify([r.x + r.width * {across}, r.y + r.height * {down}]) }})()"))
        for kind in ("mousePressed", "mouseReleased"):
            self.page.command("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def choose(self, *files):
        self.page.choose(*files)

    def shoot(self, path):
        data = self.page.command("Page.captureScreenshot", captureBeyondViewport=True)["result"]["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def picture(self, selector):
        """The picture of an element, as text."""
        place = json.loads(self.run(
            f"(() => {{ const {{ x, y, width, height }} = document.querySelector({selector!r}).getBoundingClientRect();"
            " return JSON.stringify({ x: x + scrollX, y: y + scrollY, width, height, scale: 1 }) })()"))
        return self.page.command("Page.captureScreenshot", captureBeyondViewport=True, clip=place)["result"]["data"]

    def quit(self):
        if self.program.poll() is None:
            self.page.quit()
            self.page.close()
            self.program.wait(PATIENCE)


class FirefoxWindow(PageWindow):
    """Debian's Firefox, by Marionette. Its windows are not as narrow as a telephone, so a narrow page is a
    large one of half a window."""

    def __init__(self, processes, folder, width=900, dark=False, language=None, zoom=None, forced=False):
        profile = folder / "firefox"
        profile.mkdir()
        self.zoom = zoom or (1 if width > 500 else 2)
        values = {
            "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
            "termsofuse.bypassNotification": True, "browser.aboutwelcome.enabled": False, "marionette.port": 0,
            "layout.css.prefers-color-scheme.content-override": 0 if dark else 1,
            "network.captive-portal-service.enabled": False,
            **({"browser.display.document_color_use": 2} if forced else {}), **({"intl.accept_languages": language} if language else {})}
        (profile / "user.js").write_text("".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
                                                 for name, value in values.items()))
        self.program = processes.start("firefox-esr", "--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile", profile)
        self.page = marionette.Page(profile)
        self.page.command("WebDriver:SetWindowRect", width=width * self.zoom, height=1000)

    def open(self, address):
        self.page.command("WebDriver:Navigate", url=address)
        self.page.command("Marionette:SetContext", value="chrome")
        self.run(f"ZoomManager.setZoomForBrowser(gBrowser.selectedBrowser, {self.zoom})")
        self.page.command("Marionette:SetContext", value="content")

    def attend(self):
        self.page.command("Marionette:SetContext", value="chrome")
        self.run("gBrowser.selectedBrowser.focus()")
        self.page.command("Marionette:SetContext", value="content")

    def _actions(self, *actions):
        self.page.command("WebDriver:PerformActions", actions=list(actions))
        self.page.command("WebDriver:ReleaseActions")

    def press(self, key, shift=False):
        keys = ([{"type": "keyDown", "value": "\ue008"}] if shift else []) + [
            {"type": "keyDown", "value": KEYS[key][1]}, {"type": "keyUp", "value": KEYS[key][1]}]
        self._actions({"type": "key", "id": "keyboard", "actions": keys})

    def type(self, text):
        keys = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self._actions({"type": "key", "id": "keyboard", "actions": keys})

    def _element(self, selector):
        return self.page.command("WebDriver:FindElement", using="css selector", value=selector)["value"]

    def click(self, selector, across=.5, down=.5):
        size = self.run(f"(() => {{ const e = document.querySelector({selector!r}); e.scrollIntoView({{block: 'center'}});"
                        " const r = e.getBoundingClientRect(); return r.width + ' ' + r.height })()")
        x, y = (round(length * (share - .5)) for length, share in zip(map(float, size.split()), (across, down)))
        self._actions({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            {"type": "pointerMove", "origin": self._element(selector), "x": x, "y": y},
            {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]})

    def choose(self, *files):
        number = next(iter(self._element("#chooser").values()))
        for file in files:
            self.page.command("WebDriver:ElementSendKeys", id=number, text=str(file))

    def shoot(self, path):
        data = self.page.command("WebDriver:TakeScreenshot", full=True)["value"]
        Path(path).write_bytes(base64.b64decode(data))

    def picture(self, selector):
        """The picture of an element, as text."""
        number = next(iter(self._element(selector).values()))
        return self.page.command("WebDriver:TakeScreenshot", id=number, full=False)["value"]

    def quit(self):
        self.page.quit()

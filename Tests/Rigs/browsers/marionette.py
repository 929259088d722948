"""A second controller of the Firefox under test: the person's actions in the window, and the window's content.

The browser has, beside the socket of cie-read, a separate port for Marionette: JSON arrays, with their length before
them.
"""
import json
import socket
from pathlib import Path

from remote import wait


class Page:
    """The first page of a browser with this profile, and those that it opens."""

    def __init__(self, profile: Path) -> None:
        self._number = 0
        port = int(wait(lambda: (profile / "MarionetteActivePort").read_text()))
        self._socket = wait(lambda: socket.create_connection(("127.0.0.1", port), 30))
        self._file = self._socket.makefile("rb")
        self._packet()
        self.command("WebDriver:NewSession", capabilities={"alwaysMatch": {"unhandledPromptBehavior": "ignore"}})

    def close(self) -> None:
        """Releases the browser."""
        self._file.close()
        self._socket.close()

    def quit(self) -> None:
        """Closes the window, as the person would."""
        self.command("Marionette:Quit", flags=["eForceQuit"])

    def run(self, script: str) -> object:
        """The value of an expression in the page; None while there is no page."""
        answer = self.command("WebDriver:ExecuteScript", script=f"return ({script})", args=[])
        return (answer or {}).get("value")

    def press(self, script: str) -> None:
        """Acts in the page, as the person would: pages may open windows then."""
        self.run(script)

    def wait(self, script: str) -> object:
        """Waits until an expression is true in the page."""
        return wait(lambda: self.run(script))

    def wait_for_new(self) -> None:
        """From here on, the page is the one that was opened last."""
        newest = wait(lambda: (self.command("WebDriver:GetWindowHandles") or [])[1:])[-1]
        self.command("WebDriver:SwitchToWindow", handle=newest)

    def close_page(self) -> None:
        """Closes this page; there is another one."""
        self.command("WebDriver:CloseWindow")

    def command(self, name: str, **parameters: object) -> dict | None:
        """Sends a command and waits for its answer; None where it fails, as while a page is changing, or after the
        browser's end."""
        self._number += 1
        text = json.dumps([0, self._number, name, parameters]).encode()
        try:
            self._socket.sendall(b"%d:%s" % (len(text), text))
            while packet := self._packet():
                _, number, error, answer = packet
                if number == self._number:
                    return None if error else answer
        except ConnectionError:
            pass
        return None

    def _packet(self) -> list | None:
        length = b""
        while (byte := self._file.read(1)) not in (b":", b""):
            length += byte
        return json.loads(self._file.read(int(length))) if byte else None

"""A second controller of the Chromium under test: the person's actions in the window, and the window's content.

The browser has, beside the pipe of cie-read, a separate port for the Chrome DevTools Protocol. WebSocket (RFC 6455)
by hand, as far as that protocol needs it.
"""
import base64
import json
import os
import socket
import struct
import subprocess
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from processes import PATIENCE


class Page:
    """The first page of a browser with this profile, and those that it opens."""

    def __init__(self, profile: Path) -> None:
        self._port = wait(lambda: (profile / "DevToolsActivePort").read_text().split()[0])
        self._targets: list[str] = []
        self._connect()

    def _connect(self) -> None:
        self._number = 0
        target = wait(lambda: next(item for item in _pages(self._port) if item["id"] not in self._targets))
        self._targets.append(target["id"])
        parts = urlsplit(target["webSocketDebuggerUrl"])
        self._socket = socket.create_connection((parts.hostname, parts.port), 30)
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall((
            f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self._file = self._socket.makefile("rb")
        while self._file.readline().strip():
            pass

    def close(self) -> None:
        """Releases the page."""
        self._file.close()
        self._socket.close()

    def quit(self) -> None:
        """Closes the window, as the person would."""
        self.command("Browser.close")

    def run(self, script: str, *, pressing: bool = False) -> object:
        """The value of an expression in the page; None while there is no page."""
        answer = self.command("Runtime.evaluate", expression=script, returnByValue=True, userGesture=pressing)
        return answer.get("result", {}).get("result", {}).get("value")

    def press(self, script: str) -> None:
        """Acts in the page, as the person would: pages may open windows then."""
        self.run(script, pressing=True)

    def wait_for_new(self) -> None:
        """From here on, the page is the one that was opened last."""
        self.close()
        self._connect()

    def close_page(self) -> None:
        """Closes this page; there is another one."""
        self.command("Page.close")

    def command(self, name: str, **parameters: object) -> dict:
        """Sends a command and waits for its answer; empty after the browser's end."""
        self._number += 1
        text = json.dumps({"id": self._number, "method": name, "params": parameters}).encode()
        # Masked, as a client's frames are (RFC 6455 §5.3).
        length = (bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0xFE]) + struct.pack(">H", len(text))
                  if len(text) < 0x10000 else bytes([0xFF]) + struct.pack(">Q", len(text)))
        try:
            self._socket.sendall(b"\x81" + length + bytes(4) + text)
            while frame := self._frame():
                answer = json.loads(frame)
                if answer.get("id") == self._number:
                    return answer
        except ConnectionError:
            pass
        return {}

    def _frame(self) -> bytes:
        start = self._file.read(2)
        if len(start) < 2 or start[0] == 0x88:
            return b""
        length = start[1]
        if length == 126:
            length = struct.unpack(">H", self._file.read(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self._file.read(8))[0]
        return self._file.read(length)

    def choose(self, *files: object) -> None:
        """Chooses files in the dialog of the browser."""
        root = self.command("DOM.getDocument")["result"]["root"]["nodeId"]
        node = self.command("DOM.querySelector", nodeId=root, selector="#chooser")["result"]["nodeId"]
        self.command("DOM.setFileInputFiles", nodeId=node, files=list(map(str, files)))

    def wait(self, script: str) -> object:
        """Waits until an expression is true in the page."""
        return wait(lambda: self.run(script))


def _pages(port: str) -> list[dict]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=PATIENCE) as answer:
        return [item for item in json.load(answer) if item["type"] == "page"]


def wait(ask, limit: float = PATIENCE, pause: float = 0.05):
    """Waits until a question has an answer, with a pause between the questions. After the limit, the last error is the
    cause of this one."""
    end = time.monotonic() + limit
    while True:
        cause = None
        try:
            if value := ask():
                return value
        except (OSError, StopIteration, IndexError, ValueError, subprocess.SubprocessError) as error:
            cause = error
        if time.monotonic() > end:
            raise TimeoutError(f"no answer after {limit} s") from cause
        time.sleep(pause)

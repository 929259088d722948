"""A separate screen for windows, with the person's input and sight."""
import os
import re
import subprocess
import time
from pathlib import Path

from processes import Processes, stop
from remote import wait

# Pixels of a blinking cursor at most; four dots in a field are nearly twice as many.
CURSOR = 60


class Screen:
    """An X server without a display, and a window manager, without which no dialog gets the keyboard."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        reading, writing = os.pipe()
        # Without -noreset the server restarts when its last client ends, which may be our first query.
        self._server = processes.start(
            "Xvfb", "-displayfd", str(writing), "-screen", "0", "1200x900x24", "-noreset", "-nolisten", "tcp",
            pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as number:
            processes.environment["DISPLAY"] = f":{number.readline().strip()}"
        self._manager = processes.start("openbox")
        wait(lambda: "0x" in self._ask("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"))
        # The moment of the last keys, as servers log moments.
        self.pressed = time.time()

    def end(self) -> None:
        """Ends it, after the windows."""
        stop(self._manager)
        stop(self._server)

    def _ask(self, *words: str) -> str:
        return self._processes.run(*words, check=False).stdout

    def titles(self) -> dict[str, str]:
        """The titles of the windows in the window manager's list, by their number."""
        numbers = re.findall("0x[0-9a-f]+", self._ask("xprop", "-root", "_NET_CLIENT_LIST"))
        return {number: self._ask("xdotool", "getwindowname", number).strip() for number in numbers}

    def find(self, pattern: str) -> str | None:
        """The newest window with such a title."""
        found = [number for number, title in self.titles().items() if re.search(pattern, title)]
        return found[-1] if found else None

    def window(self, pattern: str) -> str:
        """Waits for a window with such a title."""
        try:
            return wait(lambda: self.find(pattern))
        except TimeoutError:
            raise AssertionError(f"no window {pattern!r} among {list(self.titles().values())}") from None

    def activate(self, window: str) -> None:
        """Gives a window the keyboard focus."""
        self._processes.run("xdotool", "windowactivate", "--sync", window)

    def press(self, window: str, *keys: str) -> None:
        """Presses keys in a window."""
        self.activate(window)
        self.pressed = time.time()
        self._processes.run("xdotool", "key", "--delay", "40", *keys)

    def write(self, window: str, text: str) -> None:
        """Types into the element with the keyboard focus in a window."""
        self.activate(window)
        self._processes.run("xdotool", "type", "--delay", "20", text)

    def fill(self, window: str, text: str) -> None:
        """Types into the only field of a dialog, once that is drawn, and checks that the text arrived."""
        # The empty field, because what has come late looks like what is typed again.
        before = self.drawn(window)
        for _ in range(5):
            self.press(window, "ctrl+a")
            self.write(window, text)
            if self._changes(window, before) > CURSOR:
                return
        raise AssertionError("what was typed did not arrive")

    def _changes(self, window: str, before: bytes) -> int:
        end = time.monotonic() + 2
        while True:
            now = self._pixels(window)
            count = sum(one != other for one, other in zip(before[::3], now[::3])) if len(before) == len(now) else 0
            if count > CURSOR or time.monotonic() > end:
                return count
            time.sleep(0.1)

    def drawn(self, window: str) -> bytes:
        """The picture of a window when it is more than an empty area, and does not change but for the cursor."""
        self.activate(window)
        last = [b""]

        def settled() -> bytes | None:
            before, last[0] = last[0], self._pixels(window)
            if len(set(zip(*[iter(last[0])] * 3))) < 8 or len(before) != len(last[0]):
                return None
            return last[0] if sum(a != b for a, b in zip(before, last[0])) < 300 else None

        return wait(settled)

    def is_dim(self, window: str) -> bool:
        """True if most of a window is of a middle grey, like the part behind a dialog."""
        # A sample of the pixels is enough.
        pixels = self._pixels(window)[::291]
        return sum(90 < one < 140 for one in pixels) * 2 > len(pixels) > 0

    def _pixels(self, window: str) -> bytes:
        words = ["import", "-silent", "-window", window, "-depth", "8", "rgb:-"]
        try:
            return self._processes.run(*words, check=False, text=False, timeout=10).stdout
        except subprocess.TimeoutExpired:
            # Of a window that is gone, because import waits for the choice of another one then.
            return b""

    def picture(self, path: Path) -> None:
        """A picture of all of it."""
        self._processes.run("import", "-silent", "-window", "root", path)

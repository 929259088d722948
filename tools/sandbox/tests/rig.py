"""Starts a sandbox for tests, with an invented person's file key as the card."""
import base64
import functools
import json
import shutil
import subprocess
import tempfile
import time
import unittest
from multiprocessing.util import Finalize
from pathlib import Path

from .browser import Browser

# The longest time that anything takes on a busy machine; a test that waits so long has failed.
PATIENCE = 120

HERE = Path(__file__).resolve().parent.parent


def header(token: str) -> dict[str, object]:
    """The JOSE header of a token, read by hand, because some releases of PyJWT refuse an unknown crit (RFC 7515 §4.1.11) here."""
    encoded = token.partition(".")[0]
    found: dict[str, object] = json.loads(base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)))
    return found


class Rig:
    """One sandbox process. `log` is the file with its standard error."""

    def __init__(
        self, *options: str, folder: Path | None = None, like: "Rig | None" = None
    ) -> None:
        self._temporary = tempfile.TemporaryDirectory()
        self.folder = folder or Path(self._temporary.name)
        self.card = self.folder / "card"
        if like is not None:
            # Reuses the keys, so that no new ones have to be made.
            for name in ("card", "state"):
                shutil.copytree(like.folder / name, self.folder / name)
        if not self.card.exists():
            subprocess.run([HERE / "make-client", self.card], check=True)
        ready = self.folder / "ready.json"
        ready.unlink(missing_ok=True)
        self.log = self.folder / "log"
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [HERE / "run", "--state", self.folder / "state", "--ready-file", ready,
                 "--client-ca", self.card / "ca.pem", *options], stderr=log)
        end = time.monotonic() + PATIENCE
        while not ready.exists():
            if self.process.poll() is not None or time.monotonic() > end:
                self.stop()
                raise RuntimeError(f"the sandbox did not start: {self.log.read_text()}")
            time.sleep(0.02)
        self.ready = json.loads(ready.read_text())

    def stop(self) -> int:
        """Ends the process; its exit status."""
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def remove(self) -> None:
        """Ends the process and removes its files."""
        self.stop()
        self._temporary.cleanup()

    def browser(self, agent: str = "Mozilla/5.0 (Linux; Android 14) test") -> Browser:
        """A new browser that trusts this sandbox."""
        return Browser(self.ready["ca"], agent)

    def control(self, method: str, path: str, **form: str) -> dict[str, object]:
        """Calls the control interface."""
        page = self.browser().open(
            self.ready["control"] + path, form if method == "POST" else None, method=method)
        assert page.status == 200, page.text
        answer: dict[str, object] = json.loads(page.text)
        return answer

    def arm(self, fault: str, at: str = "card", count: int = 1) -> None:
        """Arms a fault."""
        self.control("POST", "fault", fault=fault, at=at, count=str(count))

    def clear(self) -> None:
        """Disarms all faults."""
        self.control("DELETE", "fault")


@functools.cache
def _shared() -> Rig:
    rig = Rig("--slow-seconds", "0.5")
    Finalize(None, rig.remove, exitpriority=10)
    return rig


class SandboxTest(unittest.TestCase):
    """A test that shares one sandbox with all others of this process."""

    rig: Rig

    @classmethod
    def setUpClass(cls) -> None:
        cls.rig = _shared()

    def tearDown(self) -> None:
        self.rig.clear()

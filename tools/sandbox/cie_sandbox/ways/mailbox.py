"""The mailbox: a folder that stands for e-mail and text messages, one file a message."""
import re
import secrets
import threading
from pathlib import Path

from .keys import write_private


class Mailbox:
    """Messages of this run; those of an earlier one are removed, because their codes are invalid."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._count = 0
        self._lock = threading.Lock()
        folder.mkdir(mode=0o700, exist_ok=True)
        for old in folder.glob("*.txt"):
            old.unlink()

    def deliver(self, recipient: str, subject: str, code: str) -> None:
        """Writes `NUMBER-RECIPIENT.txt`, mode 0600, with the line `Code: …`."""
        with self._lock:
            self._count += 1
            number = self._count
        name = re.sub(r"[^A-Za-z0-9@._+-]", "_", recipient)[:80]
        text = f"To: {recipient}\nSubject: {subject}\n\nCode: {code}\n"
        write_private(self.folder / f"{number:06d}-{name}.txt", text.encode())


def new_code(length: int) -> str:
    """Uniformly distributed decimal digits."""
    return "".join(secrets.choice("0123456789") for _ in range(length))

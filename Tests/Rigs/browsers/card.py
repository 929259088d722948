"""The software card in the virtual reader of a private pcscd."""
import json
import os
import re
import signal
import subprocess
from pathlib import Path

from processes import Processes, stop
from remote import wait

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = Path(os.environ["CIE_PROGRAMS"]).absolute()
CARD = ROOT / "Sources/C/CPersonaData/data/gemalto"


def value(name: str) -> str:
    """A line of the software card's persona."""
    return re.search(rf"^{name}: *(.*)$", (CARD / "persona.txt").read_text(), re.M).group(1)


PIN = value("pin")
NIS = value("services-number")


class Card:
    """A card, which is in the reader as long as its program runs. Each insertion is of a new one, with all tries
    left."""

    def __init__(self, processes: Processes, folder: Path) -> None:
        self._processes = processes
        self._folder = folder
        self._count = 0
        self._reader = None

    def insert(self, fault: str | None = None, option: str | None = None) -> None:
        """Puts a card into the reader. The service polls, so it must have seen the last one go."""
        wait(lambda: not any(reader["card"] for reader in self._readers()))
        self._count += 1
        said = self._folder / f"reader-{self._count}.out"
        words = [PROGRAMS / "cie-lab", "virtual-reader", "--diary", self._diary]
        words += ["--fault", fault] if fault else []
        words += ["--option", option] if option else []
        with said.open("w") as output:
            self._reader = self._processes.start(*words, stdout=output)
        wait(lambda: "inserted" in said.read_text())

    def pull(self) -> None:
        """Takes the card out, whatever its state."""
        stop(self._reader)

    @staticmethod
    def stop_service() -> None:
        """Kills the private pcscd."""
        os.kill(int(Path("/run/pcscd/pcscd.pid").read_text().strip("\0 \n")), signal.SIGKILL)

    @staticmethod
    def start_service() -> None:
        """Starts another one, as its unit would."""
        files = [Path("/run/pcscd", name) for name in ("pcscd.comm", "pcscd.pid")]
        for file in files:
            file.unlink(missing_ok=True)
        subprocess.Popen(["pcscd", "--foreground"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait(lambda: all(file.exists() for file in files))

    def _readers(self) -> list[dict]:
        return json.loads(self._processes.run(PROGRAMS / "cie-read", "readers", "--json").stdout)["readers"]

    @property
    def is_inserted(self) -> bool:
        """True if it is in the reader; a fault may have taken it out."""
        return self._reader.poll() is None

    @property
    def _diary(self) -> Path:
        return self._folder / f"card-{self._count}.txt"

    def _lines(self) -> list[str]:
        return self._diary.read_text().splitlines() if self._diary.exists() else []

    @property
    def commands(self) -> int:
        """The number of its commands."""
        return len(self._lines())

    @property
    def verifications(self) -> int:
        """The number of its PIN comparisons, by its own count."""
        return self._counted("verifications", 0)

    @property
    def signatures(self) -> int:
        """The number of signatures with the holder's key."""
        return self._counted("signatures", 0)

    @property
    def tries(self) -> int:
        """The tries of the PIN left."""
        return self._counted("tries", 3)

    def _counted(self, name: str, before: int) -> int:
        lines = self._lines()
        return int(re.search(rf"{name}=(\d+)", lines[-1]).group(1)) if lines else before

"""PKCS #11 modules side by side in the browsers: ten logins of each, as a table in Markdown for tools/lab modules."""
import argparse
import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from browser import Browser, Chromium, Firefox
from card import PIN, PROGRAMS, Card
from processes import Processes
from remote import wait
from screen import Screen
from servers import ADDRESS, Nginx

# Seconds without page and dialog after which a login has failed: more than the browsers' own limits of a handshake.
LIMIT = 60
# More dialogs than any login needs.
MANY = 8
COLUMNS = (
    "module", "browser", "logins that succeeded", "seconds of waiting: median", "most", "commands to the card",
    "PINs sent to the card", "seconds of the processor", "dialogs and end", "enrolment before")


@dataclass
class Login:
    """A login: its failure, if it did not succeed, its costs, and those of the enrolment before."""

    failure: str = ""
    # Seconds without a dialog: from the link to the first one, from each to the next, and to the server's page.
    waits: list[float] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    # By the card's own count, from the browser's start to its end.
    commands: int = 0
    verifications: int = 0
    # Seconds for the browser with the module.
    processor: float = 0
    enrolment: str = ""


class Seat:
    """A new home folder for a login with one module in one browser, with a screen and a server; the card is that of
    all."""

    def __init__(self, folder: Path, module: Path, kind: type[Browser]) -> None:
        self._module, self._kind, self._pin = module, kind, PIN
        self._folder = folder / f"seat-{len(list(folder.glob('seat-*')))}"
        home = self._folder / "home"
        anchors = home / ".local/share/cie-read/trust"
        anchors.mkdir(parents=True)
        self._processes = Processes(home)
        self._processes.run(PROGRAMS / "cie-lab", "anchors", anchors)
        self._screen = Screen(self._processes)
        self._server = Nginx(self._processes, self._folder)
        self._card = Card(self._processes, folder)
        self._page = self._folder / "page.html"
        self._page.write_text(f"<title>Page with a link</title><a href={ADDRESS}>Log in</a>")

    def end(self) -> None:
        """Ends all of it."""
        self._processes.end()

    def log_in(self, picture: Path) -> Login:
        """The enrolment, if the module has one, and the login; a picture if it fails."""
        login = Login()
        if b"AbilitaCIE" in self._module.read_bytes():
            before = self._card.commands, self._card.verifications
            self._processes.run(sys.executable, "-s", "-B", Path(__file__).parent / "enrol.py", self._module, PIN)
            commands, pins = self._card.commands - before[0], self._card.verifications - before[1]
            login.enrolment = f"{commands} commands, {pins} PIN"
            # Such a module takes the second half alone.
            self._pin = PIN[len(PIN) // 2:]
        before = self._card.commands, self._card.verifications
        browser = self._kind(self._processes, self._screen, self._folder)
        # Without the log of our module, which takes time.
        browser.module, browser.settings = self._module, {"CIE_PKCS11_LOG": ""}
        browser.prepare(self._server.authority)
        browser.start(self._page.as_uri())
        try:
            browser.press_first_button("Page with a link")
            login.failure = self._answer(browser, login)
        except (AssertionError, TimeoutError) as error:
            login.failure = f"{type(error).__name__}: {error}"
        if login.failure:
            self._screen.picture(picture)
        login.processor = self._processor_time()
        browser.end()
        wait(lambda: not self._browsers())
        login.commands, login.verifications = self._card.commands - before[0], self._card.verifications - before[1]
        return login

    def _answer(self, browser: Browser, login: Login) -> str:
        """The person's answers to the dialogs, until there is a page. Returns the reason if there is none."""
        log = self._folder / "access.log"
        before, since = len(log.read_text().splitlines()), self._screen.pressed
        asking = (
            ("PIN", lambda: self._screen.find(browser.pin_dialog), lambda: browser.enter_pin(self._pin)),
            ("certificate", lambda: browser.is_choosing, browser.choose_certificate))
        while len(log.read_text().splitlines()) == before:
            if not browser.is_alive:
                return "the browser has ended"
            if time.time() - since > LIMIT:
                return f"neither page nor dialog in {LIMIT} s"
            if len(login.dialogs) == MANY:
                return "dialogs without end"
            for name, is_open, answer in asking:
                if is_open():
                    login.waits.append(round(time.time() - since, 2))
                    login.dialogs.append(name)
                    answer()
                    since = self._screen.pressed
            time.sleep(0.05)
        page = log.read_text().splitlines()[-1]
        if page not in self._server.welcomed():
            return "no certificate came to the server"
        login.waits.append(round(float(page.split()[-1]) - since, 2))
        return ""

    def _browsers(self) -> list[int]:
        return self._processes.find(self._kind.name)

    def _processor_time(self) -> float:
        ticks = 0
        for number in self._browsers():
            # User and system time of a process and of its ended children: proc(5), counted after the name.
            try:
                ticks += sum(map(int, Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[11:15]))
            except OSError:
                continue
        return ticks / os.sysconf("SC_CLK_TCK")


def row(name: str, kind: type[Browser], logins: list[Login]) -> list[str]:
    """A line of the table. The costs are those of the logins that succeeded."""
    good = [login for login in logins if not login.failure]
    cells = [name, kind.name, f"{len(good)} of {len(logins)}"]
    if good:
        waited = [sum(login.waits) for login in good]
        cells += [f"{statistics.median(waited):.2f}", f"{max(waited):.2f}"]
        for counts in ([login.commands for login in good], [login.verifications for login in good]):
            cells.append("–".join(map(str, sorted({min(counts), max(counts)}))))
        cells.append(f"{statistics.median(login.processor for login in good):.1f}")
    cells += [""] * (len(COLUMNS) - 2 - len(cells))
    for texts in ([", ".join(login.dialogs + [login.failure or "page"]) for login in logins],
                  [login.enrolment or "none" for login in logins]):
        cells.append("; ".join(sorted(set(texts))))
    return cells


def main() -> None:
    """All modules, each in both browsers, and the table."""
    parser = argparse.ArgumentParser(prog="tools/lab modules")
    parser.add_argument("folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--logins", type=int, default=10)
    parser.add_argument("modules", nargs="+", metavar="[NAME=]MODULE.so")
    words = parser.parse_args()
    modules = {name or path: Path(path).absolute() for name, _, path in (one.rpartition("=") for one in words.modules)}
    logins = {(name, kind): [] for name in modules for kind in (Chromium, Firefox)}
    # In turn, so that the rest of the machine's work disturbs all alike.
    for number in range(1, words.logins + 1):
        for (name, kind), done in logins.items():
            picture = Path(os.environ["SCREENSHOTS"], f"{Path(name).name}-{kind.name}-{number}.png")
            seat = Seat(words.folder, modules[name], kind)
            try:
                done.append(seat.log_in(picture))
            finally:
                seat.end()
            print(f"{name}, {kind.name}, {number}: {done[-1]}", flush=True)
    lines = [COLUMNS, ("---",) * len(COLUMNS), *(row(name, kind, done) for (name, kind), done in logins.items())]
    for program in ("chromium", "firefox-esr"):
        print(subprocess.check_output([program, "--version"], text=True, stderr=subprocess.DEVNULL).strip())
    print(*(f"| {' | '.join(line)} |" for line in lines), sep="\n")


if __name__ == "__main__":
    main()

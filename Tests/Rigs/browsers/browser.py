"""Firefox and Chromium in a person's hands: by the keyboard, in a window, with the registered module."""
import os
from pathlib import Path

from card import PIN, PROGRAMS
from processes import Processes, stop, trust
from remote import wait
from screen import Screen


class Browser:
    """The common part of both."""

    # The name in `cie-read browser install`.
    name: str
    # The title of the dialog that asks for the PIN.
    pin_dialog: str
    # The titles of error pages: the server's own, which saw no certificate, and the browser's.
    failure: str
    # The suffix of the titles of the browser's windows.
    _main_window: str

    def __init__(self, processes: Processes, screen: Screen, folder: Path) -> None:
        self._processes = processes
        self._screen = screen
        self._home = folder / "home"
        self._calls = folder / f"{self.name}-calls.log"
        self._program = None
        self.settings: dict[str, str] = {}
        # Another module than that of the built programs.
        self.module: Path | None = None

    def prepare(self, *authorities: Path) -> None:
        """Makes an empty profile that trusts these authorities, and registers the module in it."""
        trust(self._store, *authorities, environment=self._processes.environment)
        self.register(*(["--module", self.module] if self.module else []))

    def register(self, *words: str | Path) -> None:
        """`cie-read browser install`."""
        self._processes.run(PROGRAMS / "cie-read", "browser", "install", self.name, *words)

    def start(self, address: str) -> None:
        """Starts it with a page."""
        self._address = address
        self._program = self._processes.start(
            *self._command, address, environment={"CIE_PKCS11_LOG": str(self._calls), **self.settings})

    def end(self) -> None:
        """Ends it."""
        if self._program:
            stop(self._program)

    @property
    def is_alive(self) -> bool:
        """True while it runs."""
        return self._program.poll() is None

    def calls(self) -> str:
        """The log of the module."""
        return self._calls.read_text() if self._calls.exists() else ""

    @property
    def window(self) -> str:
        """Its main window."""
        return self._screen.window(self._main_window)

    def page(self, title: str) -> None:
        """Waits until its page has such a title."""
        self._screen.window(f"{title}.*{self._main_window}")

    def fails(self) -> None:
        """Waits until a page reports that the login failed."""
        self.page(self.failure)
        self._screen.drawn(self.window)

    def reload(self) -> None:
        """Reloads the page."""
        self._screen.drawn(self.window)
        self._screen.press(self.window, "F5")

    def press_first_button(self, title: str) -> None:
        """Goes to the first control on a page, and presses it."""
        self.page(title)
        self._screen.drawn(self.window)
        self._screen.press(self.window, "Tab", "Return")

    def try_again(self) -> None:
        """Reloads a page that the browser has met without a certificate."""
        self.reload()

    def asks_for_pin(self) -> str:
        """Waits for the dialog that asks for the PIN."""
        return self._screen.window(self.pin_dialog)

    def enter_pin(self, pin: str = PIN) -> None:
        """Types a PIN into the dialog, which is gone then; another one may follow at once."""
        dialog = self.asks_for_pin()
        self._screen.fill(dialog, pin)
        self._screen.press(dialog, "Return")
        wait(lambda: dialog not in self._screen.titles())

    @property
    def is_choosing(self) -> bool:
        """True if it shows the certificates, in a dialog inside its window, which is dim behind it."""
        window = self._screen.find(self._main_window)
        return window is not None and self._screen.is_dim(window)

    def asks_for_certificate(self) -> None:
        """Waits until it shows the certificates."""
        wait(lambda: self.is_choosing)

    def choose_certificate(self) -> None:
        """Accepts the proposed certificate. Firefox ignores a yes that comes too quickly."""
        self.asks_for_certificate()
        for _ in range(5):
            self._screen.drawn(self.window)
            self._screen.press(self.window, "Return")
            try:
                return wait(lambda: not self.is_choosing, 3)
            except TimeoutError:
                pass
        raise AssertionError("the dialog with the certificates stays")

    def log_in(self) -> None:
        """The person's reaction to a request for the certificate."""
        self.enter_pin()
        self.choose_certificate()


class Firefox(Browser):
    """Debian's Firefox ESR."""

    name = "firefox"
    pin_dialog = "^Password Required"
    failure = "(No certificate|Secure Connection Failed|Problem loading)"
    _main_window = "Mozilla Firefox$"
    _preferences = {
        "browser.shell.checkDefaultBrowser": "false", "datareporting.policy.dataSubmissionEnabled": "false",
        "termsofuse.bypassNotification": "true", "browser.aboutwelcome.enabled": "false",
        "app.normandy.enabled": "false", "network.captive-portal-service.enabled": "false",
        # No connection, and with it no signature, but for a page.
        "network.http.speculative-parallel-limit": "0"}

    @property
    def _store(self) -> Path:
        return self._home / ".mozilla/firefox/test.default"

    @property
    def _command(self) -> list[str | Path]:
        return ["firefox-esr", "--no-remote", "--profile", self._store]

    def prepare(self, *authorities: Path) -> None:
        """A profile that the list of profiles names, as after the first start."""
        self._store.mkdir(parents=True, exist_ok=True)
        (self._store.parent / "profiles.ini").write_text(
            f"[Profile0]\nName=default\nIsRelative=1\nPath={self._store.name}\nDefault=1\n")
        lines = [f'user_pref("{name}", {value});\n' for name, value in self._preferences.items()]
        (self._store / "user.js").write_text("".join(lines))
        super().prepare(*authorities)


class Chromium(Browser):
    """Debian's Chromium."""

    name = "chromium"
    pin_dialog = "^Unlock Security Device"
    failure = "(No certificate|^localhost)"
    _main_window = "Chromium$"

    @property
    def _store(self) -> Path:
        return self._home / ".pki/nssdb"

    @property
    def _command(self) -> list[str | Path]:
        # Its own sandbox does not start for root, as in containers.
        root = ["--no-sandbox", "--test-type"] if os.geteuid() == 0 else []
        return ["chromium", *root, "--no-first-run", "--password-store=basic", "--disable-gpu"]

    def prepare(self, *authorities: Path) -> None:
        """A profile that makes no connection, and with it no signature, but for a page."""
        super().prepare(*authorities)
        preferences = self._home / ".config/chromium/Default/Preferences"
        preferences.parent.mkdir(parents=True)
        preferences.write_text('{"net": {"network_prediction_options": 2}}')

    def try_again(self) -> None:
        """It remembers until its end that it had no certificate for a server."""
        self.end()
        self.start(self._address)

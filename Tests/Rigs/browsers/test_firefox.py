"""`cie-read login --browser` with the installed Firefox."""
import os
import shutil
import socket
import unittest
from pathlib import Path

from cases import WindowCases
from marionette import Page
from rig import WindowRig


class FirefoxTest(WindowCases, WindowRig):
    """Without a screen, with a second controller, and with the authorities that Chromium has from its home
    folder."""

    browser = "firefox"
    executable = "/usr/lib/firefox-esr/firefox-esr"
    page = Page

    def wrapper_text(self) -> str:
        return f"""#!/bin/sh
for word; do
  [ "$last" = --profile ] && profile=$word
  last=$word
done
echo 'user_pref("marionette.port", 0);' >> "$profile/user.js"
cp {self.store}/cert9.db {self.store}/key4.db {self.store}/pkcs11.txt "$profile"
exec {shutil.which('firefox-esr')} --headless --marionette "$@"
"""

    def test_no_way_is_left_open(self) -> None:
        program = self.start()
        window = self.window()
        window.wait("!!document.getElementById('entra-con-cie')")
        # The socket of the script's delivery is closed; the other one accepts no other client.
        profile = self.profiles()[0]
        for name in ("tools", "commands"):
            with socket.socket(socket.AF_UNIX) as stranger, self.assertRaises(OSError):
                stranger.connect(str(profile / name))
        self.assertEqual(profile.stat().st_mode & 0o777, 0o700)
        # Beside Marionette, the test's own, no port is open.
        ports = self.ports()
        self.assertEqual(ports, {int((profile / "MarionetteActivePort").read_text())})
        window.run("document.getElementById('entra-con-cie').click()")
        self.succeeds(program)

    def test_link_of_somebody_else_by_way_of_the_provider(self) -> None:
        """The service's page opens the provider's in a window, and navigates that one to its own link. Chromium names
        the requesting page only if the two are of different sites, which those of the sandbox are not."""
        provider = self.ready["idp"].removesuffix("/idp/")
        link = f"{provider}/OpenApp?nextUrl={provider}/idp/Authn/X509&name=a&value=b"
        for address in (link, f"CIEID://{link}"):
            with self.subTest(address):
                program = self.start()
                window = self.window()
                window.wait("!!document.getElementById('entra-con-cie')")
                window.press(f"void (window.other = window.open('{self.ready['idp']}'))")
                window.wait("(() => { try { return !other.location.href } catch (error) { return true } })()")
                window.press(f"void (other.location = '{address}')")
                self.fails(program, 15, "hand-off-elsewhere")

    def ports(self) -> set[int]:
        """The TCP ports at which the browser listens."""
        sockets = set()
        for number in self.processes():
            for entry in os.scandir(f"/proc/{number}/fd"):
                try:
                    sockets.add(os.readlink(entry.path))
                except OSError:
                    pass
        lines = [
            line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
        return {
            int(line[1].rpartition(":")[2], 16) for line in lines
            if line[3] == "0A" and f"socket:[{line[9]}]" in sockets}


if __name__ == "__main__":
    unittest.main()

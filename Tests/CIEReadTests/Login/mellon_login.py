"""cie-read logs in to a service provider that is not ours: apache2 with mod_auth_mellon.

    mellon_login.py CIE_READ PERSONA PIN [PERSONA PIN ...]

For each persona of the software card the whole login must end on apache2's page, which gets the fiscal number of the
card; and with a wrongly signed response it must not. Exit status 0 when all of it holds.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools" / "sandbox"))

from tests.mellon import Mellon  # noqa: E402
from tests.rig import Rig  # noqa: E402


def cie_read(program: str, pin: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the program; the PIN goes to its standard input."""
    return subprocess.run(
        [program, *arguments], input=pin + "\n", capture_output=True, text=True, timeout=60)


def log_in(program: str, pin: str, persona: str, rig: Rig, mellon: Mellon) -> dict[str, object]:
    """The whole login; its output."""
    result = cie_read(
        program, pin, "login", "--sp-url", mellon.base + "secret/", "--virtual", persona,
        "--environment", str(rig.ready["environment"]), "--consent", "yes", "--json")
    answer: dict[str, object] = json.loads(result.stdout)
    answer["exit"] = result.returncode
    return answer


def main(program: str, personas: list[tuple[str, str]]) -> int:
    keys = Rig()
    mellon = Mellon(keys)
    with tempfile.TemporaryDirectory() as folder:
        for persona, pin in personas:
            certificate = cie_read(program, pin, "cert", "--virtual", persona)
            Path(folder, persona + ".pem").write_text(certificate.stdout)
        rig = Rig(
            "--generic-sp-metadata", str(mellon.metadata), "--client-ca", folder, like=keys)
        mellon.start(rig)
        expected = (0, mellon.base + "secret/", 200)
        try:
            for persona, pin in personas:
                answer = log_in(program, pin, persona, rig, mellon)
                print(persona, answer)
                if (answer["exit"], answer.get("finalUrl"), answer.get("status")) != expected:
                    return 1
            rig.arm("saml-wrong-signature")
            persona, pin = personas[0]
            refused = log_in(program, pin, persona, rig, mellon)
            print("wrong signature", refused)
            return 0 if refused["exit"] == 11 else 2
        finally:
            mellon.remove()
            rig.remove()
            keys.remove()


if __name__ == "__main__":
    words = sys.argv[2:]
    sys.exit(main(sys.argv[1], list(zip(words[::2], words[1::2]))))

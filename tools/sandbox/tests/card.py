"""The card call, made by curl with a file key in the card's place, and by openssl for variant B."""
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

from .browser import Browser, Page
from .rig import Rig


@dataclass(frozen=True)
class Link:
    """A hand-off link, taken apart."""

    next_url: str
    name: str
    value: str
    request: str

    @classmethod
    def of(cls, url: str) -> "Link":
        """Reads an OpenApp link; the slash form of the `ios.` host too."""
        parts = urlsplit(url)
        values = parse_qs(parts.query or parts.path.lstrip("/"), strict_parsing=True)
        one = {key: items[0] for key, items in values.items()}
        return cls(one["nextUrl"], one["name"], one["value"], one["authnRequestString"])


def curl(rig: Rig, url: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs curl with TLS 1.2 at most, as the card's key needs it."""
    return subprocess.run(
        ["curl", "--silent", "--show-error", "--max-time", "10", "--cacert", rig.ready["ca"],
         "--tls-max", "1.2", *options, url], capture_output=True, text=True)


def card_options(rig: Rig, certificate: str = "client.pem") -> list[str]:
    """curl's options for the client certificate."""
    return ["--cert", str(rig.card / certificate), "--key", str(rig.card / "client.key")]


def login2(
    rig: Rig, link: Link, *more: str, base: str = "mtls", certificate: str = "client.pem"
) -> subprocess.CompletedProcess[str]:
    """Variant A's one POST."""
    return curl(
        rig, rig.ready[base] + "Authn/SSL/Login2", *card_options(rig, certificate),
        "--data-urlencode", f"{link.name}={link.value}",
        "--data-urlencode", f"authnRequest={link.request}", "--data", "generaCodice=1", *more)


def completed_url(link: Link, answer: str) -> str:
    """Variant A's completed URL."""
    codice = answer.strip().removeprefix("codice:")
    return f"{link.next_url}?{urlencode({link.name: link.value})}&login=1&codice={codice}"


def signed_url(rig: Rig, browser: Browser, link: Link, tamper: bool = False) -> str:
    """Variant B: the certificate goes out, the challenge comes back, openssl signs it."""
    der = subprocess.run(
        ["openssl", "x509", "-in", str(rig.card / "client.pem"), "-outform", "DER"],
        capture_output=True, check=True).stdout
    page = browser.open(
        rig.ready["idp"] + "Authn/X509TLS13First", {"cert": der.hex(), "authnRequest": link.request})
    assert page.status == 200, page.text
    challenge = page.text + ("x" if tamper else "")
    signature = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", str(rig.card / "client.key")],
        input=challenge.encode(), capture_output=True, check=True).stdout
    return (
        f"{rig.ready['idp']}Authn/X509MobileTLS13Second?challenge={signature.hex().upper()}"
        f"&{link.name}={link.value}")


def to_hand_off(rig: Rig, browser: Browser, query: str = "") -> Link:
    """Service provider's login up to the link on the login page."""
    page = to_login_page(rig, browser, query)
    assert "hand-off" in page.links, (page.url, page.status, page.text)
    return Link.of(page.links["hand-off"])


def to_login_page(rig: Rig, browser: Browser, query: str = "") -> Page:
    """Service provider's login up to the login page, by whichever binding."""
    page = browser.open(rig.ready["spLogin"] + query)
    return browser.submit(page) if "SAMLRequest" in page.fields else page


def to_consent(rig: Rig, browser: Browser, query: str = "", signed: bool = False) -> Page:
    """Login up to the consent page."""
    link = to_hand_off(rig, browser, query)
    if signed:
        return browser.open(signed_url(rig, browser, link))
    answer = login2(rig, link)
    assert answer.stdout.startswith("codice:"), answer
    return browser.open(completed_url(link, answer.stdout))


def public_names(path: Path) -> str:
    """The subject of a certificate, as openssl prints it."""
    return subprocess.run(
        ["openssl", "x509", "-in", str(path), "-noout", "-subject"],
        capture_output=True, text=True, check=True).stdout

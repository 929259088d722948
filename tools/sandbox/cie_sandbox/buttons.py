"""The buttons of a service's page, as Examples/Buttons has them for integrators."""
import re
from collections.abc import Iterable
from pathlib import Path

from markupsafe import Markup

FOLDER = Path(__file__).resolve().parents[3] / "Examples" / "Buttons"
STYLE = Markup((FOLDER / "buttons.css").read_text(encoding="utf-8"))
_PAGE = (FOLDER / "buttons.html").read_text(encoding="utf-8")


def _part(pattern: str, text: str = _PAGE) -> str:
    found = re.search(pattern, text, re.DOTALL)
    if found is None:
        raise ValueError(f"buttons.html has no {pattern}")
    return found[0]


def _leading_to(address: str, link: str) -> Markup:
    return Markup(re.sub('href="[^"]*"', lambda _: Markup('href="{}"').format(address), link, count=1))


def card(address: str) -> Markup:
    """'Entra con CIE'."""
    return _leading_to(address, _part(r'<a class="way" id="entra-con-cie".*?</a>'))


def spid(providers: Iterable[tuple[str, str, str]]) -> Markup:
    """'Entra con SPID', with the identifier, name and address of each identity provider."""
    whole = _part(r'<details class="ways" id="entra-con-spid".*?</details>')
    item = _part("<li>.*?</li>", whole)
    items = []
    for identifier, name, address in providers:
        link = re.sub(">[^<]+</a>", lambda _, name=name: Markup(">{}</a>").format(name), item)
        link = link.replace("<a ", Markup('<a id="{}" ').format(identifier), 1)
        items.append(_leading_to(address, link))
    return Markup(whole.replace(item, "".join(items)))

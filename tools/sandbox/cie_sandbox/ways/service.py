"""The service description: which ways in the sandbox offers, as the client's registry reads it.

Each module of a way has `entries(ways, insecure)`: its lines of the description. With `insecure`, the identity app
speaks the protocol of the published kit, weak as it is.
"""
from collections.abc import Callable, Iterable

from .context import Ways

Entry = dict[str, object]
Contribution = Callable[[Ways, bool], list[Entry]]
ORDER = ("card", "app", "spid", "email", "identity-app", "bank", "oidc")


def description(
    ways: Ways, sp_base: str, insecure: bool, contributions: Iterable[Contribution]
) -> dict[str, object]:
    """The whole description; its files are named relative to the state folder."""
    entries: list[Entry] = [
        {"method": "card", "start": f"{sp_base}login", "environment": "environment.json"},
        {"method": "app", "start": f"{sp_base}login?level=2", "environment": "environment.json"}]
    for contribution in contributions:
        entries += contribution(ways, insecure)
    entries.sort(key=lambda entry: ORDER.index(str(entry["method"])))
    return {"name": "Sandbox", "ca": "ca.pem", "methods": entries}

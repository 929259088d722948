"""The service description: the sandbox's sign-in methods, in the form of the client's registry.

Each module of a method has `entries(ways)`: its lines of the description.
"""
from collections.abc import Callable, Iterable
from typing import Any

from .context import Ways
from .rules import APP_RETURN

Entry = dict[str, object]
Contribution = Callable[[Ways], list[Entry]]
ORDER = ("card", "app", "spid", "email", "identity-app", "bank", "oidc")


def description(
    ways: Ways, sp_base: str, contributions: Iterable[Contribution]
) -> dict[str, object]:
    """The whole description; its files are named relative to the state folder."""
    entries: list[Entry] = [
        {"method": "card", "start": f"{sp_base}login", "environment": "environment.json"},
        {"method": "app", "start": f"{sp_base}login?level=2", "environment": "environment.json"}]
    for contribution in contributions:
        entries += contribution(ways)
    entries.sort(key=lambda entry: ORDER.index(str(entry["method"])))
    return {"name": "Sandbox", "ca": "ca.pem", "methods": entries}


def with_own_returns(description: dict[str, Any]) -> dict[str, Any]:
    """The description without our additions: services end at their own pages, the OpenID provider at an app's scheme."""
    methods = [{name: value for name, value in entry.items() if name != "returnUrl"} for entry in description["methods"]]
    app = {"returnUrl": APP_RETURN}
    return {**description, "methods": [{**entry, **app} if entry["method"] == "oidc" else entry for entry in methods]}

"""The files with the sandbox's addresses: environments for the client, and the ready file."""
import json
import os
from pathlib import Path

from .federation.app import with_anchor
from .idp.links import NEXT_PATH
from .idp.provider import Provider
from .state.folder import StateFolder
from .ways.app import CONTRIBUTIONS
from .ways.context import Ways
from .ways.service import description, with_own_returns

VARIANTS = {"client-certificate": "environment-a.json", "signed-challenge": "environment-b.json"}


def environment(provider: Provider, state: StateFolder, method: str, base: str) -> dict[str, object]:
    """One environment, as the client's option --environment reads it."""
    return {
        "name": "sandbox", "idp": base,
        "linkHosts": [f"localhost:{provider.port}", f"ios.localhost:{provider.port}"],
        "nextPaths": [NEXT_PATH], "method": method, "ca": str(state.ca)}


def chosen(state: StateFolder) -> Path:
    """The environment for --method."""
    return state.root / "environment.json"


def _write(path: Path, content: dict[str, object]) -> None:
    # A reader of the file must never get half of it.
    half = path.with_name(path.name + ".half")
    half.write_text(json.dumps(content, indent=2) + "\n", "utf-8")
    os.replace(half, path)


def write_all(
    provider: Provider, state: StateFolder, sp_base: str, method: str, ways: Ways,
    ready_file: Path | None,
) -> None:
    """Writes the environments and service descriptions into the state folder, then the ready file."""
    files: dict[str, str] = {}
    for name, file in VARIANTS.items():
        _write(state.root / file, environment(provider, state, name, provider.base))
        files[name] = str(state.root / file)
    _write(chosen(state), environment(provider, state, method, provider.base))
    own_port = state.root / "environment-own-port.json"
    _write(own_port, environment(provider, state, "client-certificate", provider.card_base))
    offered = description(ways, sp_base, CONTRIBUTIONS)
    services = {
        "service": ("service.json", offered),
        "serviceReturns": ("service-returns.json", with_own_returns(offered)),
        "serviceFederation": ("service-federation.json", with_anchor(offered, ways))}
    for file, content in services.values():
        _write(state.root / file, content)
    if ready_file is None:
        return
    _write(ready_file, {
        "pid": os.getpid(), "idp": provider.base, "mtls": provider.card_base, "sp": sp_base,
        "spLogin": sp_base + "login", "spProfile": sp_base + "profile",
        "control": provider.origin + "/sandbox/", "ca": str(state.ca), "environment": str(chosen(state)),
        "environments": {**files, "own-port": str(own_port)},
        "idpMetadata": provider.base + "shibboleth?Metadata", "spMetadata": sp_base + "metadata",
        "ways": ways.base, "waysControl": ways.base + "sandbox/",
        "users": str(ways.users.file), "mailbox": str(ways.mailbox.folder),
        **{key: str(state.root / file) for key, (file, _) in services.items()}})

"""The command line."""
import argparse
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from .faults.board import SWITCHES
from .faults.catalogue import CATALOGUE, Stage

METHODS = ("client-certificate", "signed-challenge")
_PERSONAS = Path(__file__).resolve().parent.parent / "personas.json"


@dataclass(frozen=True)
class Options:
    """The options of the person who starts the sandbox."""

    state: Path
    ready_file: Path | None
    client_ca: list[Path]
    sp_metadata: list[Path]
    generic_sp_metadata: list[Path]
    personas: Path
    method: str
    port_idp: int
    port_mtls: int
    port_sp: int
    port_ways: int
    claims_hook: str | None
    spid_idp_metadata: list[Path]
    oidc_client: list[Path]
    faults: list[str]
    switches: list[str]
    slow_seconds: float
    allow_real_cards: bool


def fault_table() -> str:
    """All faults and switches, for people."""
    lines = []
    for stage in Stage:
        lines.append(f"{stage.value}:")
        lines += [f"  {f.name:<42}{f.meaning}" for f in CATALOGUE.values() if f.stage is stage]
    lines.append("switches (--switch):")
    lines += [f"  {name:<42}{meaning}" for name, meaning in SWITCHES.items()]
    return "\n".join(lines)


def _port(text: str) -> int:
    number = int(text)
    if not 0 <= number < 65536:
        raise argparse.ArgumentTypeError("a port is 0 to 65535")
    return number


def _loopback(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or parts.hostname not in ("127.0.0.1", "localhost"):
        raise argparse.ArgumentTypeError("a URL on localhost or 127.0.0.1")
    return text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tools/sandbox/run", allow_abbrev=False,
        description="A sandbox of the 'Entra con CIE' login: an identity provider and a service "
        "provider on 127.0.0.1, with TLS of a throw-away authority. Not a government service.",
        epilog="Stop it with SIGINT or SIGTERM. The log is on standard error and holds no personal data.")
    add = parser.add_argument
    add("--state", metavar="DIR", type=Path, help="keys and certificates of this install, made at the first start")
    add("--client-ca", metavar="FILE_OR_DIR", type=Path, action="append", default=[],
        help="PEM authorities of client certificates, or such certificates themselves; repeatable. "
        "Without it no card is accepted")
    add("--ready-file", metavar="FILE", type=Path,
        help="JSON with addresses and files, written once the sandbox listens")
    add("--method", choices=METHODS, default=METHODS[0], help="the card login that environment.json names")
    add("--port-idp", metavar="N", type=_port, default=0, help="identity provider (0: any free port)")
    add("--port-mtls", metavar="N", type=_port, default=0, help="card call's own port, certificate required")
    add("--port-sp", metavar="N", type=_port, default=0, help="service provider")
    add("--port-ways", metavar="N", type=_port, default=0, help="the other ways in")
    add("--sp-metadata", metavar="FILE", type=Path, action="append", default=[],
        help="a further service provider; its requests must keep the CIE profile to the letter")
    add("--generic-sp-metadata", metavar="FILE", type=Path, action="append", default=[],
        help="the same for a general-purpose product: ForceAuthn, NameIDPolicy and level may be absent")
    add("--personas", metavar="FILE", type=Path, default=_PERSONAS, help="birth dates by fiscal code (JSON)")
    add("--claims-hook", metavar="URL", type=_loopback, default=None,
        help="asked for further claims before native sign-in signs a token; loopback only")
    add("--oidc-client", metavar="FILE", type=Path, action="append", default=[],
        help="a further client of the OpenID provider: JSON with clientId, name, redirectUris, keys (a JWK set); "
        "repeatable")
    add("--spid-idp-metadata", metavar="FILE", type=Path, action="append", default=[],
        help="a further identity provider for the service provider of SPID; repeatable")
    add("--fault", metavar="NAME[@PLACE][*COUNT]", action="append", default=[],
        help="arms a fault; repeatable. PLACE is card, idp, sp, ways, a way (tenant) or its endpoint (tenant/token)")
    add("--switch", metavar="NAME", action="append", default=[], help="turns a variant on; repeatable")
    add("--slow-seconds", metavar="S", type=float, default=20.0, help="how long slow faults wait (20)")
    add("--allow-real-cards", action="store_true", help="lets --client-ca name an authority of real cards")
    add("--list-faults", action="store_true", help="prints all faults and switches")
    return parser


def read_options(arguments: list[str]) -> Options | None:
    """The options; None if text was printed instead. Usage errors exit with status 64."""
    parser = _parser()
    try:
        parsed = parser.parse_args(arguments)
    except SystemExit as end:
        raise SystemExit(64 if end.code else 0) from None
    if parsed.list_faults:
        print(fault_table())
        return None
    if parsed.state is None:
        parser.print_usage()
        raise SystemExit(64)
    return Options(
        state=parsed.state.absolute(), ready_file=parsed.ready_file, client_ca=parsed.client_ca,
        sp_metadata=parsed.sp_metadata, generic_sp_metadata=parsed.generic_sp_metadata,
        personas=parsed.personas, method=parsed.method, port_idp=parsed.port_idp,
        port_mtls=parsed.port_mtls, port_sp=parsed.port_sp, port_ways=parsed.port_ways,
        claims_hook=parsed.claims_hook,
        spid_idp_metadata=parsed.spid_idp_metadata, oidc_client=parsed.oidc_client, faults=parsed.fault,
        switches=parsed.switch, slow_seconds=parsed.slow_seconds, allow_real_cards=parsed.allow_real_cards)

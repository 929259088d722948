"""The routes on the listener of the other sign-in methods, and the line of the service description."""
from flask import Blueprint

from ..ways.context import Ways
from ..ways.rules import LOOPBACK_RETURN
from . import idp, sp
from .context import Spid


def blueprint(ways: Ways) -> Blueprint:
    """Both sides."""
    routes = Blueprint("spid", __name__)
    spid = Spid(ways)
    sp.add(routes, spid)
    idp.add(routes, spid)
    return routes


def entries(ways: Ways) -> list[dict[str, object]]:
    """`spid`."""
    return [{"method": "spid", "base": ways.origin + "/spid/", "returnUrl": LOOPBACK_RETURN}]

"""The routes on the listener of the other sign-in methods, and the lines of the service description."""
from flask import Blueprint

from ..visits.people import UserDirectory
from ..ways.context import Ways
from . import authorize, device, endpoints
from .client import CLIENT_ID
from .keys import CLIENT_FILE
from .provider import OpenIDProvider
from .server import Server


def blueprint(ways: Ways) -> Blueprint:
    """All routes of the OpenID provider."""
    routes = Blueprint("oidc", __name__)
    provider = OpenIDProvider.of(ways)
    server = Server(provider)
    directory = UserDirectory(ways)
    endpoints.add(routes, provider, server)
    authorize.add(routes, provider, directory)
    device.add(routes, provider, server, directory)
    return routes


def entries(ways: Ways) -> list[dict[str, object]]:
    """`oidc`, and `identity-app` by the device authorization grant."""
    common: dict[str, object] = {
        "issuer": ways.origin + "/oidc/", "clientId": CLIENT_ID, "clientKey": CLIENT_FILE, "signedUserInfo": True}
    return [
        {"method": "oidc", **common, "scopes": ["openid", "profile", "email", "offline_access"]},
        {"method": "identity-app", **common, "scope": "identity"}]

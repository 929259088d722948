"""One entity of the federation by spid-cie-oidc, over TLS on 127.0.0.1: `entity.py anchor|provider|party FOLDER`.

FOLDER has `plan.json`, written by `rig.py`: the addresses, keys and metadata of all entities. The package is a set of Django
applications; the project around them, which its own examples have as a folder each, is this file.
"""
import json
import pathlib
import socketserver
import ssl
import sys
import urllib.parse
import wsgiref.simple_server

import django
import requests
from django.conf import settings

role, folder = sys.argv[1], pathlib.Path(sys.argv[2])
plan = json.loads((folder / "plan.json").read_text())
anchor = plan["anchor"]["sub"]
own = plan[role]
settings.configure(
    SECRET_KEY="only for tests" * 4, DEBUG=True, ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, USE_TZ=True,
    TIME_ZONE="UTC", STATIC_URL="/static/", AUTH_USER_MODEL="spid_cie_oidc_accounts.User", APPEND_SLASH=False,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField", SESSION_COOKIE_NAME=role, CSRF_COOKIE_NAME=role + "-csrf",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / f"{role}.sqlite3"}},
    INSTALLED_APPS=["spid_cie_oidc.accounts"] + [f"django.contrib.{name}" for name in (
        "admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")] + ["bootstrap_italia_template"] + [
        f"spid_cie_oidc.{name}" for name in ("entity", "authority", "relying_party", "provider")] + ["djagger"],
    MIDDLEWARE=[f"django.contrib.{name}" for name in (
        "sessions.middleware.SessionMiddleware", "auth.middleware.AuthenticationMiddleware",
        "messages.middleware.MessageMiddleware")],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {
        "context_processors": [
            "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
            "django.contrib.messages.context_processors.messages"]}}],
    LOGGING={"version": 1, "handlers": {"all": {"class": "logging.StreamHandler"}}, "loggers": {
        "spid_cie_oidc": {"handlers": ["all"], "level": "INFO"}, "django": {"handlers": ["all"], "level": "ERROR"}}},
    OIDCFED_DEFAULT_TRUST_ANCHOR=anchor, OIDCFED_TRUST_ANCHORS=[anchor], OIDCFED_REQUIRED_TRUST_MARKS=[],
    OIDCFED_PROVIDER_PROFILE=plan["profile"], OIDCFED_DEFAULT_PROVIDER_PROFILE=plan["profile"],
    RP_DEFAULT_PROVIDER_PROFILES=plan["profile"], OIDCFED_PROVIDER_MAX_CONSENT_TIMEFRAME=3600,
    OIDCFED_PROVIDER_MAX_REFRESH=10, OIDCFED_IDENTITY_PROVIDERS={plan["profile"]: {plan["provider"]["sub"]: anchor}},
    LOGIN_REDIRECT_URL="/oidc/rp/echo_attributes", LOGOUT_REDIRECT_URL="/oidc/rp/landing", LOGIN_URL="/oidc/rp/landing")
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import re_path  # noqa: E402
from spid_cie_oidc.authority.models import (  # noqa: E402
    FederationDescendant, FederationEntityAssignedProfile, FederationEntityProfile)
from spid_cie_oidc.authority.urls import urlpatterns as of_anchor  # noqa: E402
from spid_cie_oidc.entity.models import FederationEntityConfiguration  # noqa: E402
from spid_cie_oidc.entity.urls import urlpatterns as of_entity  # noqa: E402
from spid_cie_oidc.entity.views import entity_configuration  # noqa: E402
from spid_cie_oidc.provider.urls import urlpatterns as of_provider  # noqa: E402
from spid_cie_oidc.provider.views import userinfo_endpoint  # noqa: E402
from spid_cie_oidc.provider.views.authz_request_view import AuthzRequestView  # noqa: E402
from spid_cie_oidc.relying_party.urls import urlpatterns as of_party  # noqa: E402

urlpatterns = [
    *of_entity, *{"anchor": of_anchor, "provider": of_provider, "party": of_party}[role],
    re_path(r"^.+/\.well-known/openid-federation$", entity_configuration)]


def configured(entity):
    FederationEntityConfiguration.objects.create(is_active=True, **entity)


def filled():
    """The database: its own entity, the person, and as the anchor the subordinates and our client, which has no server."""
    call_command("migrate", verbosity=0)
    if role == "anchor":
        for entity in (own, plan["client"]):
            configured(entity)
        issuer = FederationEntityConfiguration.objects.get(sub=anchor)
        for entity in (plan["provider"], plan["party"], plan["client"]):
            kind = entity["entity_type"]
            profile, _ = FederationEntityProfile.objects.get_or_create(
                name=kind, profile_category=kind, profile_id=plan["marks"][kind])
            descendant = FederationDescendant.objects.create(
                name=kind, sub=entity["sub"], type=kind, status="valid", is_active=True, jwks=entity_keys(entity))
            FederationEntityAssignedProfile.objects.create(descendant=descendant, profile=profile, issuer=issuer)
    else:
        statement = requests.get(f"{anchor}/fetch", {"sub": own["sub"], "format": "json"}, timeout=30).json()
        configured({**own, "trust_marks": statement["trust_marks"]})
    if role == "provider":
        get_user_model().objects.create_user(plan["user"], password=plan["password"], attributes=plan["person"])


def entity_keys(entity):
    return FederationEntityConfiguration(**entity).public_jwks


def amended():
    """Mends the package where it contradicts the rules, to see how far it goes after that; `plan["amended"]` names the places."""
    if "ui_locales" in plan["amended"]:
        lists = AuthzRequestView.string_to_list
        AuthzRequestView.string_to_list = lambda self, payload, names: lists(self, payload, (*names, "ui_locales"))
    if "userinfo" in plan["amended"]:
        sign, issuer = userinfo_endpoint.create_jws, {"iss": own["sub"], "aud": plan["client"]["sub"]}
        userinfo_endpoint.create_jws = lambda claims, jwk: sign({**claims, **issuer}, jwk)


class Server(socketserver.ThreadingMixIn, wsgiref.simple_server.WSGIServer):
    daemon_threads = True

    def get_request(self):
        connection, peer = super().get_request()
        return tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), peer

    def setup_environ(self):
        super().setup_environ()
        self.base_environ["HTTPS"] = "on"


tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(folder / "server.pem", folder / "server.key")
if __name__ == "__main__":
    filled()
    amended()
    port = urllib.parse.urlsplit(own["sub"]).port
    with Server(("127.0.0.1", port), wsgiref.simple_server.WSGIRequestHandler) as server:
        server.set_app(get_wsgi_application())
        server.serve_forever()

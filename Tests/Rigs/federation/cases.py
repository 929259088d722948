"""The cases, with the outcome that each had: another one is a failure. See README.md, which explains them."""
import json
import sys
import urllib.parse

import plan
import rig

FISCAL = "https://attributes.eid.gov.it/fiscal_number"
OFFLINE = {"level": 1, "scopes": ["openid", "offline_access"]}
NAMES = ["given_name", "family_name", "birthdate", FISCAL]


def outcome(result):
    """The name of the error, else the names of the claims."""
    if result.get("ok"):
        return " ".join(name.rsplit("/", 1)[-1] for name in result["claims"])
    return result.get("error", {}).get("name") or json.dumps(result)


def login(federation, agree=True, **more):
    """A sign-in at the provider by the method `oidc`, the person in a browser."""
    said, place = [], more.get("returnUrl", federation.plan["anchor"]["sub"] + "/signed-in")
    own_door = place.startswith("http:")

    def person(url):
        end, browser = federation.visit(url, place.rpartition(":")[0] if own_door else place, agree)
        said.append(end)
        if own_door and end.startswith("http:"):
            browser.get(end)
        return end

    way = [] if own_door else ["--return", "stdin"]
    result = federation.run(
        "login", "--method", "oidc", "--open", *way, "--service", federation.service(**more), person=person)
    error = urllib.parse.parse_qs(urllib.parse.urlsplit("".join(said)).query).get("error", [])
    return " ".join([outcome(result), *(f"({name})" for name in error)])


def party(federation):
    """The package's relying party with its own provider, without us."""
    party, provider = (federation.plan[role]["sub"] for role in ("party", "provider"))
    query = urllib.parse.urlencode({"provider": provider, "profile": federation.plan["profile"]})
    end, browser = federation.visit(f"{party}/oidc/rp/authorization?{query}", party + "/oidc/rp/echo_attributes")
    return "signed in" if "Prova" in browser.get(end).text else end


def card(federation):
    """The same, with the card in the place of the browser and the provider as the environment."""
    party, provider = (federation.plan[role]["sub"] for role in ("party", "provider"))
    query = urllib.parse.urlencode({"provider": provider, "profile": federation.plan["profile"]})
    environment, pin = federation.folder / "environment.json", federation.folder / "pin"
    pin.write_text("27182818")
    pin.chmod(0o600)
    hosts = [urllib.parse.urlsplit(provider).netloc]
    environment.write_text(json.dumps({
        "name": "federation", "idp": provider + "/", "linkHosts": hosts, "nextPaths": ["/oidc/op/consent"], "ca": "server.pem"}))
    return outcome(federation.run(
        "login", "--virtual", "--pin-file", pin, "--consent", "yes", "--sp-url", f"{party}/oidc/rp/authorization?{query}",
        "--environment", environment))


def account(federation, *words):
    result = federation.run(*words)
    if not result.get("ok"):
        return outcome(result)
    return "renewed" if "providerTold" not in result else "told" if result["providerTold"] else "not told"


def logout(federation, **more):
    """After a sign-in: the answer of `logout`, and the userinfo endpoint's to the access token then."""
    login(federation, **more)
    token = federation.run("token").get("token")
    said = account(federation, "logout")
    answer = federation.browser().get(
        federation.plan["provider"]["sub"] + "/userinfo", headers={"Authorization": f"Bearer {token}"})
    return f"{said}, userinfo {answer.status_code}"


DATA = "acr sub birthdate family_name given_name fiscal_number"
MARKS = "https://federation.invalid/agreement/openid_"
AS_IT_IS = [
    ("their relying party and provider, without us", "signed in", party),
    ("the card at their provider's page", "no-hand-off", card),
    ("our client", "openid-invalid-request (invalid_request)", login),
    ("another key of the anchor", "openid-federation", lambda f: login(f, trustAnchorKeys="other.jwks")),
    ("a trust mark of another kind", "openid-federation", lambda f: login(f, trustMark=MARKS + "relying_party"))]
LOCALES = [("our client", "token-not-believed", login)]
ALL = [
    ("the anchor's trust mark", "acr sub", lambda f: login(f, trustMark=MARKS + "provider")),
    ("claims", DATA, lambda f: login(f, claims=NAMES)),
    ("scope profile", "acr sub", lambda f: login(f, scopes=["openid", "profile"])),
    ("back to http://127.0.0.1", "other-session (invalid_request)", lambda f: login(f, returnUrl=plan.LOOPBACK)),
    ("level 3", "acr sub", lambda f: login(f, level=3)),
    ("a private key without dp, dq, qi", "acr sub", lambda f: login(f, clientKey="incomplete.jwks")),
    ("a key for signatures alone", "client-key-only-signs", lambda f: login(f, clientKey="signing.jwk")),
    ("the person does not agree", "other-session (rejected_by_user)", lambda f: login(f, agree=False)),
    ("logout", "told, userinfo 403", logout),
    ("logout with a refresh token", "told, userinfo 403", lambda f: logout(f, **OFFLINE)),
    ("a renewed token", "renewed", lambda f: (login(f, **OFFLINE), account(f, "token", "--refresh"))[1])]
SPID = [
    ("scope profile", "openid-invalid-request (invalid_request)", lambda f: login(f, scopes=["openid", "profile"])),
    ("claims", DATA, lambda f: login(f, claims=NAMES)),
    ("their relying party and provider, without us", "signed in", party)]

failures = 0
for profile, amended, cases in (
        ("cie", [], AS_IT_IS), ("cie", ["ui_locales"], LOCALES), ("cie", ["ui_locales", "userinfo", "iss"], ALL),
        ("spid", ["ui_locales", "userinfo"], SPID)):
    print(f"profile {profile}, amended: {', '.join(amended) or 'nothing'}", flush=True)
    with rig.Federation(profile, amended) as federation:
        for name, expected, case in cases:
            found = case(federation)
            failures += found != expected
            print(f"  {'' if found == expected else 'NOT '}{name}: {found}", flush=True)
            if found != expected and "-v" in sys.argv:
                for role in ("anchor", "provider", "party"):
                    print((federation.folder / f"{role}.log").read_text()[-2000:], file=sys.stderr)
print(f"federation: {failures} failures")
sys.exit(failures > 0)

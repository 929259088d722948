"""An independent client that builds and checks a chain of trust, made with PyJWT."""
import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import jwt

from .rig import Rig

STATEMENT = "entity-statement+jwt"
_ALGORITHMS = ["RS256", "ES256"]


class Untrusted(Exception):
    """There is no chain."""


def require(condition: bool, why: str) -> None:
    """Ends the chain."""
    if not condition:
        raise Untrusted(why)


class ChainBuilder:
    """Knows the anchor's keys beforehand."""

    def __init__(self, rig: Rig) -> None:
        service = Path(rig.ready["serviceFederation"])
        entry = next(e for e in json.loads(service.read_text())["methods"] if e["method"] == "oidc")
        self.issuer, self.anchor = entry["issuer"], entry["trustAnchor"]
        self.anchor_keys = json.loads(service.with_name(entry["trustAnchorKeys"]).read_text())["keys"]
        self.user = rig.browser()

    def get(self, url: str) -> str:
        """A statement's text."""
        require(url.startswith(self.anchor.removesuffix("federation/")), "foreign host")
        page = self.user.open(url)
        require(page.status == 200 and page.headers["content-type"] == f"application/{STATEMENT}", "no statement")
        return page.text

    @staticmethod
    def read(text: str, keys: list[dict[str, Any]], issuer: str, subject: str) -> dict[str, Any]:
        """The claims of a statement by these keys."""
        try:
            header = jwt.get_unverified_header(text)
            require(header.get("typ") == STATEMENT, "type")
            key = next((k for k in keys if k["kid"] == header.get("kid")), None)
            require(key is not None, "kid")
            claims: dict[str, Any] = jwt.decode(
                text, jwt.PyJWK(key).key, _ALGORITHMS, issuer=issuer,
                options={"require": ["exp", "iat", "iss", "sub", "jwks"]})
        except jwt.PyJWTError as error:
            raise Untrusted(type(error).__name__) from None
        require(claims["sub"] == subject and "crit" not in claims, "subject")
        return claims

    def own(self, entity: str) -> dict[str, Any]:
        """An entity's configuration, by the keys in it: not trusted yet."""
        text = self.get(entity + ".well-known/openid-federation")
        try:
            claims = jwt.decode(text, options={"verify_signature": False})
        except jwt.PyJWTError as error:
            raise Untrusted(type(error).__name__) from None
        require("jwks" in claims, "keys")
        return self.read(text, claims["jwks"]["keys"], entity, entity)

    def metadata(self) -> dict[str, Any]:
        """The provider's metadata after the anchor's policies."""
        leaf = self.own(self.issuer)
        chain, entity, current = [], self.issuer, leaf
        while entity != self.anchor:
            hints = current.get("authority_hints", [])
            require(len(hints) == 1 and len(chain) < 3, "hints")
            superior = self.own(hints[0]) if hints[0] != self.anchor else self.read(
                self.get(self.anchor + ".well-known/openid-federation"), self.anchor_keys, self.anchor, self.anchor)
            require(hints[0] != self.anchor or "authority_hints" not in superior, "circle")
            endpoint = superior["metadata"]["federation_entity"].get("federation_fetch_endpoint", "")
            chain.append((hints[0], superior, self.get(f"{endpoint}?sub={quote(entity, safe='')}"), entity, current))
            entity, current = hints[0], superior
        return self.judged(leaf, chain)

    def judged(self, leaf: dict[str, Any], chain: list[Any]) -> dict[str, Any]:
        """Checks the statements from the anchor down; each proves the keys of the subordinate."""
        keys, policies, types = self.anchor_keys, [], [{"openid_provider"}]
        for below, (superior, _, text, entity, configuration) in reversed(list(enumerate(chain))):
            claims = self.read(text, keys, superior, entity)
            for constraints in (chain[below][1].get("constraints", {}), claims.get("constraints", {})):
                require(constraints.get("max_path_length", 9) >= below, "path")
                self.check_names(constraints.get("naming_constraints", {}), [link[3] for link in chain[:below + 1]])
                types += [
                    set(constraints[name]) for name in ("allowed_entity_types", "allowed_leaf_entity_types")
                    if name in constraints]
            keys = claims["jwks"]["keys"]
            require(configuration["jwks"]["keys"] == keys, "keys")
            require("metadata_policy_crit" not in claims, "critical")
            policies.append(claims.get("metadata_policy", {}).get("openid_provider", {}))
        require("openid_provider" in set.intersection(*types), "type")
        found = dict(leaf["metadata"].get("openid_provider", {}))
        for policy in policies:
            require(isinstance(policy, dict), "policy")
            found = self.narrowed(policy, found)
        require(found.get("issuer") == self.issuer, "issuer")
        self.check_mark(leaf)
        return found

    @staticmethod
    def check_names(constraints: Any, names: list[str]) -> None:
        """The hosts of these entities, by the rules of RFC 5280 §4.2.1.10 for addresses."""
        require(isinstance(constraints, dict), "names")
        for host in (urlsplit(name).hostname or "" for name in names):
            def fits(rule: str, host: str = host) -> bool:
                return host.endswith(rule) and host != rule if rule.startswith(".") else host == rule

            require(not any(fits(rule) for rule in constraints.get("excluded", [])), "excluded")
            require(any(fits(rule) for rule in constraints.get("permitted", [host])), "permitted")

    @staticmethod
    def check_operators(rule: dict[str, Any]) -> None:
        """Operators that must not be combined."""
        sets = {name: set(rule[name]) for name in ("add", "one_of", "subset_of", "superset_of") if name in rule}
        require("one_of" not in sets or len(sets) == 1, "one_of")
        require(rule.get("default", "") is not None, "default")
        limit = sets.get("subset_of")
        require(limit is None or sets.get("add", set()) | sets.get("superset_of", set()) <= limit, "subset_of")
        if isinstance(rule.get("value"), list):
            own = set(rule["value"])
            require(sets.get("add", set()) | sets.get("superset_of", set()) <= own, "value")
            require(limit is None or own <= limit, "value")

    @staticmethod
    def narrowed(policy: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
        """One policy applied."""
        for name, rule in policy.items():
            ChainBuilder.check_operators(rule)
            value = rule.get("value", found.get(name))
            if "add" in rule:
                value = sorted({*(value or []), *rule["add"]})
            value = rule.get("default") if value is None else value
            require(value is not None or not rule.get("essential"), "essential")
            require("one_of" not in rule or value in rule["one_of"], "one_of")
            if "subset_of" in rule:
                value = [v for v in value if v in rule["subset_of"]]
            require(set(rule.get("superset_of", [])) <= set(value if isinstance(value, list) else []), "superset_of")
            found[name] = value
        return found

    def check_mark(self, leaf: dict[str, Any]) -> None:
        """The anchor's mark must be there."""
        marks = leaf.get("trust_marks", [])
        require(len(marks) == 1, "mark")
        key = jwt.PyJWK(self.anchor_keys[0]).key
        try:
            claims = jwt.decode(marks[0]["trust_mark"], key, _ALGORITHMS, issuer=self.anchor)
        except jwt.PyJWTError:
            raise Untrusted("mark") from None
        require(claims["sub"] == self.issuer and claims["id"] == marks[0]["id"], "mark")
        require(claims["iat"] <= time.time() + 60, "mark")

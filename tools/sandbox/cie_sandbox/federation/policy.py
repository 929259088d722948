"""A metadata policy applied to metadata (OpenID Federation §6.1)."""
from typing import Any

Members = dict[str, Any]


def applied(policy: dict[str, Members], metadata: Members) -> Members:
    """The metadata that the policy leaves. Raises ValueError with the member that it forbids."""
    result = dict(metadata)
    for name, rules in policy.items():
        value = _value(rules, result.get(name))
        if value is None:
            if rules.get("essential"):
                raise ValueError(name)
            result.pop(name, None)
            continue
        if "one_of" in rules and value not in rules["one_of"]:
            raise ValueError(name)
        if "subset_of" in rules:
            value = [item for item in value if item in rules["subset_of"]]
            if not value:
                raise ValueError(name)
        if not set(rules.get("superset_of", ())) <= set(value if isinstance(value, list) else ()):
            raise ValueError(name)
        result[name] = value
    return result


def _value(rules: Members, value: Any) -> Any:
    """After the operators that change: value, add, default, in this order."""
    if "value" in rules:
        value = rules["value"]
    if "add" in rules:
        value = [*(value or []), *(item for item in rules["add"] if item not in (value or []))]
    if value is None and "default" in rules:
        value = rules["default"]
    return value

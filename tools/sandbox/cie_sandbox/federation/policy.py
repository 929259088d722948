"""A metadata policy applied to metadata (OpenID Federation §6.1)."""
from typing import Any

Members = dict[str, Any]


def check(rules: Members) -> None:
    """Raises ValueError for operators that must not be combined (§6.1.3.1)."""
    lists = {name: rules[name] for name in ("add", "one_of", "subset_of", "superset_of") if name in rules}
    value = rules.get("value")
    among = lists.get("subset_of")
    good = (
        all(isinstance(operand, list) for operand in lists.values())
        and not ("default" in rules and rules["default"] is None)
        and not ("one_of" in lists and len(lists) > 1)
        and (among is None or _holds(among, lists.get("add", [])) and _holds(among, lists.get("superset_of", []))))
    if good and "value" in rules:
        items = value if isinstance(value, list) else []
        good = (
            not (value is None and ("default" in rules or rules.get("essential")))
            and ("one_of" not in lists or value in lists["one_of"])
            and (isinstance(value, list) or not set(lists) & {"add", "subset_of", "superset_of"})
            and _holds(items, lists.get("add", [])) and _holds(items, lists.get("superset_of", []))
            and (among is None or _holds(among, items)))
    if not good:
        raise ValueError("operators")


def _holds(items: list[Any], others: list[Any]) -> bool:
    return all(item in items for item in others)


def applied(policy: dict[str, Members], metadata: Members) -> Members:
    """The metadata after the policy. Raises ValueError with the member that it forbids."""
    result = dict(metadata)
    for name, rules in policy.items():
        check(rules)
        value = _value(rules, result.get(name))
        if value is None:
            if rules.get("essential"):
                raise ValueError(name)
            result.pop(name, None)
            continue
        if "one_of" in rules and value not in rules["one_of"]:
            raise ValueError(name)
        if "subset_of" in rules:
            # The result may be empty, which is legal (§6.1.3.1.5).
            value = [item for item in value if item in rules["subset_of"]]
        if not set(rules.get("superset_of", ())) <= set(value if isinstance(value, list) else ()):
            raise ValueError(name)
        result[name] = value
    return result


def _value(rules: Members, value: Any) -> Any:
    """The result of the operators that change: value, add, default, in this order."""
    if "value" in rules:
        value = rules["value"]
    if "add" in rules:
        value = [*(value or []), *(item for item in rules["add"] if item not in (value or []))]
    if value is None and "default" in rules:
        value = rules["default"]
    return value

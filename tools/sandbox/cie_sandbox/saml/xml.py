"""XML: written as a tree, read without document types or entities."""
import datetime
import secrets
import xml.etree.ElementTree as Tree
from xml.etree.ElementTree import Element

from defusedxml import ElementTree as SafeTree
from defusedxml.common import DefusedXmlException

from . import names

for _prefix, _namespace in (
    ("samlp", names.SAMLP), ("saml", names.SAML), ("md", names.MD), ("ds", names.DS),
    ("xsi", names.XSI),
):
    Tree.register_namespace(_prefix, _namespace)


class NotXML(ValueError):
    """Not well-formed, or with a document type declaration."""


def parse(data: bytes) -> Element:
    """The root of a document."""
    try:
        root: Element = SafeTree.fromstring(data, forbid_dtd=True)
    except (Tree.ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise NotXML from error
    return root


def q(namespace: str, name: str) -> str:
    """A qualified name as ElementTree writes it."""
    return f"{{{namespace}}}{name}"


def element(
    namespace: str, name: str, attributes: dict[str, str] | None = None,
    *children: Element | None, text: str | None = None,
) -> Element:
    """An element; children that are `None` are omitted."""
    made = Element(q(namespace, name), attributes or {})
    made.text = text
    made.extend(child for child in children if child is not None)
    return made


def write(root: Element) -> bytes:
    """The document in UTF-8."""
    return bytes(Tree.tostring(root, encoding="utf-8", xml_declaration=True))


def new_id() -> str:
    """An xs:ID of 128 random bits."""
    return "_" + secrets.token_hex(16)


def instant(moment: datetime.datetime) -> str:
    """A UTC time as SAML writes it (saml-core §1.3.3)."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def read_instant(text: str) -> datetime.datetime:
    """The reverse of `instant`; fractions are optional, UTC is not. Raises ValueError."""
    if not text.endswith("Z"):
        raise ValueError("not UTC")
    moment = datetime.datetime.fromisoformat(text[:-1])
    if moment.tzinfo is not None or "T" not in text:
        raise ValueError("not xs:dateTime in UTC")
    return moment


def now() -> datetime.datetime:
    """The present in UTC, without time zone."""
    return datetime.datetime.utcnow()

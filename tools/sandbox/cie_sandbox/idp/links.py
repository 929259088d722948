"""The links of the login page, right ones and wrong ones."""
from urllib.parse import quote

from .provider import Provider
from .sessions import Conversation

NEXT_PATH = "/idp/Authn/X509"
OPERATION_TEXT = "Accesso al servizio di prova (SANDBOX), città inventata"


def _encode(value: str) -> str:
    return quote(value, safe="")


def parts(provider: Provider, conversation: Conversation, fault: str | None) -> dict[str, str]:
    """The link's parameters, decoded; nextUrl is the only one that travels unencoded."""
    next_url = provider.origin + NEXT_PATH
    name, value = "conversation", conversation.key
    match fault:
        case "link-foreign-next":
            next_url = "https://elsewhere.cie-sandbox.invalid" + NEXT_PATH
        case "link-foreign-path":
            next_url = provider.origin + "/idp/Authn/X509/../../collect"
        case "link-injected":
            value += "&generaCodice=0&login=1"
        case "link-named-codice":
            name = "codice"
    return {
        "nextUrl": next_url, "name": name, "value": value, "authnRequestString": conversation.token,
        "OpText": OPERATION_TEXT, "imgUrl": provider.origin + "/sandbox/logo.svg"}


def open_app(provider: Provider, conversation: Conversation, iphone: bool, fault: str | None) -> str:
    """The level 3 link: `https://IDP/OpenApp?…` for Android, the `ios.` host for iPhone."""
    items = []
    for key, value in parts(provider, conversation, fault).items():
        if fault == "link-missing-value" and key == "value":
            continue
        items.append(f"{key}={value if key == 'nextUrl' else _encode(value)}")
        if fault == "link-repeated-key" and key == "value":
            items.append("value=e9s9")
    start = provider.origin + "/OpenApp?"
    if iphone:
        separator = "" if provider.faults.is_on("slash-link") else "?"
        start = f"{provider.ios_origin}/{separator}"
    match fault:
        case "link-lookalike-host":
            start = start.replace("localhost", "localhost.cie-sandbox.invalid", 1)
        case "link-user-info":
            start = start.replace("https://", "https://user@", 1)
        case "link-http":
            start = start.replace("https:", "http:", 1)
    return start + "&".join(items)


def hand_off(provider: Provider, conversation: Conversation, level: int) -> str:
    """The level 1 or 2 link, for the phone app."""
    path = f"livello{level}"
    if level == 2 and provider.faults.is_on("universal-link"):
        path = "app"
    return (
        f"{provider.base}login/{path}?opId={conversation.operation}&challenge={_encode(conversation.token)}"
        f"&level={level}&SPName={_encode(conversation.provider.name)}"
        f"&SPLogo={_encode(provider.origin + '/sandbox/logo.svg')}&value={conversation.key}")


def returned(provider: Provider, conversation: Conversation, level: int) -> str:
    """The phone app's redirect for the browser after the person's approval."""
    return f"{provider.base}login/livello{level}mobile?value={conversation.key}"


def completed(provider: Provider, conversation: Conversation, codice: str) -> str:
    """The completed URL of level 3."""
    return f"{provider.origin}{NEXT_PATH}?conversation={conversation.key}&login=1&codice={codice}"


def hybrid(provider: Provider, conversation: Conversation) -> str:
    """The link of a QR code: login on a PC, card read by a phone."""
    return (
        f"{provider.base}erroreQr.jsp?opId=_{conversation.operation}&opType=login"
        f"&SPName={_encode(conversation.provider.name)}&IdPName={provider.base}&userId=CT00000ZZ"
        f"&opText={_encode(OPERATION_TEXT)}&SPLogo={_encode(provider.origin + '/sandbox/logo.svg')}")

"""A small user agent: cookies by host, redirects on demand, forms and links by Python's HTML parser."""
import http.client
import ssl
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urljoin, urlsplit


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.links: dict[str, str] = {}
        self.action = ""
        self.fields: dict[str, str] = {}
        self.data: dict[str, str] = {}
        self._in: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "a":
            self.links[attributes.get("id", attributes["href"])] = attributes["href"]
        if tag == "form":
            self.action = attributes.get("action", "")
        if tag == "input":
            self.fields[attributes["name"]] = attributes.get("value", "")
        if tag == "title":
            self._in = "title"
        if "data-attribute" in attributes or attributes.get("id") in ("reason", "code"):
            self._in = attributes.get("data-attribute") or attributes["id"]

    def handle_data(self, data: str) -> None:
        if self._in == "title":
            self.title += data
        elif self._in:
            self.data[self._in] = self.data.get(self._in, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._in = None


@dataclass
class Page:
    """One answer."""

    url: str
    status: int
    headers: dict[str, str]
    text: str
    title: str = ""
    links: dict[str, str] = field(default_factory=dict)
    action: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)


class Browser:
    """Keeps cookies by host name, as browsers do: ports do not separate them."""

    def __init__(self, ca: str, agent: str) -> None:
        self.context = ssl.create_default_context(cafile=ca)
        self.agent = agent
        self.cookies: dict[str, tuple[str, str]] = {}
        self.history: list[str] = []

    def open(
        self, url: str, form: dict[str, str] | None = None, *, method: str | None = None,
        follow: bool = True, headers: dict[str, str] | None = None,
    ) -> Page:
        """Loads a page; follows redirects within ten hops."""
        for _ in range(10):
            page = self._once(url, form, method, headers or {})
            if not follow or page.status not in (301, 302, 303, 307):
                return page
            url, form, method = urljoin(url, page.headers["location"]), None, None
        raise RuntimeError("too many redirects")

    def submit(self, page: Page, **choice: str) -> Page:
        """Sends a page's form."""
        return self.open(urljoin(page.url, page.action), {**page.fields, **choice})

    def _once(
        self, url: str, form: dict[str, str] | None, method: str | None, headers: dict[str, str]
    ) -> Page:
        self.history.append(url)
        parts = urlsplit(url)
        connection = http.client.HTTPSConnection(
            parts.hostname or "", parts.port, context=self.context, timeout=300)
        body = urlencode(form) if form is not None else None
        sent = {"User-Agent": self.agent, **headers}
        wanted = [
            f"{name}={value}" for name, (value, path) in self.cookies.items()
            if parts.path.startswith(path)]
        if wanted:
            sent["Cookie"] = "; ".join(wanted)
        if body is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        target = parts.path + ("?" + parts.query if parts.query else "")
        try:
            connection.request(method or ("POST" if body is not None else "GET"), target, body, sent)
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie", []):
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = (morsel.value, morsel["path"] or "/")
        reader = _Reader()
        if "html" in answer.headers.get("Content-Type", ""):
            reader.feed(text)
        return Page(
            url, answer.status, {k.lower(): v for k, v in answer.headers.items()}, text,
            reader.title, reader.links, reader.action, reader.fields, reader.data)

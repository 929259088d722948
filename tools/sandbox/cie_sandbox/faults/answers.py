"""HTTP answers that are wrong on demand."""
import time
from collections.abc import Iterator

from flask import Response

_CHUNK = 64 * 1024
_LONGEST = 120.0
"""Seconds after which even an endless body ends, so that no connection lasts for ever."""
ELSEWHERE = "https://elsewhere.cie-sandbox.invalid/idp/Authn/SSL/Login2"


def text(body: str, status: int = 200) -> Response:
    """A plain answer."""
    return Response(body, status, content_type="text/plain; charset=utf-8")


def endless(start: bytes, content_type: str) -> Response:
    """A body that continues until the client stops, or for two minutes."""
    def body() -> Iterator[bytes]:
        end = time.monotonic() + _LONGEST
        yield start
        while time.monotonic() < end:
            yield b" " * _CHUNK

    return Response(body(), 200, content_type=content_type)


def huge(start: bytes, size: int, content_type: str) -> Response:
    """A body of a known, large size."""
    def body() -> Iterator[bytes]:
        yield start
        for _ in range(size // _CHUNK):
            yield b" " * _CHUNK

    length = len(start) + size // _CHUNK * _CHUNK
    return Response(body(), 200, {"Content-Length": str(length)}, content_type=content_type)


def dripping(body: bytes, content_type: str) -> Response:
    """A body at one byte a second, announced in full."""
    def drops() -> Iterator[bytes]:
        for index in range(len(body)):
            if index:
                time.sleep(1)
            yield body[index:index + 1]

    return Response(drops(), 200, {"Content-Length": str(len(body))}, content_type=content_type)


def redirect(location: str, status: int) -> Response:
    """A redirect to anywhere."""
    return Response("", status, {"Location": location})


def for_card_call(fault: str, codice: str, own_url: str, again: bool) -> Response | None:
    """The answer of a fault of stage CARD_CALL; None for the right one."""
    good = f"codice:{codice}".encode()
    plain = "text/plain; charset=utf-8"
    match fault:
        case "http-403":
            return text("forbidden", 403)
        case "http-500":
            return text("error", 500)
        case "empty":
            return text("")
        case "15-digits":
            return text(f"codice:{codice[:15]}")
        case "17-digits":
            return text(f"codice:{codice}0")
        case "letters":
            return text(f"codice:{codice[:10]}ABCDEF")
        case "no-prefix":
            return text(codice)
        case "extra-text":
            return text(f"codice:{codice} ok")
        case "markup":
            return Response(f"<html><body>codice:{codice}</body></html>", 200, content_type="text/html")
        case "other-digits":
            return text("codice:" + "".join(chr(0x660 + int(digit)) for digit in codice))
        case "huge-body":
            return huge(good, 8 * 1024 * 1024, plain)
        case "endless-body":
            return endless(good, plain)
        case "truncated":
            # As a list, because the length of a plain body would be recomputed.
            return Response([good[:12]], 200, {"Content-Length": str(len(good))}, content_type=plain)
        case "slow-body":
            return dripping(good, plain)
        case "redirect-once":
            return None if again else redirect(own_url + "?again=1", 307)
        case "redirect-loop":
            return redirect(own_url, 307)
        case "redirect-host":
            return redirect(ELSEWHERE, 307)
        case "redirect-http":
            return redirect(own_url.replace("https:", "http:", 1), 307)
        case "redirect-file":
            return redirect("file:///etc/hostname", 307)
    return None


def for_login_page(fault: str, own_url: str) -> Response | None:
    """The answer of a fault of stage LOGIN_PAGE that is not a separate page."""
    html = "text/html; charset=utf-8"
    start = b"<!doctype html><title>SANDBOX</title><p>"
    match fault:
        case "login-500":
            return text("error", 500)
        case "login-empty":
            return Response("", 200, content_type=html)
        case "login-huge":
            return huge(start, 64 * 1024 * 1024, html)
        case "login-endless":
            return endless(start, html)
        case "login-redirect-loop":
            return redirect(own_url, 302)
        case "login-redirect-host":
            return redirect("https://elsewhere.cie-sandbox.invalid/idp/login", 302)
        case "login-redirect-http":
            return redirect(own_url.replace("https:", "http:", 1), 302)
    return None

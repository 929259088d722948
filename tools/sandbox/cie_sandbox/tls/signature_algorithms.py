"""The signature algorithms that a server names in its CertificateRequest (RFC 5246 §7.4.4).

Python's ssl module cannot set them, so this reaches through it to OpenSSL's SSL_CTX_set1_client_sigalgs_list.
It knows the layout of CPython's SSLContext (the SSL_CTX pointer follows the object header), checks what it
finds as far as it can, and is used for the fault `pss-only` alone.
"""
import _ssl
import ctypes
import platform
import ssl

_SET_CLIENT_SIGALGS_LIST = 102
_POINTER_OFFSET = object.__basicsize__


class NotPossibleHere(RuntimeError):
    """This Python keeps its SSL_CTX elsewhere."""


def limit_client_signatures(context: ssl.SSLContext, algorithms: str) -> None:
    """Sets the list, as in `rsa_pss_rsae_sha256:rsa_pss_rsae_sha384`."""
    if platform.python_implementation() != "CPython":
        raise NotPossibleHere
    # The extension module is linked to libssl, so its handle finds the same copy of the library.
    library = ctypes.CDLL(_ssl.__file__)
    pointer = ctypes.c_void_p.from_address(id(context) + _POINTER_OFFSET)
    control = library.SSL_CTX_ctrl
    control.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_long, ctypes.c_char_p]
    control.restype = ctypes.c_long
    options = library.SSL_CTX_get_options
    options.argtypes, options.restype = [ctypes.c_void_p], ctypes.c_uint64
    if options(pointer) != int(context.options) & 0xFFFFFFFFFFFFFFFF:
        raise NotPossibleHere
    if control(pointer, _SET_CLIENT_SIGALGS_LIST, 0, algorithms.encode()) != 1:
        raise NotPossibleHere

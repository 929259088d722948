"""The state folder: keys and certificates of one install, made at its first start."""
import datetime
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cryptography import x509

from . import certificates

HOSTS = ("localhost", "ios.localhost", "127.0.0.1")
_REMAINING = datetime.timedelta(days=7)


class StateFolder:
    """The files of one install. The authority's own key is discarded once it has signed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.ca = root / "ca.pem"
        self.server_key = root / "server.key"
        self.server = root / "server.pem"
        self.expired = root / "server-expired.pem"
        self.wrong_host = root / "server-wrong-host.pem"
        self.unknown_ca = root / "server-unknown-ca.pem"
        self.idp_key = root / "idp-saml.key"
        self.idp = root / "idp-saml.pem"
        self.sp_key = root / "sp-saml.key"
        self.sp = root / "sp-saml.pem"

    def prepare(self) -> bool:
        """Makes missing or expiring files; returns true if it made any."""
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.root.stat().st_uid != os.getuid() or self.root.stat().st_mode & 0o077:
            raise PermissionError("the state folder must be the user's own, mode 0700")
        if self._is_good():
            return False
        self._make()
        return True

    def _is_good(self) -> bool:
        # ca.pem is written last: if it exists, all files do.
        if not self.ca.exists():
            return False
        certificate = x509.load_pem_x509_certificate(self.server.read_bytes())
        return certificate.not_valid_after > datetime.datetime.utcnow() + _REMAINING

    def _make(self) -> None:
        self.ca.unlink(missing_ok=True)
        with ThreadPoolExecutor() as pool:
            keys = [pool.submit(certificates.new_key) for _ in range(3)]
            server_key, idp_key, sp_key = (key.result() for key in keys)
        root = certificates.authority(
            "Throw-away root of one sandbox", certificates.new_authority_key())
        stranger = certificates.authority(
            "Root that nobody trusts", certificates.new_authority_key())
        server = certificates.server(root, server_key, HOSTS)
        self._write(self.server_key, server.key_pem)
        self._write(self.server, server.pem)
        self._write(self.expired, certificates.server(root, server_key, HOSTS, (-30, -1)).pem)
        self._write(
            self.wrong_host, certificates.server(root, server_key, ("other-host.invalid",)).pem)
        self._write(self.unknown_ca, certificates.server(stranger, server_key, HOSTS).pem)
        for label, key, key_file, file in (
            ("Sandbox identity provider, SAML", idp_key, self.idp_key, self.idp),
            ("Sandbox service provider, SAML", sp_key, self.sp_key, self.sp),
        ):
            issued = certificates.signing(label, key)
            self._write(key_file, issued.key_pem)
            self._write(file, issued.pem)
        self._write(self.ca, root.pem)

    @staticmethod
    def _write(path: Path, data: bytes) -> None:
        # A new file of mode 0600, even if an older one had another mode.
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)

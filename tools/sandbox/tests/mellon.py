"""An independent service provider: apache2 with mod_auth_mellon, on a separate loopback port."""
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from .rig import PATIENCE, Rig

APACHE = "/usr/sbin/apache2"
MODULES = ("mpm_event", "authn_core", "authz_core", "authz_user", "dir", "ssl", "auth_mellon", "headers")
ENTITY_ID = "https://mellon.example.invalid/sp"
METADATA = """<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{entity}">
<SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true"
 protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>
<X509Certificate>{certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
<NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:transient</NameIDFormat>
<AssertionConsumerService index="0" isDefault="true"
 Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="{base}mellon/postResponse"/>
</SPSSODescriptor></EntityDescriptor>
"""
CONFIGURATION = """
ServerRoot {root}
ServerName localhost
PidFile {root}/pid
ErrorLog {root}/error.log
Listen 127.0.0.1:{port}
{user}
{modules}
DocumentRoot {root}/www
DirectoryIndex index.html
ForceType text/html
SSLEngine on
SSLCertificateFile {root}/server.pem
SSLCertificateKeyFile {root}/server.key
<Location />
  MellonEnable info
  MellonEndpointPath /mellon
  MellonSPMetadataFile {root}/sp.xml
  MellonSPPrivateKeyFile {root}/sp.key
  MellonSPCertFile {root}/sp.pem
  MellonIdPMetadataFile {root}/idp.xml
  MellonSecureCookie On
  MellonCookieSameSite none
  MellonSignatureMethod rsa-sha256
  MellonAuthnContextClassRef "https://www.spid.gov.it/SpidL3"
  MellonUser fiscalNumber
</Location>
<Location /secret>
  AuthType Mellon
  MellonEnable auth
  Require valid-user
  Header always set X-Person "%{{MELLON_fiscalNumber}}e"
</Location>
"""


class Mellon:
    """Metadata first, then, once the identity provider knows it, the server."""

    def __init__(self, keys: Rig) -> None:
        self._temporary = tempfile.TemporaryDirectory()
        self.root = Path(self._temporary.name)
        self.root.chmod(0o755)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self.base = f"https://localhost:{self.port}/"
        state = keys.folder / "state"
        for source, target in (
            ("server.key", "server.key"), ("server.pem", "server.pem"),
            ("sp-saml.key", "sp.key"), ("sp-saml.pem", "sp.pem"),
        ):
            shutil.copyfile(state / source, self.root / target)
        certificate = "".join((self.root / "sp.pem").read_text().splitlines()[1:-1])
        self.metadata = self.root / "sp.xml"
        self.metadata.write_text(
            METADATA.format(entity=ENTITY_ID, certificate=certificate, base=self.base))

    def start(self, rig: Rig) -> None:
        """Starts apache2 and waits for its port."""
        (self.root / "idp.xml").write_text(rig.browser().open(rig.ready["idpMetadata"]).text)
        secret = self.root / "www" / "secret"
        secret.mkdir(parents=True)
        (secret / "index.html").write_text("<title>behind mellon</title>")
        (self.root / "httpd.conf").write_text(CONFIGURATION.format(
            root=self.root, port=self.port,
            # Started by root, apache2 requires another user for its children.
            user="User www-data\nGroup www-data" if os.geteuid() == 0 else "",
            modules="\n".join(
                f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so"
                for name in MODULES)))
        self._process = subprocess.Popen(
            [APACHE, "-f", self.root / "httpd.conf", "-D", "FOREGROUND"])
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                if self._process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError((self.root / "error.log").read_text()) from None
                time.sleep(0.05)

    def remove(self) -> None:
        """Ends the server."""
        self._process.terminate()
        self._process.wait(PATIENCE)
        self._temporary.cleanup()

"""Names of SAML 2.0 (OASIS saml-core-2.0-os, saml-metadata-2.0-os) and of XML Signature."""
SAMLP = "urn:oasis:names:tc:SAML:2.0:protocol"
SAML = "urn:oasis:names:tc:SAML:2.0:assertion"
MD = "urn:oasis:names:tc:SAML:2.0:metadata"
DS = "http://www.w3.org/2000/09/xmldsig#"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
XS = "http://www.w3.org/2001/XMLSchema"

REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"

ENTITY = "urn:oasis:names:tc:SAML:2.0:nameid-format:entity"
TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
BASIC = "urn:oasis:names:tc:SAML:2.0:attrname-format:basic"
BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
STATUS = "urn:oasis:names:tc:SAML:2.0:status:"

RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
RSA_SHA384 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384"
RSA_SHA512 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512"
SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256"
EXC_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#"
ENVELOPED = DS + "enveloped-signature"

LEVELS = {f"https://www.spid.gov.it/SpidL{level}": level for level in (1, 2, 3)}
"""Authentication context classes. They are names in the protocol; nothing is ever loaded from there."""

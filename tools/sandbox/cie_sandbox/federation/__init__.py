"""OpenID Federation: a trust anchor, an intermediate, and what the OpenID provider says of itself."""

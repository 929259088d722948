"""OpenID Federation: a trust anchor, an intermediate, and the OpenID provider's entity configuration."""

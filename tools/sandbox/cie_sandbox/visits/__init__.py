"""A person's actions on the pages of a provider: password, code, consent. OpenID provider and SPID share it."""

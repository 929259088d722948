"""An OpenID provider after the CIE profile of OpenID Connect, made with authlib."""

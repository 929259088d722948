"""The service provider, a pysaml2 one."""

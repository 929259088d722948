"""Who the service provider is."""

ENTITY_ID = "https://sp.cie-sandbox.invalid/not-a-government-service"

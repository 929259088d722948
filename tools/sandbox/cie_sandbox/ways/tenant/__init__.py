"""Native sign-in as published by MSAL: form in, JSON out, chained by a continuation token."""

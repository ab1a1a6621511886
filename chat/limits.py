"""How often in a minute one user may ask for pages that cost the database much (SEC-7)."""

SEARCHES_PER_MINUTE = 60
EXPORTS_PER_MINUTE = 30

"""People who have excluded themselves from play (F-15)."""

"""Front of house: JSON API and pages."""

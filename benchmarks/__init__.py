"""Measurements. The figures that README quotes are what `make bench` prints."""

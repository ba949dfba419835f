"""Showing measurements: `presentation` as tables, `curves` and `plots`, and what goes wrong (`error_analysis`)."""

"""The version of pyproject.toml."""

VERSION = "1.0.0rc1"

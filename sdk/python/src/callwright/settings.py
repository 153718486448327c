"""The options of a client and of a request."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

BASE_PATH = "/api/v0"
TIMEOUT_SECONDS = 30.0
MAX_RETRIES = 3
MAX_RETRY_AFTER_SECONDS = 60.0


@dataclass(frozen=True)
class RequestOptions:
    """Options of one request; None takes the client's."""

    timeout: float | None = None
    """Longest wait for the answer and for each part of it, in seconds. Streams have no limit."""
    max_retries: int | None = None
    """Retries after the first attempt."""
    max_retry_after: float | None = None
    """A longer Retry-After fails at once instead of waiting, in seconds."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers beside those of the client."""


@dataclass(frozen=True)
class Settings:
    """The options of a client with every default in place."""

    base_url: str
    api_key: str
    timeout: float
    max_retries: int
    max_retry_after: float
    headers: Mapping[str, str]


def settings_of(
    base_url: str | None,
    api_key: str | None,
    timeout: float,
    max_retries: int,
    max_retry_after: float,
    headers: Mapping[str, str] | None,
) -> Settings:
    """Raises ValueError when the address or the key is missing or is no address."""
    address = base_url if base_url is not None else os.environ.get("CALLWRIGHT_URL", "")
    key = api_key if api_key is not None else os.environ.get("CALLWRIGHT_API_KEY", "")
    if key == "":
        raise ValueError("api_key is missing: pass it, or set CALLWRIGHT_API_KEY")
    if not address.startswith(("http://", "https://")):
        raise ValueError(
            "base_url must be the http(s) address of the service: pass it, or set CALLWRIGHT_URL"
        )
    origin = address.rstrip("/").removesuffix(BASE_PATH)
    return Settings(origin, key, timeout, max_retries, max_retry_after, dict(headers or {}))

"""When a request is sent again, and after how long."""

from __future__ import annotations

from .errors import CallwrightError

FIRST_SECONDS = 0.5
LONGEST_SECONDS = 8.0


def is_worth_retrying(error: CallwrightError, is_repeatable: bool) -> bool:
    """A 429 was not executed, so a retry is always safe. After a 5xx or a broken connection the effect is unknown,
    so only repeatable requests are retried; the same holds for a 409 of a running attempt."""
    if error.status == 429:
        return True
    is_running = error.status == 409 and error.code == "REQUEST_IN_PROGRESS"
    return is_repeatable and (error.status == 0 or error.status >= 500 or is_running)


def wait_before_retry(
    error: CallwrightError, tries: int, *, longest: float, random: float
) -> float | None:
    """Seconds until the next attempt: what Retry-After asks for, else exponential backoff with jitter. None when
    Retry-After is longer than `longest`. `tries` counts from 1, `random` is in 0..1."""
    asked = _retry_after(error)
    if asked is not None:
        return asked if asked <= longest else None
    most = min(LONGEST_SECONDS, FIRST_SECONDS * 2.0 ** (tries - 1))
    return most / 2 + most / 2 * random


def _retry_after(error: CallwrightError) -> float | None:
    text = error.headers.get("retry-after") if error.headers is not None else None
    try:
        seconds = float(text) if text is not None else -1.0
    except ValueError:
        return None
    return seconds if seconds >= 0 else None

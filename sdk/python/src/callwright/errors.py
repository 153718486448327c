"""What the client raises."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import httpx


class FieldProblem(NamedTuple):
    """An invalid field of a request."""

    field: str
    message: str


class CallwrightError(Exception):
    """A refused request, or one without a complete answer: `status` is 0 then, and `__cause__` has the reason."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str | None = None,
        fields: tuple[FieldProblem, ...] = (),
        request_id: str | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code
        """The error code, such as `VALIDATION_FAILED`."""
        self.fields = fields
        """The invalid fields of a 422."""
        self.request_id = request_id
        """The request id, for the operator."""
        self.body = body
        """The body of the answer, if it is JSON."""
        self.headers = headers
        """Of the answer, such as RateLimit and Retry-After; None without one."""


class WebhookError(Exception):
    """The delivery has an invalid signature, is too old, or is not an event."""


def error_of(response: httpx.Response) -> CallwrightError:
    """The error of a failed answer, whose body has been read."""
    try:
        body = json.loads(response.content)
    except ValueError:
        # Not JSON, for example from a proxy, so the message is the status.
        body = None
    facts: dict[str, Any] = body if isinstance(body, dict) else {}

    def text_of(key: str) -> str | None:
        value = facts.get(key)
        return value if isinstance(value, str) else None

    problems = facts.get("errors")
    return CallwrightError(
        response.status_code,
        text_of("message") or text_of("error") or f"The service answered {response.status_code}",
        code=text_of("code"),
        fields=tuple(
            FieldProblem(str(problem.get("field")), str(problem.get("message")))
            for problem in (problems if isinstance(problems, list) else [])
            if isinstance(problem, dict)
        ),
        request_id=text_of("request_id") or response.headers.get("x-request-id"),
        body=body,
        headers=response.headers,
    )


def unanswered_error(url: str, cause: Exception) -> CallwrightError:
    """The service did not answer, or its answer broke off. The address comes without its query, which may hold numbers."""
    reason = str(cause) or type(cause).__name__
    return CallwrightError(0, f"No complete answer from {url.split('?', 1)[0]}: {reason}")

"""From the arguments of a method to a request, without the network."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from ._version import VERSION
from .settings import RequestOptions, Settings


@dataclass(frozen=True)
class Operation:
    """One row of the generated table of operations."""

    method: str
    path: str
    has_body: bool = False
    is_form: bool = False
    is_idempotent: bool = False

    @property
    def is_repeatable(self) -> bool:
        """Whether a second execution has no second effect."""
        return self.method == "GET" or self.is_idempotent


@dataclass(frozen=True)
class Paged:
    """Where a list has its items (`data.agents`), and how it names the next page."""

    items: str
    by: str

    def items_of(self, answer: Any) -> list[Any]:
        found = answer
        for key in self.items.split("."):
            found = found[key]
        return list(found)

    def next_page(self, answer: Any, query: Mapping[str, Any]) -> dict[str, Any] | None:
        """The query of the next page; None after the last."""
        if self.by == "cursor":
            cursor = answer.get("next_cursor")
            return None if cursor is None else {**query, "cursor": cursor}
        count = len(self.items_of(answer))
        if count < query["limit"]:
            return None
        return {**query, "offset": query.get("offset", 0) + count}


PAGE = 100


def first_page(query: Mapping[str, Any]) -> dict[str, Any]:
    return {**query, "limit": PAGE if query.get("limit") is None else query["limit"]}


Part = tuple[str, tuple["str | None", "bytes | str"]]


@dataclass(frozen=True)
class Prepared:
    """A request that is ready to be sent, any number of times."""

    method: str
    url: str
    headers: dict[str, str]
    content: bytes | None
    parts: list[Part] | None
    is_repeatable: bool


def prepare(
    settings: Settings,
    operation: Operation,
    *,
    path: Mapping[str, str] | None = None,
    query: Mapping[str, Any] | None = None,
    body: Any = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
    options: RequestOptions | None = None,
) -> Prepared:
    """Raises TypeError for a value that has no place in a request."""
    headers = {
        "user-agent": f"callwright-python/{VERSION}",
        **_lower(settings.headers),
        **_lower(options.headers if options is not None else {}),
        "x-api-key": settings.api_key,
    }
    if operation.is_idempotent:
        headers["idempotency-key"] = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
    if if_match is not None:
        headers["if-match"] = if_match
    content: bytes | None = None
    parts: list[Part] | None = None
    if operation.is_form:
        parts = _parts_of(body or {})
    elif operation.has_body:
        headers["content-type"] = "application/json"
        content = json.dumps(body if body is not None else {}, ensure_ascii=False, allow_nan=False).encode()
    return Prepared(
        operation.method,
        settings.base_url + _path_of(operation.path, path or {}) + _search_of(query or {}),
        headers,
        content,
        parts,
        operation.is_repeatable,
    )


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _path_of(template: str, values: Mapping[str, str]) -> str:
    found = template
    for name, value in values.items():
        if not isinstance(value, str) or value == "":
            raise TypeError(f"{name} must be a non-empty text")
        found = found.replace("{" + name + "}", quote(value, safe=""))
    return found


def _search_of(query: Mapping[str, Any]) -> str:
    """None is left out; a value that a query cannot carry is an error, since leaving it out would widen a filter."""
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if value is None:
            continue
        if isinstance(value, bool):
            pairs.append((name, "true" if value else "false"))
        elif isinstance(value, (str, int, float)):
            pairs.append((name, str(value)))
        else:
            raise TypeError(f"{name} must be a text, a number or a boolean")
    return "?" + urlencode(pairs) if pairs else ""


def _parts_of(fields: Mapping[str, Any]) -> list[Part]:
    """Files become parts of their own; other lists and objects travel as JSON, which the service reads from form fields."""
    parts: list[Part] = []
    for name, value in fields.items():
        if value is None:
            continue
        values = value if isinstance(value, list) else [value]
        files = [_file_of(entry) for entry in values]
        if files and all(file is not None for file in files):
            parts.extend((name, file) for file in files if file is not None)
        else:
            parts.append((name, (None, value if isinstance(value, str) else json.dumps(value))))
    return parts


def _file_of(value: Any) -> tuple[str, bytes] | None:
    """Name and content of a file, read once, so that a retry sends it again; None for another value."""
    if isinstance(value, Path):
        return (value.name, value.read_bytes())
    if isinstance(value, tuple):
        name, content = value
        return (name, content)
    if hasattr(value, "read"):
        return (Path(str(getattr(value, "name", "file"))).name, value.read())
    return None

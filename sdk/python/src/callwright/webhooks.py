"""Verification of deliveries by Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Union, cast

from .errors import WebhookError
from .models import WebhookEvent

PREFIX = "whsec_"
MAX_SIGNATURES = 16
HeaderValue = Union[str, Sequence[str]]


def verify_webhook(
    secret: str,
    headers: Mapping[str, HeaderValue],
    body: str | bytes,
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """The event of a delivery whose signature is right.

    `body` must be the raw body of the request, since parsed and serialised JSON has another signature. Raises
    WebhookError. Receivers deduplicate on call_id and event_type. `now` is a Unix time in seconds, for tests.
    """
    delivery_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature")
    if re.fullmatch(r"[0-9]{1,12}", timestamp) is None:
        raise WebhookError("the delivery is too old or its time is wrong")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookError("the delivery is too old or its time is wrong")
    raw = body.encode() if isinstance(body, str) else body
    expected = _signature(secret, delivery_id, timestamp, raw)
    is_ours = False
    for entry in signatures.split(" ")[:MAX_SIGNATURES]:
        version, _, text = entry.partition(",")
        signature = _bytes_of(text) if version == "v1" else None
        if signature is not None and hmac.compare_digest(signature, expected):
            is_ours = True
    if not is_ours:
        raise WebhookError("no signature matches")
    try:
        event = json.loads(raw)
    except ValueError as cause:
        raise WebhookError("the body is not JSON") from cause
    if not isinstance(event, dict) or "event_type" not in event:
        raise WebhookError("the body is no event")
    return cast(WebhookEvent, event)


def sign_webhook(
    secret: str, body: str | bytes, *, delivery_id: str | None = None, now: float | None = None
) -> dict[str, str]:
    """The headers of a delivery of `body`, as the service sends them: for tests of a receiver."""
    name = delivery_id if delivery_id is not None else str(uuid.uuid4())
    timestamp = str(int(time.time() if now is None else now))
    raw = body.encode() if isinstance(body, str) else body
    signature = base64.b64encode(_signature(secret, name, timestamp, raw)).decode()
    return {
        "webhook-id": name,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{signature}",
    }


def _header(headers: Mapping[str, HeaderValue], name: str) -> str:
    """Gateways send names in other cases (`Webhook-Id`), and some frameworks lists of values."""
    found = next((value for key, value in headers.items() if key.lower() == name), "")
    value = found if isinstance(found, str) else next(iter(found), "")
    if value == "":
        raise WebhookError(f"the header {name} is missing")
    return value


def _signature(secret: str, delivery_id: str, timestamp: str, raw: bytes) -> bytes:
    key = _bytes_of(secret.removeprefix(PREFIX))
    if key is None:
        raise WebhookError("the secret is not base64")
    return hmac.new(key, f"{delivery_id}.{timestamp}.".encode() + raw, hashlib.sha256).digest()


def _bytes_of(text: str) -> bytes | None:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None

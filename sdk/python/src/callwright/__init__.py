"""A typed client of the Callwright API, sync and async, and verification of its webhooks."""

from . import models
from ._version import VERSION as __version__
from .async_client import AsyncCallwright
from .client import Callwright
from .errors import CallwrightError, FieldProblem, WebhookError
from .settings import RequestOptions
from .webhooks import sign_webhook, verify_webhook

__all__ = [
    "AsyncCallwright",
    "Callwright",
    "CallwrightError",
    "FieldProblem",
    "RequestOptions",
    "WebhookError",
    "__version__",
    "models",
    "sign_webhook",
    "verify_webhook",
]

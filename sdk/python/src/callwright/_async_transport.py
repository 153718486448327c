"""Sends requests by asyncio, and again while that is worth it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

import httpx

from ._events import EventReader
from ._request import Operation, Paged, Prepared, first_page, prepare
from ._retry import is_worth_retrying, wait_before_retry
from .errors import CallwrightError, error_of, unanswered_error
from .settings import (
    MAX_RETRIES,
    MAX_RETRY_AFTER_SECONDS,
    TIMEOUT_SECONDS,
    RequestOptions,
    settings_of,
)

if TYPE_CHECKING:
    from typing_extensions import Self


class AsyncTransport:
    """The connection of a client to the service."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        max_retry_after: float = MAX_RETRY_AFTER_SECONDS,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`base_url` and `api_key` default to CALLWRIGHT_URL and CALLWRIGHT_API_KEY of the environment. `timeout` and
        `max_retry_after` are seconds. An `http_client` of the caller stays open. Raises ValueError without an address
        or a key."""
        self._settings = settings_of(
            base_url, api_key, timeout, max_retries, max_retry_after, headers
        )
        self._is_owned = http_client is None
        self._http = httpx.AsyncClient() if http_client is None else http_client
        self._sleep = sleep

    async def close(self) -> None:
        """Closes the connections."""
        if self._is_owned:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def download_recording(
        self, recording_url: str, *, byte_range: str | None = None
    ) -> bytes:
        """A recording by its signed link (`recording_url` of a call or event), which needs no key. `byte_range` reads a
        part of it: `bytes=0-65535`. Raises CallwrightError, with status 410 for a link that has ended: read the call
        again for a new one."""
        try:
            response = await self._http.get(
                recording_url,
                headers={} if byte_range is None else {"range": byte_range},
                timeout=self._settings.timeout,
            )
        except httpx.RequestError as cause:
            raise unanswered_error(recording_url, cause) from cause
        if not response.is_success:
            raise error_of(response)
        return response.content

    async def _json(
        self, operation: Operation, *, options: RequestOptions | None, **arguments: Any
    ) -> Any:
        prepared = prepare(self._settings, operation, options=options, **arguments)
        return await self._answer(prepared, options, lambda response: response.json())

    async def _bytes(
        self, operation: Operation, *, options: RequestOptions | None, **arguments: Any
    ) -> bytes:
        prepared = prepare(self._settings, operation, options=options, **arguments)
        content: bytes = await self._answer(prepared, options, lambda response: response.content)
        return content

    async def _events(
        self, operation: Operation, *, options: RequestOptions | None, **arguments: Any
    ) -> AsyncIterator[Any]:
        prepared = prepare(self._settings, operation, options=options, **arguments)
        response: httpx.Response = await self._answer(prepared, options, None)
        reader = EventReader()
        try:
            async for line in response.aiter_lines():
                for event in reader.line(line.rstrip("\r\n")):
                    yield event
        except httpx.RequestError as cause:
            raise unanswered_error(prepared.url, cause) from cause
        finally:
            await response.aclose()

    async def _pages(
        self,
        operation: Operation,
        paged: Paged,
        *,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        options: RequestOptions | None,
    ) -> AsyncIterator[Any]:
        page: dict[str, Any] | None = first_page(query)
        while page is not None:
            answer = await self._json(operation, path=path, query=page, options=options)
            for item in paged.items_of(answer):
                yield item
            page = paged.next_page(answer, page)

    async def _answer(
        self,
        prepared: Prepared,
        options: RequestOptions | None,
        read: Callable[[httpx.Response], Any] | None,
    ) -> Any:
        """What `read` makes of the answer; without it the open stream."""
        given = options if options is not None else RequestOptions()
        settings = self._settings
        retries = settings.max_retries if given.max_retries is None else given.max_retries
        longest = (
            settings.max_retry_after if given.max_retry_after is None else given.max_retry_after
        )
        timeout = settings.timeout if given.timeout is None else given.timeout
        tries = 0
        while True:
            tries += 1
            try:
                return await self._attempt(prepared, timeout, read)
            except CallwrightError as error:
                if tries > retries or not is_worth_retrying(error, prepared.is_repeatable):
                    raise
                wait = wait_before_retry(error, tries, longest=longest, random=random.random())
                if wait is None:
                    raise
            await self._sleep(wait)

    async def _attempt(
        self,
        prepared: Prepared,
        timeout: float,
        read: Callable[[httpx.Response], Any] | None,
    ) -> Any:
        request = self._http.build_request(
            prepared.method,
            prepared.url,
            headers=prepared.headers,
            content=prepared.content,
            files=prepared.parts,
            timeout=httpx.Timeout(timeout, read=timeout if read is not None else None),
        )
        try:
            response = await self._http.send(request, stream=read is None)
            if response.is_success:
                return response if read is None else read(response)
            await response.aread()
            await response.aclose()
        except (httpx.RequestError, ValueError) as cause:
            raise unanswered_error(prepared.url, cause) from cause
        raise error_of(response)

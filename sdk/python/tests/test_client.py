"""The clients over a scripted connection."""

from __future__ import annotations

import asyncio
import json
import unittest
from collections.abc import Callable
from typing import Any

import httpx

from callwright import AsyncCallwright, Callwright, CallwrightError, RequestOptions

ORDER: Any = {"name": "Priya", "mobile_number": "+14155550123", "agent_id": "a", "from_number_id": "n"}
PLACED = {"status": "success", "data": {"call_id": "c"}, "message": "queued"}


class Script:
    """Answers in order; an exception is raised in place of an answer. Keeps the requests and the waits."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.waits: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def client(self, **options: Any) -> Callwright:
        http = httpx.Client(transport=httpx.MockTransport(self))
        return Callwright(
            "http://service.test/api/v0/", "cw_any", http_client=http, sleep=self.waits.append, **options
        )

    def async_client(self) -> AsyncCallwright:
        async def sleep(seconds: float) -> None:
            self.waits.append(seconds)

        http = httpx.AsyncClient(transport=httpx.MockTransport(self))
        return AsyncCallwright("http://service.test", "cw_any", http_client=http, sleep=sleep)


def answer(status: int, body: Any, **headers: str) -> httpx.Response:
    return httpx.Response(
        status, json=body, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )


def refusal_of(run: Callable[[], Any]) -> CallwrightError:
    try:
        run()
    except CallwrightError as error:
        return error
    raise AssertionError("no CallwrightError")


class Requests(unittest.TestCase):
    def test_path_query_and_body(self) -> None:
        script = Script(answer(200, {"data": {}}), answer(200, {"calls": []}), answer(200, PLACED))
        client = script.client(headers={"X-Trace": "t"})
        client.get_agent("a/b")
        client.list_calls(status="completed", agent_id="ä&", limit=5)
        client.place_call(ORDER)
        first, second, third = script.requests
        self.assertEqual(str(first.url), "http://service.test/api/v0/agent/a%2Fb")
        self.assertEqual(dict(second.url.params), {"status": "completed", "agent_id": "ä&", "limit": "5"})
        self.assertEqual(json.loads(third.content), ORDER)
        self.assertEqual(third.headers["content-type"], "application/json")
        self.assertEqual((first.headers["x-api-key"], first.headers["x-trace"]), ("cw_any", "t"))
        self.assertNotIn("idempotency-key", first.headers)

    def test_values_without_a_place_are_refused(self) -> None:
        client = Script().client()
        values: Any = ["completed"]
        self.assertRaises(TypeError, lambda: client.list_calls(status=values))
        self.assertRaises(TypeError, lambda: client.get_agent(""))
        self.assertRaises(ValueError, lambda: Callwright("service.test", "cw_any"))
        self.assertRaises(ValueError, lambda: Callwright("http://service.test", ""))

    def test_a_form_sends_files_and_json(self) -> None:
        script = Script(answer(200, {"list_id": "l"}))
        body: Any = {
            "agent_id": "a",
            "file": ("contacts.csv", b"Mobile Number\n+14155550123\n"),
            "call_config": {"call_retry_config": {"retry_count": 0}},
        }
        script.client().save_campaign(body)
        (request,) = script.requests
        text = request.content.decode()
        self.assertTrue(request.headers["content-type"].startswith("multipart/form-data"))
        self.assertIn('name="file"; filename="contacts.csv"', text)
        self.assertIn("+14155550123", text)
        self.assertIn('{"call_retry_config": {"retry_count": 0}}', text)


class Errors(unittest.TestCase):
    def test_a_refusal_has_the_facts_of_the_answer(self) -> None:
        body = {
            "message": "mobile_number must be E.164",
            "code": "VALIDATION_FAILED",
            "errors": [{"field": "mobile_number", "message": "must be E.164"}],
            "request_id": "r",
        }
        client = Script(answer(422, body)).client()
        error = refusal_of(lambda: client.place_call(ORDER))
        self.assertEqual((error.status, error.code, error.request_id), (422, "VALIDATION_FAILED", "r"))
        self.assertEqual(str(error), "mobile_number must be E.164")
        self.assertEqual([(p.field, p.message) for p in error.fields], [("mobile_number", "must be E.164")])

    def test_an_answer_of_a_proxy_has_its_status(self) -> None:
        page = httpx.Response(403, text="<html>", headers={"x-request-id": "proxy"})
        error = refusal_of(Script(page).client().get_workspace)
        self.assertEqual((error.status, error.code, error.request_id), (403, None, "proxy"))
        self.assertEqual(str(error), "The service answered 403")

    def test_no_answer_has_status_0_and_no_query_in_its_message(self) -> None:
        client = Script(httpx.ConnectError("refused")).client(max_retries=0)
        error = refusal_of(lambda: client.list_calls(to_number="+14155550123"))
        self.assertEqual(error.status, 0)
        self.assertEqual(
            str(error), "No complete answer from http://service.test/api/v0/calling/history: refused"
        )


class Retries(unittest.TestCase):
    def test_one_idempotency_key_over_every_attempt(self) -> None:
        running = answer(409, {"message": "still running", "code": "REQUEST_IN_PROGRESS"})
        script = Script(httpx.ReadError("broken"), answer(503, {}), running, answer(200, PLACED))
        self.assertEqual(script.client().place_call(ORDER)["data"]["call_id"], "c")
        keys = {request.headers["idempotency-key"] for request in script.requests}
        self.assertEqual((len(script.requests), len(keys)), (4, 1))
        for wait, most in zip(script.waits, (0.5, 1.0, 2.0)):
            self.assertTrue(most / 2 <= wait <= most, script.waits)

    def test_the_key_of_the_caller_is_sent(self) -> None:
        script = Script(answer(200, PLACED))
        script.client().place_call(ORDER, idempotency_key="reminder-7")
        self.assertEqual(script.requests[0].headers["idempotency-key"], "reminder-7")

    def test_retry_after_takes_precedence_up_to_its_limit(self) -> None:
        script = Script(answer(429, {}, retry_after="7"), answer(429, {}, retry_after="61"))
        self.assertEqual(refusal_of(script.client().get_workspace).status, 429)
        self.assertEqual(script.waits, [7.0])

    def test_a_change_without_a_key_is_sent_again_after_429_only(self) -> None:
        script = Script(answer(429, {}, retry_after="0"), answer(503, {}))
        error = refusal_of(lambda: script.client().hang_up_call("c"))
        self.assertEqual((error.status, len(script.requests)), (503, 2))

    def test_the_number_of_retries_has_a_limit(self) -> None:
        script = Script(*(answer(500, {}) for _ in range(9)))
        self.assertEqual(refusal_of(script.client().get_workspace).status, 500)
        self.assertEqual(len(script.requests), 4)
        again = script.client()
        refusal_of(lambda: again.get_workspace(options=RequestOptions(max_retries=0)))
        self.assertEqual(len(script.requests), 5)

    def test_a_broken_answer_is_asked_for_again(self) -> None:
        script = Script(httpx.Response(200, text='{"workspace_info"'), answer(200, {"workspace_info": {}}))
        self.assertEqual(script.client().get_workspace(), {"workspace_info": {}})


class Lists(unittest.TestCase):
    def test_pages_by_cursor(self) -> None:
        script = Script(
            answer(200, {"calls": [{"id": "1"}, {"id": "2"}], "next_cursor": "n"}),
            answer(200, {"calls": [{"id": "3"}], "next_cursor": None}),
        )
        found = [call["id"] for call in script.client().iter_calls(status="completed", limit=2)]
        self.assertEqual(found, ["1", "2", "3"])
        self.assertEqual(
            [dict(request.url.params) for request in script.requests],
            [
                {"status": "completed", "limit": "2"},
                {"status": "completed", "limit": "2", "cursor": "n"},
            ],
        )

    def test_pages_by_offset(self) -> None:
        page = [{"id": str(index)} for index in range(100)]
        script = Script(
            answer(200, {"data": {"agents": page}}), answer(200, {"data": {"agents": page[:1]}})
        )
        self.assertEqual(len(list(script.client().iter_agents())), 101)
        self.assertEqual(dict(script.requests[1].url.params), {"limit": "100", "offset": "100"})


class Streams(unittest.TestCase):
    def test_events_and_files(self) -> None:
        stream = ': hello\n\nid: 1\ndata: {"type": "dtmf",\ndata: "digit": "5"}\n\ndata: {"type": "ended"}\n\n'
        script = Script(httpx.Response(200, text=stream), httpx.Response(200, text="id,status\n"))
        client = script.client()
        self.assertEqual(
            list(client.watch_call("c")), [{"type": "dtmf", "digit": "5"}, {"type": "ended"}]
        )
        self.assertEqual(client.export_calls(), b"id,status\n")

    def test_a_recording_is_read_without_the_key(self) -> None:
        script = Script(httpx.Response(206, content=b"RIFF"), answer(410, {"message": "the link ended"}))
        client = script.client()
        link = "http://service.test/recordings/r.wav?signature=s"
        self.assertEqual(client.download_recording(link, byte_range="bytes=0-3"), b"RIFF")
        self.assertNotIn("x-api-key", script.requests[0].headers)
        self.assertEqual(script.requests[0].headers["range"], "bytes=0-3")
        self.assertEqual(refusal_of(lambda: client.download_recording(link)).status, 410)


class Asyncio(unittest.TestCase):
    def test_the_async_client_does_the_same(self) -> None:
        script = Script(
            answer(503, {}),
            answer(200, PLACED),
            answer(200, {"calls": [{"id": "1"}], "next_cursor": "n"}),
            answer(200, {"calls": [{"id": "2"}], "next_cursor": None}),
            httpx.Response(200, text='data: {"type": "ended"}\n\n'),
            httpx.Response(200, text="id,status\n"),
            answer(404, {"message": "no such call", "code": "CALL_NOT_FOUND"}),
        )

        async def run() -> None:
            async with script.async_client() as client:
                placed = await client.place_call(ORDER)
                self.assertEqual(placed["data"]["call_id"], "c")
                self.assertEqual([call["id"] async for call in client.iter_calls()], ["1", "2"])
                self.assertEqual([e["type"] async for e in client.watch_call("c")], ["ended"])
                self.assertEqual(await client.export_calls(), b"id,status\n")
                with self.assertRaises(CallwrightError) as caught:
                    await client.get_call(id="c")
                self.assertEqual(caught.exception.code, "CALL_NOT_FOUND")

        asyncio.run(run())
        keys = {request.headers.get("idempotency-key") for request in script.requests[:2]}
        self.assertEqual(len(keys), 1)


if __name__ == "__main__":
    unittest.main()

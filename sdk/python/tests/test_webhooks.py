"""Verification of deliveries."""

from __future__ import annotations

import unittest

from callwright import WebhookError, sign_webhook, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"
BODY = '{"event_type":"call_completed","call_id":"c","note":"ä"}'
NOW = 1_700_000_000


class Webhooks(unittest.TestCase):
    def headers(self, secret: str = SECRET) -> dict[str, str]:
        return sign_webhook(secret, BODY, delivery_id="msg_1", now=NOW)

    def refusal(self, headers: dict[str, str], body: str = BODY, now: float = NOW) -> str:
        with self.assertRaises(WebhookError) as caught:
            verify_webhook(SECRET, headers, body, now=now)
        return str(caught.exception)

    def test_the_example_of_standard_webhooks(self) -> None:
        headers = sign_webhook(
            SECRET,
            '{"test": 2432232314}',
            delivery_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
            now=1614265330,
        )
        self.assertEqual(headers["webhook-signature"], "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")

    def test_a_delivery_of_the_service_is_an_event(self) -> None:
        event = verify_webhook(SECRET, self.headers(), BODY.encode(), now=NOW + 299)
        self.assertEqual(event["event_type"], "call_completed")

    def test_names_in_other_cases_and_lists_of_values(self) -> None:
        headers = {name.title(): [value] for name, value in self.headers().items()}
        self.assertEqual(verify_webhook(SECRET, headers, BODY, now=NOW)["event_type"], "call_completed")

    def test_either_signature_of_a_rotation(self) -> None:
        old = self.headers(OTHER)["webhook-signature"]
        headers = self.headers()
        headers["webhook-signature"] = f"{old} v2,x {headers['webhook-signature']}"
        for secret in (SECRET, OTHER):
            self.assertEqual(verify_webhook(secret, headers, BODY, now=NOW)["event_type"], "call_completed")

    def test_what_is_refused(self) -> None:
        signed = self.headers()
        self.assertIn("no signature matches", self.refusal(self.headers(OTHER)))
        self.assertIn("no signature matches", self.refusal(signed, BODY.replace("ä", "a")))
        self.assertIn("too old", self.refusal(signed, now=NOW + 301))
        self.assertIn("too old", self.refusal({**signed, "webhook-timestamp": "now"}))
        self.assertIn("webhook-id is missing", self.refusal({**signed, "webhook-id": ""}))
        self.assertIn("no signature matches", self.refusal({**signed, "webhook-signature": "v1,%%%"}))
        for body, reason in (("[]", "no event"), ("{", "not JSON")):
            self.assertIn(reason, self.refusal(sign_webhook(SECRET, body, now=NOW), body))


if __name__ == "__main__":
    unittest.main()

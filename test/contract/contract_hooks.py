"""Checks and data of the contract run (scripts/contract.ts)."""

import json
import pathlib
import re

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

RULES = [
    re.compile(entry["rule"])
    for entry in json.loads((pathlib.Path(__file__).parent / "rules.json").read_text())
]


def _is_explained(response) -> bool:
    """Whether every problem of a 422 is a rule that no JSON Schema can state."""
    if response.status_code != 422:
        return False
    body = response.json()
    problems = [[f"{each['field']} {each['message']}", each["message"]] for each in body.get("errors", [])]
    # A problem of one field is the message itself, or the message names no field.
    forms = problems if len(problems) > 1 else [[body["message"], *(problems[0] if problems else [])]]
    return all(any(rule.search(text) for rule in RULES for text in texts) for texts in forms)


@schemathesis.check
def accepted_or_explained(ctx, response, case):
    """positive_data_acceptance, except for refusals by the rules of rules.json."""
    if _is_explained(response):
        return None
    return positive_data_acceptance(ctx, response, case)

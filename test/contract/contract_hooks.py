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
    problems = response.json()["message"].split("; ")
    return all(any(rule.search(problem) for rule in RULES) for problem in problems)


@schemathesis.check
def accepted_or_explained(ctx, response, case):
    """positive_data_acceptance, except for refusals by the rules of rules.json."""
    if _is_explained(response):
        return None
    return positive_data_acceptance(ctx, response, case)

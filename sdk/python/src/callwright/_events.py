"""Events of a text/event-stream."""

from __future__ import annotations

import json
from typing import Any


class EventReader:
    """Takes the lines of a stream one by one."""

    def __init__(self) -> None:
        self._data: list[str] = []

    def line(self, text: str) -> tuple[Any, ...]:
        """The event that this line ends, as a tuple of one; empty for another line."""
        if text == "" and self._data:
            event = json.loads("\n".join(self._data))
            self._data = []
            return (event,)
        name, _, value = text.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
        return ()

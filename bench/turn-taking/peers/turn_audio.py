"""What the programs of bench:turn-taking share: pauses come on standard input, and one answer a line goes out."""

import json
import sys
from pathlib import Path

RATE = 16_000
FRAME_MS = 20
FRAME = RATE * FRAME_MS // 1_000
BYTES = 2


def pauses():
    """The pauses of the folder that standard input names: frames of 20 ms, and where the last sound of each ended, in ms."""
    request = json.loads(sys.stdin.read())
    for pause in request["pauses"]:
        pcm = Path(request["folder"], pause["file"]).read_bytes()
        size = FRAME * BYTES
        frames = [pcm[at : at + size] for at in range(0, len(pcm) - size + 1, size)]
        yield frames, pause["last_ms"]


def answer(**fields):
    print(json.dumps(fields), flush=True)
